/* A stream: a sequence, or several that are interleaved by blocks, with a position and a buffer.
 * The public calls on streams are in api/streams.c, and check their arguments there. */
#ifndef RANMAR_STREAM_H
#define RANMAR_STREAM_H

#include "gpuranmar.h"
#include "stream/delivered.h"

/* A GPU takes long to start and is fast then, so it should make more numbers ahead. */
enum { RANMAR_DEFAULT_PREFETCH = 1024, RANMAR_DEFAULT_PREFETCH_GPU = 1 << 20 };

struct gpuranmar_stream {
    gpuranmar_options options; /* with the defaults; options.position is where the stream started */
    const struct ranmar_flavour *flavour;
    struct ranmar_states states;
    struct ranmar_backend *backend; /* the first that is asked */

    struct ranmar_buffer buffer;
    int32_t pos;        /* of the buffer, unless it is in the Fortran COMMON */
    char *memory;       /* of the buffer, likewise; NULL before its first use */
    uint64_t refilled;  /* buffer.made after the last refill: its memory has the numbers before */
    char *across;       /* numbers that were drawn across the end of the buffer */
    size_t across_size; /* how many numbers `across` has room for */

    struct ranmar_delivered delivered;
};

/* Returns GPURANMAR_BAD_ARGUMENT if the program was compiled with a header of other options. */
int ranmar_check_size(const char *routine, const gpuranmar_options *options);

/* Makes a stream; checks the options. Errors name `routine`. A stream that is `like` another, NULL
 * for none, in its seed, flavour and instances goes on from that one's states: this saves the start
 * from the seed. */
int ranmar_stream_open(gpuranmar_stream **stream, const gpuranmar_options *options,
                       const gpuranmar_stream *like, const char *routine);
void ranmar_stream_close(gpuranmar_stream *s);

/* Fills the buffer, which must be empty. Returns 0 if there is no memory for it. */
int ranmar_stream_refill(gpuranmar_stream *s);

/* Closes a stream and puts another, which has delivered nothing, at its address. */
void ranmar_stream_replace(gpuranmar_stream *s, gpuranmar_stream *by);

/* Numbers delivered and skipped so far. */
static inline uint64_t ranmar_stream_position(const gpuranmar_stream *s)
{
    return ranmar_buffer_position(&s->buffer);
}

/* Write the next n numbers to out: get() through the buffer unless n is large, fill() past it.
 * Numbers that the buffer still holds come first. Nothing is checked. */
void ranmar_stream_get(gpuranmar_stream *s, void *out, size_t n);
void ranmar_stream_fill(gpuranmar_stream *s, void *out, size_t n);

/* Returns where the next n > 0 numbers stand until the next call, or NULL if there is no memory. */
const void *ranmar_stream_draw(gpuranmar_stream *s, size_t n);

/* Goes to a position, 0..RANMAR_POSITION_MAX. */
void ranmar_stream_seek(gpuranmar_stream *s, uint64_t position);

/* Makes a stream go on from a state at a position, whatever its seed. The stream must have one
 * instance, must have made no numbers yet, and must not be moved to an earlier position later. */
void ranmar_stream_set_state(gpuranmar_stream *s, const struct ranmar_state *state,
                             uint64_t position);

#endif
