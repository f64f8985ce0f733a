/* The numbered sequences: registry.h describes the calls. */
#include "fortran/registry.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/ranges.h"
#include "definition/flavour.h"
#include "settings/log.h"
#include "settings/settings.h"
#include "stream/stream.h"

struct ranmar_grncom grncom_ __attribute__((aligned(64)));
int ranmar_sequences;

static struct sequence {
    gpuranmar_stream *stream; /* NULL before the sequence is set; its buffer is in the COMMON */
    struct ranmar_counters counters;
    uint64_t start; /* the position for which RMMAQD reports `counters` */
} sequences[RANMAR_SEQUENCES_MAX];

static struct sequence *sequence(int id)
{
    return &sequences[id - 1];
}

static int check_id(const char *routine, int id, int most)
{
    const int error = ranmar_check_settings(routine);
    return error ? error : ranmar_check_id(routine, id, most);
}

int ranmar_sequence_check(const char *routine, int id)
{
    return check_id(routine, id, ranmar_settings()->sequences);
}

int ranmar_sequence_is_set(int id)
{
    return id >= 1 && id <= RANMAR_SEQUENCES_MAX && sequence(id)->stream;
}

/* The error of a sequence that cannot be used. */
static int why_not(const char *routine, int id)
{
    const int error = check_id(routine, id, RANMAR_SEQUENCES_MAX);
    if (error)
        return error;
    if (!sequence(id)->stream)
        return ranmar_error(GPURANMAR_NOT_SET, "%s: sequence = %d is used before it is set",
                            routine, id);
    return ranmar_error(GPURANMAR_BAD_STATE,
                        "%s: sequence = %d: its offset in COMMON /GRNCOM/ is %d, which is not in "
                        "-%zu..0: something has written over it",
                        routine, id, grncom_.pos[id - 1], sequence(id)->stream->buffer.room);
}

/* Refuses an id unless that sequence has been started. The offset in the buffer is checked at each
 * call, since programs may write over COMMON /GRNCOM/. */
static int check_set(const char *routine, int id)
{
    const uint32_t index = (uint32_t)id - 1;
    if (index < RANMAR_SEQUENCES_MAX && sequences[index].stream &&
        ranmar_buffer_left(&sequences[index].stream->buffer) <=
            sequences[index].stream->buffer.room)
        return GPURANMAR_OK;
    return why_not(routine, id);
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
    ranmar_stream_close(sequence(id)->stream);
    *sequence(id) = (struct sequence){0};
    grncom_.pos[id - 1] = 0;
}

int ranmar_sequence_close(const char *routine, int id)
{
    const int error = check_id(routine, id, RANMAR_SEQUENCES_MAX);
    if (!error)
        close_sequence(id);
    return error;
}

/* The lowest position at which each instance has reached GPURANMAR_START_POSITION in its own
 * sequence, rounded up to the end of a block if there are several instances. An instance that has
 * no part in a block does not count. */
static uint64_t first_position(const gpuranmar_options *options)
{
    const uint64_t first = (uint64_t)ranmar_settings()->start_position;
    if (options->instances <= 1 || options->prefetch < 0) /* streams refuse a negative prefetch */
        return first;
    const struct ranmar_interleave i = {(uint64_t)options->instances,
                                        options->prefetch ? (uint64_t)options->prefetch
                                                          : RANMAR_DEFAULT_PREFETCH};
    const uint64_t shortest = ranmar_part_of(i, i.instances - 1).length;
    const uint64_t blocks = shortest > 1 ? (first + shortest - 1) / shortest : first;
    return blocks * i.block;
}

/* Starts a sequence at options->position. RMMAQD reports `counters` for the position `start`. */
static int start_at(const char *routine, int id, const gpuranmar_options *options,
                    const struct ranmar_counters *counters, uint64_t start)
{
    struct sequence *const q = sequence(id);
    gpuranmar_stream *stream = NULL;
    int error = check_id(routine, id, RANMAR_SEQUENCES_MAX);
    if (!error)
        error = ranmar_stream_open(&stream, options, NULL, routine);
    if (error)
        return error;
    close_sequence(id);
    q->stream = stream;
    q->counters = *counters;
    q->start = start;
    stream->delivered.id = id;
    ranmar_buffer_place(&stream->buffer, (char *)(grncom_.buffer[id - 1] + RANMAR_BUFFER),
                        &grncom_.pos[id - 1]);
    if (!__atomic_load_n(&ranmar_sequences, __ATOMIC_RELAXED))
        __atomic_store_n(&ranmar_sequences, ranmar_settings()->sequences, __ATOMIC_RELAXED);
    ranmar_log("process %ld, sequence %d: seed %" PRId64 ", position %" PRIu64 ", %s, %" PRId64
               " instance(s), prefetch %" PRId64 ", %d thread(s)",
               (long)getpid(), id, options->seed, options->position,
               ranmar_flavour_name(options->flavour), options->instances, stream->options.prefetch,
               stream->options.threads);
    return GPURANMAR_OK;
}

int ranmar_sequence_start(const char *routine, int id, const gpuranmar_options *options,
                          const struct ranmar_counters *counters)
{
    gpuranmar_options later = *options;
    const uint64_t first = first_position(options);
    if (later.position < first) /* RMMAQD's counters include this skip */
        later.position = first;
    return start_at(routine, id, &later, counters, options->position);
}

/* --- Drawing --- */

int ranmar_sequence_refill(const char *routine, int id)
{
    const int error = check_set(routine, id);
    if (!error && grncom_.pos[id - 1] == 0)
        ranmar_stream_refill(sequences[id - 1].stream);
    return error;
}

static int check_draw(const char *routine, int id, const double *out, size_t n)
{
    const int error = check_set(routine, id);
    if (!error && !out && n > 0)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: out is a null pointer", routine);
    return error ? error
                 : ranmar_check_count(routine, ranmar_stream_position(sequence(id)->stream), n);
}

int ranmar_sequence_get(const char *routine, int id, double *out, size_t n)
{
    const int error = check_draw(routine, id, out, n);
    if (!error)
        ranmar_stream_get(sequence(id)->stream, out, n);
    return error;
}

int ranmar_sequence_fill(const char *routine, int id, double *out, size_t n)
{
    const int error = check_draw(routine, id, out, n);
    if (!error)
        ranmar_stream_fill(sequence(id)->stream, out, n);
    return error;
}

int ranmar_sequence_report(const char *routine, int id, struct ranmar_counters *now)
{
    const int error = check_set(routine, id);
    if (error)
        return error;
    *now = sequence(id)->counters;
    ranmar_counters_move(now, ranmar_stream_position(sequence(id)->stream) - sequence(id)->start);
    return GPURANMAR_OK;
}

int ranmar_sequence_state(const char *routine, int id, struct ranmar_state *state)
{
    const int error = check_set(routine, id);
    if (error)
        return error;
    const struct sequence *const q = sequence(id);
    if (q->stream->options.instances > 1)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT,
                            "%s: sequence = %d has %" PRId64
                            " instances, which a Fortran state of 103 words cannot hold",
                            routine, id, q->stream->options.instances);
    ranmar_states_get(&q->stream->states, ranmar_stream_position(q->stream), state);
    return GPURANMAR_OK;
}

int ranmar_sequence_set_state(const char *routine, int id, const struct ranmar_state *state,
                              const struct ranmar_counters *counters)
{
    gpuranmar_options options = ranmar_sequence_options();
    options.seed = ranmar_sequence_seed(&options, counters->ijkl);
    options.position = ranmar_count_of(counters->ntot, counters->ntot2);
    if (options.instances > 1)
        return ranmar_error(
            GPURANMAR_BAD_ARGUMENT,
            "%s: a Fortran state of 103 words cannot be read with GPURANMAR_INSTANCES = "
            "%" PRId64,
            routine, options.instances);
    /* A state keeps its own position: GPURANMAR_START_POSITION is for seeds. */
    const int error = start_at(routine, id, &options, counters, options.position);
    if (!error)
        ranmar_stream_set_state(sequence(id)->stream, state, options.position);
    return error;
}
