/* The numbered sequences: registry.h describes the calls. */
#include "fortran/registry.h"

#include <inttypes.h>
#include <stdlib.h>

#include "definition/error.h"
#include "definition/flavour.h"
#include "fill/fill.h"
#include "stream/settings.h"
#include "stream/stream.h"
#include "stream/verbose.h"

struct ranmar_windows grncom_ __attribute__((aligned(64)));
int ranmar_sequences;

static struct sequence {
    gpuranmar_stream *stream;    /* NULL before the sequence is set */
    struct ranmar_window window; /* in COMMON /GRNCOM/ */
    struct ranmar_origin origin;
    uint64_t start; /* the position to which `origin` belongs */
} sequences[RANMAR_SEQUENCES_MAX];

static struct sequence *sequence(int id)
{
    return &sequences[id - 1];
}

static int check_id(const char *routine, int id, int most)
{
    const char *error = ranmar_settings()->error;
    if (*error)
        return ranmar_error(GPURANMAR_BAD_SETTING, "%s: %s", routine, error);
    if (id < 1 || id > most)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: sequence = %d is not in 1..%d%s", routine,
                            id, most, most < RANMAR_SEQUENCES_MAX ? " (GPURANMAR_SEQUENCES)" : "");
    return GPURANMAR_OK;
}

int ranmar_sequence_check(const char *routine, int id)
{
    return check_id(routine, id, ranmar_settings()->sequences);
}

int ranmar_sequence_is_set(int id)
{
    return id >= 1 && id <= RANMAR_SEQUENCES_MAX && sequence(id)->stream;
}

static size_t window_size(const struct sequence *q)
{
    return q->stream->options.prefetch < RANMAR_WINDOW ? (size_t)q->stream->options.prefetch
                                                       : (size_t)RANMAR_WINDOW;
}

/* Refuses an id unless there is such a sequence and it has been started. One that has been started
 * needs no look at the settings: none can have been wrong. But programs count in its window
 * themselves, and may write over COMMON /GRNCOM/. */
static int check_set(const char *routine, int id)
{
    if (!ranmar_sequence_is_set(id)) {
        const int error = check_id(routine, id, RANMAR_SEQUENCES_MAX);
        return error ? error
                     : ranmar_error(GPURANMAR_NOT_SET, "%s: sequence = %d is used before it is set",
                                    routine, id);
    }
    const size_t size = window_size(sequence(id));
    if (ranmar_window_left(&sequence(id)->window) <= size)
        return GPURANMAR_OK;
    return ranmar_error(GPURANMAR_BAD_STATE,
                        "%s: sequence = %d: its place in COMMON /GRNCOM/ is %d, which is not in "
                        "-%zu..0: something has written over it",
                        routine, id, grncom_.pos[id - 1], size);
}

gpuranmar_options ranmar_sequence_options(void)
{
    const struct ranmar_settings *settings = ranmar_settings();
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    options.flavour = settings->flavour;
    options.backend = settings->backend;
    options.instances = settings->instances;
    options.prefetch = settings->prefetch;
    options.threads = settings->threads;
    return options;
}

int64_t ranmar_sequence_seed(const gpuranmar_options *options, int32_t ijkl)
{
    return ranmar_flavour(options->flavour)->keyed ? ijkl : ranmar_reduced_seed(ijkl);
}

/* --- Starting and closing --- */

static void close_sequence(int id)
{
    struct sequence *const q = sequence(id);
    ranmar_stream_close(q->stream);
    q->stream = NULL;
    q->window =
        (struct ranmar_window){.pos = &grncom_.pos[id - 1],
                               .end = (const char *)(grncom_.buffer[id - 1] + RANMAR_WINDOW),
                               .size = sizeof(double)};
    ranmar_window_set(&q->window, q->window.end, 0, 0);
}

int ranmar_sequence_close(const char *routine, int id)
{
    const int error = check_id(routine, id, RANMAR_SEQUENCES_MAX);
    if (!error)
        close_sequence(id);
    return error;
}

/* The least position of a stream at which each of its instances stands at GPURANMAR_START_POSITION
 * or later in its own sequence. With several instances it is a multiple of the block
 * (docs/seeds.md). */
static uint64_t first_position(const gpuranmar_options *options)
{
    const uint64_t first = (uint64_t)ranmar_settings()->start_position;
    if (options->instances <= 1 || options->prefetch < 0) /* the stream refuses what is negative */
        return first;
    const struct ranmar_interleave i = {(uint64_t)options->instances,
                                        options->prefetch ? (uint64_t)options->prefetch
                                                          : RANMAR_DEFAULT_PREFETCH};
    const uint64_t shortest = ranmar_part_of(i, i.instances - 1).length;
    const uint64_t blocks = shortest > 1 ? (first + shortest - 1) / shortest : first;
    return blocks * i.block;
}

/* Starts a sequence at options->position. `origin` is what RMMAQD reports of the position
 * `given`. */
static int start_at(const char *routine, int id, const gpuranmar_options *options,
                    const struct ranmar_origin *origin, uint64_t given)
{
    struct sequence *const q = sequence(id);
    gpuranmar_stream *stream = NULL;
    int error = check_id(routine, id, RANMAR_SEQUENCES_MAX);
    if (!error)
        error = ranmar_stream_open(&stream, options, routine);
    if (error)
        return error;
    close_sequence(id);
    q->stream = stream;
    q->origin = *origin;
    q->start = given;
    ranmar_window_set(&q->window, q->window.end, options->position, 0);
    stream->delivered.id = id;
    stream->delivered.window = &q->window;
    if (!__atomic_load_n(&ranmar_sequences, __ATOMIC_RELAXED))
        __atomic_store_n(&ranmar_sequences, ranmar_settings()->sequences, __ATOMIC_RELAXED);
    ranmar_note("sequence %d: seed %" PRId64 ", position %" PRIu64 ", %s, %" PRId64
                " instance(s), prefetch %" PRId64 ", %s, %d thread(s)",
                id, options->seed, options->position, ranmar_flavour_name(options->flavour),
                options->instances, stream->options.prefetch,
                ranmar_fill_level((size_t)stream->options.prefetch)->name, stream->options.threads);
    return GPURANMAR_OK;
}

int ranmar_sequence_start(const char *routine, int id, const gpuranmar_options *options,
                          const struct ranmar_origin *origin)
{
    gpuranmar_options later = *options;
    const uint64_t first = first_position(options);
    if (later.position < first) /* what this skips counts as skipped by the program */
        later.position = first;
    return start_at(routine, id, &later, origin, options->position);
}

/* --- Drawing --- */

/* If the prefetch is larger than the window, numbers are made into the stream's cache and copied
 * from there. Otherwise they go straight to where they are wanted: the window is the cache then. */
static void draw_from_stream(struct sequence *q, double *out, size_t n)
{
    if (q->stream->options.prefetch > RANMAR_WINDOW)
        ranmar_stream_get(q->stream, out, n);
    else
        ranmar_stream_fill(q->stream, out, n);
}

/* Fills the window, which must be empty. */
static void refill_window(struct sequence *q, int id)
{
    const size_t n = window_size(q);
    draw_from_stream(q, grncom_.buffer[id - 1] + RANMAR_WINDOW - n, n);
    ranmar_window_set(&q->window, q->window.end, ranmar_stream_position(q->stream), n);
}

/* Delivers n > 0 numbers past the window, which must be empty; and past the stream's cache too, if
 * is_past_cache. */
static void deliver_past_window(struct sequence *q, int is_past_cache, double *out, size_t n)
{
    if (is_past_cache)
        ranmar_stream_fill(q->stream, out, n);
    else
        draw_from_stream(q, out, n);
    ranmar_window_set(&q->window, q->window.end, ranmar_stream_position(q->stream), 0);
}

int ranmar_sequence_refill(const char *routine, int id)
{
    const int error = check_set(routine, id);
    if (!error && grncom_.pos[id - 1] == 0)
        refill_window(sequence(id), id);
    return error;
}

static int check_draw(const char *routine, int id, const double *out, size_t n)
{
    const int error = check_set(routine, id);
    if (!error && !out && n > 0)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: out is a null pointer", routine);
    return error ? error
                 : ranmar_check_count(routine, ranmar_window_position(&sequence(id)->window), n);
}

int ranmar_sequence_get(const char *routine, int id, double *out, size_t n)
{
    const int error = check_draw(routine, id, out, n);
    if (error)
        return error;
    struct sequence *const q = sequence(id);
    const size_t taken = ranmar_window_take(&q->window, out, n);
    out += taken;
    n -= taken;
    /* To start another fill costs less than to copy three eighths of a window or more. */
    if (n > 0 && n >= window_size(q) * 3 / 8) {
        deliver_past_window(q, 0, out, n);
    } else if (n > 0) {
        refill_window(q, id);
        ranmar_window_take(&q->window, out, n);
    }
    return GPURANMAR_OK;
}

int ranmar_sequence_fill(const char *routine, int id, double *out, size_t n)
{
    const int error = check_draw(routine, id, out, n);
    if (error)
        return error;
    struct sequence *const q = sequence(id);
    const size_t taken = ranmar_window_take(&q->window, out, n);
    if (n > taken)
        deliver_past_window(q, 1, out + taken, n - taken);
    return GPURANMAR_OK;
}

int ranmar_sequence_report(const char *routine, int id, struct ranmar_origin *now)
{
    const int error = check_set(routine, id);
    if (error)
        return error;
    *now = sequence(id)->origin;
    ranmar_origin_move(now, ranmar_window_position(&sequence(id)->window) - sequence(id)->start);
    return GPURANMAR_OK;
}

static int check_single_instance(const char *routine, int id)
{
    const int error = check_set(routine, id);
    if (!error && sequence(id)->stream->options.instances > 1)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT,
                            "%s: sequence = %d has %" PRId64
                            " instances, which a Fortran state of 103 words cannot hold",
                            routine, id, sequence(id)->stream->options.instances);
    return error;
}

int ranmar_sequence_state(const char *routine, int id, struct ranmar_state *state)
{
    const int error = check_single_instance(routine, id);
    if (!error) {
        const gpuranmar_stream *stream = sequence(id)->stream;
        ranmar_stream_state(stream, state);
        ranmar_rewind(state, stream->flavour, ranmar_window_left(&sequence(id)->window));
    }
    return error;
}

int ranmar_sequence_set_state(const char *routine, int id, const struct ranmar_state *state,
                              const struct ranmar_origin *origin)
{
    gpuranmar_options options = ranmar_sequence_options();
    options.seed = ranmar_sequence_seed(&options, origin->ijkl);
    options.position = ranmar_count_of(origin->ntot, origin->ntot2);
    int error = GPURANMAR_OK;
    if (options.instances > 1)
        error = ranmar_error(
            GPURANMAR_BAD_ARGUMENT,
            "%s: a Fortran state of 103 words cannot be read with GPURANMAR_INSTANCES = "
            "%" PRId64,
            routine, options.instances);
    if (!error) /* a state goes on where it was: GPURANMAR_START_POSITION is for seeds */
        error = start_at(routine, id, &options, origin, options.position);
    if (!error)
        ranmar_stream_set_state(sequence(id)->stream, state, options.position);
    return error;
}
