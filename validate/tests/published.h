/* RANMAR in floating point, as it was published (James 1990): a model that shares no code with the
 * library. For C and C++. */
#ifndef VALIDATE_PUBLISHED_H
#define VALIDATE_PUBLISHED_H

/* The arithmetic part: 24 bits in the original, 48 in the flavour extended. */
struct published_part {
    double c, cd, cm;
};
static const struct published_part published_24 = {362436. / 16777216., 7654321. / 16777216.,
                                                   16777213. / 16777216.};
static const struct published_part published_48 = {6080668145483. / 281474976710656.,
                                                   128418219713277. / 281474976710656.,
                                                   281474976710597. / 281474976710656.};

struct published {
    double u[98]; /* u[1] to u[97] */
    int i97, j97;
    struct published_part part;
};

static inline void published_start(struct published *g, int ijkl, int bits,
                                   const struct published_part *part)
{
    const int ij = ijkl / 30082, kl = ijkl % 30082;
    int i = ij / 177 % 177 + 2, j = ij % 177 + 2, k = kl / 169 % 178 + 1, l = kl % 169;
    for (int ii = 1; ii <= 97; ++ii) {
        double s = 0, t = 0.5;
        for (int jj = 0; jj < bits; ++jj, t /= 2) {
            const int m = i * j % 179 * k % 179;
            i = j;
            j = k;
            k = m;
            l = (53 * l + 1) % 169;
            if (l * m % 64 >= 32)
                s += t;
        }
        g->u[ii] = s;
    }
    g->i97 = 97;
    g->j97 = 33;
    g->part = *part;
}

/* The next number; a zero stays one. */
static inline double published_next(struct published *g)
{
    double uni = g->u[g->i97] - g->u[g->j97];
    if (uni < 0)
        uni += 1;
    g->u[g->i97] = uni;
    g->i97 = g->i97 > 1 ? g->i97 - 1 : 97;
    g->j97 = g->j97 > 1 ? g->j97 - 1 : 97;
    g->part.c -= g->part.cd;
    if (g->part.c < 0)
        g->part.c += g->part.cm;
    uni -= g->part.c;
    return uni < 0 ? uni + 1 : uni;
}

#endif
