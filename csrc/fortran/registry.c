/* The numbered sequences: registry.h describes the calls. */
#include "fortran/registry.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "definition/error.h"
#include "definition/flavour.h"
#include "fill/fill.h"
#include "stream/settings.h"
#include "stream/stream.h"

struct ranmar_windows grncom_ __attribute__((aligned(64)));
int ranmar_sequences;

static struct {
    gpuranmar_stream *stream; /* NULL before the sequence is set */
    struct ranmar_origin origin;
    uint64_t start;       /* the position to which `origin` belongs */
    size_t filled;        /* numbers that the window had when it was last filled or checked */
    pthread_mutex_t lock; /* for the shadow check, which may look while the program ends */
} sequences[RANMAR_SEQUENCES_MAX] = {
    [0 ... RANMAR_SEQUENCES_MAX - 1] = {.lock = PTHREAD_MUTEX_INITIALIZER}};

static int check_id(const char *routine, int id, int most)
{
    const char *error = ranmar_settings()->error;
    if (*error)
        return ranmar_error(GPURANMAR_BAD_SETTING, "%s: %s", routine, error);
    if (id < 1 || id > most)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: sequence = %d is not in 1..%d", routine,
                            id, most);
    return GPURANMAR_OK;
}

int ranmar_sequence_check(const char *routine, int id)
{
    return check_id(routine, id, ranmar_settings()->sequences);
}

int ranmar_sequence_is_set(int id)
{
    return id >= 1 && id <= RANMAR_SEQUENCES_MAX && sequences[id - 1].stream;
}

/* Refuses an id unless there is such a sequence and it has been started. One that has been started
 * needs no look at the settings: none can have been wrong. */
static int check_set(const char *routine, int id)
{
    if (ranmar_sequence_is_set(id))
        return GPURANMAR_OK;
    const int error = check_id(routine, id, RANMAR_SEQUENCES_MAX);
    return error ? error
                 : ranmar_error(GPURANMAR_NOT_SET, "%s: sequence = %d is used before it is set",
                                routine, id);
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

/* --- Windows, which the report looks at while threads draw --- */

/* How many numbers are left in the window. */
static size_t in_window(int id)
{
    return (size_t)-__atomic_load_n(&grncom_.pos[id - 1], __ATOMIC_RELAXED);
}

/* Records that the window has been filled with n numbers, which end at the stream's position. */
static void set_window(int id, size_t n)
{
    gpuranmar_stream *const stream = sequences[id - 1].stream;
    int32_t *const pos = &grncom_.pos[id - 1];
    if (stream && stream->record)
        ranmar_record_window(stream->record, ranmar_stream_position(stream), pos, -(int32_t)n);
    else
        __atomic_store_n(pos, -(int32_t)n, __ATOMIC_RELAXED);
}

/* The position of the number that is delivered next. */
static uint64_t position_of(int id)
{
    return ranmar_stream_position(sequences[id - 1].stream) - in_window(id);
}

/* --- The shadow check --- */

/* Locks out verify_windows() if there is a shadow check; returns whether it did. After a difference
 * was found nothing is checked any more, and the lock is left alone: the thread that has found it
 * may have called exit() with the lock held. */
static int lock(int id)
{
    return ranmar_verify_wanted() && !ranmar_verify_failure() &&
           pthread_mutex_lock(&sequences[id - 1].lock) == 0;
}

static void unlock(int id, int is_locked)
{
    if (is_locked)
        pthread_mutex_unlock(&sequences[id - 1].lock);
}

/* Checks what has been drawn from a window since it was filled or checked last: programs draw from
 * it without a call. The caller holds the sequence's lock. */
static void verify_window(int id)
{
    gpuranmar_stream *const stream = sequences[id - 1].stream;
    if (!stream || !stream->verify || sequences[id - 1].filled == 0)
        return;
    const size_t left = in_window(id), drawn = sequences[id - 1].filled - left;
    const double *const next = grncom_.buffer[id - 1] + RANMAR_WINDOW - left;
    ranmar_stream_delivered(stream, ranmar_stream_position(stream) - left - drawn, next - drawn,
                            drawn);
    sequences[id - 1].filled = left;
}

/* Checks all windows when the program ends. If a thread is just refilling a window, that thread
 * checks what was drawn before the refill; what is drawn after it is not checked. */
static void verify_windows(void)
{
    ranmar_verify_ends();
    for (int id = 1; id <= RANMAR_SEQUENCES_MAX; ++id)
        if (pthread_mutex_trylock(&sequences[id - 1].lock) == 0) {
            verify_window(id);
            pthread_mutex_unlock(&sequences[id - 1].lock);
        }
}

/* In a forked process: threads of the parent may have held the locks. */
static void renew_locks(void)
{
    for (int id = 1; id <= RANMAR_SEQUENCES_MAX; ++id)
        pthread_mutex_init(&sequences[id - 1].lock, NULL);
}

static void verify_windows_at_exit(void)
{
    pthread_atfork(NULL, NULL, renew_locks);
    atexit(verify_windows);
}

/* To be called before the window of a set sequence changes. If there is a shadow check, locks the
 * sequence and checks what was drawn from its window. Returns whether it is locked, for unlock().
 */
static int lock_and_verify(int id)
{
    if (!sequences[id - 1].stream->verify)
        return 0;
    const int is_locked = lock(id);
    verify_window(id);
    return is_locked;
}

static void start_verifying(int id)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, verify_windows_at_exit);
    ranmar_verify_is_sequence(sequences[id - 1].stream->verify, id);
}

/* --- Starting and closing --- */

static void close_sequence(int id)
{
    const int is_locked = lock(id);
    verify_window(id);
    ranmar_stream_close(sequences[id - 1].stream);
    sequences[id - 1].stream = NULL;
    sequences[id - 1].filled = 0;
    set_window(id, 0);
    unlock(id, is_locked);
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
    gpuranmar_stream *stream = NULL;
    int error = check_id(routine, id, RANMAR_SEQUENCES_MAX);
    if (!error)
        error = ranmar_stream_open(&stream, options, routine);
    if (error)
        return error;
    close_sequence(id);
    const int is_locked = lock(id);
    sequences[id - 1].stream = stream;
    sequences[id - 1].origin = *origin;
    sequences[id - 1].start = given;
    unlock(id, is_locked);
    if (stream->verify)
        start_verifying(id);
    if (!__atomic_load_n(&ranmar_sequences, __ATOMIC_RELAXED))
        __atomic_store_n(&ranmar_sequences, ranmar_settings()->sequences, __ATOMIC_RELAXED);
    if (stream->record)
        ranmar_record_is_sequence(stream->record, id, &grncom_.pos[id - 1]);
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

/* Draws numbers for a window. If the prefetch is larger than the window, they are made into the
 * stream's cache and copied from there. Otherwise they go straight to the window, which is the
 * cache then. */
static void draw(gpuranmar_stream *stream, double *out, size_t n)
{
    if (stream->options.prefetch > RANMAR_WINDOW)
        ranmar_stream_get(stream, out, n);
    else
        ranmar_stream_fill(stream, out, n);
}

static size_t window_size(const gpuranmar_stream *stream)
{
    return stream->options.prefetch < RANMAR_WINDOW ? (size_t)stream->options.prefetch
                                                    : (size_t)RANMAR_WINDOW;
}

static void refill(int id)
{
    gpuranmar_stream *stream = sequences[id - 1].stream;
    const size_t size = window_size(stream);
    const int is_locked = lock_and_verify(id);
    draw(stream, grncom_.buffer[id - 1] + RANMAR_WINDOW - size, size);
    set_window(id, size);
    sequences[id - 1].filled = size;
    unlock(id, is_locked);
}

/* A function by which a stream gives n > 0 numbers. */
typedef void straight_function(gpuranmar_stream *stream, double *out, size_t n);

/* Delivers numbers straight to the program. The window must be empty. */
static void deliver_straight(int id, straight_function *function, double *out, size_t n)
{
    gpuranmar_stream *const stream = sequences[id - 1].stream;
    const int is_locked = lock_and_verify(id);
    function(stream, out, n);
    set_window(id, 0);
    ranmar_stream_delivered(stream, ranmar_stream_position(stream) - n, out, n);
    unlock(id, is_locked);
}

static void fill(gpuranmar_stream *stream, double *out, size_t n)
{
    ranmar_stream_fill(stream, out, n);
}

/* Takes up to n numbers from the window; returns how many. */
static size_t take(int id, double *out, size_t n)
{
    int32_t *const pos = &grncom_.pos[id - 1];
    const size_t left = in_window(id), count = n < left ? n : left;
    if (count > 0)
        memcpy(out, ranmar_window_next(id), count * sizeof *out);
    __atomic_store_n(pos, *pos + (int32_t)count, __ATOMIC_RELAXED);
    return count;
}

int ranmar_sequence_refill(const char *routine, int id)
{
    const int error = check_set(routine, id);
    if (!error && in_window(id) == 0)
        refill(id);
    return error;
}

static int check_draw(const char *routine, int id, const double *out, size_t n)
{
    const int error = check_set(routine, id);
    if (!error && !out && n > 0)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: out is a null pointer", routine);
    return error ? error : ranmar_check_count(routine, position_of(id), n);
}

int ranmar_sequence_get(const char *routine, int id, double *out, size_t n)
{
    const int error = check_draw(routine, id, out, n);
    if (error)
        return error;
    const size_t taken = take(id, out, n);
    out += taken;
    n -= taken;
    /* To start another fill costs less than to copy three eighths of a window or more. */
    if (n > 0 && n >= window_size(sequences[id - 1].stream) * 3 / 8) {
        deliver_straight(id, draw, out, n);
    } else if (n > 0) {
        refill(id);
        take(id, out, n);
    }
    return GPURANMAR_OK;
}

int ranmar_sequence_fill(const char *routine, int id, double *out, size_t n)
{
    const int error = check_draw(routine, id, out, n);
    if (!error) {
        const size_t taken = take(id, out, n);
        if (n > taken)
            deliver_straight(id, fill, out + taken, n - taken);
    }
    return error;
}

int ranmar_sequence_report(const char *routine, int id, struct ranmar_origin *now)
{
    const int error = check_set(routine, id);
    if (error)
        return error;
    *now = sequences[id - 1].origin;
    ranmar_origin_move(now, position_of(id) - sequences[id - 1].start);
    return GPURANMAR_OK;
}

static int check_single_instance(const char *routine, int id)
{
    const int error = check_set(routine, id);
    if (!error && sequences[id - 1].stream->options.instances > 1)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT,
                            "%s: sequence = %d has %" PRId64
                            " instances, which a Fortran state of 103 words cannot hold",
                            routine, id, sequences[id - 1].stream->options.instances);
    return error;
}

int ranmar_sequence_state(const char *routine, int id, struct ranmar_state *state)
{
    const int error = check_single_instance(routine, id);
    if (!error) {
        const gpuranmar_stream *stream = sequences[id - 1].stream;
        ranmar_stream_state(stream, state);
        ranmar_rewind(state, stream->flavour, in_window(id));
    }
    return error;
}

int ranmar_sequence_set_state(const char *routine, int id, const struct ranmar_state *state,
                              const struct ranmar_origin *origin)
{
    gpuranmar_options options = ranmar_sequence_options();
    options.seed = origin->ijkl;
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
        ranmar_stream_set_state(sequences[id - 1].stream, state, options.position);
    return error;
}
