/* The definition of RANMAR, shared unchanged by C, CUDA and OpenCL C.
 *
 * A sequence is a pure function of (seed, position), and combines a lagged Fibonacci part and an
 * arithmetic part (Marsaglia, Zaman, Tsang, Stat. Prob. Lett. 9 (1990) 35; James, Comput. Phys.
 * Commun. 60 (1990) 329):
 *
 *     x[n] = x[n-97] - x[n-33]  mod 1      c[n] = c[n-1] - d  mod m      u[n] = x[n] - c[n]  mod 1
 *
 * Representation: every word is a left-justified 64-bit fraction, the number times 2^64. Words of
 * 48 bits have 16 zero bits below, words of 24 bits have 40. Arithmetic mod 1 is then plain
 * wrapping arithmetic of uint64_t, the same for every flavour, and no floating point is needed
 * before the last step, the conversion, which is exact.
 */
#ifndef GPURANMAR_DEFINITION_H
#define GPURANMAR_DEFINITION_H

#if defined(__OPENCL_VERSION__)
typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;
typedef ulong uint64_t;
#define INT64_C(number) number##L
#define UINT64_C(number) number##UL
#elif defined(__CUDACC_RTC__) /* CUDA's run-time compiler has no <stdint.h> */
typedef int int32_t;
typedef unsigned uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
#define INT64_C(number) number##LL
#define UINT64_C(number) number##ULL
#else
#include <stdint.h>
#endif

/* C has no other casts than those that C++ calls old-style. */
#if defined(__cplusplus) && !defined(__CUDACC_RTC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

#if defined(__CUDACC__)
#define RANMAR_FUNCTION static __host__ __device__ __forceinline__
#elif defined(__OPENCL_VERSION__)
#define RANMAR_FUNCTION static
#else
#define RANMAR_FUNCTION static inline
#endif

#define RANMAR_LONG_LAG 97
#define RANMAR_SHORT_LAG 33

/* A seed is IJKL = 30082*ij + kl, ij 0..31328, kl 0..30081. */
#define RANMAR_SECOND_SEEDS 30082
#define RANMAR_SEED_MAX INT64_C(942438977)

/* The seed 0..RANMAR_SEED_MAX that has the numbers of IJKL, which must not be negative. The
 * published routines check no limit, and their formula uses ij modulo 177^2 = 31329. */
RANMAR_FUNCTION int64_t ranmar_reduced_seed(int64_t ijkl)
{
    return ijkl % (RANMAR_SEED_MAX + 1);
}

/* What distinguishes one flavour of the generator from another: the size of its words, its
 * arithmetic part, its recurrence, and whether it is keyed. step, modulus and start are fractions
 * like all words. */
struct ranmar_flavour {
    unsigned bits;    /* of a word: 48 or 24 */
    uint64_t step;    /* d */
    uint64_t modulus; /* m */
    uint64_t start;   /* c before the first number */
    unsigned every;   /* 1: all words of x are kept; 8: every eighth (RANMAR_KEYED_INIT) */
    int keyed;        /* whether it starts from a key and masks its numbers (ranmar_mask) */
};

/* The arithmetic parts. In 24 bits they are the original's. In 48 bits the modulus is a prime, the
 * step d is the odd number whose ratio d/m is nearest to the original d/m, and the start c is the
 * integer whose ratio c/m is nearest to the original c/m. */
#define RANMAR_STEP_24 UINT64_C(7654321)
#define RANMAR_MODULUS_24 UINT64_C(16777213)
#define RANMAR_START_24 UINT64_C(362436)
#define RANMAR_STEP_48 UINT64_C(128418219713277)
#define RANMAR_MODULUS_48 ((UINT64_C(1) << 48) - UINT64_C(59))
#define RANMAR_START_48 UINT64_C(6080668145483)

/* The original in double precision: 48-bit words, 24-bit arithmetic part. */
#define RANMAR_DOUBLE_INIT                                                             \
    {                                                                                  \
        48, RANMAR_STEP_24 << 40, RANMAR_MODULUS_24 << 40, RANMAR_START_24 << 40, 1, 0 \
    }
/* The original in single precision: all in 24 bits. */
#define RANMAR_SINGLE_INIT                                                             \
    {                                                                                  \
        24, RANMAR_STEP_24 << 40, RANMAR_MODULUS_24 << 40, RANMAR_START_24 << 40, 1, 0 \
    }
/* Double precision with the arithmetic part in 48 bits, so that the low 24 are scrambled too. */
#define RANMAR_EXTENDED_INIT                                                           \
    {                                                                                  \
        48, RANMAR_STEP_48 << 16, RANMAR_MODULUS_48 << 16, RANMAR_START_48 << 16, 1, 0 \
    }
/* One word of every 8 of such a sequence, from a 64-bit key (ranmar_seed_by_key), with a mask over
 * each number (ranmar_mask). A lagged Fibonacci sequence has a relation between three numbers near
 * each other; the relation between the kept words has ten terms. The lowest bits of the kept words
 * are still linear; the mask makes them nonlinear.
 *
 * The words y[n] = x[8 n] have a recurrence of their own, so the words between need not be made.
 * With t for a step of x, t^97 = 1 - t^64. The eighth power of this, with s for t^8, is
 *
 *     s^97 = (1 - s^8)^8
 *
 * The step of the arithmetic part is 8 d mod m; its start comes from the key. */
#define RANMAR_KEYED_INIT                                                                  \
    {                                                                                      \
        48, 8 * RANMAR_STEP_48 % RANMAR_MODULUS_48 << 16, RANMAR_MODULUS_48 << 16, 0, 8, 1 \
    }

/* The state at a position n: the words x[n-97] .. x[n-1], oldest first, and c[n-1]. There is no
 * ring index, so equal positions of a sequence have equal states. */
struct ranmar_state {
    uint64_t x[RANMAR_LONG_LAG];
    uint64_t c;
};

/* What a step of the lagged Fibonacci part adds to the oldest of 97 words: x[n] - x[n-97], where
 * word(0) is x[n-97]. The terms are those of (1 - s^(64/every))^every but the first. */
#define RANMAR_LAGGED_TERMS(word, every)                                               \
    ((every) == 1 ? 0 - word(64)                                                       \
                  : word(64) - 8 * (word(8) + word(56)) + 28 * (word(16) + word(48)) - \
                        56 * (word(24) + word(40)) + 70 * word(32))

/* The same, where `words` begins with x[n-97]. */
RANMAR_FUNCTION uint64_t ranmar_lagged_terms(const uint64_t *words, unsigned every)
{
#define RANMAR_WORD(i) words[i]
    return RANMAR_LAGGED_TERMS(RANMAR_WORD, every);
#undef RANMAR_WORD
}

/* One step of the lagged Fibonacci part: x[n] from the 97 words before it, oldest first. */
RANMAR_FUNCTION uint64_t ranmar_lagged(const uint64_t *words, unsigned every)
{
    return words[0] + ranmar_lagged_terms(words, every);
}

/* The same step backwards: words[0] from words[8 .. 64] and `newest`, which is words[97]. */
RANMAR_FUNCTION uint64_t ranmar_lagged_back(const uint64_t *words, uint64_t newest, unsigned every)
{
    return newest - ranmar_lagged_terms(words, every);
}

/* 128 bits out of a key and a counter: Threefry-2x64 with 20 rounds (Salmon, Moraes, Dror, Shaw,
 * SC11 (2011), doi:10.1145/2063384.2063405), with 0 for the counter's second word. */
RANMAR_FUNCTION void ranmar_threefry(uint64_t key, uint64_t key_1, uint64_t counter, uint64_t x[2])
{
    const uint64_t keys[3] = {key, key_1, UINT64_C(0x1BD11BDAA9FC1A22) ^ key ^ key_1};
    x[0] = counter + keys[0];
    x[1] = keys[1];
    for (unsigned round = 0; round < 20; ++round) {
        /* The eight rotations 16 42 12 31 16 32 24 21, a byte each, the first lowest. */
        const unsigned bits = UINT64_C(0x151820101F0C2A10) >> 8 * (round % 8) & 63;
        x[0] += x[1];
        x[1] = (x[1] << bits | x[1] >> (64 - bits)) ^ x[0];
        if (round % 4 == 3) {
            const unsigned injection = round / 4 + 1;
            x[0] += keys[injection % 3];
            x[1] += keys[(injection + 1) % 3] + injection;
        }
    }
}

/* The next word of `bits` bits from Marsaglia's four seeds i, j, k and l, which move on. */
RANMAR_FUNCTION uint64_t ranmar_word_of_four(unsigned *four, unsigned bits)
{
    unsigned i = four[0], j = four[1], k = four[2], l = four[3];
    uint64_t word = 0;
    for (unsigned b = 0; b < bits; ++b) {
        const unsigned m = i * j % 179 * k % 179;
        i = j;
        j = k;
        k = m;
        l = (53 * l + 1) % 169;
        word = word << 1 | (l * m % 64 >= 32);
    }
    four[0] = i;
    four[1] = j;
    four[2] = k;
    four[3] = l;
    return word << (64 - bits);
}

/* The 97 words before position 0, of `bits` bits each, from Marsaglia's four seeds: i, j, k 1..178
 * and not all 1, l 0..168. The first word that is made is U(1) of the Fortran routines, which is
 * the youngest. */
RANMAR_FUNCTION void ranmar_words_of_four(uint64_t *words, unsigned bits, unsigned i, unsigned j,
                                          unsigned k, unsigned l)
{
    unsigned four[4] = {i, j, k, l};
    for (int w = RANMAR_LONG_LAG - 1; w >= 0; --w)
        words[w] = ranmar_word_of_four(four, bits);
}

/* James' formula: the four seeds i, j, k, l that an IJKL stands for. */
RANMAR_FUNCTION void ranmar_four_seeds(unsigned *four, int64_t ijkl)
{
    const unsigned ij = (unsigned)(ijkl / RANMAR_SECOND_SEEDS);
    const unsigned kl = (unsigned)(ijkl % RANMAR_SECOND_SEEDS);
    four[0] = ij / 177 % 177 + 2;
    four[1] = ij % 177 + 2;
    four[2] = kl / 169 % 178 + 1;
    four[3] = kl % 169;
}

/* The 97 words before position 0 from IJKL. */
RANMAR_FUNCTION void ranmar_formula_words(uint64_t *words, unsigned bits, int64_t ijkl)
{
    unsigned four[4];
    ranmar_four_seeds(four, ijkl);
    ranmar_words_of_four(words, bits, four[0], four[1], four[2], four[3]);
}

/* The state at position 0 of instance p of a key, any 64 bits. Fractions 2i and 2i+1 are the
 * highest 48 bits of the two halves of Threefry with the key (key, p) and the counter i. The first
 * 97 are the words, the oldest first, and the last is the start of the arithmetic part, reduced to
 * its range. A hash has no cycles that keys could share: each key picks a permutation of its own.
 */
RANMAR_FUNCTION void ranmar_seed_by_key(struct ranmar_state *s, const struct ranmar_flavour *f,
                                        uint64_t key, uint64_t p)
{
    const uint64_t highest_48 = ~UINT64_C(0xffff);
    for (unsigned i = 0; i < RANMAR_LONG_LAG; i += 2) {
        uint64_t halves[2];
        ranmar_threefry(key, p, i / 2, halves);
        s->x[i] = halves[0] & highest_48;
        if (i + 1 < RANMAR_LONG_LAG)
            s->x[i + 1] = halves[1] & highest_48;
        else
            s->c = (halves[1] & highest_48) % f->modulus;
    }
}

/* The state at position 0 of the sequence with a seed: ijkl, 0..RANMAR_SEED_MAX, or in a keyed
 * flavour a key, whose 64 bits an int64_t holds. */
RANMAR_FUNCTION void ranmar_seed(struct ranmar_state *s, const struct ranmar_flavour *f,
                                 int64_t seed)
{
    if (f->keyed) {
        ranmar_seed_by_key(s, f, (uint64_t)seed, 0);
    } else {
        ranmar_formula_words(s->x, f->bits, seed);
        s->c = f->start;
    }
}

/* c - step mod modulus, for c below modulus and step up to modulus. This is one step of the
 * arithmetic part if `step` is the flavour's, and k steps if it is k times that, mod modulus. */
RANMAR_FUNCTION uint64_t ranmar_arithmetic(uint64_t c, uint64_t step, uint64_t modulus)
{
    return c >= step ? c - step : c + (modulus - step);
}

/* n modulo m = 2^bits - lacks, for any n and both moduli. There 2^bits is congruent to `lacks`, so
 * the upper bits can be folded into the lower ones, and three foldings leave less than twice the
 * modulus. On a GPU a division would take longer than all else of a jump. */
RANMAR_FUNCTION uint64_t ranmar_folded(uint64_t n, unsigned bits, unsigned lacks)
{
    const uint64_t power = UINT64_C(1) << bits, modulus = power - lacks;
    for (int fold = 0; fold < 3; ++fold)
        n = (n >> bits) * lacks + (n & (power - 1));
    return n < modulus ? n : n - modulus;
}

/* The upper half of a product of 128 bits. */
#if defined(__OPENCL_VERSION__)
#define RANMAR_UPPER_HALF(a, b) mul_hi(a, b)
#elif defined(__CUDA_ARCH__)
#define RANMAR_UPPER_HALF(a, b) __umul64hi(a, b)
#elif defined(__SIZEOF_INT128__)
#define RANMAR_UPPER_HALF(a, b) (uint64_t)(__extension__(unsigned __int128)(a) * (b) >> 64)
#else /* a compiler for 32 bits has no integer of 128: by halves of 32 bits, as on paper */
RANMAR_FUNCTION uint64_t ranmar_upper_half(uint64_t a, uint64_t b)
{
    const uint64_t a1 = a >> 32, a0 = (uint32_t)a, b1 = b >> 32, b0 = (uint32_t)b;
    const uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
    return a1 * b1 + (middle >> 32) + ((a0 * b1 + (uint32_t)middle) >> 32);
}
#define RANMAR_UPPER_HALF(a, b) ranmar_upper_half(a, b)
#endif

/* What `distance` steps subtract from the arithmetic part: distance * step mod m, as a fraction.
 * `step` is an integer below m. */
RANMAR_FUNCTION uint64_t ranmar_stride(uint64_t distance, uint64_t step, unsigned bits,
                                       unsigned lacks)
{
    const uint64_t d = ranmar_folded(distance, bits, lacks), lower = d * step;
    const uint64_t high = RANMAR_UPPER_HALF(d, step) << (64 - bits) | lower >> bits;
    const uint64_t low = lower & ((UINT64_C(1) << bits) - 1);
    return ranmar_folded(high * lacks + low, bits, lacks) << (64 - bits);
}

/* The mask of the keyed flavour, from the highest 32 bits h of the words 92 and 96 before: the
 * middle 48 bits of a product of 64 bits.
 *
 *     u[n] = (x[n] - c[n]) XOR (bits 8 to 55 of (h[n-96] | 1) h[n-92])
 *
 * This mixes a sum, a product and an XOR, so u is linear in no ring, and the number alone does not
 * give back x[n] - c[n]. For given older words u is one to one in x[n], so numbers are as uniform
 * as words. One factor is odd, so the lowest 32 bits of the product are as uniform as the other
 * factor. The product's highest bits are 0 more often than 1, and so the highest 8 are left out:
 * the highest bit of a mask is still 0 more often, but only by 2^-7 (docs/keyed.md).
 *
 * The terms of the recurrence have the lags 33, 41, ... 97. With the mask's lags 92 and 96, no word
 * in the mask of a term is itself a term, or is in the mask of another term. */
#define RANMAR_MASK_LAG_1 92
#define RANMAR_MASK_LAG_2 96
RANMAR_FUNCTION uint64_t ranmar_mask_of(uint64_t x92, uint64_t x96)
{
    return ((x96 >> 32 | 1) * (x92 >> 32)) << 8 & ~UINT64_C(0xffff);
}

/* The mask of the number made from the word *x, which must follow the words before it in memory; 0
 * in flavours without a mask. */
RANMAR_FUNCTION uint64_t ranmar_mask(const uint64_t *x, const struct ranmar_flavour *f)
{
    return f->keyed ? ranmar_mask_of(x[-RANMAR_MASK_LAG_1], x[-RANMAR_MASK_LAG_2]) : 0;
}

/* The number u[n] as a fraction. An exact zero becomes the smallest number above it. */
RANMAR_FUNCTION uint64_t ranmar_combine(uint64_t x, uint64_t mask, uint64_t c,
                                        const struct ranmar_flavour *f)
{
    const uint64_t u = (x - c) ^ mask;
    return u ? u : UINT64_C(1) << (64 - f->bits);
}

/* The conversions, exact: 48 bits fit a double, 24 bits a float. */
#if !defined(__OPENCL_VERSION__) || defined(cl_khr_fp64)
RANMAR_FUNCTION double ranmar_to_double(uint64_t u)
{
    return (double)(int64_t)(u >> 16) * (1.0 / 281474976710656.0);
}
#endif

RANMAR_FUNCTION float ranmar_to_single(uint64_t u)
{
    return (float)(int32_t)(u >> 40) * (1.0f / 16777216.0f);
}

#if defined(__cplusplus) && !defined(__CUDACC_RTC__)
#pragma GCC diagnostic pop
#endif

#endif
