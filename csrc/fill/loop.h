/* The fill loop, written once for all instruction sets on top of a vocabulary. A source file
 * defines the vocabulary of its instruction set, includes this file at its end, and gets the
 * functions `refill` and `array`. The vocabulary is
 *
 *   vec                       a vector of words, which can be read and written through a pointer
 *   WORDS_64, WORDS_32        how many words of 64 and of 32 bits it holds
 *   UNROLL                    stands before the loop over the 32 / WORDS_64 vectors of a third
 *   HAS_WIDE_NUMBERS          whether RANMAR_WIDE differs from RANMAR_REFILL
 *   HAS_STORES_PAST_CACHES    whether RANMAR_PAST_CACHES differs from RANMAR_WIDE
 *
 * and these functions, here for words of 64 bits, and again with _32 for words of 32 bits:
 *
 *   spread_64(v)              v in all places
 *   subtract_64(a, b)
 *   straddle_64(a, b)         the last word of a, then all of b but its last
 *   step_64(c, d, m, way)     c - d mod m, where c and d are below m (step_32 is without `way`)
 *   numbers_64(u, out, way)   converts u to floating point, makes zeros the smallest number, and
 *                             stores at any alignment
 *
 * Where a word of 64 bits holds two arithmetic parts of 24 bits in its halves, lower(v) and
 * upper(v) make one of them the upper 24 bits of a word of 48. fold(u) is the last step of the
 * flavours that keep one word of several. end_stores_past_caches() completes such stores.
 *
 * Words are integers of 48 bits in 64, or of 24 in 32. The bits above have no meaning: subtraction
 * carries into them, and the conversion does not look at them. In arithmetic parts these bits are
 * zero, except after `lower`, which may leave anything there.
 *
 * All lags are one more than a multiple of the length of any vector. So the recurrence on aligned
 * vectors gives words that stand one place further on than the vector that is wanted, and
 * `straddle` moves them into line. An unaligned load would do the same, but it would wait: a CPU
 * cannot forward a load from two stores that are still on their way to the cache. */
#include <string.h>

enum {
    LAG = RANMAR_LONG_LAG,
    THIRD = RANMAR_THIRD,
    THIRDS = 4 /* in the ring of words: three of old words and one of new ones */
};
_Static_assert(RANMAR_SHORT_LAG == THIRD + 1 && RANMAR_LONG_LAG == 3 * THIRD + 1,
               "a lag is one more than a number of thirds");

/* A loop has one of several shapes. In the narrow shape words have 32 bits, otherwise 64. In the
 * paired shape a word of 64 bits holds two arithmetic parts. */
INLINE int is_narrow(enum ranmar_kind kind)
{
    return kind == RANMAR_SINGLE && WORDS_32 > WORDS_64;
}

INLINE int is_paired(enum ranmar_kind kind)
{
    return kind == RANMAR_ORIGINAL && WORDS_32 > WORDS_64;
}

/* How many bytes the numbers of a third take. */
INLINE size_t size_of_third(enum ranmar_kind kind)
{
    return THIRD * (kind == RANMAR_SINGLE ? sizeof(float) : sizeof(double));
}

INLINE vec spread(uint64_t v, int narrow)
{
    return narrow ? spread_32((uint32_t)(v >> 40)) : spread_64(v >> 16);
}

INLINE vec subtract(vec a, vec b, int narrow)
{
    return narrow ? subtract_32(a, b) : subtract_64(a, b);
}

/* The recurrence: the words one place further on than the vector that `straddle` makes of them. */
INLINE vec lagged(vec x96, vec x64, vec x32, enum ranmar_kind kind)
{
    const int narrow = is_narrow(kind);
    return kind == RANMAR_DECIMATED ? subtract_64(subtract_64(x96, x64), subtract_64(x64, x32))
                                    : subtract(x96, x32, narrow);
}

/* The luxury recurrence is (1 - s^8)^8, that is eight differences, one of the other, between words
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
        const vec difference = subtract_64(d->last[i], words);
        d->last[i] = words;
        words = difference;
    }
    return words;
}

/* The words of a whole third, one place further on as those of `lagged`. The chains are gone
 * through one after the other, so that one chain at a time is in registers. */
INLINE void difference_third(struct chain chains[CHAINS], const vec *x32, vec *next)
{
    for (int j = 0; j < CHAINS; ++j) {
        struct chain d = chains[j];
        RANMAR_UNROLL(4)
        for (int k = j; k < THIRD / WORDS_64; k += CHAINS)
            next[k] = last_difference(&d, x32[k]);
        chains[j] = d;
    }
}

/* Makes the words and the numbers of a third.
 *   x96, x64, x32  the words that many places back
 *   x              set to the new words
 *   ahead          its last word is the first new word; set for the next third
 *   chains         of the luxury recurrence; not used by others
 *   c              the arithmetic part of the number before the third, in all places
 *   multiples      what 1, 2, ... 32 steps from there subtract from it */
INLINE void make_third(const vec *x96, const vec *x64, const vec *x32, vec *x, vec *ahead,
                       struct chain chains[CHAINS], vec c, const vec *multiples, vec modulus,
                       char *out, enum ranmar_kind kind, enum ranmar_way way)
{
    enum { PAIRED_WITH = 8 / WORDS_64 /* the upper halves are for so many vectors later */ };
    const int narrow = is_narrow(kind), paired = is_paired(kind);
    const int vectors = THIRD / (narrow ? WORDS_32 : WORDS_64);
    const size_t bytes = size_of_third(kind) / (size_t)vectors;
    vec parts[PAIRED_WITH];
    if (kind == RANMAR_LUXURY)
        difference_third(chains, x32, x);
    UNROLL for (int k = 0; k < vectors; ++k)
    {
        const vec next = kind == RANMAR_LUXURY ? x[k] : lagged(x96[k], x64[k], x32[k], kind);
        const vec words = narrow ? straddle_32(*ahead, next) : straddle_64(*ahead, next);
        *ahead = next;
        x[k] = words;

        vec part;
        if (paired) {
            const int j = k % PAIRED_WITH, is_upper = k / PAIRED_WITH % 2;
            if (!is_upper)
                parts[j] = step_32(c, multiples[k / PAIRED_WITH / 2 * PAIRED_WITH + j], modulus);
            part = is_upper ? upper(parts[j]) : lower(parts[j]);
        } else {
            part =
                narrow ? step_32(c, multiples[k], modulus) : step_64(c, multiples[k], modulus, way);
        }

        const vec u = subtract(words, part, narrow);
        char *const at = out + (size_t)k * bytes;
        if (kind == RANMAR_SINGLE)
            numbers_32(u, at, way);
        else
            numbers_64(ranmar_is_mixed(kind) ? fold(u) : u, at, way);
    }
}

/* The fill of one kind, for n >= 1. */
INLINE void fill(struct ranmar_state *s, const struct ranmar_flavour *f, char *out, size_t n,
                 enum ranmar_kind kind, enum ranmar_way way)
{
    const int narrow = is_narrow(kind), narrow_parts = narrow || is_paired(kind);
    const struct ranmar_multiples *const m = ranmar_multiples(kind);
    const vec *const multiples = (const vec *)(narrow            ? (const void *)m->narrow
                                               : is_paired(kind) ? (const void *)m->pairs
                                                                 : (const void *)m->wide);
    const vec stride = spread(m->step[THIRD], narrow_parts);
    const vec modulus = spread(f->modulus, narrow_parts);

    /* The thirds stand in a ring. The place of the first is chosen so that after the last third the
     * oldest words stand at the front. Places in the ring are in bytes. */
    const size_t word = narrow ? sizeof(uint32_t) : sizeof(uint64_t), size = THIRD * word;
    union {
        vec vectors[THIRDS * THIRD / WORDS_64];
        uint64_t wide[THIRDS * THIRD];
        uint32_t narrow[THIRDS * THIRD];
        char bytes[THIRDS * THIRD * sizeof(uint64_t)];
    } row __attribute__((aligned(64)));
#define PLACE(at) ((vec *)(void *)(row.bytes + (at)))
    size_t oldest = -((n - 1) / THIRD) % THIRDS * size;
    for (size_t j = 0; j < THIRDS - 1; ++j) {
        const size_t to = (oldest / size + j) % THIRDS * THIRD;
        for (size_t i = 0; i < THIRD; ++i)
            if (narrow)
                row.narrow[to + i] = (uint32_t)(s->x[1 + j * THIRD + i] >> 40);
            else
                row.wide[to + i] = s->x[1 + j * THIRD + i] >> 16;
    }
    vec ahead = spread(ranmar_lagged(s->x, f->every), narrow);
    struct chain chains[CHAINS];
    if (kind == RANMAR_LUXURY) {
        /* While the chains fill up, what they give has no use: it goes where the new third will
         * be. */
        const size_t middle = (oldest + size) % (THIRDS * size);
        vec *const nothing = PLACE((oldest + 3 * size) % (THIRDS * size));
        memset(chains, 0, sizeof chains);
        difference_third(chains, PLACE(oldest), nothing);
        difference_third(chains, PLACE(middle), nothing);
    }
    union {
        vec words; /* the same arithmetic part in all places */
        uint64_t wide;
        uint32_t narrow;
    } c = {.words = spread(s->c, narrow_parts)};

    char part[THIRD * sizeof(double)] __attribute__((aligned(64)));
    for (;; n -= THIRD) {
        const size_t middle = (oldest + size) % (THIRDS * size);
        const size_t young = (middle + size) % (THIRDS * size);
        const size_t next = (young + size) % (THIRDS * size);
        make_third(PLACE(oldest), PLACE(middle), PLACE(young), PLACE(next), &ahead, chains, c.words,
                   multiples, modulus, n < THIRD ? part : out, kind, way);
        if (n <= THIRD)
            break;
        c.words = narrow_parts ? step_32(c.words, stride, modulus)
                               : step_64(c.words, stride, modulus, way);
        out += size_of_third(kind);
        oldest = middle;
    }
    if (n < THIRD)
        memcpy(out, part, n * (size_of_third(kind) / THIRD));
    s->c = ranmar_arithmetic(narrow_parts ? (uint64_t)c.narrow << 40 : c.wide << 16, m->step[n],
                             f->modulus);
    /* The first word apart, so that the others are stored by the same vectors by which the next
     * fill loads them: a CPU forwards a load from one store alone. */
    s->x[0] = narrow ? (uint64_t)row.narrow[n - 1] << 40 : row.wide[n - 1] << 16;
    for (size_t i = 0; i < LAG - 1; ++i)
        s->x[1 + i] = narrow ? (uint64_t)row.narrow[n + i] << 40 : row.wide[n + i] << 16;
}

#include "fill/purposes.h"
