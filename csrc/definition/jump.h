/* Jump-ahead: the state of a sequence at another position, without making the numbers between.
 *
 * x[n] = x[n-97] - x[n-33] is linear over Z/2^64 with characteristic polynomial
 * f(t) = t^97 + t^64 - 1, so with t^N mod f = sum p_j t^j the word N numbers later is
 * x[n+N] = sum p_j x[n+j] (Haramoto et al., INFORMS J. Comput. 20 (2008) 385, with Z/2^64 for F_2).
 * A sequence that keeps one of 8 words has f(t) = t^97 - (1 - t^8)^8. The arithmetic part jumps by
 * one modular multiplication.
 */
#ifndef RANMAR_JUMP_H
#define RANMAR_JUMP_H

#include "gpuranmar_definition.h"

/* A jump by a fixed distance, which is counted in numbers that the flavour delivers. Preparing it
 * costs at most 55 polynomial squarings. Applying it to a state costs 2 * 97^2 operations on words,
 * for any distance. */
struct ranmar_jump {
    uint64_t distance;
    uint64_t p[RANMAR_LONG_LAG]; /* t^distance mod f, lowest power first */
    unsigned every;              /* of the flavour, which decides f */
};

/* Up to this distance it takes less time to make the words on the way than to jump. */
static inline uint64_t ranmar_short_way(const struct ranmar_flavour *f)
{
    return f->every == 1 ? 1 << 15 : 1 << 13;
}

/* Makes the jump by `distance` numbers, 0..2^63, of flavour f. */
void ranmar_jump_prepare(struct ranmar_jump *jump, uint64_t distance,
                         const struct ranmar_flavour *f);

/* Moves a state of that flavour forward by jump->distance numbers. */
void ranmar_jump_apply(const struct ranmar_jump *jump, const struct ranmar_flavour *f,
                       struct ranmar_state *s);

/* Moves a state forward by `distance` numbers: by the recurrence if that is short, else by a jump.
 * The calling thread's last jump is kept, so that repeated equal jumps reuse its polynomial. A
 * caller whose jumps take turns with others keeps its own last one in `last_jump`, which it zeroes
 * before the first call; else `last_jump` is NULL. */
void ranmar_jump_by(struct ranmar_jump *last_jump, uint64_t distance,
                    const struct ranmar_flavour *f, struct ranmar_state *s);

/* Moves a state back by n numbers, one at a time. */
void ranmar_rewind(struct ranmar_state *s, const struct ranmar_flavour *f, uint64_t n);

/* The arithmetic part `distance` steps after c; any distance. */
uint64_t ranmar_arithmetic_jump(uint64_t c, uint64_t distance, const struct ranmar_flavour *f);

/* distance * step mod modulus: what `distance` steps subtract from the arithmetic part. */
uint64_t ranmar_arithmetic_stride(uint64_t distance, const struct ranmar_flavour *f);

#endif
