/* The fill loop, written once and instantiated per instruction set and precision. Before including
 * it define
 *
 *   FILL, TARGET          name and attributes of the function
 *   BITS                  48 or 24: its precision
 *   VEC, LANES            a vector of words, how many it holds
 *   LOAD, STORE           unaligned
 *   SET1, ADD, SUB        on words
 *   C_STEP(c, d, m)       c - d mod m
 *   NUMBERS(out, x, c)    writes the LANES numbers x - c to out
 *
 * All but TARGET, LOAD and STORE are undefined after. A pass makes four vectors, whose arithmetic
 * parts have a variable each: a compiler would keep an array of them in memory.
 *
 * A vector of words 33 places back straddles two vectors stored a moment ago, and a CPU cannot
 * forward a load from two stores that are still on their way to the cache: it waits. So the short
 * lag is replaced by its own recurrence, x[n-33] = x[n-130] - x[n-66], giving
 *
 *     x[n] = x[n-97] - x[n-130] + x[n-66],
 *
 * which costs a load and an addition and is faster by a third. The words stand in a row, so that
 * lags are fixed distances back; only at the end of a block do the last 130 move to its front.
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

#define VECTOR(at, c, numbers)                                                           \
    {                                                                                    \
        const VEC x97_x130 = SUB(LOAD((at) + HISTORY - RANMAR_LONG_LAG), LOAD(at));      \
        const VEC word = ADD(x97_x130, LOAD((at) + HISTORY - 2 * RANMAR_SHORT_LAG));     \
        STORE((at) + HISTORY, word);                                                     \
        c = C_STEP(c, stride, modulus);                                                  \
        NUMBERS(numbers, word, c);                                                       \
    }
#define PASS(at, numbers)                                         \
    VECTOR(at, c0, numbers)                                       \
    VECTOR((at) + LANES, c1, (numbers) + LANES)                   \
    VECTOR((at) + 2 * LANES, c2, (numbers) + 2 * LANES)           \
    VECTOR((at) + 3 * LANES, c3, (numbers) + 3 * LANES)

    OUT *out = to;
    while (n > 0) {
        const size_t block = n < BLOCK ? n : BLOCK, whole = block - block % STRIDE;
        for (size_t i = 0; i < whole; i += STRIDE) {
            PASS(x + i, out + i)
        }
        if (whole < block) { /* the last pass makes more than is wanted */
            OUT spare[STRIDE];
            PASS(x + whole, spare)
            memcpy(out + whole, spare, (block - whole) * sizeof *out);
        }
        memmove(x, x + block, HISTORY * sizeof *x);
        out += block;
        n -= block;
        if (n == 0) {
            STORE(lane, c0);
            STORE(lane + LANES, c1);
            STORE(lane + 2 * LANES, c2);
            STORE(lane + 3 * LANES, c3);
            s->c = (uint64_t)lane[(block - 1) % STRIDE] << C_DROP;
        }
    }
#undef PASS
#undef VECTOR

    for (int i = 0; i < LAG; ++i)
        s->x[i] = (uint64_t)x[RANMAR_SHORT_LAG + i] << X_DROP;
}

#undef FILL
#undef BITS
#undef VEC
#undef LANES
#undef SET1
#undef ADD
#undef SUB
#undef C_STEP
#undef NUMBERS
#undef WORD
#undef OUT
#undef X_DROP
#undef C_DROP
