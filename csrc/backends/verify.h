/* GPURANMAR_VERIFY: a random share of the numbers is made again by the plain definition, one by
 * one. At the first difference the program ends with one line: the position, both values, who made
 * the number and, for a stream, the seed. The choice depends on the clock, so that each run checks
 * other numbers.
 *
 * The check of a stream is a back end (ranmar_verifying_backend) that asks the next one and has
 * states of its own, which it moves by jumps. So it finds what a SIMD loop, a thread, a GPU or the
 * copy from its memory got wrong, but no bit that flips in the buffer afterwards, which memory with
 * ECC finds. */
#ifndef RANMAR_VERIFY_H
#define RANMAR_VERIFY_H

#include <stddef.h>

#include "gpuranmar_definition.h"

/* The check for an engine, which still has the state from which n numbers were made: checks all of
 * them or none. `position` counts from where the engine was started or has adopted a state. */
void ranmar_verify_made(const struct ranmar_state *before, const struct ranmar_flavour *f,
                        uint64_t position, const void *numbers, size_t n);

#endif
