/* The shadow check, GPURANMAR_VERIFY. A random share of the numbers that a program receives is made
 * again by the plain definition, one by one, from a state that is reached by a jump. At the first
 * number that differs the program ends with one line. The choice of numbers depends on the clock,
 * so that each run checks others. */
#ifndef RANMAR_VERIFY_H
#define RANMAR_VERIFY_H

#include <stddef.h>

#include "stream/states.h"

/* The check of one stream, with states of its own. */
struct ranmar_verify;

/* Whether numbers are to be checked. */
int ranmar_verify_wanted(void);

/* Begins the check of a stream. NULL if there is no memory. */
struct ranmar_verify *ranmar_verify_open(const struct ranmar_flavour *flavour,
                                         struct ranmar_interleave interleave, int64_t seed);
void ranmar_verify_close(struct ranmar_verify *v);

/* To be called when the stream goes on from a state that was set (ranmar_states_set). */
void ranmar_verify_set_state(struct ranmar_verify *v, const struct ranmar_state *state,
                             uint64_t position);

/* Makes the line on a difference name this numbered sequence. */
void ranmar_verify_is_sequence(struct ranmar_verify *v, int id);

/* To be called when the program ends by exit() or the library is unloaded. A difference that is
 * found later cannot end the program, but the exit status then is that of a failure. There is a
 * gap: an exit handler that was registered after the first stream runs before this call, and a
 * difference that is found in it calls exit() within exit(). */
void ranmar_verify_ends(void);

/* Checks n numbers from a position on, which the program has received or is about to receive. */
void ranmar_verify(struct ranmar_verify *v, uint64_t position, const void *numbers, size_t n);

/* Ends the program in that way: the stream's position or options are not those that it had. */
void ranmar_verify_damaged(const struct ranmar_verify *v);

/* The line on the difference that was found; NULL if there was none. */
const char *ranmar_verify_failure(void);

/* How many numbers have been checked. */
uint64_t ranmar_verify_count(const struct ranmar_verify *v);

/* The check for an engine, which still has the state from which n numbers were made: checks all of
 * them or none. `position` counts from where the engine was started or has adopted a state. */
void ranmar_verify_made(const struct ranmar_state *before, const struct ranmar_flavour *f,
                        uint64_t position, const void *numbers, size_t n);

#endif
