/* The fill loop for AVX-512, whose 32 registers hold all words of a state. fill_x86.h instantiates
 * it per flavour. Before including it define
 *
 *   FILL                  name of the function
 *   BITS                  48 or 24: its precision
 *   C_WORD, C_LANES       arithmetic parts: their type, how many a vector holds
 *   C_PLACE(l)            where in a row of them the l-th is
 *   C_STARTS, C_SET1      as WORDS and SET1 below
 *   C_STEP(c, d, m)       c - d mod m
 *   MINUS(x, c)           x - c; where a lane holds two arithmetic parts, MINUS_ODD has the second
 *   FOLD(u)               optional: the last step of a decimated flavour
 *
 * All are undefined after. What follows from BITS is defined here:
 *
 *   LANES                 words in a vector
 *   WORDS(p), KEEP(p, v)  load and store words that are 64-bit fractions in memory
 *   SET1(v)               a 64-bit fraction in all lanes
 *   SUB                   on words
 *   STRADDLE(a, b)        the last lane of a, then all of b but its last
 *   MOVE_ON(a, b, n)      all of a but its first n lanes, then n of b
 *   NUMBERS(u)            to floating point; zeros stay
 *
 * All lags are one more than a multiple of LANES. So the recurrence on vectors of a pass of 96 gives
 * the new words a lane off, which STRADDLE mends. New words take the place of those 96 back, and
 * none goes to memory before the end: loops over vectors are unrolled, and the arrays they go
 * through are registers.
 *
 * Zeros are looked for once a block. All other numbers have bit 6 of the exponent set, which is
 * 975..1022 in double and 103..126 in single precision; one instruction looks at two vectors.
 */
#define VEC __m512i
#if BITS == 48
#define OUT double
#define OUT_ANYWHERE double_anywhere
#define TINY TINY_DOUBLE
#define EXPONENT_BIT _mm512_set1_epi64(INT64_C(1) << 58)
#define LANES 8
#define WORDS(p) _mm512_loadu_si512(p)
#define KEEP(p, v) _mm512_storeu_si512(p, v)
#define SET1(v) _mm512_set1_epi64((int64_t)(v))
#define SUB _mm512_sub_epi64
#define STRADDLE(a, b) _mm512_alignr_epi64(b, a, 7)
#define MOVE_ON move_on_64_avx512
#define NUMBERS double_avx512
#else
#define OUT float
#define OUT_ANYWHERE single_anywhere
#define TINY TINY_SINGLE
#define EXPONENT_BIT _mm512_set1_epi32(1 << 29)
#define LANES 16
#define WORDS words_single_avx512
#define KEEP keep_single_avx512
#define SET1(v) _mm512_set1_epi32((int32_t)((v) >> 32))
#define SUB _mm512_sub_epi32
#define STRADDLE(a, b) _mm512_alignr_epi32(b, a, 15)
#define MOVE_ON move_on_32_avx512
#define NUMBERS single_avx512
#endif
#ifdef FOLD
#define MAY_BE_DECIMATED 1
#else
#define MAY_BE_DECIMATED 0
#define FOLD(u) (u)
#endif

/* n is at least 1; out is aligned for STREAM if past_caches. */
TARGET INLINE void LOOP(FILL)(struct ranmar_state *s, const struct ranmar_flavour *f, OUT *out,
                              size_t n, int past_caches, int decimated)
{
    enum {
        LAG = RANMAR_LONG_LAG,
        PASS = LAG - 1,
        THIRD = PASS / 3,
        VECTORS = PASS / LANES,
        IN_THIRD = VECTORS / 3,
        C_IN_THIRD = THIRD / C_LANES,
        BLOCK = 20 * PASS /* stays in the L1 cache */
    };
    VEC x[VECTORS], c[C_IN_THIRD];
    UNROLL for (int k = 0; k < VECTORS; ++k)
        x[k] = WORDS(s->x + 1 + k * LANES);
    VEC before = SET1(ranmar_lagged(s->x[0], s->x[LAG - RANMAR_MIDDLE_LAG],
                                    s->x[LAG - RANMAR_SHORT_LAG], decimated));

    /* Lane l starts at the arithmetic part of the third before, c[l - THIRD + 1]. */
    const uint64_t *const multiple = step_multiples(f);
    const VEC modulus = C_SET1(f->modulus), stride = C_SET1(multiple[THIRD]);
    UNROLL for (int j = 0; j < C_IN_THIRD; ++j)
        c[j] = C_STEP(C_SET1(s->c), C_STARTS(multiple + 1 - THIRD + j * C_LANES), modulus);

    VEC nonzero = EXPONENT_BIT;

/* The k-th vector of numbers. Words 64 and 32 back stand one and two thirds further, in a circle. */
#define VECTOR(numbers, k, minus)                                                        \
    {                                                                                    \
        const VEC x97 = x[k], x33 = x[((k) + 2 * IN_THIRD) % VECTORS];                   \
        const VEC x65 = x[((k) + IN_THIRD) % VECTORS];                                   \
        const VEC next = decimated ? SUB(SUB(x97, x65), SUB(x65, x33)) : SUB(x97, x33);  \
        x[k] = STRADDLE(before, next);                                                   \
        before = next;                                                                   \
        const VEC u = minus(x[k], c[(k) % IN_THIRD * LANES / C_LANES]);                  \
        numbers = NUMBERS(decimated ? FOLD(u) : u);                                      \
    }
#define MAKE_THIRD(t, to, store)                                                         \
    {                                                                                    \
        UNROLL for (int j = 0; j < C_IN_THIRD; ++j)                                      \
            c[j] = C_STEP(c[j], stride, modulus);                                        \
        OUT *const at = to;                                                              \
        UNROLL for (int k = 0; k < IN_THIRD; k += 2) {                                   \
            VEC even, odd;                                                               \
            VECTOR(even, (t) * IN_THIRD + k, MINUS)                                      \
            VECTOR(odd, (t) * IN_THIRD + k + 1, MINUS_ODD)                               \
            store(at + k * LANES, even);                                                 \
            store(at + (k + 1) * LANES, odd);                                            \
            nonzero = _mm512_ternarylogic_epi64(nonzero, even, odd, AND3);               \
        }                                                                                \
    }
#define MAKE_PASS(to, store)                                                             \
    {                                                                                    \
        MAKE_THIRD(0, to, store)                                                         \
        MAKE_THIRD(1, (to) + THIRD, store)                                               \
        MAKE_THIRD(2, (to) + 2 * THIRD, store)                                           \
    }
#define HAS_ZERO __builtin_expect(_mm512_cmpneq_epi64_mask(nonzero, EXPONENT_BIT), 0)
#define MEND_ZEROS(numbers, count)                                       \
    for (OUT_ANYWHERE *u = (numbers), *end = u + (count); u < end; ++u)  \
        if (*u == 0)                                                     \
            *u = TINY;

    size_t left = n;
    while (left > PASS) {
        const size_t most = (left - 1) / PASS * PASS, block = most < BLOCK ? most : BLOCK;
        if (past_caches)
            for (size_t i = 0; i < block; i += PASS)
                MAKE_PASS(out + i, STREAM)
        else
            for (size_t i = 0; i < block; i += PASS)
                MAKE_PASS(out + i, STORE)
        if (HAS_ZERO) {
            MEND_ZEROS(out, block)
            nonzero = EXPONENT_BIT;
        }
        out += block;
        left -= block;
    }

    /* The last pass is of 1..96 numbers; `rest` of them, 1..32, make a third that is not whole. */
    VEC row[2 * VECTORS];
    UNROLL for (int k = 0; k < VECTORS; ++k)
        STORE(row + k, x[k]);
    const size_t whole = (left - 1) / THIRD, rest = left - whole * THIRD;
    _Alignas(64) OUT last[THIRD];
    MAKE_THIRD(0, whole > 0 ? out : last, STORE)
    if (whole > 0)
        MAKE_THIRD(1, whole > 1 ? out + THIRD : last, STORE)
    if (whole > 1)
        MAKE_THIRD(2, last, STORE)
    if (HAS_ZERO) {
        MEND_ZEROS(out, whole * THIRD)
        MEND_ZEROS(last, rest)
    }
    copy_avx512(out + whole * THIRD, last, rest * sizeof *out);

    UNROLL for (int k = 0; k < VECTORS; ++k)
        STORE(row + VECTORS + k, x[k]);
    const VEC *const end = row + (left - 1) / LANES; /* holds the oldest word */
    const size_t lane = (left - 1) % LANES;
    KEEP(s->x, MOVE_ON(end[0], end[1], lane));
    UNROLL for (int k = 0; k < VECTORS; ++k)
        KEEP(s->x + 1 + k * LANES, MOVE_ON(end[k], end[k + 1], lane + 1));
    C_WORD c_row[THIRD];
    UNROLL for (int j = 0; j < C_IN_THIRD; ++j)
        STORE(c_row + j * C_LANES, c[j]);
    s->c = (uint64_t)c_row[C_PLACE(rest - 1)] << (64 - 8 * sizeof(C_WORD));
}

TARGET static void FILL(struct ranmar_state *s, const struct ranmar_flavour *f, void *to, size_t n)
{
    /* Only aligned vectors can be stored past the caches, and only numbers that are aligned by
     * themselves can become so. */
    OUT *const out = to;
    const int past_caches =
        is_larger_than_cache(n * sizeof *out) && (uintptr_t)out % sizeof *out == 0;
    const size_t head = past_caches ? -(uintptr_t)out % sizeof(VEC) / sizeof *out : 0;
    if (head > 0) {
        FILL(s, f, out, head);
        FILL(s, f, out + head, n - head);
        return;
    }
    if (MAY_BE_DECIMATED && f->decimated) {
        LOOP(FILL)(s, f, out, n, past_caches, 1);
    } else {
        LOOP(FILL)(s, f, out, n, past_caches, 0);
    }
    if (past_caches)
        end_stores_past_caches();
}

#undef FILL
#undef BITS
#undef LANES
#undef WORDS
#undef KEEP
#undef SET1
#undef SUB
#undef STRADDLE
#undef MOVE_ON
#undef C_WORD
#undef C_LANES
#undef C_PLACE
#undef C_STARTS
#undef C_SET1
#undef C_STEP
#undef MINUS
#undef MINUS_ODD
#undef NUMBERS
#undef FOLD
#undef MAY_BE_DECIMATED
#undef VEC
#undef OUT
#undef OUT_ANYWHERE
#undef TINY
#undef EXPONENT_BIT
#undef VECTOR
#undef MAKE_THIRD
#undef MAKE_PASS
#undef HAS_ZERO
#undef MEND_ZEROS
