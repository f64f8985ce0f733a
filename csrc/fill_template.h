/* The fill loop, written once and instantiated per instruction set and precision. Before including
 * it define
 *
 *   FILL, TARGET          name and attributes of the function
 *   BITS                  48 or 24: its precision
 *   VEC, LANES            a vector of words, how many it holds
 *   LOAD, STORE           unaligned
 *   SET1, SUB             on words
 *   C_STEP(c, d, m)       c - d mod m
 *   NUMBERS(out, x, c)    writes the LANES numbers x - c to out
 *   STRADDLE(a, b)        optional: the last word of a, then all of b but its last
 *
 * All but TARGET, LOAD and STORE are undefined after. A pass makes four vectors, whose arithmetic
 * parts have a variable each: a compiler would keep an array of them in memory.
 *
 * A vector of words 33 places back straddles two vectors stored a moment ago, and a CPU cannot
 * forward a load from two stores that are still on their way to the cache: it waits. Where lanes
 * can be moved across a vector in one instruction, and there are registers for the vectors of a
 * pass of 32, STRADDLE makes it from them. Otherwise the recurrence itself stands in,
 * x[n-33] = x[n-130] - x[n-66], whose words have long arrived.
 *
 * The words stand in a row, so that lags are fixed distances back; only at the end of a block do the
 * last 130 move to its front.
 */
#if BITS == 48
#define WORD uint64_t
#define OUT double
#define X_DROP 16 /* low bits of the 64-bit fraction that a word leaves out */
#define C_DROP 16 /* the same for the arithmetic part */
#else
#define WORD uint32_t
#define OUT float
#define X_DROP 32
#define C_DROP 40
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
    WORD lane[STRIDE];
    const uint64_t *const multiple = step_multiples(f);
    for (int l = 0; l < STRIDE; ++l)
        lane[l] = (WORD)(multiple[l + 1 - STRIDE] >> C_DROP);
    const VEC modulus = SET1((WORD)(f->modulus >> C_DROP));
    const VEC stride = SET1((WORD)(multiple[STRIDE] >> C_DROP));
    const VEC before = SET1((WORD)(s->c >> C_DROP));
    VEC c0 = C_STEP(before, LOAD(lane), modulus);
    VEC c1 = C_STEP(before, LOAD(lane + LANES), modulus);
    VEC c2 = C_STEP(before, LOAD(lane + 2 * LANES), modulus);
    VEC c3 = C_STEP(before, LOAD(lane + 3 * LANES), modulus);

#ifdef STRADDLE
    _Static_assert(STRIDE == RANMAR_SHORT_LAG - 1, "the straddled vectors are those of a pass ago");
    VEC last, w0, w1, w2, w3; /* of the last pass but one, and of the last */
#define START(at)                    \
    last = LOAD((at) - 5 * LANES);   \
    w0 = LOAD((at) - 4 * LANES);     \
    w1 = LOAD((at) - 3 * LANES);     \
    w2 = LOAD((at) - 2 * LANES);     \
    w3 = LOAD((at) - LANES);
#define BACK33(at, a, b) STRADDLE(a, b)
#define KEEP   \
    last = w3; \
    w0 = v0;   \
    w1 = v1;   \
    w2 = v2;   \
    w3 = v3;
#else
#define START(at)
#define BACK33(at, a, b) SUB(LOAD((at) - HISTORY), LOAD((at) - 2 * RANMAR_SHORT_LAG))
#define KEEP
#endif
#define VECTOR(v, at, c, numbers, a, b)                                          \
    const VEC v = SUB(LOAD((at) - RANMAR_LONG_LAG), BACK33(at, a, b));           \
    STORE(at, v);                                                                \
    c = C_STEP(c, stride, modulus);                                              \
    NUMBERS(numbers, v, c);
#define PASS(at, numbers)                                                        \
    {                                                                            \
        VECTOR(v0, at, c0, numbers, last, w0)                                    \
        VECTOR(v1, (at) + LANES, c1, (numbers) + LANES, w0, w1)                  \
        VECTOR(v2, (at) + 2 * LANES, c2, (numbers) + 2 * LANES, w1, w2)          \
        VECTOR(v3, (at) + 3 * LANES, c3, (numbers) + 3 * LANES, w2, w3)          \
        KEEP                                                                     \
    }

    OUT *out = to;
    size_t block;
    for (;; memmove(x, x + block, HISTORY * sizeof *x)) {
        block = n < BLOCK ? n : BLOCK;
        const size_t whole = block - block % STRIDE;
        START(x + HISTORY)
        for (size_t i = 0; i < whole; i += STRIDE)
            PASS(x + HISTORY + i, out + i)
        if (whole < block) { /* the last pass makes more than is wanted */
            OUT spare[STRIDE];
            PASS(x + HISTORY + whole, spare)
            memcpy(out + whole, spare, (block - whole) * sizeof *out);
        }
        out += block;
        n -= block;
        if (n == 0)
            break;
    }
#undef START
#undef BACK33
#undef KEEP
#undef VECTOR
#undef PASS

    for (int i = 0; i < LAG; ++i)
        s->x[i] = (uint64_t)x[RANMAR_SHORT_LAG + block + (size_t)i] << X_DROP;
    STORE(lane, c0);
    STORE(lane + LANES, c1);
    STORE(lane + 2 * LANES, c2);
    STORE(lane + 3 * LANES, c3);
    s->c = (uint64_t)lane[(block - 1) % STRIDE] << C_DROP;
}

#undef FILL
#undef BITS
#undef VEC
#undef LANES
#undef SET1
#undef SUB
#undef C_STEP
#undef NUMBERS
#undef STRADDLE
#undef WORD
#undef OUT
#undef X_DROP
#undef C_DROP
