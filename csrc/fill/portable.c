/* The level for every architecture: a vector is one word, in plain C without branches. */
#include "fill/levels.h"

typedef uint64_t vec;
#define UNROLL RANMAR_UNROLL(4)
#define HAS_WIDE_NUMBERS 0
#define HAS_STORES_PAST_CACHES 0

/* All words are of 64 bits, also those that are of 24 elsewhere 32. */
enum { WORDS_64 = 1, WORDS_32 = 1 };
#define spread_32 spread_64
#define subtract_32 subtract_64
#define straddle_32 straddle_64
#define step_32(c, d, m) step_64(c, d, m, RANMAR_REFILL)

INLINE vec spread_64(uint64_t v)
{
    return v;
}

INLINE vec subtract_64(vec a, vec b)
{
    return a - b;
}

INLINE vec straddle_64(vec a, vec b)
{
    (void)b;
    return a;
}

/* A difference below zero gets the modulus added, without a branch. */
INLINE vec step_64(vec c, vec d, vec m, enum ranmar_way way)
{
    (void)way;
    const vec t = c - d;
    return t + (m & -(t >> 63));
}

INLINE vec lower(vec v)
{
    return v << 32;
}

INLINE vec upper(vec v)
{
    return v >> 32 << 32;
}

INLINE vec fold(vec u)
{
    return u ^ (u >> 32 & UINT64_C(0x7fff8000));
}

/* A word of that many bits as an integer, of which 0 becomes 1 without a branch. */
INLINE int64_t whole(uint64_t u, int bits)
{
    const uint64_t word = u << 1 >> (64 - bits);
    return (int64_t)(word + (word == 0));
}

INLINE void numbers_64(vec u, char *out, enum ranmar_way way)
{
    const double number = (double)whole(u, 48) * 0x1p-48;
    __builtin_memcpy(out, &number, sizeof number);
    (void)way;
}

INLINE void numbers_32(vec u, char *out, enum ranmar_way way)
{
    const float number = (float)(int32_t)whole(u, 24) * 0x1p-24f;
    __builtin_memcpy(out, &number, sizeof number);
    (void)way;
}

#include "fill/loop.h"

static int always(void)
{
    return 1;
}

const struct ranmar_simd ranmar_portable = {"portable", always, refill, array};
