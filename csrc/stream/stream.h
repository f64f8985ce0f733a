/* A stream: a sequence (or several, interleaved by blocks) with a position and a prefetch cache.
 * The public calls on streams, which check what they are given, are in api/streams.c. */
#ifndef RANMAR_STREAM_H
#define RANMAR_STREAM_H

#include "gpuranmar.h"
#include "stream/counter.h"
#include "stream/maker.h"
#include "stream/verify.h"

/* A GPU is slow to start and fast then, so that it wants larger requests. */
enum { RANMAR_DEFAULT_PREFETCH = 1024, RANMAR_DEFAULT_PREFETCH_CUDA = 1 << 20 };

struct gpuranmar_stream {
    gpuranmar_options options; /* as given, defaults filled in; the position is where it started */
    const struct ranmar_flavour *flavour;
    struct ranmar_states states;
    struct ranmar_maker *makers[RANMAR_MAKERS]; /* in the order in which they are tried */
    size_t makers_count;

    uint64_t made;     /* the position up to which numbers are made */
    uint64_t position; /* of the next number; from here up to `made` they wait in the cache */
    const char *cache; /* options.prefetch numbers, in a maker's memory or ... */
    char *own_cache;   /* ... here; NULL before the first use */
    unsigned forks;    /* the process that filled the cache (stream/fork.h) */
    char *joint;       /* numbers drawn across the end of the cache, and their count at most */
    size_t joint_size;

    struct ranmar_verify *verify; /* NULL unless GPURANMAR_VERIFY is set */
    struct ranmar_record *record; /* NULL unless GPURANMAR_REPORT is set */
};

/* Makes a stream on behalf of `routine`, whose name errors bear. The options are complete. */
int ranmar_stream_open(gpuranmar_stream **stream, const gpuranmar_options *options,
                       const char *routine);
void ranmar_stream_close(gpuranmar_stream *s);

/* Each becomes what the other was. */
void ranmar_stream_swap(gpuranmar_stream *a, gpuranmar_stream *b);

/* Numbers delivered and skipped so far. */
static inline uint64_t ranmar_stream_position(const gpuranmar_stream *s)
{
    return ranmar_count_read(&s->position);
}

/* The next n numbers into out, through the cache or past it, without checks. */
void ranmar_stream_get(gpuranmar_stream *s, void *out, size_t n);
void ranmar_stream_fill(gpuranmar_stream *s, void *out, size_t n);

/* Where the next n > 0 numbers stand until the next call; NULL without memory. */
const void *ranmar_stream_draw(gpuranmar_stream *s, size_t n);

/* Numbers of the stream from a position on have reached the program, or are about to: checks a
 * share of them where that is asked for. The functions above leave this to those who deliver by
 * them. */
void ranmar_stream_delivered(gpuranmar_stream *s, uint64_t position, const void *numbers, size_t n);

/* Goes to a position, 0..RANMAR_POSITION_MAX. */
void ranmar_stream_seek(gpuranmar_stream *s, uint64_t position);

/* The state at the position delivered, of a stream of one instance. */
void ranmar_stream_state(const gpuranmar_stream *s, struct ranmar_state *state);

/* Goes on from a state at a position, whatever the seed; for a stream of one instance that has made
 * no numbers yet, and is not moved back after it. */
void ranmar_stream_set_state(gpuranmar_stream *s, const struct ranmar_state *state,
                             uint64_t position);

#endif
