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

/* A fill has one of two purposes: it is a refill, or it makes an array, by itself or as one of many
 * that follow each other.
 *
 * A refill happens every few microseconds inside somebody's scalar program. Its loop leaves that
 * program's core as it found it: an instruction that lowers the clock of a core (on some Intel CPUs
 * 512-bit instructions and 256-bit floating point do) costs the program more than the fill can
 * gain. An array is the work itself. It gets the widest loop, and if it is larger than the caches
 * it is stored past them.
 *
 * The rule: each thread keeps a balance, to which every number adds one, and from which every
 * RANMAR_TICKS_A_NUMBER that pass take one. A fill that would bring it to RANMAR_ARRAY is for an
 * array.
 *
 * The limits: a wide loop makes a number 0.2 to 0.6 ns faster than a refill loop. On such a CPU the
 * clock stays down by up to 15 % for 0.7 ms after it, which takes 0.1 ms from the program: the gain
 * of 2e5 to 5e5 numbers. And while fills follow each other, 15 % of what the program does in
 * between is less than that gain as long as it takes no more than some 4 ns a number. */
enum {
    RANMAR_ARRAY = 1 << 18,
    /* Of the time stamp counter, 2 to 4 a nanosecond, where there is one (x86), else of 1 ns. */
    RANMAR_TICKS_A_NUMBER = 12
};

/* The best refill loop of this CPU, for any n. */
ranmar_fill_function ranmar_refill;

/* The best array loop of this CPU, for any n. */
ranmar_fill_function ranmar_fill_array;

/* Whichever of the two is its purpose. */
ranmar_fill_function ranmar_fill;

/* To wake a thread takes several microseconds and a segment's state some more: a thread should have
 * at least this many numbers to make. */
enum { RANMAR_NUMBERS_A_THREAD = 1 << 17 };

/* The same by up to `threads` threads (fill/team.h), each on its own segment, reached by
 * jump-ahead. `memo` keeps the jump for the next call of the same size. Small requests stay on one
 * thread. The purpose is that of the whole request. */
void ranmar_fill_threads(struct ranmar_state *s, const struct ranmar_flavour *f, void *out,
                         size_t n, int threads, struct ranmar_jump *memo);

/* One level: the loops for one instruction set. */
struct ranmar_simd {
    const char *name;             /* as in GPURANMAR_SIMD */
    int (*supported)(void);       /* by this CPU */
    ranmar_fill_function *refill; /* NULL if this instruction set is for arrays only */
    ranmar_fill_function *array;
};

/* The levels compiled in, best first; the last is always supported. Ends with NULL. */
extern const struct ranmar_simd *const ranmar_simd_levels[];

/* The level of that name if it is compiled in and this CPU supports it, else NULL. */
const struct ranmar_simd *ranmar_simd_named(const char *name);

/* From now on that level makes all fills, whatever their purpose; NULL ends it. For tests and
 * measurements: set it before the first fill. */
void ranmar_fill_force(const struct ranmar_simd *level);

/* The level that makes a fill of n numbers that stands alone: the best for its purpose, or the
 * forced one. */
const struct ranmar_simd *ranmar_fill_level(size_t n);

/* Bytes: the part of the last cache that a thread can count on. Larger arrays are stored past it.
 */
size_t ranmar_cache_share(void);

#endif
