/* The fill loop, written once and instantiated per instruction set and flavour. (AVX-512 has one of
 * its own, fill_registers.h.) Before including it define
 *
 *   FILL, TARGET          name and attributes of the function
 *   BITS                  48 or 24: its precision
 *   X_DROP, C_DROP        low bits of the 64-bit fractions that words and arithmetic parts leave out
 *   VEC, LANES            a vector of words, how many it holds
 *   LOAD, STORE           unaligned
 *   SUB                   on words
 *   C_SET1                an arithmetic part in all places
 *   C_STEP(c, d, m)       c - d mod m
 *   MINUS(x, c)           x - c
 *   NUMBERS(u)            to floating point; zeros become the smallest number
 *   FOLD(u)               optional: the last step of a decimated flavour
 *
 * All but TARGET, LOAD and STORE are undefined after. A pass makes four vectors, whose
 * arithmetic parts have a variable each: a compiler would keep an array of them in memory.
 *
 * A vector of words 33 places back straddles two vectors stored a moment ago, and a CPU cannot
 * forward a load from two stores that are still on their way to the cache: it waits. Instead the
 * recurrence itself stands in for the word 33 back; all others have long arrived.
 *
 * The words stand in a row, so that lags are fixed distances back; only at the end of a block do the
 * last 130 move to its front.
 */
#if BITS == 48
#define WORD uint64_t
#define OUT double
#else
#define WORD uint32_t
#define OUT float
#endif

/* x[n-97] - x[n-33], and the same again for x[n-33] */
#define LAGGED(at) SUB(LOAD((at) - 97), SUB(LOAD((at) - 130), LOAD((at) - 66)))
/* x[n-97] - 2 x[n-65] + x[n-33], and the same again for x[n-33] */
#define LAGGED_DECIMATED(at)                                                                    \
    SUB(SUB(SUB(LOAD((at) - 97), LOAD((at) - 65)), SUB(LOAD((at) - 65), LOAD((at) - 66))),      \
        SUB(LOAD((at) - 98), SUB(LOAD((at) - 130), LOAD((at) - 98))))
#ifdef FOLD
#define MAY_BE_DECIMATED 1
#else
#define MAY_BE_DECIMATED 0
#define FOLD(u) (u)
#endif

/* n is at least 1. */
TARGET INLINE void LOOP(FILL)(struct ranmar_state *s, const struct ranmar_flavour *f, OUT *out,
                              size_t n, int decimated)
{
    enum {
        LAG = RANMAR_LONG_LAG,
        HISTORY = RANMAR_LONG_LAG + RANMAR_SHORT_LAG,
        STRIDE = 4 * LANES,
        BLOCK = 1024, /* with as many numbers, half of an L1 cache */
        LINE = 64 / sizeof(WORD), /* words a cache line: what is stored, x + HISTORY on, is aligned */
        PAD = LINE - HISTORY % LINE
    };
    _Static_assert(STRIDE <= (int)PASS_MAX && BLOCK % STRIDE == 0, "a pass is too long");

    _Alignas(64) WORD row[PAD + HISTORY + BLOCK];
    WORD *const x = row + PAD;
    for (int i = 0; i < LAG; ++i)
        x[RANMAR_SHORT_LAG + i] = (WORD)(s->x[i] >> X_DROP);
    for (int i = RANMAR_SHORT_LAG - 1; i >= 0; --i) /* the recurrence backwards */
        x[i] = x[i + LAG] - (WORD)ranmar_lagged(0, x[i + LAG - RANMAR_MIDDLE_LAG],
                                                x[i + LAG - RANMAR_SHORT_LAG], decimated);

    /* Lane l starts at the arithmetic part of the pass before, c[l - STRIDE + 1]. */
    WORD lane[STRIDE];
    const uint64_t *const multiple = step_multiples(f);
    for (int l = 0; l < STRIDE; ++l)
        lane[l] = (WORD)(multiple[l + 1 - STRIDE] >> C_DROP);
    const VEC modulus = C_SET1((WORD)(f->modulus >> C_DROP));
    const VEC stride = C_SET1((WORD)(multiple[STRIDE] >> C_DROP));
    const VEC before = C_SET1((WORD)(s->c >> C_DROP));
    VEC c0 = C_STEP(before, LOAD(lane), modulus);
    VEC c1 = C_STEP(before, LOAD(lane + LANES), modulus);
    VEC c2 = C_STEP(before, LOAD(lane + 2 * LANES), modulus);
    VEC c3 = C_STEP(before, LOAD(lane + 3 * LANES), modulus);

#define VECTOR(at, c, numbers)                                       \
    {                                                                \
        const VEC v = decimated ? LAGGED_DECIMATED(at) : LAGGED(at); \
        STORE(at, v);                                                \
        c = C_STEP(c, stride, modulus);                              \
        const VEC u = MINUS(v, c);                                   \
        STORE(numbers, NUMBERS(decimated ? FOLD(u) : u));            \
    }
#define PASS(at, numbers)                                            \
    {                                                                \
        VECTOR(at, c0, numbers)                                      \
        VECTOR((at) + LANES, c1, (numbers) + LANES)                  \
        VECTOR((at) + 2 * LANES, c2, (numbers) + 2 * LANES)          \
        VECTOR((at) + 3 * LANES, c3, (numbers) + 3 * LANES)          \
    }

    const int past_caches = is_larger_than_cache(n * sizeof *out);
    size_t block;
    for (;; memmove(x, x + block, HISTORY * sizeof *x)) {
        block = n < BLOCK ? n : BLOCK;
        const size_t whole = block - block % STRIDE;
        _Alignas(64) OUT spare[BLOCK];
        OUT *const numbers = past_caches ? spare : out;
        for (size_t i = 0; i < whole; i += STRIDE)
            PASS(x + HISTORY + i, numbers + i)
        if (whole < block) { /* the last pass makes more than is wanted */
            OUT last[STRIDE];
            PASS(x + HISTORY + whole, last)
            memcpy(numbers + whole, last, (block - whole) * sizeof *out);
        }
        if (past_caches)
            store_past_caches(out, spare, block * sizeof *out);
        out += block;
        n -= block;
        if (n == 0)
            break;
    }
    if (past_caches)
        end_stores_past_caches();

    for (int i = 0; i < LAG; ++i)
        s->x[i] = (uint64_t)x[RANMAR_SHORT_LAG + block + (size_t)i] << X_DROP;
    STORE(lane, c0);
    STORE(lane + LANES, c1);
    STORE(lane + 2 * LANES, c2);
    STORE(lane + 3 * LANES, c3);
    s->c = (uint64_t)lane[(block - 1) % STRIDE] << C_DROP;
}

TARGET static void FILL(struct ranmar_state *s, const struct ranmar_flavour *f, void *out, size_t n)
{
    if (MAY_BE_DECIMATED && f->decimated)
        LOOP(FILL)(s, f, out, n, 1);
    else
        LOOP(FILL)(s, f, out, n, 0);
}

#undef FILL
#undef BITS
#undef X_DROP
#undef C_DROP
#undef VEC
#undef LANES
#undef SUB
#undef C_SET1
#undef C_STEP
#undef MINUS
#undef NUMBERS
#undef FOLD
#undef WORD
#undef OUT
#undef LAGGED
#undef LAGGED_DECIMATED
#undef MAY_BE_DECIMATED
#undef VECTOR
#undef PASS
