/* The fill loop, written once and instantiated per instruction set and precision. Before including
 * it define
 *
 *   FILL, TARGET          name and attributes of the function
 *   BITS                  48 or 24: its precision
 *   VEC, LANES, UNROLL    a vector of words, how many it holds, vectors a pass
 *   LOAD, STORE           unaligned
 *   SET1, SUB             on words
 *   C_STEP(c, d, m)       c - d mod m
 *   NUMBERS(out, x, c)    writes the LANES numbers x - c to out
 *
 * All but TARGET, LOAD and STORE are undefined after. A pass makes STRIDE consecutive numbers at
 * once, which the short lag, 33, allows. The words stand in a row, so that the lags are fixed
 * distances back; only at the end of a block do the last 97 move to its front.
 */
#if BITS == 48
#define WORD uint64_t
#define OUT double
#define X_DROP 12 /* bits of the 64-bit fraction that a word leaves out */
#define C_DROP 12 /* the same for the arithmetic part */
#else
#define WORD uint32_t
#define OUT float
#define X_DROP 32
#define C_DROP 40
#endif

TARGET static void FILL(struct ranmar_state *s, const struct ranmar_flavour *f, void *to, size_t n)
{
    enum { LAG = RANMAR_LONG_LAG, STRIDE = LANES * UNROLL, BLOCK = 2048 };
    _Static_assert(STRIDE <= RANMAR_SHORT_LAG && BLOCK % STRIDE == 0, "a pass is too long");

    WORD x[LAG + BLOCK];
    for (int i = 0; i < LAG; ++i)
        x[i] = (WORD)(s->x[i] >> X_DROP);

    /* Lane l starts at the arithmetic part of the pass before, c[l - STRIDE + 1]. */
    WORD lane[STRIDE];
    const uint64_t *const multiple = step_multiples(f);
    for (int l = 0; l < STRIDE; ++l)
        lane[l] = (WORD)(multiple[l + 1 - STRIDE] >> C_DROP);
    const VEC modulus = SET1((WORD)(f->modulus >> C_DROP));
    const VEC stride = SET1((WORD)(multiple[STRIDE] >> C_DROP));
    VEC c[UNROLL];
    for (int j = 0; j < UNROLL; ++j)
        c[j] = C_STEP(SET1((WORD)(s->c >> C_DROP)), LOAD(lane + j * LANES), modulus);

    OUT *out = to;
    while (n > 0) {
        const size_t block = n < BLOCK ? n : BLOCK;
        for (size_t i = 0; i < block; i += STRIDE) {
            /* The last pass may make more than is wanted. */
            OUT spare[STRIDE];
            const size_t left = block - i;
            OUT *const numbers = left < STRIDE ? spare : out + i;
            for (int j = 0; j < UNROLL; ++j) {
                WORD *const at = x + i + j * LANES;
                const VEC word = SUB(LOAD(at), LOAD(at + LAG - RANMAR_SHORT_LAG));
                STORE(at + LAG, word);
                c[j] = C_STEP(c[j], stride, modulus);
                NUMBERS(numbers + j * LANES, word, c[j]);
            }
            if (left < STRIDE)
                memcpy(out + i, spare, left * sizeof *out);
        }
        memmove(x, x + block, LAG * sizeof *x);
        out += block;
        n -= block;
        if (n == 0) {
            for (int j = 0; j < UNROLL; ++j)
                STORE(lane + j * LANES, c[j]);
            s->c = (uint64_t)lane[(block - 1) % STRIDE] << C_DROP;
        }
    }
    for (int i = 0; i < LAG; ++i)
        s->x[i] = (uint64_t)x[i] << X_DROP;
}

#undef FILL
#undef BITS
#undef VEC
#undef LANES
#undef UNROLL
#undef SET1
#undef SUB
#undef C_STEP
#undef NUMBERS
#undef WORD
#undef OUT
#undef X_DROP
#undef C_DROP
