/* A stream: a sequence (or several, interleaved by blocks) with a position and a prefetch cache.
 * The public calls on streams are in gpuranmar.h. */
#ifndef RANMAR_STREAM_H
#define RANMAR_STREAM_H

#include "stream/ahead.h"
#include "stream/backend.h"
#include "gpuranmar.h"
#include "definition/jump.h"

/* A GPU is slow to start and fast then, so that it wants larger requests. */
enum { RANMAR_DEFAULT_PREFETCH = 1024, RANMAR_DEFAULT_PREFETCH_CUDA = 1 << 20 };

struct gpuranmar_stream {
    gpuranmar_options options;           /* as given, defaults filled in, position 0 */
    const struct ranmar_flavour *flavour;
    struct ranmar_state *state;          /* of each instance */
    uint64_t *at;                        /* the position of each in its own sequence */
    int behind;                          /* whether these stand where a GPU began to make */
    uint64_t made;                       /* numbers of the stream made so far; these are ... */
    size_t left;                         /* ... delivered but for the last `left` of the cache */
    const char *cache;                   /* options.prefetch numbers, while left > 0; it is ... */
    char *own_cache;                     /* ... this, or NULL before the first use, or the GPU's or thread's */
    char *joint;                         /* numbers drawn across the end of the cache, or NULL */
    struct ranmar_backend backend;
    struct ranmar_ahead *ahead;          /* the thread that makes caches, or NULL; its next one ... */
    uint64_t ahead_from;                 /* ... begins at this position */
    struct ranmar_jump skip_memo, segment_memo;
};

/* Makes a stream on behalf of `routine`, whose name errors bear. */
int ranmar_stream_open(gpuranmar_stream **stream, const gpuranmar_options *options,
                       const char *routine);

/* Numbers delivered and skipped so far. */
static inline uint64_t ranmar_stream_position(const gpuranmar_stream *s)
{
    return s->made - s->left;
}

/* The next n numbers into out, through the cache or past it, without checks. */
void ranmar_stream_get(gpuranmar_stream *s, void *out, size_t n);
void ranmar_stream_fill(gpuranmar_stream *s, void *out, size_t n);

/* Where the next n numbers stand, 1..options.prefetch, until the next call; NULL without memory. */
const void *ranmar_stream_draw(gpuranmar_stream *s, size_t n);

/* Moves n numbers on. */
void ranmar_stream_skip(gpuranmar_stream *s, uint64_t n);

/* The state at the position delivered, of a stream of one instance. */
void ranmar_stream_state(const gpuranmar_stream *s, struct ranmar_state *state);

/* Goes on from a state at a position, whatever the seed; for a stream of one instance. */
void ranmar_stream_set_state(gpuranmar_stream *s, const struct ranmar_state *state,
                             uint64_t position);

#endif
