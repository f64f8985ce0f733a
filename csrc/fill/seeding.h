/* The words of a seed, written once for all instruction sets: what ranmar_words_of_four() of the
 * definition makes, a tenth or less of its time. loop.h includes this file.
 *
 * The definition makes the bits in a row. Here all words are made side by side, each in a lane of
 * 16 bits, by the definition's own step. This needs i, j, k and l before the first bit of each
 * word. A step replaces i, j, k by j, k, ijk mod 179. 179 is a prime and 1..178 are the powers of
 * 2, so the exponents of i, j, k are replaced by sums modulo 178, which is linear. l is replaced by
 * 53 l + 1 mod 169. So each of the four is a fixed combination of the first i, j, k and l, for each
 * word, and instruction_sets.c makes the coefficients by the same steps.
 *
 * A lane makes 48 bits: one word, or two of 24 bits. A step's result takes long to arrive, so the
 * lanes of two vectors take turns. The largest value in a lane is 2 * 177 * 177, in the sum of two
 * exponents, which is below 2^16. */
#if WORDS_64 > 1
typedef uint16_t lanes __attribute__((vector_size(sizeof(vec)), may_alias));
#else /* the compiler makes of this what the CPU has */
typedef uint16_t lanes __attribute__((vector_size(16), may_alias));
#endif

enum {
    AT_A_TIME = 2, /* vectors */
    LANES = sizeof(lanes) / sizeof(uint16_t),
    PIECES = 3, /* of 16 bits in a lane's 48 */
};

/* How many vectors have lanes for n words or pairs of words, a multiple of AT_A_TIME. */
#define VECTORS_FOR(n) (((n) + AT_A_TIME * LANES - 1) / (AT_A_TIME * LANES) * AT_A_TIME)

union row_of_lanes {
    lanes vectors[RANMAR_LANES / LANES];
    uint16_t of[RANMAR_LANES];
};

#define TURNS(z) RANMAR_UNROLL(2) for (int z = 0; z < AT_A_TIME; ++z)

/* Makes the bits of AT_A_TIME vectors of lanes, from vector v on. */
INLINE void make_lanes(int v, const union row_of_lanes first[4], union row_of_lanes pieces[PIECES])
{
    lanes i[AT_A_TIME], j[AT_A_TIME], k[AT_A_TIME], l[AT_A_TIME], piece[AT_A_TIME];
    TURNS(z)
    {
        i[z] = first[0].vectors[v + z];
        j[z] = first[1].vectors[v + z];
        k[z] = first[2].vectors[v + z];
        l[z] = first[3].vectors[v + z];
    }
    for (int p = 0; p < PIECES; ++p) {
        TURNS(z) piece[z] = (lanes){0};
        for (int bit = 0; bit < 16; ++bit)
            TURNS(z)
            {
                const lanes m = i[z] * j[z] % 179 * k[z] % 179;
                i[z] = j[z];
                j[z] = k[z];
                k[z] = m;
                l[z] = (53 * l[z] + 1) % 169;
                piece[z] = piece[z] << 1 | (l[z] * m >> 5 & 1);
            }
        TURNS(z) pieces[p].vectors[v + z] = piece[z];
    }
}

#undef TURNS

static void words_loop(uint64_t *words, unsigned bits, const unsigned four[4])
{
    const struct ranmar_word_starts *const t = &ranmar_word_starts;
    const int two_a_lane = bits == 24;
    const int vectors =
        two_a_lane ? VECTORS_FOR((RANMAR_LONG_LAG + 1) / 2) : VECTORS_FOR(RANMAR_LONG_LAG);
    if (!atomic_load_explicit(&ranmar_tables_are_made, memory_order_acquire))
        ranmar_make_tables();
    const uint16_t a = t->exponent[four[0]], b = t->exponent[four[1]], c = t->exponent[four[2]],
                   l = (uint16_t)four[3];
    union row_of_lanes first[4], pieces[PIECES];
#define TABLE(row) ((const lanes *)(const void *)t->row)[v]
    for (int v = 0; v < vectors; ++v) {
        for (int n = 0; n < 3; ++n)
            first[n].vectors[v] = ((a * TABLE(exponents[n][0]) + b * TABLE(exponents[n][1])) % 178 +
                                   c * TABLE(exponents[n][2])) %
                                  178;
        first[3].vectors[v] = (l * TABLE(factor) + TABLE(addend)) % 169;
    }
#undef TABLE
    for (int n = 0; n < 3; ++n)
        for (int lane = 0; lane < vectors * LANES; ++lane)
            first[n].of[lane] = t->power[first[n].of[lane]];
    for (int v = 0; v < vectors; v += AT_A_TIME)
        make_lanes(v, first, pieces);
    for (int w = 0; w < RANMAR_LONG_LAG; ++w) {
        const int lane = two_a_lane ? w / 2 : w;
        const uint64_t all = (uint64_t)pieces[0].of[lane] << 48 |
                             (uint64_t)pieces[1].of[lane] << 32 |
                             (uint64_t)pieces[2].of[lane] << 16;
        const uint64_t word = two_a_lane ? all << w % 2 * 24 >> 40 << 40 : all;
        words[RANMAR_LONG_LAG - 1 - w] = word;
    }
}
