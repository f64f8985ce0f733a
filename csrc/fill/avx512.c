/* The loop for AVX-512. The 32 registers hold all words of a state but one. New words replace those
 * 96 back, so that no word goes to memory before the end. Loops over vectors are unrolled, and the
 * arrays they go through are registers.
 *
 * There is no refill by 512-bit instructions: on some Intel CPUs they lower the clock of the core
 * (docs/speed.md), and no question to the CPU tells which. */
#ifdef __x86_64__
#include <immintrin.h>

#include "fill/levels.h"

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512dq")
#endif

typedef __m512i vec;
enum { WORDS_64 = 8, WORDS_32 = 16 };
#define UNROLL RANMAR_UNROLL(12)
#define HAS_REFILL 0
#define HAS_WIDE_NUMBERS 1
#define HAS_STORES_PAST_CACHES 1

enum { AND3 = 0x80, XOR_AND = 0x78 /* a ^ (b & c) */, UPPER_HALVES = 0xaaaa };

INLINE vec spread_64(uint64_t v)
{
    return _mm512_set1_epi64((int64_t)v);
}

INLINE vec spread_32(uint32_t v)
{
    return _mm512_set1_epi32((int32_t)v);
}

INLINE vec subtract_64(vec a, vec b)
{
    return _mm512_sub_epi64(a, b);
}

INLINE vec subtract_32(vec a, vec b)
{
    return _mm512_sub_epi32(a, b);
}

/* The last word of a, then all of b but its last. */
INLINE vec straddle_64(vec a, vec b)
{
    return _mm512_alignr_epi64(b, a, WORDS_64 - 1);
}

INLINE vec straddle_32(vec a, vec b)
{
    return _mm512_alignr_epi32(b, a, WORDS_32 - 1);
}

/* c - d mod m, for c and d below m. */
INLINE vec step_64(vec c, vec d, vec m)
{
    const vec t = _mm512_sub_epi64(c, d);
    return _mm512_mask_add_epi64(t, _mm512_cmplt_epu64_mask(c, d), t, m);
}

INLINE vec step_32(vec c, vec d, vec m)
{
    const vec t = _mm512_sub_epi32(c, d);
    return _mm512_mask_add_epi32(t, _mm512_cmplt_epu32_mask(c, d), t, m);
}

INLINE vec fold(vec u)
{
    const vec lowest_16 = _mm512_set1_epi64(INT64_C(0xffff0000));
    return _mm512_ternarylogic_epi64(u, _mm512_srli_epi64(u, 32), lowest_16, XOR_AND);
}

/* Converts words to floating point. Zeros stay: `fill` treats them. */
INLINE vec numbers_64(vec u)
{
    return _mm512_castpd_si512(_mm512_mul_pd(_mm512_cvtepu64_pd(u), _mm512_set1_pd(0x1p-64)));
}

INLINE vec numbers_32(vec u)
{
    return _mm512_castps_si512(_mm512_mul_ps(_mm512_cvtepu32_ps(u), _mm512_set1_ps(0x1p-32f)));
}

/* Parts of 24 bits, given as fractions of 64, two in a lane: the first 8 in the lower halves. */
INLINE vec pair(const uint64_t *p)
{
    return _mm512_or_si512(_mm512_srli_epi64(_mm512_loadu_si512(p), 32),
                           _mm512_loadu_si512(p + WORDS_64));
}

/* These two convert fractions of 64 bits to words of 32, and back. */
INLINE vec narrow_words(const uint64_t *p)
{
    const vec odd = _mm512_set_epi32(31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1);
    return _mm512_permutex2var_epi32(_mm512_loadu_si512(p), odd, _mm512_loadu_si512(p + WORDS_64));
}

INLINE void keep_narrow_words(uint64_t *p, vec v)
{
    const vec low = _mm512_cvtepu32_epi64(_mm512_castsi512_si256(v));
    const vec high = _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(v, 1));
    _mm512_storeu_si512(p, _mm512_slli_epi64(low, 32));
    _mm512_storeu_si512(p + WORDS_64, _mm512_slli_epi64(high, 32));
}

/* A loop has one of several shapes. Words have 64 bits or, in single precision, 32. Arithmetic
 * parts have 64 bits or 32; in words of 64 bits two of the latter share a word. */
INLINE int is_narrow(enum ranmar_kind kind)
{
    return kind == RANMAR_SINGLE;
}

INLINE int has_narrow_parts(enum ranmar_kind kind)
{
    return kind == RANMAR_SINGLE || kind == RANMAR_ORIGINAL;
}

INLINE vec spread(uint64_t v, int narrow)
{
    return narrow ? spread_32((uint32_t)(v >> 32)) : spread_64(v);
}

INLINE vec step(vec c, vec d, vec m, int narrow)
{
    return narrow ? step_32(c, d, m) : step_64(c, d, m);
}

/* x minus the arithmetic part. Where a word holds two parts, the lower is for an even vector. */
INLINE vec minus_part(vec x, vec c, int is_odd, enum ranmar_kind kind)
{
    if (kind != RANMAR_ORIGINAL)
        return is_narrow(kind) ? subtract_32(x, c) : subtract_64(x, c);
    return is_odd ? _mm512_mask_sub_epi32(x, UPPER_HALVES, x, c)
                  : subtract_64(x, _mm512_slli_epi64(c, 32));
}

INLINE vec lagged(vec x97, vec x33, enum ranmar_kind kind)
{
    return is_narrow(kind) ? subtract_32(x97, x33) : subtract_64(x97, x33);
}

/* The luxury recurrence, as in loop.h. With vectors of 8 words there is only one chain. */
enum { LEVELS = 8 };

INLINE vec last_difference(vec last[LEVELS], vec words)
{
    UNROLL for (int i = 0; i < LEVELS; ++i)
    {
        const vec difference = subtract_64(last[i], words);
        last[i] = words;
        words = difference;
    }
    return words;
}

typedef double __attribute__((aligned(1), may_alias)) double_anywhere;
typedef float __attribute__((aligned(1), may_alias)) single_anywhere;

static __attribute__((noinline, cold)) void mend_zeros(char *numbers, size_t count, int is_single)
{
    for (size_t i = 0; i < count; ++i) {
        single_anywhere *const f = (single_anywhere *)numbers + i;
        double_anywhere *const d = (double_anywhere *)numbers + i;
        if (is_single && *f == 0)
            *f = 0x1p-24f;
        if (!is_single && *d == 0)
            *d = 0x1p-48;
    }
}

/* The fill of one kind, for n >= 1. It looks for zeros once a block. All other numbers have bit 6
 * of the exponent set, which is 975..1022 in double and 103..126 in single precision: one
 * instruction checks two vectors of numbers. */
INLINE void fill(struct ranmar_state *s, const struct ranmar_flavour *f, char *out, size_t n,
                 enum ranmar_kind kind, enum ranmar_way way)
{
    enum {
        THIRD = RANMAR_THIRD,
        PASS = RANMAR_PASS,
        BLOCK = 20 * PASS, /* stays in the L1 cache */
        MOST_VECTORS = PASS / WORDS_64,
        MOST_PARTS = THIRD / WORDS_64
    };
    const int narrow = is_narrow(kind), narrow_parts = has_narrow_parts(kind);
    const int lanes = narrow ? WORDS_32 : WORDS_64, vectors = PASS / lanes, in_third = vectors / 3;
    const int part_lanes = narrow_parts ? WORDS_32 : WORDS_64, parts = THIRD / part_lanes;
    const size_t size = narrow ? sizeof(float) : sizeof(double);

    vec x[MOST_VECTORS], c[MOST_PARTS];
    UNROLL for (int k = 0; k < vectors; ++k)
    {
        const uint64_t *const from = s->x + 1 + k * lanes;
        x[k] = narrow ? narrow_words(from) : _mm512_loadu_si512(from);
    }
    /* The recurrence on vectors of x gives the new words one lane too early, because all lags are
     * one more than a multiple of the vector's length: straddle moves them into line. */
    vec ahead = spread(ranmar_lagged(s->x, f->every), narrow);
    vec last[LEVELS];
    if (kind == RANMAR_LUXURY) {
        UNROLL for (int i = 0; i < LEVELS; ++i) last[i] = _mm512_setzero_si512();
        UNROLL for (int k = 0; k < LEVELS; ++k) last_difference(last, x[k]);
    }

    /* Each lane starts at the arithmetic part that it would have in the third before the first. */
    const struct ranmar_multiples *const m = ranmar_multiples(kind);
    const uint64_t stride = m->step[THIRD];
    const uint64_t start = ranmar_arithmetic(s->c, f->modulus - stride, f->modulus);
    const vec modulus = spread(f->modulus, narrow_parts), by = spread(stride, narrow_parts);
    UNROLL for (int j = 0; j < parts; ++j)
    {
        const uint64_t *const from = m->step + 1 + j * part_lanes;
        const vec multiple = narrow         ? narrow_words(from)
                             : narrow_parts ? pair(from)
                                            : _mm512_loadu_si512(from);
        c[j] = step(spread(start, narrow_parts), multiple, modulus, narrow_parts);
    }

    const vec exponent_bit = narrow ? spread_32(1u << 29) : spread_64(UINT64_C(1) << 58);
    vec nonzero = exponent_bit;

/* Makes the k-th vector of numbers. x is a circle: the words 64 and 32 back stand one third and two
 * thirds further on. */
#define VECTOR(numbers, k, is_odd)                                                            \
    {                                                                                         \
        const vec next = kind == RANMAR_LUXURY                                                \
                             ? last_difference(last, x[((k) + 2 * in_third) % vectors])       \
                             : lagged(x[k], x[((k) + 2 * in_third) % vectors], kind);         \
        x[k] = narrow ? straddle_32(ahead, next) : straddle_64(ahead, next);                  \
        ahead = next;                                                                         \
        const vec u = minus_part(x[k], c[(k) % in_third * lanes / part_lanes], is_odd, kind); \
        numbers = narrow ? numbers_32(u) : numbers_64(kind == RANMAR_LUXURY ? fold(u) : u);   \
    }
/* Makes the t-th third of a pass. Its numbers go to `to` by store(address, index of the vector,
 * vector). */
#define MAKE_THIRD(t, to, store)                                                             \
    {                                                                                        \
        UNROLL for (int j = 0; j < parts; ++j) c[j] = step(c[j], by, modulus, narrow_parts); \
        UNROLL for (int k = (t)*in_third; k < ((t) + 1) * in_third; k += 2)                  \
        {                                                                                    \
            vec even, odd;                                                                   \
            VECTOR(even, k, 0)                                                               \
            VECTOR(odd, k + 1, 1)                                                            \
            store((to) + (size_t)k * sizeof(vec), k, even);                                  \
            store((to) + ((size_t)k + 1) * sizeof(vec), k + 1, odd);                         \
            nonzero = _mm512_ternarylogic_epi64(nonzero, even, odd, AND3);                   \
        }                                                                                    \
    }
#define MAKE_PASS(to, store) \
    {MAKE_THIRD(0, to, store) MAKE_THIRD(1, to, store) MAKE_THIRD(2, to, store)}
#define STORE(to, k, v) _mm512_storeu_si512(to, v)
#define STORE_PAST_CACHES(to, k, v) _mm512_stream_si512((void *)(to), v)

    size_t left = n;
    while (left > PASS) {
        const size_t most = (left - 1) / PASS * PASS, block = most < BLOCK ? most : BLOCK;
        if (way == RANMAR_PAST_CACHES)
            for (size_t i = 0; i < block; i += PASS)
                MAKE_PASS(out + i * size, STORE_PAST_CACHES)
        else
            for (size_t i = 0; i < block; i += PASS)
                MAKE_PASS(out + i * size, STORE)
        if (__builtin_expect(_mm512_cmpneq_epi64_mask(nonzero, exponent_bit), 0)) {
            mend_zeros(out, block, narrow);
            nonzero = exponent_bit;
        }
        out += block * size;
        left -= block;
    }

    /* The last pass makes whole thirds but stores only the 1..96 numbers that are wanted: a mask
     * has a bit for each. For the state, `row` has the words before the pass and the words of the
     * pass in a row. */
    union {
        vec vectors[2 * MOST_VECTORS];
        uint64_t wide[2 * PASS];
        uint32_t narrow[2 * PASS];
    } row;
    const unsigned __int128 wanted = ((unsigned __int128)1 << left) - 1;
#define STORE_WANTED(to, k, v)                                                     \
    (narrow ? _mm512_mask_storeu_epi32(to, (__mmask16)(wanted >> (k)*WORDS_32), v) \
            : _mm512_mask_storeu_epi64(to, (__mmask8)(wanted >> (k)*WORDS_64), v))
    UNROLL for (int k = 0; k < vectors; ++k) row.vectors[k] = x[k];
    MAKE_THIRD(0, out, STORE_WANTED)
    if (left > THIRD)
        MAKE_THIRD(1, out, STORE_WANTED)
    if (left > 2 * THIRD)
        MAKE_THIRD(2, out, STORE_WANTED)
    if (__builtin_expect(_mm512_cmpneq_epi64_mask(nonzero, exponent_bit), 0))
        mend_zeros(out, left, narrow);
    UNROLL for (int k = 0; k < vectors; ++k) row.vectors[vectors + k] = x[k];
#undef VECTOR
#undef MAKE_THIRD
#undef MAKE_PASS
#undef STORE
#undef STORE_PAST_CACHES
#undef STORE_WANTED

    s->x[0] = narrow ? (uint64_t)row.narrow[left - 1] << 32 : row.wide[left - 1];
    UNROLL for (int k = 0; k < vectors; ++k)
    {
        const size_t from = left + (size_t)(k * lanes);
        uint64_t *const to = s->x + 1 + k * lanes;
        if (narrow)
            keep_narrow_words(to, _mm512_loadu_si512(row.narrow + from));
        else
            _mm512_storeu_si512(to, _mm512_loadu_si512(row.wide + from));
    }
    /* Goes back from the arithmetic part of the third's last number to that of the last number
     * wanted. */
    uint64_t part[WORDS_64];
    _mm512_storeu_si512(part, c[parts - 1]);
    const uint64_t upper_half = UINT64_C(0xffffffff00000000);
    s->c = ranmar_arithmetic(part[WORDS_64 - 1] & (narrow_parts ? upper_half : UINT64_MAX),
                             f->modulus - m->step[-left % THIRD], f->modulus);
}

INLINE void end_stores_past_caches(void)
{
    _mm_sfence();
}

#include "fill/purposes.h"

#ifdef __clang__
#pragma clang attribute pop
#endif

static int has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
}

const struct ranmar_simd ranmar_avx512 = {"avx512", has_avx512, NULL, array};
#endif
