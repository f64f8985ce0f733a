/* What two places on a cycle have in common, and which numbers that ties together. */
#ifndef RANMAR_TIES_H
#define RANMAR_TIES_H

#include <stddef.h>

#include "gpuranmar_seeds.h"
#include "seeds/cycles.h"

enum {
    /* Words that are moved by more than 32 places make no number of which the other sequence has
     * delivered its like: x[n] for n < 33 needs x[n-97], at least `words`, and x[n-33]. */
    RANMAR_WORDS_MAX = 32,
    /* No number from here on is tied; a multiple of 64. The last ones are 3071 = 97 * 33 - 97 - 33,
     * the largest number that is no sum of 97s and 33s, and, where the only unknown word cancels,
     * 3201 = 97 * 33. Positions of x, of which some flavours deliver one of 2 or 8. */
    RANMAR_REACH = 3264,
    /* Twins: numbers of the most similar ones are correlated up to here. */
    RANMAR_TWINS_REACH = 200
};

/* A segment with all that a comparison needs. */
struct ranmar_candidate {
    struct ranmar_place place;
    uint32_t from, to; /* its positions below RANMAR_REACH, from <= n < to, in steps of x */
    size_t index;      /* among the caller's segments */
};

/* Which numbers a distance ties: of x at n where bit n % 64 of mark[n / 64] is set. */
struct ranmar_tied {
    uint64_t mark[RANMAR_REACH / 64];
    int known;
};

/* The largest distance, in bits, that can tie anything. */
static inline uint32_t ranmar_distance_max(unsigned word_bits)
{
    return (RANMAR_WORDS_MAX + 1) * word_bits;
}

/* What a pair of different seeds has in common, if `second` stands at most RANMAR_WORDS_MAX words
 * and a word further on than `first` on the same cycle, or else: nothing, tie->kind NONE.
 *   word_bits  48 or 24
 *   stride     one of 1, 2 or 8 words of x is delivered (`every` of the flavour)
 *   memo       NULL, or ranmar_distance_max() + 1 elements, zeroed before the first call: what was
 *              found out about each distance */
void ranmar_tie_of(const struct ranmar_candidate *first, const struct ranmar_candidate *second,
                   unsigned word_bits, unsigned stride, struct ranmar_tied *memo,
                   gpuranmar_tie *tie);

/* Distance in bits from one place to another on the same cycle, forwards. */
static inline uint32_t ranmar_distance(const struct ranmar_place *from,
                                       const struct ranmar_place *to)
{
    return to->bit >= from->bit ? to->bit - from->bit
                                : to->bit + ranmar_cycle_length(from->cycle) - from->bit;
}

#endif
