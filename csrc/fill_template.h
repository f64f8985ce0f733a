/* The fill loop, written once and instantiated per instruction set and precision. Before including
 * it define
 *
 *   FILL, TARGET          name and attributes of the function
 *   BITS                  48 or 24: its precision
 *   X_DROP, C_DROP        low bits of the 64-bit fractions that words and arithmetic parts leave out
 *   VEC, LANES            a vector of words, how many it holds
 *   LOAD, STORE           unaligned
 *   SUB                   on words
 *   C_SET1                an arithmetic part in all places
 *   C_STEP(c, d, m)       c - d mod m
 *   MINUS(x, c)           the numbers x - c, as words
 *   NUMBERS(out, u)       writes the LANES numbers of u
 *   STRADDLE(a, b)        optional: the last word of a, then all of b but its last
 *   MINUS_ODD(x, c)       optional: arithmetic parts of 32 bits stand in pairs in a vector; MINUS
 *                         takes the lower halves of its words, MINUS_ODD the upper ones
 *
 * All but TARGET, LOAD and STORE are undefined after. A pass makes four vectors, whose arithmetic
 * parts have a variable each: a compiler would keep an array of them in memory.
 *
 * A vector of words 33 places back straddles two vectors stored a moment ago, and a CPU cannot
 * forward a load from two stores that are still on their way to the cache: it waits. Both lags are
 * one more than a multiple of LANES, so where lanes can be moved across a vector in one instruction,
 * and there are registers for the vectors of a pass of 32, STRADDLE makes the new vector from
 * differences of aligned ones. Otherwise the recurrence itself stands in,
 * x[n-33] = x[n-130] - x[n-66], whose words have long arrived.
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

/* In a pass, number l has its arithmetic part at PLACE(l) of an array of C_WORDs. */
#ifdef MINUS_ODD
#define C_WORD uint32_t
#define PLACE(l) ((l) / (2 * LANES) * (2 * LANES) + (l) % LANES * 2 + (l) / LANES % 2)
#define ODD(even, odd) (even)
#else
#define C_WORD WORD
#define PLACE(l) (l)
#define ODD(even, odd) (odd)
#define MINUS_ODD MINUS
#endif

/* n is at least 1. */
TARGET static void FILL(struct ranmar_state *s, const struct ranmar_flavour *f, void *to, size_t n)
{
    enum {
        LAG = RANMAR_LONG_LAG,
        HISTORY = RANMAR_LONG_LAG + RANMAR_SHORT_LAG,
        STRIDE = 4 * LANES,
        BLOCK = 1024, /* with as many numbers, half of an L1 cache */
        LINE = 64 / sizeof(WORD), /* words a cache line: what is stored, x + HISTORY on, is aligned */
        PAD = LINE - HISTORY % LINE
    };
    _Static_assert(STRIDE <= 2 * RANMAR_SHORT_LAG && BLOCK % STRIDE == 0, "a pass is too long");

    _Alignas(64) WORD row[PAD + HISTORY + BLOCK];
    WORD *const x = row + PAD;
    for (int i = 0; i < LAG; ++i)
        x[RANMAR_SHORT_LAG + i] = (WORD)(s->x[i] >> X_DROP);
    for (int i = 0; i < RANMAR_SHORT_LAG; ++i) /* the recurrence backwards */
        x[i] = x[i + LAG] + x[i + LAG - RANMAR_SHORT_LAG];

    /* Lane l starts at the arithmetic part of the pass before, c[l - STRIDE + 1]. */
    C_WORD lane[STRIDE];
    const uint64_t *const multiple = step_multiples(f);
    for (int l = 0; l < STRIDE; ++l)
        lane[PLACE(l)] = (C_WORD)(multiple[l + 1 - STRIDE] >> C_DROP);
    const VEC modulus = C_SET1((C_WORD)(f->modulus >> C_DROP));
    const VEC stride = C_SET1((C_WORD)(multiple[STRIDE] >> C_DROP));
    const VEC before = C_SET1((C_WORD)(s->c >> C_DROP));
    VEC c0 = C_STEP(before, LOAD(lane), modulus);
    VEC c1 = ODD(c0, C_STEP(before, LOAD(lane + LANES), modulus));
    VEC c2 = C_STEP(before, LOAD(lane + 2 * LANES), modulus);
    VEC c3 = ODD(c2, C_STEP(before, LOAD(lane + 3 * LANES), modulus));

#ifdef STRADDLE
    _Static_assert(STRIDE == RANMAR_SHORT_LAG - 1, "the vectors in registers are those 32 places back");
    VEC v0, v1, v2, v3, difference;
#define START(at)                                                       \
    v0 = LOAD((at) - 4 * LANES);                                        \
    v1 = LOAD((at) - 3 * LANES);                                        \
    v2 = LOAD((at) - 2 * LANES);                                        \
    v3 = LOAD((at) - LANES);                                            \
    difference = SUB(LOAD((at) - 13 * LANES), LOAD((at) - 5 * LANES));
#define WORDS(v, at)                                                    \
    {                                                                   \
        const VEC next = SUB(LOAD((at) - (RANMAR_LONG_LAG - 1)), v);    \
        v = STRADDLE(difference, next);                                 \
        difference = next;                                              \
        STORE(at, v);                                                   \
    }
#else
    VEC v0, v1, v2, v3;
#define START(at)
#define WORDS(v, at)                                                    \
    v = SUB(LOAD((at) - RANMAR_LONG_LAG),                               \
            SUB(LOAD((at) - HISTORY), LOAD((at) - 2 * RANMAR_SHORT_LAG))); \
    STORE(at, v);
#endif
#define PASS(at, numbers)                                               \
    {                                                                   \
        WORDS(v0, at)                                                   \
        c0 = C_STEP(c0, stride, modulus);                               \
        NUMBERS(numbers, MINUS(v0, c0));                                \
        WORDS(v1, (at) + LANES)                                         \
        c1 = ODD(c0, C_STEP(c1, stride, modulus));                      \
        NUMBERS((numbers) + LANES, MINUS_ODD(v1, c1));                  \
        WORDS(v2, (at) + 2 * LANES)                                     \
        c2 = C_STEP(c2, stride, modulus);                               \
        NUMBERS((numbers) + 2 * LANES, MINUS(v2, c2));                  \
        WORDS(v3, (at) + 3 * LANES)                                     \
        c3 = ODD(c2, C_STEP(c3, stride, modulus));                      \
        NUMBERS((numbers) + 3 * LANES, MINUS_ODD(v3, c3));              \
    }

    OUT *out = to;
    const int past_caches = is_larger_than_cache(n * sizeof *out);
    size_t block;
    for (;; memmove(x, x + block, HISTORY * sizeof *x)) {
        block = n < BLOCK ? n : BLOCK;
        const size_t whole = block - block % STRIDE;
        _Alignas(64) OUT spare[BLOCK];
        OUT *const numbers = past_caches ? spare : out;
        START(x + HISTORY)
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
#undef START
#undef WORDS
#undef PASS

    for (int i = 0; i < LAG; ++i)
        s->x[i] = (uint64_t)x[RANMAR_SHORT_LAG + block + (size_t)i] << X_DROP;
    ODD((void)c1, STORE(lane + LANES, c1));
    ODD((void)c3, STORE(lane + 3 * LANES, c3));
    STORE(lane, c0);
    STORE(lane + 2 * LANES, c2);
    s->c = (uint64_t)lane[PLACE((block - 1) % STRIDE)] << C_DROP;
}

#undef FILL
#undef BITS
#undef VEC
#undef LANES
#undef SUB
#undef C_STEP
#undef C_SET1
#undef MINUS
#undef MINUS_ODD
#undef NUMBERS
#undef STRADDLE
#undef X_DROP
#undef C_DROP
#undef WORD
#undef OUT
#undef C_WORD
#undef PLACE
#undef ODD
