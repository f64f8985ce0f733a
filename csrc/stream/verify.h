/* The shadow check, GPURANMAR_VERIFY: a random share of the numbers that a program receives is made
 * again by the plain definition, one by one, from a state that is jumped to. At the first number
 * that differs the program ends with one line. Which numbers are looked at is drawn from the clock,
 * so that each run looks at others. */
#ifndef RANMAR_VERIFY_H
#define RANMAR_VERIFY_H

#include <stddef.h>

#include "stream/states.h"

/* The check of one stream. It has states of its own. */
struct ranmar_verify;

/* Whether any are to be checked. */
int ranmar_verify_wanted(void);

/* NULL where there is no memory. */
struct ranmar_verify *ranmar_verify_open(const struct ranmar_flavour *flavour,
                                         struct ranmar_interleave interleave, int64_t seed);
void ranmar_verify_close(struct ranmar_verify *v);

/* The stream goes on from a state that was set (ranmar_states_set). */
void ranmar_verify_set_state(struct ranmar_verify *v, const struct ranmar_state *state,
                             uint64_t position);

/* The line names the numbered sequence. */
void ranmar_verify_is_sequence(struct ranmar_verify *v, int id);

/* The program is ending by exit(), or the library is unloaded: what is checked from now on cannot
 * end the program any more, but gives it the status of a failure when all else is done. An exit
 * handler that was registered after the first stream runs before this is known: a difference that
 * is found in it calls exit() within exit(). */
void ranmar_verify_ends(void);

/* Checks numbers from a position on that the program has received or is about to. */
void ranmar_verify(struct ranmar_verify *v, uint64_t position, const void *numbers, size_t n);

/* The line on the difference that ends the program; NULL as long as there was none. */
const char *ranmar_verify_failure(void);

/* How many numbers have been made again. */
uint64_t ranmar_verify_count(const struct ranmar_verify *v);

/* For an engine, which has the state that n numbers were made from: checks them, or not, all at
 * once. `position` counts from the engine's start. */
void ranmar_verify_made(const struct ranmar_state *before, const struct ranmar_flavour *f,
                        uint64_t position, const void *numbers, size_t n);

#endif
