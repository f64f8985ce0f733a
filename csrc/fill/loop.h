/* The fill loop, written once for all instruction sets on top of a vocabulary. A source file
 * defines the vocabulary of its instruction set, includes this file at its end, and gets the
 * functions `refill_loop` and `array_loop`. The vocabulary is
 *
 *   vec                       a vector of words, which can be read and written through a pointer
 *   WORDS_64, WORDS_32        how many words of 64 and of 32 bits it holds
 *   UNROLL                    stands before the loop over the 32 / WORDS_64 vectors of a third
 *   MULTIPLY(a, b)            the products of the lower halves of words of 64 bits
 *   REGISTER                  the letter by which inline assembly knows a register for a vector
 *   WORDS_IN_REGISTERS        whether the CPU has registers for the words of a pass and ten more
 *   HAS_REFILL                whether the level makes refills (fill.h)
 *   HAS_WIDE_NUMBERS          whether RANMAR_WIDE differs from RANMAR_REFILL
 *   HAS_STORES_PAST_CACHES    whether RANMAR_PAST_CACHES differs from RANMAR_WIDE
 *
 * and these functions, here for words of 64 bits, and again with _32 for words of 32 bits:
 *
 *   straddle_64(a, b)         the last word of a, then all of b but its last
 *   numbers_64(u, out, way)   converts u to floating point, makes zeros the smallest number, and
 *                             stores at any alignment
 *
 * The keyed flavour has high_32(p), the highest 32 bits of each word of 48 of the vector at p, with
 * anything above them; where a vector has more than four words four_on(a, b), the words that begin
 * 4 places after those of a, where b has the last of them.
 *
 * Words are integers of 48 bits in 64, or of 24 in 32. The bits above have no meaning: subtraction
 * carries into them, and the conversion does not look at them.
 *
 * The recurrence is x[n] = x[n-97] - x[n-33]. Both lags are one more than a multiple of the length
 * of any vector. So the difference of the vectors that begin 96 and 32 words before x[n] is not
 * x[n], x[n+1], ... but x[n+1], x[n+2], ...: it lacks x[n], which the vector before it has made,
 * and has one word too many. `straddle` makes the vector that begins with x[n] out of these two. An
 * unaligned load would do the same, but it would wait: a CPU cannot forward a load from two stores
 * that are still on their way to the cache. */
#include <string.h>

enum { LAG = RANMAR_LONG_LAG, THIRD = RANMAR_THIRD, PASS = RANMAR_PASS };
_Static_assert(RANMAR_SHORT_LAG == THIRD + 1 && RANMAR_LONG_LAG == PASS + 1,
               "a lag is one more than a number of thirds");

/* In the narrow shape of the loop words have 32 bits, otherwise 64. */
INLINE int is_narrow(enum ranmar_kind kind)
{
    return kind == RANMAR_SINGLE && WORDS_32 > WORDS_64;
}

INLINE int vectors_in_third(enum ranmar_kind kind)
{
    return THIRD / (is_narrow(kind) ? WORDS_32 : WORDS_64);
}

/* How many bytes the numbers of a third take. */
INLINE size_t size_of_third(enum ranmar_kind kind)
{
    return THIRD * (kind == RANMAR_SINGLE ? sizeof(float) : sizeof(double));
}

/* A vector as compilers know it, for what they can do with vectors by themselves. */
#if WORDS_64 > 1
#define VECTOR_OF(word) word __attribute__((vector_size(sizeof(vec))))
#else
#define VECTOR_OF(word) vec
#endif
typedef VECTOR_OF(uint64_t) vec_64;
typedef VECTOR_OF(uint32_t) vec_32;

/* Reads a vector at the alignment of its words. */
INLINE vec load(const void *p)
{
    vec v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* The highest bits of v, in all places. */
INLINE vec spread(uint64_t v, int narrow)
{
    return narrow ? (vec)((uint32_t)(v >> 40) - (vec_32){0}) : (vec)((v >> 16) - (vec_64){0});
}

INLINE vec subtract(vec a, vec b, int narrow)
{
    return narrow ? (vec)((vec_32)a - (vec_32)b) : (vec)((vec_64)a - (vec_64)b);
}

/* The keyed recurrence is (1 - s^8)^8, that is eight differences, one of the other, between words
 * 8 apart. The differences are taken level by level, and the last one of each level is kept for the
 * next word. So eight subtractions make a word, from the word 32 back alone. Vectors are shorter
 * than 8 words: there are several such chains, which take turns. */
enum { LEVELS = 8, CHAINS = 8 / WORDS_64 };

struct chain {
    vec last[LEVELS]; /* [0]: the last words; [i]: the last of their i-th differences */
};

INLINE vec last_difference(struct chain *d, vec words)
{
    RANMAR_UNROLL(8) for (int i = 0; i < LEVELS; ++i)
    {
        vec difference = subtract(d->last[i], words, 0);
        /* Otherwise gcc takes a difference of differences apart, into a sum of more terms. */
        __asm__("" : "+" REGISTER(difference));
        d->last[i] = words;
        words = difference;
    }
    return words;
}

/* The differences of a whole third, each one place further on, as above. The chains are gone
 * through one after the other, so that one chain at a time is in registers. */
INLINE void difference_third(struct chain *chains, const vec *x32, vec *next)
{
    for (int j = 0; j < CHAINS; ++j) {
        struct chain d = chains[j];
        RANMAR_UNROLL(4)
        for (int k = j; k < THIRD / WORDS_64; k += CHAINS)
            next[k] = last_difference(&d, x32[k]);
        chains[j] = d;
    }
}

/* Masks are made of the words 96 back and of those 92 back. The vector that is so many further on
 * than one of the former has the last of the latter. */
enum { FURTHER_ON = (RANMAR_MASK_LAG_2 - RANMAR_MASK_LAG_1 + WORDS_64 - 1) / WORDS_64 };
_Static_assert(RANMAR_MASK_LAG_2 == PASS && RANMAR_MASK_LAG_1 == PASS - 4, "see four_on()");

#if WORDS_64 <= 4 /* 4 places after a whole vector is a whole vector */
#define four_on(a, b) (b)
#endif

/* XORs the product of the lower half of a, made odd, and that of b, without its lowest 8 bits, into
 * u. */
INLINE vec mask(vec a, vec b, vec u)
{
    const vec odd = (vec)((vec_64)a | 1);
    return (vec)((vec_64)u ^ (vec_64)MULTIPLY(odd, b) >> 8);
}

/* The highest 32 bits of vector k of the words 96 back, and of those after them. */
INLINE vec high_96_back(const vec *x96, const vec *x64, int k)
{
    enum { VECTORS = THIRD / WORDS_64 };
    return high_32(k < VECTORS ? x96 + k : x64 + (k - VECTORS));
}

/* The arithmetic parts of a pass: the sums of `difference` and the entries of a table. */
struct parts {
    vec difference;
    const char *table;
};

/* Makes the words and the numbers of a third: 0, 1 or 2 in its pass. Returns where the numbers of
 * the next third go.
 *
 *   x96, ...  the words that many places back
 *   x         set to the new words; may be x96
 *   ahead     its last word is the first new word; set for the next third
 *   chains    of the keyed flavour */
INLINE char *make_third(int third, const vec *x96, const vec *x64, const vec *x32, vec *x,
                        vec *ahead, struct chain *chains, struct parts parts, char *out,
                        enum ranmar_kind kind, enum ranmar_way way)
{
    const int narrow = is_narrow(kind), vectors = vectors_in_third(kind);
    const size_t bytes = size_of_third(kind) / (size_t)vectors;
    vec differences[THIRD / WORDS_64];
    if (kind == RANMAR_KEYED)
        difference_third(chains, x32, differences);
    UNROLL for (int k = 0; k < vectors; ++k)
    {
        const vec next = kind == RANMAR_KEYED ? differences[k] : subtract(x96[k], x32[k], narrow);
        const vec words = narrow ? straddle_32(*ahead, next) : straddle_64(*ahead, next);
        *ahead = next;

        const vec part = load(parts.table + (size_t)(third * vectors + k) * sizeof(vec));
        vec u = subtract(subtract(words, parts.difference, narrow), part, narrow);
        if (kind == RANMAR_KEYED) {
            const vec high = high_96_back(x96, x64, k);
            u = mask(high, four_on(high, high_96_back(x96, x64, k + FURTHER_ON)), u);
        }
        x[k] = words;
        char *const at = out + (size_t)k * bytes;
        if (kind == RANMAR_SINGLE)
            numbers_32(u, at, way);
        else
            numbers_64(u, at, way);
    }
    /* The next thirds read these words from memory. A compiler that kept them in registers instead
     * would have to move other values to memory. */
    if (!WORDS_IN_REGISTERS)
        __asm__("" ::: "memory");
    return out + size_of_third(kind);
}

/* A row of words with places for four thirds. */
union row {
    vec vectors[4 * THIRD / WORDS_64];
    uint64_t words_64[4 * THIRD];
    uint32_t words_32[4 * THIRD];
};

INLINE void copy_vectors(vec *to, const vec *from, int count)
{
    RANMAR_UNROLL(12) for (int k = 0; k < count; ++k) to[k] = from[k];
}

INLINE size_t place_after(size_t place)
{
    return place == 2 ? 0 : place + 1;
}

/* Puts the words of a state into the first three places, its oldest third at `place`. */
INLINE void row_of_state(union row *row, const struct ranmar_state *s, size_t place, int narrow)
{
    for (size_t j = 0; j < 3; ++j, place = place_after(place))
        for (size_t i = 0; i < THIRD; ++i)
            if (narrow)
                row->words_32[place * THIRD + i] = (uint32_t)(s->x[1 + j * THIRD + i] >> 40);
            else
                row->words_64[place * THIRD + i] = s->x[1 + j * THIRD + i] >> 16;
}

/* Puts a row's words from `oldest` on into a state. The first word has a statement of its own, so
 * that the loop stores the others by the same vectors by which row_of_state() of the next fill
 * loads them: a CPU forwards a load from one store alone. */
INLINE void state_of_row(struct ranmar_state *s, const union row *row, size_t oldest, int narrow)
{
    s->x[0] = narrow ? (uint64_t)row->words_32[oldest] << 40 : row->words_64[oldest] << 16;
    for (size_t i = 1; i < LAG; ++i)
        s->x[i] =
            narrow ? (uint64_t)row->words_32[oldest + i] << 40 : row->words_64[oldest + i] << 16;
}

/* Fills the chains from the two oldest thirds. The words that they make meanwhile are not used. */
INLINE void start_chains(struct chain chains[CHAINS], const vec *oldest, const vec *middle)
{
    vec unused[THIRD / WORDS_64];
    memset(chains, 0, CHAINS * sizeof *chains);
    difference_third(chains, oldest, unused);
    difference_third(chains, middle, unused);
}

/* The parts of the pass after c. */
INLINE struct parts parts_after(uint64_t c, const struct ranmar_multiples *m, int narrow)
{
    const struct ranmar_parts after_c = ranmar_parts_after(c, m);
    const char *table = narrow ? (const char *)(m->parts_32 + after_c.at)
                               : (const char *)(m->parts_64 + after_c.at);
    /* This makes compilers keep the address in one register. A load by two takes longer. */
    __asm__("" : "+r"(table));
    return (struct parts){spread(after_c.difference, narrow), table};
}

/* The fill of one kind, for n >= 1.
 *
 * The three thirds of a pass are made at places 1, 2 and 0 of a row, over the words 96 back. The
 * first pass of a fill is cut at its beginning: it leaves out so many thirds that the last third of
 * the fill is the last of a pass. So the places of a third are known when this is compiled, however
 * many numbers are wanted. The state after the fill needs words of the last third and of the 96
 * before it. Therefore the last third goes to place 3 and not over place 0: then all these words
 * stand in order. */
INLINE void fill_kind(struct ranmar_state *s, const struct ranmar_flavour *f, char *out, size_t n,
                      enum ranmar_kind kind, enum ranmar_way way)
{
    const int narrow = is_narrow(kind), vectors = vectors_in_third(kind);
    const struct ranmar_multiples *const m = ranmar_multiples(kind);
    union row row __attribute__((aligned(64)));
    vec registers[3 * THIRD / WORDS_64], *const at_3 = row.vectors + 3 * vectors;
    vec *const at_0 = WORDS_IN_REGISTERS ? registers : row.vectors;
    vec *const at_1 = at_0 + vectors, *const at_2 = at_1 + vectors;

    size_t left_out = 2 - (n - 1) / THIRD % 3;
    const size_t oldest = place_after(left_out), middle = place_after(oldest);
    row_of_state(&row, s, oldest, narrow);
    vec ahead = spread(ranmar_lagged(s->x, f->every), narrow);
    struct chain chains[CHAINS];
    if (kind == RANMAR_KEYED)
        start_chains(chains, row.vectors + oldest * (size_t)vectors,
                     row.vectors + middle * (size_t)vectors);
    if (WORDS_IN_REGISTERS)
        copy_vectors(registers, row.vectors, 3 * vectors);

    /* From here on n counts from the beginning of a pass, with the thirds that are left out, and c
     * is the arithmetic part before it. */
    n += left_out * THIRD;
    const uint64_t modulus = f->modulus, stride = m->step[PASS];
    uint64_t c = ranmar_arithmetic(s->c, modulus - m->step[left_out * THIRD], modulus);
    char last[THIRD * sizeof(double)] __attribute__((aligned(64)));
    for (;; n -= PASS) {
        const struct parts parts = parts_after(c, m, narrow);
        if (left_out == 0)
            out = make_third(0, at_1, at_2, at_0, at_1, &ahead, chains, parts, out, kind, way);
        if (left_out <= 1)
            out = make_third(1, at_2, at_0, at_1, at_2, &ahead, chains, parts, out, kind, way);
        if (WORDS_IN_REGISTERS && n <= PASS)
            copy_vectors(row.vectors, registers, 3 * vectors);
        vec *const to = WORDS_IN_REGISTERS || n > PASS ? at_0 : at_3;
        char *const next = make_third(2, at_0, at_1, at_2, to, &ahead, chains, parts,
                                      n < PASS ? last : out, kind, way);
        if (n <= PASS)
            break;
        out = next;
        left_out = 0;
        c = ranmar_arithmetic(c, stride, modulus);
    }
    if (WORDS_IN_REGISTERS)
        copy_vectors(at_3, registers, vectors);
    s->c = ranmar_arithmetic(c, m->step[n], modulus);
    n -= 2 * THIRD; /* of the last third */
    if (n < THIRD)
        memcpy(out, last, n * (size_of_third(kind) / THIRD));
    state_of_row(s, &row, n - 1, narrow);
}

INLINE void fill_by_kind(struct ranmar_state *s, const struct ranmar_flavour *f, char *out,
                         size_t n, enum ranmar_way way)
{
    switch (ranmar_kind_of(f)) {
#define FLAVOUR(CODE, name)                          \
    case RANMAR_##CODE:                              \
        fill_kind(s, f, out, n, RANMAR_##CODE, way); \
        break;
#include "definition/flavours.def"
#undef FLAVOUR
    }
}

/* --- The two loops of a level --- */

#if HAS_REFILL
static void refill_loop(struct ranmar_state *s, const struct ranmar_flavour *f, void *out, size_t n)
{
    fill_by_kind(s, f, out, n, RANMAR_REFILL);
}
#endif

#if HAS_WIDE_NUMBERS
static void wide_loop(struct ranmar_state *s, const struct ranmar_flavour *f, void *out, size_t n)
{
    fill_by_kind(s, f, out, n, RANMAR_WIDE);
}
#else
#define wide_loop refill_loop
#endif

#if HAS_STORES_PAST_CACHES
/* Not inlined, because every small array would then have to save registers for it. */
__attribute__((noinline)) static void array_past_caches(struct ranmar_state *s,
                                                        const struct ranmar_flavour *f, char *out,
                                                        size_t n, size_t head)
{
    if (head > 0)
        wide_loop(s, f, out, head);
    fill_by_kind(s, f, out + head * ranmar_number_size(f), n - head, RANMAR_PAST_CACHES);
    _mm_sfence(); /* Only x86 has such stores. */
}

static void array_loop(struct ranmar_state *s, const struct ranmar_flavour *f, void *out, size_t n)
{
    size_t head;
    if (ranmar_goes_past_caches(out, n, ranmar_number_size(f), sizeof(vec), &head))
        array_past_caches(s, f, out, n, head);
    else
        wide_loop(s, f, out, n);
}
#else
#define array_loop wide_loop
#endif
