/* A hash of a long sequence, block by block, on the CPU; cuda/tests/compare.cu makes the same on
 * GPUs.
 *
 * The bits of the numbers run in rows of HASH_LANES, and each lane has two sums modulo 2^64, of
 * the numbers and of the sums so far, so that values and order both count (Fletcher 1982). */
#ifndef RANMAR_CUDA_COMPARE_CPU_H
#define RANMAR_CUDA_COMPARE_CPU_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HASH_LANES = 64, HASH_BLOCK = 1 << 20 };

/* One number from the sums of the lanes. */
static inline uint64_t hash_of_sums(const uint64_t a[HASH_LANES], const uint64_t b[HASH_LANES])
{
    uint64_t hash = 0;
    for (int l = 0; l < HASH_LANES; ++l) {
        hash = (hash ^ a[l]) * UINT64_C(0x9e3779b97f4a7c15);
        hash = (hash ^ b[l] ^ hash >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    }
    return hash;
}

/* The hashes of blocks 0..blocks-1 of the sequence with this seed, double precision, from
 * position 0, on all cores. */
void hash_on_cpu(int64_t seed, size_t blocks, uint64_t *hashes);

#ifdef __cplusplus
}
#endif

#endif
