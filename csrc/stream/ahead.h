/* A helper thread that makes blocks ahead of their use, by GPURANMAR_PRODUCER=thread: a ring of
 * blocks between one producer and one consumer, without locks while neither has to wait. */
#ifndef RANMAR_AHEAD_H
#define RANMAR_AHEAD_H

#include <stddef.h>

struct ranmar_ahead;

/* Makes the next block; called on the helper thread, with the context given at the start. */
typedef void ranmar_make_block(void *context, void *block);

/* Starts a thread that makes blocks of so many bytes. NULL where there is no memory or no thread. */
struct ranmar_ahead *ranmar_ahead_start(ranmar_make_block *make, void *context, size_t block_size);

/* The next block, to be read until the next call. */
const void *ranmar_ahead_block(struct ranmar_ahead *a);

/* Whether this process was forked from the one that has the thread. */
int ranmar_ahead_is_lost(const struct ranmar_ahead *a);

/* Stops the thread; NULL is allowed. Returns the context, or NULL if the thread is lost. */
void *ranmar_ahead_stop(struct ranmar_ahead *a);

#endif
