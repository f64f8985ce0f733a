/* Streams: stream.h describes them, maker.h who makes their numbers. */
#include "stream/stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "definition/error.h"
#include "definition/flavour.h"
#include "definition/process.h"
#include "definition/ranges.h"
#include "fill/team.h"
#include "stream/library.h"
#include "stream/settings.h"

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
#define CHECK(condition, ...) \
    if (!(condition))         \
    return ranmar_error(GPURANMAR_BAD_ARGUMENT, __VA_ARGS__)
    int error = ranmar_check_size(routine, o);
    if (!error)
        error = ranmar_check_position(routine, "position", o->position);
    if (error)
        return error;
    CHECK(ranmar_flavour(o->flavour), "%s: flavour = %d is none of enum gpuranmar_flavour", routine,
          o->flavour);
    error = ranmar_check_seed(routine, ranmar_flavour(o->flavour), o->seed);
    if (error)
        return error;
    CHECK(o->backend >= GPURANMAR_CPU && o->backend <= GPURANMAR_OPENCL,
          "%s: backend = %d is none of enum gpuranmar_backend", routine, o->backend);
    CHECK(o->instances >= 1 && o->instances <= RANMAR_INSTANCES_MAX,
          "%s: instances = %" PRId64 " is not in 1..%d", routine, o->instances,
          RANMAR_INSTANCES_MAX);
    CHECK(o->prefetch >= 0 && o->prefetch <= RANMAR_PREFETCH_MAX,
          "%s: prefetch = %" PRId64 " is not in 0..%" PRId64, routine, o->prefetch,
          RANMAR_PREFETCH_MAX);
    CHECK(o->threads >= 0 && o->threads <= RANMAR_THREADS_MAX, "%s: threads = %d is not in 0..%d",
          routine, o->threads, RANMAR_THREADS_MAX);
    CHECK(o->reserved == 0, "%s: reserved = %d is not 0", routine, o->reserved);
#undef CHECK
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

/* Puts a maker before the others. Returns 0 if `maker` is NULL for lack of memory. */
static int add_maker(gpuranmar_stream *s, struct ranmar_maker *maker)
{
    if (!maker)
        return 0;
    maker->next = s->maker;
    s->maker = maker;
    return 1;
}

static int open_makers(gpuranmar_stream *s)
{
    const gpuranmar_options *const o = &s->options;
    return add_maker(s, ranmar_cpu_maker(o)) &&
           (o->backend == GPURANMAR_CPU || add_maker(s, ranmar_gpu_maker(o))) &&
           (ranmar_settings()->verify == 0 || add_maker(s, ranmar_checking_maker(o)));
}

int ranmar_stream_open(gpuranmar_stream **stream, const gpuranmar_options *options,
                       const char *routine)
{
    const struct ranmar_settings *settings = ranmar_settings();
    if (*settings->error)
        return ranmar_error(GPURANMAR_BAD_SETTING, "%s: %s", routine, settings->error);
    const int error = check_options(options, routine);
    if (error)
        return error;
    ranmar_introduce();

    gpuranmar_stream *s = calloc(1, sizeof *s);
    if (s) {
        s->options = *options;
        fill_in_defaults(&s->options);
        s->flavour = ranmar_flavour(options->flavour);
        const struct ranmar_interleave interleave = {(uint64_t)s->options.instances,
                                                     (uint64_t)s->options.prefetch};
        s->cache = (struct ranmar_window){
            .pos = &s->pos, .size = ranmar_number_size(s->flavour), .made = options->position};
        s->bypass = (size_t)s->options.prefetch;
        if (!ranmar_states_open(&s->states, s->flavour, interleave, options->seed) ||
            !open_makers(s)) {
            ranmar_stream_close(s);
            s = NULL;
        }
    }
    if (!s)
        return ranmar_error(GPURANMAR_NO_MEMORY, "%s: no memory for instances = %" PRId64, routine,
                            options->instances);
    ranmar_delivered_begin(s);
    *stream = s;
    return GPURANMAR_OK;
}

void ranmar_stream_close(gpuranmar_stream *s)
{
    if (!s)
        return;
    ranmar_delivered_end(s);
    for (struct ranmar_maker *m = s->maker, *next; m; m = next) {
        next = m->next;
        m->close(m);
    }
    ranmar_states_close(&s->states);
    if (!s->is_lent)
        free(s->memory);
    free(s->joint);
    free(s);
}

/* A request for three eighths of a window or more bypasses an empty window. The window then needs a
 * fill of its own later, but the start of a fill costs less than a copy of so many numbers. */
void ranmar_stream_lend(gpuranmar_stream *s, char *end, int32_t *pos)
{
    s->memory = end - (size_t)s->options.prefetch * s->cache.size;
    s->is_lent = 1;
    s->bypass = (size_t)s->options.prefetch * 3 / 8;
    s->cache.pos = pos;
    ranmar_window_set(&s->cache, end, s->cache.made, 0);
}

void ranmar_stream_replace(gpuranmar_stream *s, gpuranmar_stream *by)
{
    ranmar_delivered_end(s);
    ranmar_delivered_end(by);
    const gpuranmar_stream former = *s;
    *s = *by;
    *by = former;
    s->cache.pos = &s->pos;
    ranmar_delivered_begin(s);
    ranmar_stream_close(by);
}

/* --- Making --- */

/* Makes the next n > 0 numbers. The cache must be empty. The caller adds n to its `made`. */
static void make_next(gpuranmar_stream *s, void *out, size_t n)
{
    s->maker->fill(s->maker, &s->states, s->cache.made, out, n);
}

void ranmar_stream_refill(gpuranmar_stream *s)
{
    make_next(s, s->memory, (size_t)s->options.prefetch);
    s->cache.made += (uint64_t)s->options.prefetch;
    *s->cache.pos = -(int32_t)s->options.prefetch;
}

/* Memory for n numbers, or NULL. A size_t of 32 bits may be too small to count the bytes. */
static char *allocate(const gpuranmar_stream *s, size_t n)
{
    return n <= SIZE_MAX / s->cache.size ? malloc(n * s->cache.size) : NULL;
}

/* Fills the cache, which must be empty. Returns 0 if there is no memory for it. */
static int refill_cache(gpuranmar_stream *s)
{
    const size_t prefetch = (size_t)s->options.prefetch;
    const char *numbers = NULL;
    if (s->maker->block && !s->is_lent)
        numbers = s->maker->block(s->maker, &s->states, s->cache.made);
    if (!numbers) {
        if (!s->memory)
            s->memory = allocate(s, prefetch);
        if (!s->memory)
            return 0;
        make_next(s, s->memory, prefetch);
        numbers = s->memory;
    }
    s->process = ranmar_process();
    ranmar_window_set(&s->cache, numbers + prefetch * s->cache.size, s->cache.made + prefetch,
                      prefetch);
    return 1;
}

/* --- Delivering --- */

static void leave_cache(gpuranmar_stream *s, uint64_t position)
{
    ranmar_window_set(&s->cache, s->cache.end, position, 0);
}

/* Makes the next numbers without the cache, which must be empty. */
static void make_and_deliver(gpuranmar_stream *s, void *out, size_t n)
{
    make_next(s, out, n);
    leave_cache(s, s->cache.made + n);
}

/* After a fork the child's cache may lie in the parent's pinned memory, which may be unmapped in
 * the child, or which the parent's GPU may still write to. So the child makes its numbers again. */
static void leave_cache_of_parent(gpuranmar_stream *s)
{
    if (ranmar_window_left(&s->cache) > 0 && s->process != ranmar_process() &&
        s->cache.end != s->memory + (size_t)s->options.prefetch * s->cache.size)
        leave_cache(s, ranmar_stream_position(s));
}

/* Takes what is left in the cache, up to n numbers; returns how many. */
static size_t take_from_cache(gpuranmar_stream *s, void *out, size_t n)
{
    leave_cache_of_parent(s);
    return ranmar_window_take(&s->cache, out, n);
}

void ranmar_stream_fill(gpuranmar_stream *s, void *out, size_t n)
{
    const size_t taken = *s->cache.pos ? take_from_cache(s, out, n) : 0;
    if (n > taken)
        make_and_deliver(s, (char *)out + taken * s->cache.size, n - taken);
}

void ranmar_stream_get(gpuranmar_stream *s, void *out, size_t n)
{
    const size_t taken = take_from_cache(s, out, n);
    out = (char *)out + taken * s->cache.size;
    n -= taken;
    if (n == 0)
        return;
    /* If there is no memory for the cache, the request bypasses it. */
    if (n >= s->bypass || !refill_cache(s))
        make_and_deliver(s, out, n);
    else
        ranmar_window_take(&s->cache, out, n);
}

/* Returns s->joint with room for n numbers, or NULL if there is no memory. */
static char *make_room(gpuranmar_stream *s, size_t n)
{
    if (s->joint_size < n) {
        free(s->joint);
        s->joint = allocate(s, n);
        s->joint_size = s->joint ? n : 0;
    }
    return s->joint;
}

/* The cache is always filled as a whole. Numbers that reach across its end are joined by a copy. */
const void *ranmar_stream_draw(gpuranmar_stream *s, size_t n)
{
    const size_t prefetch = (size_t)s->options.prefetch;
    leave_cache_of_parent(s);
    if (*s->cache.pos == 0 && n <= prefetch && !refill_cache(s))
        return NULL;
    if (n > ranmar_window_left(&s->cache)) {
        char *const joint = make_room(s, n < prefetch ? prefetch : n);
        if (joint)
            ranmar_stream_get(s, joint, n);
        return joint;
    }
    const char *const numbers = ranmar_window_next(&s->cache);
    ranmar_window_move(&s->cache, (int64_t)n);
    return numbers;
}

/* --- Moving --- */

/* If the position is within the cache, the numbers from there on are kept. */
void ranmar_stream_seek(gpuranmar_stream *s, uint64_t position)
{
    const uint64_t now = ranmar_stream_position(s);
    ranmar_delivered_move(s, position);
    if (position < now || position > s->cache.made)
        leave_cache(s, position);
    else
        ranmar_window_move(&s->cache, (int64_t)(position - now));
}

void ranmar_stream_set_state(gpuranmar_stream *s, const struct ranmar_state *state,
                             uint64_t position)
{
    ranmar_states_set(&s->states, state, position);
    leave_cache(s, position);
}
