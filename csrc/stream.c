#include "stream.h"

#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "fill.h"
#include "flavour.h"
#include "limits.h"
#include "settings.h"

/* Instance p makes numbers start .. start + length - 1 of each block. */
struct part {
    uint64_t start, length;
};

static struct part part_of(const gpuranmar_stream *s, uint64_t p)
{
    const uint64_t instances = (uint64_t)s->options.instances;
    const uint64_t block = (uint64_t)s->options.prefetch;
    const uint64_t length = block / instances, longer = block % instances;
    return (struct part){p * length + (p < longer ? p : longer), length + (p < longer)};
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

static int64_t seed_of_instance(const gpuranmar_stream *s, int64_t p)
{
    const int64_t ij = s->options.seed / RANMAR_SECOND_SEEDS;
    const int64_t kl = s->options.seed % RANMAR_SECOND_SEEDS;
    return ij * RANMAR_SECOND_SEEDS + (kl + p) % RANMAR_SECOND_SEEDS;
}

static void start_instance(gpuranmar_stream *s, int64_t p)
{
    ranmar_seed(&s->state[p], s->flavour, seed_of_instance(s, p));
    s->at[p] = 0;
}

/* Moves every instance to where the stream's position wants it. Jump-ahead only goes forward, so
 * one that is past its place starts again from its seed. */
static void seek(gpuranmar_stream *s, uint64_t position)
{
    const uint64_t block = (uint64_t)s->options.prefetch;
    const uint64_t blocks = position / block, offset = position % block;
    for (int64_t p = 0; p < s->options.instances; ++p) {
        uint64_t target = position;
        if (s->options.instances > 1) {
            const struct part part = part_of(s, (uint64_t)p);
            const uint64_t reached = offset < part.start ? 0 : offset - part.start;
            target = blocks * part.length + (reached < part.length ? reached : part.length);
        }
        if (target < s->at[p])
            start_instance(s, p);
        ranmar_jump_by(&s->skip_memo, target - s->at[p], s->flavour, &s->state[p]);
        s->at[p] = target;
    }
    s->made = position;
    s->left = 0;
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
    CHECK(o->seed >= 0 && o->seed <= RANMAR_SEED_MAX, "%s: seed = %" PRId64 " is not in 0..%" PRId64,
          routine, o->seed, RANMAR_SEED_MAX);
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

int ranmar_stream_open(gpuranmar_stream **stream, const gpuranmar_options *options,
                       const char *routine)
{
    const struct ranmar_settings *settings = ranmar_settings();
    if (*settings->error)
        return ranmar_error(GPURANMAR_BAD_SETTING, "%s: %s", routine, settings->error);
    const int status = check_options(options, routine);
    if (status)
        return status;

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
        s->options.prefetch = RANMAR_DEFAULT_PREFETCH;
    if (s->options.threads == 0)
        s->options.threads = settings->threads ? settings->threads : omp_get_max_threads();
    s->flavour = ranmar_flavour(options->flavour);
    s->state = state;
    s->at = at;
    for (int64_t p = 0; p < options->instances; ++p)
        start_instance(s, p);
    seek(s, options->position);
    *stream = s;
    return GPURANMAR_OK;
}

void gpuranmar_stream_close(gpuranmar_stream *stream)
{
    if (!stream)
        return;
    free(stream->state);
    free(stream->at);
    free(stream->cache);
    free(stream);
}

/* The next n numbers of the interleaved instances, a block at a time. Within a block the parts
 * are independent. */
static void make_interleaved(gpuranmar_stream *s, char *out, size_t n)
{
    const uint64_t block = (uint64_t)s->options.prefetch;
    const size_t size = ranmar_number_size(s->flavour);
    while (n > 0) {
        const uint64_t from = s->made % block, to = n < block - from ? from + n : block;
        const int64_t first = (int64_t)instance_at(s, from),
                      last = (int64_t)instance_at(s, to - 1);
#pragma omp parallel for num_threads(s->options.threads) if (to - from >= 2 * RANMAR_NUMBERS_A_THREAD)
        for (int64_t p = first; p <= last; ++p) {
            const struct part part = part_of(s, (uint64_t)p);
            const uint64_t begin = part.start > from ? part.start : from;
            const uint64_t end = part.start + part.length < to ? part.start + part.length : to;
            ranmar_fill(&s->state[p], s->flavour, out + (begin - from) * size, end - begin);
            s->at[p] += end - begin;
        }
        s->made += to - from;
        out += (to - from) * size;
        n -= to - from;
    }
}

/* The next n numbers from where the states are. */
static void make(gpuranmar_stream *s, void *out, size_t n)
{
    if (s->options.instances > 1) {
        make_interleaved(s, out, n);
    } else {
        ranmar_fill_threads(s->state, s->flavour, out, n, s->options.threads, &s->segment_memo);
        s->at[0] += n;
        s->made += n;
    }
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
    make(s, (char *)out + taken * ranmar_number_size(s->flavour), n - taken);
}

void ranmar_stream_get(gpuranmar_stream *s, void *out, size_t n)
{
    const size_t size = ranmar_number_size(s->flavour), prefetch = (size_t)s->options.prefetch;
    const size_t taken = take(s, out, n);
    out = (char *)out + taken * size;
    n -= taken;
    if (n == 0)
        return;
    if (!s->cache)
        s->cache = malloc(prefetch * size);
    /* A request as large as the cache gains nothing from it; without memory none is lost. */
    if (n >= prefetch || !s->cache) {
        make(s, out, n);
        return;
    }
    make(s, s->cache, prefetch);
    s->left = prefetch;
    take(s, out, n);
}

void ranmar_stream_state(const gpuranmar_stream *s, struct ranmar_state *state)
{
    *state = s->state[0];
    ranmar_rewind(state, s->flavour, s->left);
}

void ranmar_stream_set_state(gpuranmar_stream *s, const struct ranmar_state *state,
                             uint64_t position)
{
    s->state[0] = *state;
    s->at[0] = s->made = position;
    s->left = 0;
}
