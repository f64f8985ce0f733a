/* Which numbers of two seeds are tied, from the places of the seeds on a cycle. */
#ifndef RANMAR_TIES_H
#define RANMAR_TIES_H

#include <stddef.h>

#include "base/ranges.h"
#include "definition/flavour.h"
#include "gpuranmar_seeds.h"
#include "seeds/cycles.h"

enum {
    /* If the shift is above 32 words, no number is tied: x[n] for n < 33 is made of x[n-97], which
     * the two sequences do not share. Their lowest bits differ too: no pair on any cycle shares one
     * if the shift is above 27 words of 48 bits, or 25 of 24. */
    RANMAR_WORDS_MAX = 32,
    /* The numbers of the most similar twins are correlated below this position. */
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

/* Sets *tie to the strongest tie of two different seeds of one cycle, of which `second` is further
 * on. tie->kind becomes NONE if the distance is above ranmar_distance_max().
 *   bits  a cache of the bits of one cycle, replaced if these seeds stand on another; NULL: both
 *         seeds are seeded, which is faster for one pair */
void ranmar_tie_of(const struct ranmar_candidate *first, const struct ranmar_candidate *second,
                   const struct ranmar_flavour *f, struct ranmar_bits *bits, gpuranmar_tie *tie);

/* Distance in bits from one place to another on the same cycle, forwards. */
static inline uint32_t ranmar_distance(const struct ranmar_place *from,
                                       const struct ranmar_place *to)
{
    return to->bit >= from->bit ? to->bit - from->bit
                                : to->bit + ranmar_cycle_length(from->cycle) - from->bit;
}

#endif
