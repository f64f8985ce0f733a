/* For every architecture: a vector is one word, in plain C without branches. */
#include "fill/instruction_sets.h"

typedef uint64_t vec;
#define UNROLL RANMAR_UNROLL(4)
#define MULTIPLY(a, b) ((uint64_t)(uint32_t)(a) * (uint32_t)(b))
#define REGISTER "r"
#define WORDS_IN_REGISTERS 0
#define HAS_REFILL 1
#define HAS_WIDE_NUMBERS 0
#define HAS_NON_TEMPORAL_STORES 0

/* All words are kept in 64 bits. (Other instruction sets keep words of 24 bits in 32.) */
#define WORDS_64 1
#define WORDS_32 1
#define align_32 align_64

INLINE vec align_64(vec a, vec b)
{
    (void)b;
    return a;
}

INLINE vec high_32(const vec *words)
{
    return *words >> 16;
}

/* As in sse2.c. */
INLINE void numbers_64(vec u, char *out, enum ranmar_store store)
{
    union {
        double number;
        uint64_t bits;
    } above = {16.0};
    above.bits |= u & ((UINT64_C(1) << 48) - 1);
    const double r = above.number - 16.0, number = r > 0 ? r : 0x1p-48;
    __builtin_memcpy(out, &number, sizeof number);
    (void)store;
}

/* A word of 24 bits stands in the upper half of a word of 48. */
INLINE void numbers_32(vec u, char *out, enum ranmar_store store)
{
    const float r = (float)(int32_t)(u >> 24 & 0xffffff) * 0x1p-24f;
    const float number = r > 0 ? r : 0x1p-24f;
    __builtin_memcpy(out, &number, sizeof number);
    (void)store;
}

#include "fill/loop.h"

const struct ranmar_simd ranmar_portable = {"portable", ranmar_always, refill_loop, array_loop,
                                            words_loop};
