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

/* A fill of RANMAR_ARRAY numbers or more makes an array, by the widest loop of this CPU. x86 writes
 * an array larger than ranmar_cache_share() by non-temporal stores.
 *
 * A smaller fill is a refill, some hundred or thousand numbers in the middle of somebody's scalar
 * program. Its loop must not lower the core's clock frequency, which costs the program more than
 * the fill can gain. On some Intel CPUs 512-bit instructions and 256-bit floating point do. So
 * refills use neither on any CPU. */
enum { RANMAR_ARRAY = 1 << 17 };

/* The best loop of this CPU for n numbers, by the rule above. */
ranmar_fill_function ranmar_fill;

/* The best loop for arrays, whatever n is: for a small part of an array. */
ranmar_fill_function ranmar_fill_array;

/* The fewest numbers for a thread: waking it takes several microseconds, and the jump to the state
 * of its share takes some more. */
enum { RANMAR_NUMBERS_A_THREAD = 1 << 18 };

/* The same as ranmar_fill by up to `threads` threads (parallel_fill.c). Each thread fills a share,
 * whose state it reaches by jump-ahead. `last_jump` keeps the jump for the next request of the same
 * size. Small requests stay on one thread. */
void ranmar_fill_threads(struct ranmar_state *s, const struct ranmar_flavour *f, void *out,
                         size_t n, int threads, struct ranmar_jump *last_jump);

/* The state at position 0 of instance p of a seed: what ranmar_seed_instance() of the definition
 * makes, but at least ten times as fast, except for keys. */
void ranmar_start(struct ranmar_state *s, const struct ranmar_flavour *f, int64_t seed, uint64_t p);

/* Does what ranmar_words_of_four() does; the four seeds are i, j, k and l. */
typedef void ranmar_words_function(uint64_t *words, unsigned bits, const unsigned four[4]);

/* The loops for one instruction set. */
struct ranmar_simd {
    const char *name;             /* as in GPURANMAR_SIMD */
    int (*supported)(void);       /* by this CPU */
    ranmar_fill_function *refill; /* NULL: refills are left to a later row, and so are words */
    ranmar_fill_function *array;
    ranmar_words_function *words;
};

/* The instruction sets compiled in, best first. The last is always supported and has both loops.
 * Ends with NULL. */
extern const struct ranmar_simd *const ranmar_instruction_sets[];

/* The instruction set of that name if it is compiled in and this CPU supports it, else NULL. */
const struct ranmar_simd *ranmar_simd_named(const char *name);

/* Forces an instruction set for all fills that it has a loop for; NULL ends this. GPURANMAR_SIMD
 * and tests use it. No other thread may be in a fill meanwhile: that fill could store a loop of the
 * old set. */
void ranmar_fill_force(const struct ranmar_simd *set);

/* The instruction set of the loop that ranmar_fill takes for n numbers. */
const struct ranmar_simd *ranmar_fill_instruction_set(size_t n);

/* The part of the last-level cache that a thread can count on, in bytes. */
size_t ranmar_cache_share(void);

#endif
