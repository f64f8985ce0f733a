/* A stream: a sequence (or several, interleaved by blocks) with a position and a prefetch cache.
 * The public calls on streams are in gpuranmar.h. */
#ifndef RANMAR_STREAM_H
#define RANMAR_STREAM_H

#include "gpuranmar.h"
#include "jump.h"

enum { RANMAR_DEFAULT_PREFETCH = 1024 };

struct gpuranmar_stream {
    gpuranmar_options options;           /* as given, defaults filled in, position 0 */
    const struct ranmar_flavour *flavour;
    struct ranmar_state *state;          /* of each instance */
    uint64_t *at;                        /* the position of each in its own sequence */
    uint64_t made;                       /* numbers of the stream made so far; these are ... */
    size_t left;                         /* ... delivered but for the last `left` of the cache */
    char *cache;                         /* options.prefetch numbers, or NULL before the first use */
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

/* Moves n numbers on. */
void ranmar_stream_skip(gpuranmar_stream *s, uint64_t n);

/* The state at the position delivered, of a stream of one instance. */
void ranmar_stream_state(const gpuranmar_stream *s, struct ranmar_state *state);

/* Goes on from a state at a position, whatever the seed; for a stream of one instance. */
void ranmar_stream_set_state(gpuranmar_stream *s, const struct ranmar_state *state,
                             uint64_t position);

#endif
