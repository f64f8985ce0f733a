/* What two seeds have in common by their places on a cycle, and which of their numbers are tied. */
#ifndef RANMAR_TIES_H
#define RANMAR_TIES_H

#include <stddef.h>

#include "gpuranmar_seeds.h"
#include "seeds/cycles.h"

enum {
    /* If words are moved by more than 32 places, no number is tied: x[n] for n < 33 is made of
     * x[n-97] and x[n-33], and the other sequence does not have the like of both. */
    RANMAR_WORDS_MAX = 32,
    /* No number from here on is tied; a multiple of 64. The last tied numbers are at 3071, the
     * largest number that is not a sum of 97s and 33s, and, where the only unknown word cancels, at
     * 3201 = 97 * 33. These are positions of x, of which some flavours deliver one in 2 or 8. */
    RANMAR_REACH = 3264,
    /* Up to here the numbers of the most similar twins are correlated. */
    RANMAR_TWINS_REACH = 200
};

/* A segment with all that a comparison needs. */
struct ranmar_candidate {
    struct ranmar_place place;
    uint32_t from, to; /* its positions from <= n < to, as positions of x, RANMAR_REACH at most */
    size_t index;      /* among the caller's segments */
};

/* Which numbers are tied at a distance: x at position n if bit n % 64 of mark[n / 64] is set. */
struct ranmar_tied {
    uint64_t mark[RANMAR_REACH / 64];
    int known;
};

/* The largest distance, in bits, that can tie anything. */
static inline uint32_t ranmar_distance_max(unsigned word_bits)
{
    return (RANMAR_WORDS_MAX + 1) * word_bits;
}

/* What two different seeds have in common. If `second` stands on the same cycle as `first`, further
 * on by at most RANMAR_WORDS_MAX words and a word, *tie says so; else tie->kind becomes NONE.
 *   word_bits  48 or 24
 *   stride     of so many words of x one is delivered: 1, 2 or 8 (`every` of the flavour)
 *   memo       keeps what was found out about each distance: ranmar_distance_max() + 1 elements,
 *              zeroed before the first call; or NULL */
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
