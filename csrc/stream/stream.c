/* Streams: stream.h describes them, maker.h who makes their numbers. */
#include "stream/stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "definition/error.h"
#include "definition/flavour.h"
#include "fill/team.h"
#include "stream/fork.h"
#include "stream/library.h"
#include "stream/options.h"
#include "stream/settings.h"

/* --- Opening --- */

/* The default must not depend on the back end if there are several instances, since the prefetch
 * size is part of the sequence then. */
static int64_t default_prefetch(const gpuranmar_options *o)
{
    return o->backend == GPURANMAR_CUDA && o->instances == 1 ? RANMAR_DEFAULT_PREFETCH_CUDA
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

/* Adds a maker to the row. Returns 0 if it is NULL, for want of memory. */
static int add_maker(gpuranmar_stream *s, struct ranmar_maker *maker)
{
    s->makers[s->makers_count] = maker;
    s->makers_count += maker != NULL;
    return maker != NULL;
}

static int open_makers(gpuranmar_stream *s)
{
    const gpuranmar_options *const o = &s->options;
    return (o->backend != GPURANMAR_CUDA || add_maker(s, ranmar_gpu_maker(o))) &&
           add_maker(s, ranmar_cpu_maker(o));
}

static int open_verify(gpuranmar_stream *s, struct ranmar_interleave interleave)
{
    if (!ranmar_verify_wanted())
        return 1;
    s->verify = ranmar_verify_open(s->flavour, interleave, s->options.seed);
    return s->verify != NULL;
}

int ranmar_stream_open(gpuranmar_stream **stream, const gpuranmar_options *options,
                       const char *routine)
{
    const struct ranmar_settings *settings = ranmar_settings();
    if (*settings->error)
        return ranmar_error(GPURANMAR_BAD_SETTING, "%s: %s", routine, settings->error);
    const int error = ranmar_check_options(options, routine);
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
        if (!ranmar_states_open(&s->states, s->flavour, interleave, options->seed) ||
            !open_makers(s) || !open_verify(s, interleave)) {
            ranmar_stream_close(s);
            s = NULL;
        }
    }
    if (!s)
        return ranmar_error(GPURANMAR_NO_MEMORY, "%s: no memory for instances = %" PRId64, routine,
                            options->instances);
    s->made = s->position = options->position;
    s->record = ranmar_record_open(s);
    *stream = s;
    return GPURANMAR_OK;
}

void ranmar_stream_close(gpuranmar_stream *s)
{
    if (!s)
        return;
    if (s->record)
        ranmar_record_close(s->record);
    for (size_t i = 0; i < s->makers_count; ++i)
        s->makers[i]->close(s->makers[i]);
    ranmar_states_close(&s->states);
    ranmar_verify_close(s->verify);
    free(s->own_cache);
    free(s->joint);
    free(s);
}

void ranmar_stream_swap(gpuranmar_stream *a, gpuranmar_stream *b)
{
    ranmar_report_hold(); /* the report must not be written meanwhile */
    const gpuranmar_stream other = *a;
    *a = *b;
    *b = other;
    if (a->record)
        ranmar_record_is_of(a->record, a);
    if (b->record)
        ranmar_record_is_of(b->record, b);
    ranmar_report_release();
}

/* --- Making --- */

/* How many numbers wait in the cache. */
static size_t left_in_cache(const gpuranmar_stream *s)
{
    return (size_t)(s->made - s->position);
}

/* Makes the next n > 0 numbers. The cache must be empty. The numbers do not count as delivered
 * yet. */
static void make(gpuranmar_stream *s, void *out, size_t n)
{
    struct ranmar_maker **maker = s->makers;
    while (n < (*maker)->from || !(*maker)->fill(*maker, &s->states, s->made, out, n))
        ++maker; /* the last maker takes all requests, and does not fail */
    if (s->record)
        ranmar_record_made(s->record, s->made, n, (*maker)->by);
    s->made += n;
}

/* Makes a whole cache in a maker's own memory. NULL if no maker has such memory or could make
 * it. */
static const char *make_block(gpuranmar_stream *s)
{
    const size_t prefetch = (size_t)s->options.prefetch;
    const char *numbers = NULL;
    for (size_t i = 0; i < s->makers_count && !numbers; ++i) {
        struct ranmar_maker *const maker = s->makers[i];
        if (maker->block && prefetch >= maker->from)
            numbers = maker->block(maker, &s->states, s->made);
        if (numbers && s->record)
            ranmar_record_made(s->record, s->made, prefetch, maker->by);
    }
    if (numbers)
        s->made += prefetch;
    return numbers;
}

/* Memory for n numbers. Their bytes may be more than a size_t of 32 bits can count. */
static char *allocate(const gpuranmar_stream *s, size_t n)
{
    const size_t size = ranmar_number_size(s->flavour);
    return n <= SIZE_MAX / size ? malloc(n * size) : NULL;
}

/* Fills the cache, which must be empty. Returns 0 if there is no memory for it. */
static int refill(gpuranmar_stream *s)
{
    const size_t prefetch = (size_t)s->options.prefetch;
    s->cache = make_block(s);
    if (!s->cache) {
        if (!s->own_cache)
            s->own_cache = allocate(s, prefetch);
        if (!s->own_cache)
            return 0;
        make(s, s->own_cache, prefetch);
        s->cache = s->own_cache;
    }
    s->forks = ranmar_forks();
    return 1;
}

/* --- Delivering --- */

static const char *next_in_cache(const gpuranmar_stream *s)
{
    return s->cache +
           ((size_t)s->options.prefetch - left_in_cache(s)) * ranmar_number_size(s->flavour);
}

static void move_to(gpuranmar_stream *s, uint64_t position)
{
    ranmar_count_set(&s->position, position);
}

/* Makes the next numbers past the cache, which must be empty. */
static void make_and_deliver(gpuranmar_stream *s, void *out, size_t n)
{
    make(s, out, n);
    move_to(s, s->made);
}

/* In a forked process the memory of a maker may be shared with the parent, whose GPU goes on
 * writing there, or may not be there at all. So the child makes again what was left in such a
 * cache. */
static void leave_cache_of_parent(gpuranmar_stream *s)
{
    if (left_in_cache(s) > 0 && s->cache != s->own_cache && s->forks != ranmar_forks())
        s->made = s->position;
}

/* Takes up to n numbers from the cache; returns how many. It is inline because most draws do little
 * else. */
__attribute__((always_inline)) static inline size_t take(gpuranmar_stream *s, char *out, size_t n)
{
    leave_cache_of_parent(s);
    const size_t left = left_in_cache(s), count = n < left ? n : left;
    if (count > 0) {
        memcpy(out, next_in_cache(s), count * ranmar_number_size(s->flavour));
        move_to(s, s->position + count);
    }
    return count;
}

void ranmar_stream_fill(gpuranmar_stream *s, void *out, size_t n)
{
    if (left_in_cache(s) > 0) {
        const size_t taken = take(s, out, n);
        out = (char *)out + taken * ranmar_number_size(s->flavour);
        n -= taken;
    }
    if (n > 0)
        make_and_deliver(s, out, n);
}

void ranmar_stream_get(gpuranmar_stream *s, void *out, size_t n)
{
    const size_t taken = take(s, out, n);
    out = (char *)out + taken * ranmar_number_size(s->flavour);
    n -= taken;
    if (n == 0)
        return;
    /* A request as large as the cache gains nothing from it. Without memory for the cache the
     * numbers are made all the same. */
    if (n >= (size_t)s->options.prefetch || !refill(s))
        make_and_deliver(s, out, n);
    else
        take(s, out, n);
}

/* Memory for n numbers that do not stand in one piece in the cache; NULL if there is none. */
static char *make_room(gpuranmar_stream *s, size_t n)
{
    if (s->joint_size < n) {
        free(s->joint);
        s->joint = allocate(s, n);
        s->joint_size = s->joint ? n : 0;
    }
    return s->joint;
}

/* The cache is only ever filled as a whole, so numbers across its end have to be put together. */
const void *ranmar_stream_draw(gpuranmar_stream *s, size_t n)
{
    const size_t prefetch = (size_t)s->options.prefetch;
    leave_cache_of_parent(s);
    if (left_in_cache(s) == 0 && n <= prefetch && !refill(s))
        return NULL;
    if (n > left_in_cache(s)) {
        char *const joint = make_room(s, n < prefetch ? prefetch : n);
        if (joint)
            ranmar_stream_get(s, joint, n);
        return joint;
    }
    const char *const numbers = next_in_cache(s);
    move_to(s, s->position + n);
    return numbers;
}

/* --- Moving --- */

/* If the position is within the cache, the numbers there stay. */
void ranmar_stream_seek(gpuranmar_stream *s, uint64_t position)
{
    if (position < s->position || position > s->made)
        s->made = position;
    move_to(s, position);
}

void ranmar_stream_state(const gpuranmar_stream *s, struct ranmar_state *state)
{
    ranmar_states_get(&s->states, ranmar_stream_position(s), state);
}

void ranmar_stream_set_state(gpuranmar_stream *s, const struct ranmar_state *state,
                             uint64_t position)
{
    ranmar_states_set(&s->states, state, position);
    if (s->verify)
        ranmar_verify_set_state(s->verify, state, position);
    s->made = position;
    move_to(s, position);
}
