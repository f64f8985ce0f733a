/* Fill: state -> n numbers -> state. Every path returns the same bits. */
#ifndef RANMAR_FILL_H
#define RANMAR_FILL_H

#include <stddef.h>

#include "definition/flavour.h"
#include "definition/jump.h"
#include "gpuranmar_definition.h"

/* Writes the next n numbers of the sequence at *s to out (float for 24-bit flavours, double
 * otherwise) and moves *s on by n. Any n, any alignment of out. */
typedef void ranmar_fill_function(struct ranmar_state *s, const struct ranmar_flavour *f, void *out,
                                  size_t n);

/* The plain scalar generator, one number at a time by the definition: what every other path is
 * tested against. */
ranmar_fill_function ranmar_fill_scalar;

/* The fastest loop for this CPU, chosen at the first call. */
ranmar_fill_function ranmar_fill;

/* To wake a thread takes several microseconds and a segment's state some more: a thread should have
 * at least this many numbers to make. */
enum { RANMAR_NUMBERS_A_THREAD = 1 << 17 };

/* The same by up to `threads` threads (fill/team.h), each on its own segment, reached by
 * jump-ahead. `memo` keeps the jump for the next call of the same size. Small requests stay on one
 * thread. */
void ranmar_fill_threads(struct ranmar_state *s, const struct ranmar_flavour *f, void *out,
                         size_t n, int threads, struct ranmar_jump *memo);

/* One level of the SIMD loops. */
struct ranmar_simd {
    const char *name;       /* as in GPURANMAR_SIMD */
    int (*supported)(void); /* by this CPU */
    ranmar_fill_function *fill_double, *fill_single;
};

/* The levels compiled in, best first; the last is always supported. Ends with a NULL name. */
extern const struct ranmar_simd ranmar_simd_levels[];

/* The level in use: the best supported one, or that which GPURANMAR_SIMD names. */
const struct ranmar_simd *ranmar_simd_level(void);

/* Bytes: the part of the last cache that a thread can count on. Larger arrays are stored past it.
 */
size_t ranmar_cache_share(void);

#endif
