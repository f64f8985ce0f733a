/* A stream: a sequence, or several that are interleaved by blocks, with a position and a prefetch
 * cache. The public calls on streams are in api/streams.c, and check their arguments there. */
#ifndef RANMAR_STREAM_H
#define RANMAR_STREAM_H

#include "gpuranmar.h"
#include "stream/maker.h"
#include "stream/verbose.h"
#include "stream/window.h"

/* A GPU takes long to start and is fast then, so its requests should be larger. */
enum { RANMAR_DEFAULT_PREFETCH = 1024, RANMAR_DEFAULT_PREFETCH_GPU = 1 << 20 };

struct gpuranmar_stream {
    gpuranmar_options options; /* with the defaults; options.position is where the stream started */
    const struct ranmar_flavour *flavour;
    struct ranmar_states states;
    struct ranmar_maker *maker; /* the first that is asked */

    struct ranmar_window cache; /* options.prefetch numbers, in `memory` or that of a maker */
    int32_t pos;                /* minus how many numbers are left, if the memory is not lent */
    char *memory;               /* NULL before its first use */
    int is_lent;                /* whether ranmar_stream_lend() has set the memory */
    size_t bypass;              /* requests for this many numbers or more bypass an empty cache */
    unsigned process;           /* which has filled the cache: definition/process.h */
    char *joint;                /* numbers that were drawn across the end of the cache */
    size_t joint_size;          /* how many numbers `joint` has room for */

    struct ranmar_delivered delivered;
};

/* Returns GPURANMAR_BAD_ARGUMENT if the program was compiled with a header of other options. */
int ranmar_check_size(const char *routine, const gpuranmar_options *options);

/* Makes a stream; checks the options. Errors name `routine`. */
int ranmar_stream_open(gpuranmar_stream **stream, const gpuranmar_options *options,
                       const char *routine);
void ranmar_stream_close(gpuranmar_stream *s);

/* Puts the cache of a stream that has made no numbers yet into memory of the caller, which has room
 * for options.prefetch numbers before `end` and outlives the stream. *pos is set to 0; later it is
 * minus how many numbers are left. */
void ranmar_stream_lend(gpuranmar_stream *s, char *end, int32_t *pos);

/* Fills a lent cache, which must be empty. */
void ranmar_stream_refill(gpuranmar_stream *s);

/* Closes a stream and puts another, which has delivered nothing, at its address. */
void ranmar_stream_replace(gpuranmar_stream *s, gpuranmar_stream *by);

/* Numbers delivered and skipped so far. */
static inline uint64_t ranmar_stream_position(const gpuranmar_stream *s)
{
    return ranmar_window_position(&s->cache);
}

/* Write the next n numbers to out, through the cache or bypassing it. Nothing is checked. */
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
