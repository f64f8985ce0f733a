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
 * load(p), which reads a vector at the alignment of its words, and these functions, here for words
 * of 64 bits, and again with _32 for words of 32 bits:
 *
 *   spread_64(v)              v in all places
 *   subtract_64(a, b)
 *   straddle_64(a, b)         the last word of a, then all of b but its last
 *   numbers_64(u, out, way)   converts u to floating point, makes zeros the smallest number, and
 *                             stores at any alignment
 *
 * fold(u) is the last step of the flavour luxury. end_stores_past_caches()
 * completes such stores.
 *
 * Words are integers of 48 bits in 64, or of 24 in 32. The bits above have no meaning: subtraction
 * carries into them, and the conversion does not look at them.
 *
 * All lags are one more than a multiple of the length of any vector. So the recurrence on aligned
 * vectors gives words that stand one place further on than the vector that is wanted, and
 * `straddle` moves them into line. An unaligned load would do the same, but it would wait: a CPU
 * cannot forward a load from two stores that are still on their way to the cache. */
#include <string.h>

enum { LAG = RANMAR_LONG_LAG, THIRD = RANMAR_THIRD, PASS = RANMAR_PASS };
_Static_assert(RANMAR_SHORT_LAG == THIRD + 1 && RANMAR_LONG_LAG == PASS + 1,
               "a lag is one more than a number of thirds");

/* In the narrow shape of the loop words have 32 bits, otherwise 64. */
INLINE int is_narrow(enum ranmar_kind kind)
{
    return kind == RANMAR_SINGLE && WORDS_32 > WORDS_64;
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
INLINE vec lagged(vec x96, vec x32, enum ranmar_kind kind)
{
    return subtract(x96, x32, is_narrow(kind));
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

/* The words of a whole third, one place further on, as `lagged` gives them. The chains are gone
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

/* Makes the words and the numbers of a third. Returns where the numbers of the next third go.
 *   x96, x32           the words that many places back
 *   x                  set to the new words; may be x96
 *   ahead              its last word is the first new word; set for the next third
 *   chains             of the luxury recurrence; not used by others
 *   difference, parts  the arithmetic parts are the sums of the one and the entries at the other */
INLINE char *make_third(const vec *x96, const vec *x32, vec *x, vec *ahead,
                        struct chain chains[CHAINS], vec difference, const char *parts, char *out,
                        enum ranmar_kind kind, enum ranmar_way way)
{
    const int narrow = is_narrow(kind);
    const int vectors = THIRD / (narrow ? WORDS_32 : WORDS_64);
    const size_t bytes = size_of_third(kind) / (size_t)vectors;
    if (kind == RANMAR_LUXURY)
        difference_third(chains, x32, x);
    UNROLL for (int k = 0; k < vectors; ++k)
    {
        const vec next = kind == RANMAR_LUXURY ? x[k] : lagged(x96[k], x32[k], kind);
        const vec words = narrow ? straddle_32(*ahead, next) : straddle_64(*ahead, next);
        *ahead = next;
        x[k] = words;

        const vec part = load(parts + (size_t)k * sizeof(vec));
        const vec u = subtract(subtract(words, difference, narrow), part, narrow);
        char *const at = out + (size_t)k * bytes;
        if (kind == RANMAR_SINGLE)
            numbers_32(u, at, way);
        else
            numbers_64(kind == RANMAR_LUXURY ? fold(u) : u, at, way);
    }
    /* The next thirds read these words from memory. A compiler that kept them in registers instead
     * would have to move other values to memory. */
    __asm__("" ::: "memory");
    return out + size_of_third(kind);
}

INLINE size_t place_after(size_t place)
{
    return place == 2 ? 0 : place + 1;
}

/* The fill of one kind, for n >= 1. */
INLINE void fill(struct ranmar_state *s, const struct ranmar_flavour *f, char *out, size_t n,
                 enum ranmar_kind kind, enum ranmar_way way)
{
    const int narrow = is_narrow(kind);
    const struct ranmar_multiples *const m = ranmar_multiples(kind);

    /* The three thirds of a pass are made at places 1, 2 and 0 of this row, where the words 96 back
     * have been. The first pass lacks so many thirds that the last third of the fill completes a
     * pass. That third is made at place 3, because the state needs words of place 0: then the words
     * stand in order. */
    const size_t word = narrow ? sizeof(uint32_t) : sizeof(uint64_t), size = THIRD * word;
    union {
        vec vectors[4 * THIRD / WORDS_64];
        uint64_t wide[4 * THIRD];
        uint32_t narrow[4 * THIRD];
        char bytes[4 * THIRD * sizeof(uint64_t)];
    } row __attribute__((aligned(64)));
#define PLACE(p) ((vec *)(void *)(row.bytes + (p)*size))
    size_t lacks = 2 - (n - 1) / THIRD % 3;
    const size_t oldest = place_after(lacks), middle = place_after(oldest);
    for (size_t j = 0, to = oldest; j < 3; ++j, to = place_after(to))
        for (size_t i = 0; i < THIRD; ++i)
            if (narrow)
                row.narrow[to * THIRD + i] = (uint32_t)(s->x[1 + j * THIRD + i] >> 40);
            else
                row.wide[to * THIRD + i] = s->x[1 + j * THIRD + i] >> 16;
    vec ahead = spread(ranmar_lagged(s->x, f->every), narrow);
    struct chain chains[CHAINS];
    if (kind == RANMAR_LUXURY) {
        /* While the chains fill up, what they give has no use. */
        memset(chains, 0, sizeof chains);
        difference_third(chains, PLACE(oldest), PLACE(3));
        difference_third(chains, PLACE(middle), PLACE(3));
    }

    /* From here on n counts from the beginning of a pass, with the thirds that it lacks, and c is
     * the arithmetic part before it. */
    n += lacks * THIRD;
    const uint64_t modulus = f->modulus, stride = m->step[PASS];
    uint64_t c = ranmar_arithmetic(s->c, modulus - m->step[lacks * THIRD], modulus);
    char last[THIRD * sizeof(double)] __attribute__((aligned(64)));
    for (;; n -= PASS) {
        const struct ranmar_parts after_c = ranmar_parts_after(c, m);
        const vec difference = spread(after_c.difference, narrow);
        const char *parts =
            narrow ? (const char *)(m->narrow + after_c.at) : (const char *)(m->wide + after_c.at);
        /* This makes compilers keep the address in one register. A load by two takes longer. */
        __asm__("" : "+r"(parts));
        if (lacks == 0)
            out = make_third(PLACE(1), PLACE(0), PLACE(1), &ahead, chains, difference, parts, out,
                             kind, way);
        if (lacks <= 1)
            out = make_third(PLACE(2), PLACE(1), PLACE(2), &ahead, chains, difference, parts + size,
                             out, kind, way);
        char *const next =
            make_third(PLACE(0), PLACE(2), n <= PASS ? PLACE(3) : PLACE(0), &ahead, chains,
                       difference, parts + 2 * size, n < PASS ? last : out, kind, way);
        if (n <= PASS)
            break;
        out = next;
        lacks = 0;
        c = ranmar_arithmetic(c, stride, modulus);
    }
#undef PLACE
    s->c = ranmar_arithmetic(c, m->step[n], modulus);
    n -= 2 * THIRD; /* of the last third */
    if (n < THIRD)
        memcpy(out, last, n * (size_of_third(kind) / THIRD));
    /* The first word apart, so that the others are stored by the same vectors by which the next
     * fill loads them: a CPU forwards a load from one store alone. */
    s->x[0] = narrow ? (uint64_t)row.narrow[n - 1] << 40 : row.wide[n - 1] << 16;
    for (size_t i = 0; i < LAG - 1; ++i)
        s->x[1 + i] = narrow ? (uint64_t)row.narrow[n + i] << 40 : row.wide[n + i] << 16;
}

#include "fill/purposes.h"
