/* What two seeds have in common by their places on a cycle, and which of their numbers are tied. */
#ifndef RANMAR_TIES_H
#define RANMAR_TIES_H

#include <stddef.h>

#include "definition/flavour.h"
#include "definition/ranges.h"
#include "gpuranmar_seeds.h"
#include "seeds/cycles.h"

enum {
    /* If words are moved by more than 32 places, no number is tied: each is made of a word that the
     * two sequences do not share. x[n] for n < 33 is made of x[n-97] and x[n-33]. Nor are lowest
     * bits shared for ever: among all seeds that happens up to 27 places in words of 48 bits and up
     * to 25 in those of 24 (validate/seeds/test_seeds.c). */
    RANMAR_WORDS_MAX = 32,
    /* Up to here the numbers of the most similar twins are correlated. */
    RANMAR_TWINS_REACH = 200
};

/* A segment with all that a comparison needs. */
struct ranmar_candidate {
    struct ranmar_place place;
    const gpuranmar_segment *segment;
    size_t index; /* among the caller's segments */
};

/* The position after the last number of a segment. */
static inline uint64_t ranmar_segment_end(const gpuranmar_segment *s)
{
    return s->numbers ? s->position + s->numbers : RANMAR_POSITION_MAX;
}

/* The largest distance, in bits, that can tie anything: RANMAR_WORDS_MAX words and half a word. */
static inline uint32_t ranmar_distance_max(unsigned word_bits)
{
    return RANMAR_WORDS_MAX * word_bits + word_bits / 2;
}

/* What two different seeds have in common. If `second` stands on the same cycle as `first`, further
 * on by at most ranmar_distance_max(), *tie says so; else tie->kind becomes NONE.
 *   bits  the bits of a cycle. They are made anew if it is another than that of the two; NULL:
 *         both seeds are seeded, which is faster for one pair */
void ranmar_tie_of(const struct ranmar_candidate *first, const struct ranmar_candidate *second,
                   const struct ranmar_flavour *f, struct ranmar_bits *bits, gpuranmar_tie *tie);

/* Whether a tie is stronger than another: whole numbers before their lowest bits, then the one that
 * has more numbers. */
int ranmar_tie_is_stronger(const gpuranmar_tie *tie, const gpuranmar_tie *than);

/* How many of the first `bits` bits two seeds have in common for the reason that their i, j and k
 * are the same: a bit is (l m) mod 64 >= 32, and their l agree modulo 64 there. 0 if i, j or k
 * differ.
 */
unsigned ranmar_siblings_share(int64_t a, int64_t b, unsigned bits);

/* Distance in bits from one place to another on the same cycle, forwards. */
static inline uint32_t ranmar_distance(const struct ranmar_place *from,
                                       const struct ranmar_place *to)
{
    return to->bit >= from->bit ? to->bit - from->bit
                                : to->bit + ranmar_cycle_length(from->cycle) - from->bit;
}

#endif
