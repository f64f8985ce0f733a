#include "stream/stream.h"

#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "definition/error.h"
#include "definition/flavour.h"
#include "definition/interleave.h"
#include "definition/ranges.h"
#include "fill/fill.h"
#include "stream/fork.h"
#include "stream/settings.h"

static struct ranmar_interleave interleave_of(const gpuranmar_stream *s)
{
    return (struct ranmar_interleave){(uint64_t)s->options.instances,
                                      (uint64_t)s->options.prefetch};
}

/* The instance that makes the number at an offset in the block. */
static uint64_t instance_at(const gpuranmar_stream *s, uint64_t offset)
{
    const uint64_t instances = (uint64_t)s->options.instances;
    const uint64_t block = (uint64_t)s->options.prefetch;
    const uint64_t length = block / instances, longer = block % instances;
    return offset < longer * (length + 1) ? offset / (length + 1) : (offset - longer) / length;
}

/* --- Making and moving --- */

static void start_instance(gpuranmar_stream *s, int64_t p)
{
    ranmar_seed(&s->state[p], s->flavour, ranmar_seed_of(s->options.seed, p));
    s->at[p] = 0;
}

/* Moves every instance to where the stream's position wants it. Jump-ahead only goes forward, so
 * one that is past its place starts again from its seed. */
static void seek(gpuranmar_stream *s, uint64_t position)
{
    for (int64_t p = 0; p < s->options.instances; ++p) {
        const uint64_t target = ranmar_made_of(interleave_of(s), (uint64_t)p, position);
        if (target < s->at[p])
            start_instance(s, p);
        ranmar_jump_by(&s->skip_memo, target - s->at[p], s->flavour, &s->state[p]);
        s->at[p] = target;
    }
    s->made = position;
    s->left = 0;
    s->behind = 0;
}

void ranmar_stream_skip(gpuranmar_stream *s, uint64_t n)
{
    if (n <= s->left)
        s->left -= (size_t)n;
    else
        seek(s, ranmar_stream_position(s) + n);
}

static int check_options(const gpuranmar_options *o, const char *routine)
{
#define CHECK(condition, ...) \
    if (!(condition))         \
    return ranmar_error(GPURANMAR_BAD_ARGUMENT, __VA_ARGS__)
    CHECK(o->size == sizeof *o, "%s: options.size = %zu is not the %zu bytes of this version",
          routine, o->size, sizeof *o);
    CHECK(o->seed >= 0 && o->seed <= RANMAR_SEED_MAX,
          "%s: seed = %" PRId64 " is not in 0..%" PRId64, routine, o->seed, RANMAR_SEED_MAX);
    CHECK(o->position <= RANMAR_POSITION_MAX, "%s: position = %" PRIu64 " is above 2^63", routine,
          o->position);
    CHECK(ranmar_flavour(o->flavour), "%s: flavour = %d is none of enum gpuranmar_flavour", routine,
          o->flavour);
    CHECK(o->backend >= GPURANMAR_AUTO && o->backend <= GPURANMAR_CUDA,
          "%s: backend = %d is none of enum gpuranmar_backend", routine, o->backend);
    CHECK(o->instances >= 1 && o->instances <= RANMAR_INSTANCES_MAX,
          "%s: instances = %" PRId64 " is not in 1..%d", routine, o->instances,
          RANMAR_INSTANCES_MAX);
    CHECK(o->prefetch >= 0 && o->prefetch <= RANMAR_PREFETCH_MAX,
          "%s: prefetch = %" PRId64 " is not in 0..%" PRId64, routine, o->prefetch,
          RANMAR_PREFETCH_MAX);
    CHECK(o->threads >= 0 && o->threads <= RANMAR_THREADS_MAX, "%s: threads = %d is not in 0..%d",
          routine, o->threads, RANMAR_THREADS_MAX);
    return GPURANMAR_OK;
}

/* With several instances the prefetch is part of the sequence, whoever makes it. */
static int64_t default_prefetch(const gpuranmar_options *o)
{
    return o->backend == GPURANMAR_CUDA && o->instances == 1 ? RANMAR_DEFAULT_PREFETCH_CUDA
                                                             : RANMAR_DEFAULT_PREFETCH;
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

    gpuranmar_stream *s = calloc(1, sizeof *s);
    struct ranmar_state *state = calloc((size_t)options->instances, sizeof *state);
    uint64_t *at = calloc((size_t)options->instances, sizeof *at);
    if (!s || !state || !at) {
        free(s);
        free(state);
        free(at);
        return ranmar_error(GPURANMAR_NO_MEMORY, "%s: no memory for instances = %" PRId64, routine,
                            options->instances);
    }
    s->options = *options;
    if (s->options.prefetch == 0)
        s->options.prefetch = default_prefetch(options);
    if (s->options.threads == 0)
        s->options.threads = settings->threads ? settings->threads : omp_get_max_threads();
    s->flavour = ranmar_flavour(options->flavour);
    s->state = state;
    s->at = at;
    ranmar_backend_start(&s->backend, &s->options);
    for (int64_t p = 0; p < options->instances; ++p)
        start_instance(s, p);
    seek(s, options->position);
    *stream = s;
    return GPURANMAR_OK;
}

static void stop_ahead(gpuranmar_stream *s)
{
    gpuranmar_stream_close(ranmar_ahead_stop(s->ahead));
    s->ahead = NULL;
}

void gpuranmar_stream_close(gpuranmar_stream *stream)
{
    if (!stream)
        return;
    stop_ahead(stream);
    ranmar_backend_stop(&stream->backend);
    free(stream->state);
    free(stream->at);
    free(stream->own_cache);
    free(stream->joint);
    free(stream);
}

/* Instance p's share of the numbers from .. to of a block, whose number `from` stands at out. */
static void make_part(gpuranmar_stream *s, uint64_t p, char *out, uint64_t from, uint64_t to)
{
    const struct ranmar_part part = ranmar_part_of(interleave_of(s), p);
    const uint64_t begin = part.start > from ? part.start : from;
    const uint64_t end = part.start + part.length < to ? part.start + part.length : to;
    ranmar_fill(&s->state[p], s->flavour, out + (begin - from) * ranmar_number_size(s->flavour),
                end - begin);
    s->at[p] += end - begin;
}

/* The next n numbers of the interleaved instances, a block at a time. Within a block the parts
 * are independent; where there is little to do, starting threads would take longer. */
static void make_interleaved(gpuranmar_stream *s, char *out, size_t n)
{
    const uint64_t block = (uint64_t)s->options.prefetch;
    const int threads = ranmar_threads_left(s->options.threads);
    while (n > 0) {
        const uint64_t from = s->made % block, to = n < block - from ? from + n : block;
        const uint64_t first = instance_at(s, from), last = instance_at(s, to - 1);
        if (threads == 1 || to - from < 2 * RANMAR_NUMBERS_A_THREAD) {
            for (uint64_t p = first; p <= last; ++p)
                make_part(s, p, out, from, to);
        } else {
#pragma omp parallel for num_threads(threads)
            for (uint64_t p = first; p <= last; ++p)
                make_part(s, p, out, from, to);
        }
        s->made += to - from;
        out += (to - from) * ranmar_number_size(s->flavour);
        n -= to - from;
    }
}

static void make_on_cpu(gpuranmar_stream *s, void *out, size_t n)
{
    if (s->behind)
        seek(s, s->made);
    if (s->options.instances > 1) {
        make_interleaved(s, out, n);
    } else {
        ranmar_fill_threads(s->state, s->flavour, out, n, ranmar_threads_left(s->options.threads),
                            &s->segment_memo);
        s->at[0] += n;
        s->made += n;
    }
}

/* Has the GPU go on from the position made. */
static int put_gpu(gpuranmar_stream *s, int delivers)
{
    if (s->backend.delivers == delivers && s->backend.position == s->made)
        return 1;
    seek(s, s->made);
    return ranmar_backend_set(&s->backend, s->state, s->made, delivers);
}

static int make_on_gpu(gpuranmar_stream *s, void *out, size_t n)
{
    if (!put_gpu(s, RANMAR_BY_FILL) || !ranmar_backend_fill(&s->backend, out, n))
        return 0;
    s->made += n;
    s->behind = 1;
    return 1;
}

/* The next n > 0 numbers from the position made, when the cache is empty. */
static void make(gpuranmar_stream *s, void *out, size_t n)
{
    if (n < s->backend.from) {
        make_on_cpu(s, out, n);
        return;
    }
    if (!ranmar_backend_begin(&s->backend) || !make_on_gpu(s, out, n))
        make_on_cpu(s, out, n);
    ranmar_backend_end(&s->backend, n);
}

/* Up to n numbers of the cache's rest; how many. */
static size_t take(gpuranmar_stream *s, char *out, size_t n)
{
    const size_t size = ranmar_number_size(s->flavour), count = n < s->left ? n : s->left;
    if (count > 0) {
        memcpy(out, s->cache + ((size_t)s->options.prefetch - s->left) * size, count * size);
        s->left -= count;
    }
    return count;
}

void ranmar_stream_fill(gpuranmar_stream *s, void *out, size_t n)
{
    const size_t taken = take(s, out, n);
    if (n > taken)
        make(s, (char *)out + taken * ranmar_number_size(s->flavour), n - taken);
}

/* The GPU's cache, when a GPU was asked for by name: it makes the next while this one is used. */
static const char *refill_on_gpu(gpuranmar_stream *s)
{
    if (s->backend.wanted != GPURANMAR_CUDA || s->backend.from == SIZE_MAX ||
        !ranmar_backend_begin(&s->backend) || !put_gpu(s, RANMAR_IN_BLOCKS))
        return NULL;
    const char *const block = ranmar_backend_block(&s->backend);
    if (block) {
        s->made += (uint64_t)s->options.prefetch;
        s->behind = 1;
    }
    return block;
}

/* A stream that goes on from where s is, for another thread: on the CPU, and on no more threads. */
static gpuranmar_stream *twin_of(const gpuranmar_stream *s)
{
    const size_t instances = (size_t)s->options.instances;
    gpuranmar_stream *const twin = calloc(1, sizeof *twin);
    if (!twin)
        return NULL;
    twin->options = s->options;
    twin->options.backend = GPURANMAR_CPU;
    twin->options.threads = 1;
    twin->flavour = s->flavour;
    twin->made = s->made;
    twin->state = malloc(instances * sizeof *twin->state);
    twin->at = malloc(instances * sizeof *twin->at);
    ranmar_backend_start(&twin->backend, &twin->options);
    if (!twin->state || !twin->at) {
        gpuranmar_stream_close(twin);
        return NULL;
    }
    memcpy(twin->state, s->state, instances * sizeof *twin->state);
    memcpy(twin->at, s->at, instances * sizeof *twin->at);
    return twin;
}

static void make_block(void *twin, void *block)
{
    make_on_cpu(twin, block, (size_t)((gpuranmar_stream *)twin)->options.prefetch);
}

/* The cache that a thread has made ahead. */
static const char *refill_ahead(gpuranmar_stream *s)
{
    if (!ranmar_settings()->ahead)
        return NULL;
    if (s->ahead && (s->ahead_from != s->made || ranmar_ahead_is_lost(s->ahead)))
        stop_ahead(s);
    if (!s->ahead) {
        if (s->behind)
            seek(s, s->made);
        gpuranmar_stream *const twin = twin_of(s);
        if (!twin)
            return NULL;
        s->ahead = ranmar_ahead_start(make_block, twin,
                                      (size_t)s->options.prefetch * ranmar_number_size(s->flavour));
        if (!s->ahead) {
            gpuranmar_stream_close(twin);
            return NULL;
        }
    }
    s->made += (uint64_t)s->options.prefetch;
    s->ahead_from = s->made;
    s->behind = 1;
    return ranmar_ahead_block(s->ahead);
}

/* Fills the empty cache; 0 where there is no memory for it. */
static int refill(gpuranmar_stream *s)
{
    const size_t prefetch = (size_t)s->options.prefetch;
    s->cache = refill_on_gpu(s);
    if (!s->cache)
        s->cache = refill_ahead(s);
    if (!s->cache) {
        if (!s->own_cache)
            s->own_cache = malloc(prefetch * ranmar_number_size(s->flavour));
        if (!s->own_cache)
            return 0;
        make(s, s->own_cache, prefetch);
        s->cache = s->own_cache;
    }
    s->left = prefetch;
    return 1;
}

void ranmar_stream_get(gpuranmar_stream *s, void *out, size_t n)
{
    const size_t size = ranmar_number_size(s->flavour), prefetch = (size_t)s->options.prefetch;
    const size_t taken = take(s, out, n);
    out = (char *)out + taken * size;
    n -= taken;
    if (n == 0)
        return;
    /* A request as large as the cache gains nothing from it, unless a thread has made it ahead;
     * without memory none is lost. */
    const size_t most = ranmar_settings()->ahead ? prefetch : prefetch - 1;
    if (n > most || !refill(s))
        make(s, out, n);
    else
        take(s, out, n);
}

/* The cache is filled as a whole, so that numbers across its end have to be put together. */
const void *ranmar_stream_draw(gpuranmar_stream *s, size_t n)
{
    const size_t size = ranmar_number_size(s->flavour), prefetch = (size_t)s->options.prefetch;
    if (s->left == 0 && !refill(s))
        return NULL;
    if (n > s->left) {
        if (!s->joint)
            s->joint = malloc(prefetch * size);
        if (s->joint)
            ranmar_stream_get(s, s->joint, n);
        return s->joint;
    }
    const char *const numbers = s->cache + (prefetch - s->left) * size;
    s->left -= n;
    return numbers;
}

void ranmar_stream_state(const gpuranmar_stream *s, struct ranmar_state *state)
{
    const uint64_t position = ranmar_stream_position(s);
    *state = s->state[0];
    if (position < s->at[0]) {
        ranmar_rewind(state, s->flavour, s->at[0] - position);
    } else {
        struct ranmar_jump memo = {0};
        ranmar_jump_by(&memo, position - s->at[0], s->flavour, state);
    }
}

void ranmar_stream_set_state(gpuranmar_stream *s, const struct ranmar_state *state,
                             uint64_t position)
{
    s->state[0] = *state;
    s->at[0] = s->made = position;
    s->left = 0;
    s->behind = 0;
    s->backend.delivers = RANMAR_NOT_SET;
    stop_ahead(s);
}
