/* The fill loop, written once above the vocabulary of an instruction set. A source file that is
 * such a vocabulary includes it at its end and gets the functions `refill` and `array`. It defines
 *
 *   vec                       a vector of words, which can be read and written through a pointer
 *   WORDS_64, WORDS_32        how many words of 64 and of 32 bits it holds
 *   UNROLL                    before the loop over the vectors of a third, 32 / WORDS_64 of them
 *   HAS_WIDE_NUMBERS          whether RANMAR_WIDE differs from RANMAR_REFILL
 *   HAS_STORES_PAST_CACHES    whether RANMAR_PAST_CACHES differs from RANMAR_WIDE
 *
 * and, for words of 64 bits and with _32 for those of 32, the functions
 *
 *   spread_64(v)              v in all places
 *   subtract_64(a, b)
 *   straddle_64(a, b)         the last word of a, then all of b but its last
 *   step_64(c, d, m, way)     c - d mod m, where c and d are below m (step_32 is without `way`)
 *   numbers_64(u, out, way)   converts u to floating point, makes zeros the smallest number, and
 *                             stores at any alignment
 *
 * and, for two arithmetic parts of 24 bits in the halves of a word, lower(v) and upper(v), which
 * make one of them the upper 24 bits of a word of 48; fold(u), the last step of the flavours that
 * keep one word of several; and end_stores_past_caches().
 *
 * Words are integers of 48 bits in 64, or of 24 in 32. The bits above have no meaning: subtraction
 * carries into them, and the conversion does not look at them. Arithmetic parts have zeros there.
 * `lower` may leave anything there.
 *
 * All lags are one more than a multiple of any vector's length. So the recurrence on aligned
 * vectors gives the words from one place further on, and `straddle` moves them into line.
 *
 * A straddling load would do the same, but it would wait: a CPU cannot forward it from two stores
 * that are still on their way to the cache.
 */
#include <string.h>

enum {
    LAG = RANMAR_LONG_LAG,
    THIRD = RANMAR_THIRD,
    THIRDS = 4 /* in the row: three of old words and one of new ones */
};
_Static_assert(RANMAR_SHORT_LAG == THIRD + 1 && RANMAR_LONG_LAG == 3 * THIRD + 1,
               "a lag is one more than a number of thirds");

/* The shapes of a loop: words of 32 bits, or of 64; arithmetic parts two in a word of 64 bits. */
INLINE int is_narrow(enum ranmar_kind kind)
{
    return kind == RANMAR_SINGLE && WORDS_32 > WORDS_64;
}

INLINE int is_paired(enum ranmar_kind kind)
{
    return kind == RANMAR_ORIGINAL && WORDS_32 > WORDS_64;
}

/* Bytes of the numbers of a third. */
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

/* The words one place further on than `straddle` would have them. */
INLINE vec lagged(vec x96, vec x64, vec x32, enum ranmar_kind kind)
{
    const int narrow = is_narrow(kind);
    return kind == RANMAR_DECIMATED ? subtract_64(subtract_64(x96, x64), subtract_64(x64, x32))
                                    : subtract(x96, x32, narrow);
}

/* The luxury recurrence is (1 - s^8)^8: eight differences of words 8 apart, one of the other. They
 * are taken one level after the other, and of each level the last is kept for the next word: so
 * eight subtractions make a word, from the one 32 back alone. As vectors are shorter than 8 words,
 * there are several such chains, which take turns. */
enum { LEVELS = 8, CHAINS = 8 / WORDS_64 };

struct chain {
    vec last[LEVELS]; /* last[0]: of the words; last[i]: of their i-th differences */
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

/* The words one place further on, as `lagged` has them, of a whole third. Chain by chain, so that
 * one chain at a time is in registers. */
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

/* A third: its words from those 96, 64 and 32 back, and its numbers. The last word of *ahead is its
 * first one; c is the arithmetic part of the number before, and `multiples` what the steps from
 * there take off it. `chains` are of the luxury recurrence alone. */
INLINE void make_third(const vec *x96, const vec *x64, const vec *x32, vec *x, vec *ahead,
                       struct chain chains[CHAINS], vec c, const vec *multiples, vec modulus,
                       char *out, enum ranmar_kind kind, enum ranmar_way way)
{
    enum { PAIRED_WITH = 8 / WORDS_64 /* so many vectors later, in the upper half of the words */ };
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

/* n is at least 1. */
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

    /* The thirds stand in a ring, which starts where the last third will find the oldest words at
     * the front. Places in it are in bytes. */
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
        /* The new third holds for a moment what comes out while the chains fill up. */
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
    for (size_t i = 0; i < LAG; ++i)
        s->x[i] = narrow ? (uint64_t)row.narrow[n - 1 + i] << 40 : row.wide[n - 1 + i] << 16;
}

#include "fill/purposes.h"
