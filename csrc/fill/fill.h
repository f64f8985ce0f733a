/* The fill: it takes a state, writes the next n numbers, and moves the state on by n. All its loops
 * write the same bits. */
#ifndef RANMAR_FILL_H
#define RANMAR_FILL_H

#include <stddef.h>

#include "definition/flavour.h"
#include "definition/jump.h"
#include "gpuranmar_definition.h"

/* Writes the next n numbers of the sequence at *s to out and moves *s on by n. The numbers are
 * floats in flavours of 24 bits and doubles in all others. n and the alignment of out may be
 * anything. */
typedef void ranmar_fill_function(struct ranmar_state *s, const struct ranmar_flavour *f, void *out,
                                  size_t n);

/* The plain scalar generator makes one number at a time by the definition. All other loops are
 * tested against it. */
ranmar_fill_function ranmar_fill_scalar;

/* A fill has one of two purposes. It is a refill of a small cache, or it makes an array, by itself
 * or as one of many fills that follow each other.
 *
 * A refill happens every few microseconds within somebody's scalar program. Its loop must leave
 * that program's core as it found it. On some Intel CPUs 512-bit instructions and 256-bit floating
 * point lower the clock of the core, which costs the program more than the fill can gain. So
 * refills use neither on any CPU. An array is the work itself. It gets the widest loop, and an
 * array larger than the caches is stored past them.
 *
 * The rule: each thread keeps a balance. Every number adds one to it, and every
 * RANMAR_TICKS_A_NUMBER that pass take one from it. A fill that would bring the balance to
 * RANMAR_ARRAY is for an array.
 *
 * The limits: on a CPU of the kind above, a wide loop makes a number 0.2 to 0.6 ns faster than a
 * refill loop (measured before the loops had a table of arithmetic parts). There the clock stays
 * lower by up to 15 % for 0.7 ms after the wide loop, which takes 0.1 ms from the program. That is
 * the gain of 2e5 to 5e5 numbers. While fills follow each other, the clock is low between them too:
 * 15 % of what the program does there is less than the gain as long as it takes no more than some 4
 * ns a number. */
enum {
    RANMAR_ARRAY = 1 << 18,
    /* A tick is one of the time stamp counter on x86-64, 2 to 4 a nanosecond; elsewhere it is
     * 1 ns. */
    RANMAR_TICKS_A_NUMBER = 12,
    /* To look at the clock takes 20 to 40 ns, so a thread looks once in so many numbers, and a
     * stream asks its thread as seldom. After a pause each stream may still make that many by the
     * wide loop, 8 windows or so. */
    RANMAR_NUMBERS_A_LOOK = 8192
};

/* The best refill loop of this CPU, for any n. */
ranmar_fill_function ranmar_refill;

/* The best array loop of this CPU, for any n. */
ranmar_fill_function ranmar_fill_array;

/* The one or the other, by the rule above. */
ranmar_fill_function ranmar_fill;

/* The same for the fills of one stream, and n must not be 0. The stream asks for its thread's
 * balance once in RANMAR_NUMBERS_A_LOOK numbers, and keeps to the answer until then: to find what
 * is the thread's own, and to decide, takes 63 instructions. `purpose` begins with zeros. */
struct ranmar_purpose {
    size_t made; /* numbers that the balance has not been told of */
    int is_array;
};
void ranmar_fill_for(struct ranmar_state *s, const struct ranmar_flavour *f, void *out, size_t n,
                     struct ranmar_purpose *purpose);

/* A thread should have at least this many numbers to make: to wake it takes several microseconds,
 * and to jump to the state of its segment takes some more. */
enum { RANMAR_NUMBERS_A_THREAD = 1 << 17 };

/* The same as ranmar_fill by up to `threads` threads (fill/team.h). Each fills a segment of its
 * own, whose state is reached by jump-ahead. `memo` keeps the jump for the next request of the same
 * size. Small requests stay on one thread. The purpose is that of the whole request. */
void ranmar_fill_threads(struct ranmar_state *s, const struct ranmar_flavour *f, void *out,
                         size_t n, int threads, struct ranmar_jump *memo);

/* One level: the loops for one instruction set. */
struct ranmar_simd {
    const char *name;             /* as in GPURANMAR_SIMD */
    int (*supported)(void);       /* by this CPU */
    ranmar_fill_function *refill; /* NULL: refills are left to a later level */
    ranmar_fill_function *array;
};

/* The levels compiled in, best first. The last is always supported and has both loops. Ends with
 * NULL. */
extern const struct ranmar_simd *const ranmar_simd_levels[];

/* The level of that name if it is compiled in and this CPU supports it, else NULL. */
const struct ranmar_simd *ranmar_simd_named(const char *name);

/* Makes all fills from now on by that level, of which it has a loop; NULL ends this.
 * GPURANMAR_SIMD and tests use it. No other thread may be in a fill meanwhile: it could keep the
 * loop that it has just found. */
void ranmar_fill_force(const struct ranmar_simd *level);

/* The level for a single fill of n numbers: the best for its purpose, or the forced one. */
const struct ranmar_simd *ranmar_fill_level(size_t n);

/* The part of the last-level cache that a thread can count on, in bytes. Larger arrays are stored
 * past the caches. */
size_t ranmar_cache_share(void);

#endif
