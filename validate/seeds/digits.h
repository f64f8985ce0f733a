/* A seed as the published seeding takes it apart: i, j from IJ, k, l from KL. */
#ifndef VALIDATE_DIGITS_H
#define VALIDATE_DIGITS_H

#include <stdint.h>

struct digits {
    unsigned i, j, k, l;
};

static inline struct digits digits_of(int64_t seed)
{
    const unsigned ij = (unsigned)(seed / 30082), kl = (unsigned)(seed % 30082);
    return (struct digits){ij / 177 % 177 + 2, ij % 177 + 2, kl / 169 % 178 + 1, kl % 169};
}

/* The seed with these digits, or -1: i and j begin at 2. */
static inline int64_t seed_with(struct digits d)
{
    if (d.i < 2 || d.j < 2)
        return -1;
    return ((int64_t)(d.i - 2) * 177 + (d.j - 2)) * 30082 + (d.k - 1) * 169 + d.l;
}

#endif
