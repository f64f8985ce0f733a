/* Streams: stream.h describes them, backend.h who makes their numbers. */
#include "stream/stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/ranges.h"
#include "definition/flavour.h"
#include "fill/thread_pool.h"
#include "settings/log.h"
#include "settings/settings.h"

/* --- Opening --- */

int ranmar_check_size(const char *routine, const gpuranmar_options *options)
{
    if (options->size == sizeof *options)
        return GPURANMAR_OK;
    return ranmar_error(GPURANMAR_BAD_ARGUMENT,
                        "%s: options.size = %zu, but the options of this library have %zu bytes",
                        routine, options->size, sizeof *options);
}

static int check_options(const gpuranmar_options *o, const char *routine)
{
    int error = ranmar_check_size(routine, o);
    if (!error)
        error = ranmar_check_position(routine, "position", o->position);
    if (error)
        return error;
    if (!ranmar_flavour(o->flavour))
        return ranmar_error(GPURANMAR_BAD_ARGUMENT,
                            "%s: flavour = %d is none of enum gpuranmar_flavour", routine,
                            o->flavour);
    error = ranmar_check_seed(routine, ranmar_flavour(o->flavour), o->seed);
    if (error)
        return error;
    if (o->backend < GPURANMAR_CPU || o->backend > GPURANMAR_OPENCL)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT,
                            "%s: backend = %d is none of enum gpuranmar_backend", routine,
                            o->backend);
    if (o->instances < 1 || o->instances > RANMAR_INSTANCES_MAX)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: instances = %" PRId64 " is not in 1..%d",
                            routine, o->instances, RANMAR_INSTANCES_MAX);
    if (o->prefetch < 0 || o->prefetch > RANMAR_PREFETCH_MAX)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT,
                            "%s: prefetch = %" PRId64 " is not in 0..%" PRId64, routine,
                            o->prefetch, RANMAR_PREFETCH_MAX);
    if (o->threads < 0 || o->threads > RANMAR_THREADS_MAX)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: threads = %d is not in 0..%d", routine,
                            o->threads, RANMAR_THREADS_MAX);
    if (o->reserved != 0)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: reserved = %d is not 0", routine,
                            o->reserved);
    return GPURANMAR_OK;
}

/* The prefetch size changes the numbers of a stream with several instances. So the default for such
 * a stream does not depend on the back end. */
static int64_t default_prefetch(const gpuranmar_options *o)
{
    return o->backend != GPURANMAR_CPU && o->instances == 1 ? RANMAR_DEFAULT_PREFETCH_GPU
                                                            : RANMAR_DEFAULT_PREFETCH;
}

static void fill_in_defaults(gpuranmar_options *o)
{
    if (o->prefetch == 0)
        o->prefetch = default_prefetch(o);
    if (o->threads == 0)
        o->threads = ranmar_settings()->threads;
    if (o->threads == 0)
        o->threads = ranmar_default_threads();
}

/* How many numbers the buffer holds. With a larger one a program would not be faster: the start of
 * a refill takes less than 50 ns, and a program that draws every 18 ns uses 1024 numbers in 18
 * microseconds. */
static size_t room_of_buffer(const gpuranmar_options *o)
{
    return o->prefetch < RANMAR_BUFFER ? (size_t)o->prefetch : RANMAR_BUFFER;
}

/* Puts a back end before the others. Returns 0 if `backend` is NULL for lack of memory. */
static int add_backend(gpuranmar_stream *s, struct ranmar_backend *backend)
{
    if (!backend)
        return 0;
    backend->next = s->backend;
    s->backend = backend;
    return 1;
}

static int open_backends(gpuranmar_stream *s)
{
    const gpuranmar_options *const o = &s->options;
    return add_backend(s, ranmar_cpu_backend(o)) &&
           (o->backend == GPURANMAR_CPU || add_backend(s, ranmar_gpu_backend(o))) &&
           (ranmar_settings()->verify == 0 || add_backend(s, ranmar_verifying_backend(o)));
}

static void count_delivered(gpuranmar_stream *s)
{
    s->delivered.options = &s->options;
    s->delivered.buffer = &s->buffer;
    s->delivered.backend = s->backend;
    ranmar_delivered_begin(&s->delivered);
}

int ranmar_stream_open(gpuranmar_stream **stream, const gpuranmar_options *options,
                       const gpuranmar_stream *like, const char *routine)
{
    int error = ranmar_check_settings(routine);
    if (!error)
        error = check_options(options, routine);
    if (error)
        return error;
    ranmar_log_banner();

    gpuranmar_stream *s = calloc(1, sizeof *s);
    if (s) {
        s->options = *options;
        fill_in_defaults(&s->options);
        s->flavour = ranmar_flavour(options->flavour);
        const struct ranmar_interleave interleave = {(uint64_t)s->options.instances,
                                                     (uint64_t)s->options.prefetch};
        s->buffer = (struct ranmar_buffer){.pos = &s->pos,
                                           .room = room_of_buffer(&s->options),
                                           .size = ranmar_number_size(s->flavour),
                                           .made = options->position};
        if (!ranmar_states_open(&s->states, s->flavour, interleave, options->seed,
                                like ? &like->states : NULL) ||
            !open_backends(s)) {
            ranmar_stream_close(s);
            s = NULL;
        }
    }
    if (!s)
        return ranmar_error(GPURANMAR_NO_MEMORY, "%s: no memory for instances = %" PRId64, routine,
                            options->instances);
    count_delivered(s);
    *stream = s;
    return GPURANMAR_OK;
}

void ranmar_stream_close(gpuranmar_stream *s)
{
    if (!s)
        return;
    ranmar_delivered_end(&s->delivered);
    for (struct ranmar_backend *b = s->backend, *next; b; b = next) {
        next = b->next;
        b->close(b);
    }
    ranmar_states_close(&s->states);
    free(s->memory);
    free(s->across);
    free(s);
}

void ranmar_stream_replace(gpuranmar_stream *s, gpuranmar_stream *by)
{
    ranmar_delivered_end(&s->delivered);
    ranmar_delivered_end(&by->delivered);
    const gpuranmar_stream former = *s;
    *s = *by;
    *by = former;
    s->buffer.pos = &s->pos;
    count_delivered(s);
    ranmar_stream_close(by);
}

/* --- Making --- */

/* Memory for n numbers, or NULL. A size_t of 32 bits may be too small to count the bytes. */
static char *allocate_numbers(const gpuranmar_stream *s, size_t n)
{
    return n <= SIZE_MAX / s->buffer.size ? malloc(n * s->buffer.size) : NULL;
}

/* Makes the next n > 0 numbers. The buffer must be empty. */
static void make_next(gpuranmar_stream *s, void *out, size_t n)
{
    s->backend->fill(s->backend, &s->states, s->buffer.made, out, n);
    s->buffer.made += n;
}

/* Gives the buffer memory of the stream's own. */
__attribute__((noinline)) static int allocate_buffer(gpuranmar_stream *s)
{
    s->memory = allocate_numbers(s, s->buffer.room);
    if (s->memory)
        ranmar_buffer_place(&s->buffer, s->memory + s->buffer.room * s->buffer.size, &s->pos);
    return s->memory != NULL;
}

int ranmar_stream_refill(gpuranmar_stream *s)
{
    struct ranmar_buffer *const b = &s->buffer;
    if (!b->end && !allocate_buffer(s))
        return 0;
    make_next(s, b->end - b->room * b->size, b->room);
    *b->pos = -(int32_t)b->room;
    s->refilled = b->made;
    return 1;
}

/* --- Delivering --- */

void ranmar_stream_fill(gpuranmar_stream *s, void *out, size_t n)
{
    const size_t taken = ranmar_buffer_take(&s->buffer, out, n);
    if (n > taken)
        make_next(s, (char *)out + taken * s->buffer.size, n - taken);
}

/* A request for 3/8 of the buffer or more, 384 numbers, bypasses an empty buffer: from there on it
 * is faster to fill the caller's array than to fill the buffer and copy. Requests for 384 numbers
 * take 0.34 ns a number in place of 0.40, but for 256 they would take 0.47 in place of 0.38 (AMD
 * EPYC, AVX2). A request also bypasses a buffer for which there is no memory. */
void ranmar_stream_get(gpuranmar_stream *s, void *out, size_t n)
{
    const size_t taken = ranmar_buffer_take(&s->buffer, out, n);
    out = (char *)out + taken * s->buffer.size;
    n -= taken;
    if (n == 0)
        return;
    if (n >= (s->buffer.room * 3 + 7) / 8 || !ranmar_stream_refill(s))
        make_next(s, out, n);
    else
        ranmar_buffer_take(&s->buffer, out, n);
}

/* Returns s->across with room for n numbers, or NULL if there is no memory. */
static char *make_room(gpuranmar_stream *s, size_t n)
{
    if (s->across_size < n) {
        free(s->across);
        s->across = allocate_numbers(s, n);
        s->across_size = s->across ? n : 0;
    }
    return s->across;
}

/* The next n numbers in memory of the back end, or NULL. The buffer must be empty. */
static const void *draw_in_place(gpuranmar_stream *s, size_t n)
{
    const void *const numbers =
        s->backend->in_place ? s->backend->in_place(s->backend, &s->states, s->buffer.made, n)
                             : NULL;
    if (numbers)
        s->buffer.made += n;
    return numbers;
}

/* The buffer is always filled as a whole. Numbers that reach across its end are joined by a
 * copy. */
const void *ranmar_stream_draw(gpuranmar_stream *s, size_t n)
{
    struct ranmar_buffer *const b = &s->buffer;
    const void *const made = *b->pos == 0 ? draw_in_place(s, n) : NULL;
    if (made)
        return made;
    if (*b->pos == 0 && n <= b->room && !ranmar_stream_refill(s))
        return NULL;
    if (n > ranmar_buffer_left(b)) {
        char *const across = make_room(s, n < b->room ? b->room : n);
        if (across)
            ranmar_stream_get(s, across, n);
        return across;
    }
    const char *const numbers = ranmar_buffer_next(b);
    ranmar_buffer_move(b, (int64_t)n);
    return numbers;
}

/* --- Moving --- */

/* If the position is within the buffer, the numbers from there on are kept, and so are numbers that
 * were delivered and still stand there. */
void ranmar_stream_seek(gpuranmar_stream *s, uint64_t position)
{
    struct ranmar_buffer *const b = &s->buffer;
    const uint64_t now = ranmar_stream_position(s);
    const uint64_t there = b->made == s->refilled ? b->room : b->made - now;
    ranmar_delivered_move(&s->delivered, position);
    if (position > b->made || b->made - position > there)
        ranmar_buffer_empty(b, position);
    else
        ranmar_buffer_move(b, (int64_t)(position - now));
}

void ranmar_stream_set_state(gpuranmar_stream *s, const struct ranmar_state *state,
                             uint64_t position)
{
    ranmar_states_set(&s->states, state, position);
    ranmar_buffer_empty(&s->buffer, position);
}
