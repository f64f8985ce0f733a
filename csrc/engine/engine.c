/* Engines: gpuranmar_engine.h describes them.
 *
 * A fill replaces a zero by the smallest number, 2^-24 or 2^-48. An engine with another rule for
 * zeros must find the replaced zeros, but the generator also makes the smallest number itself. So
 * the engine rewinds to the state of each smallest number, and computes the number again without
 * the replacement. That is rare: twice in 2^24 numbers of 24 bits. */
#include "gpuranmar_engine.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/verify.h"
#include "base/error.h"
#include "base/ranges.h"
#include "definition/flavour.h"
#include "definition/fortran_state.h"
#include "definition/jump.h"
#include "fill/fill.h"
#include "settings/log.h"
#include "settings/settings.h"

_Static_assert(sizeof(gpuranmar_engine) == 16 + 16 + 98 * 8 + 8 * GPURANMAR_ENGINE_WINDOW,
               "programs that were compiled with an earlier version rely on the layout");

/* Larger requests are made in batches of this many numbers. A batch is still in the cache when it
 * is searched for zeros. */
enum { BATCH = 1 << 16 };

static const struct ranmar_flavour *flavour_of(const gpuranmar_engine *e)
{
    return ranmar_flavour(e->flavour);
}

/* --- Starting --- */

static int check_engine(const char *routine, const gpuranmar_engine *engine, int flavour, int zero)
{
    if (!engine)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: engine is a null pointer", routine);
    const struct ranmar_settings *settings = ranmar_settings();
    if (*settings->error)
        return ranmar_error(GPURANMAR_BAD_SETTING, "%s: %s", routine, settings->error);
    if (!ranmar_flavour(flavour))
        return ranmar_error(GPURANMAR_BAD_ARGUMENT,
                            "%s: flavour = %d is none of enum gpuranmar_flavour", routine, flavour);
    if (zero < GPURANMAR_ZERO_SMALLEST || zero > GPURANMAR_ZERO_HALF)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: zero = %d is none of enum gpuranmar_zero",
                            routine, zero);
    if (zero == GPURANMAR_ZERO_U2 && flavour != GPURANMAR_SINGLE)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: zero = %d, 2^-24 U(2), needs flavour = %d",
                            routine, zero, GPURANMAR_SINGLE);
    return GPURANMAR_OK;
}

/* Warns once per process about settings that change numbers and that engines ignore. */
static void warn_of_ignored_settings(const char *routine, int flavour)
{
    static atomic_flag is_warned = ATOMIC_FLAG_INIT;
    const struct ranmar_settings *const s = ranmar_settings();
    const int other = getenv("GPURANMAR_FLAVOUR") && s->flavour != flavour;
    if ((other || s->instances > 1 || s->start_position > 0) &&
        !atomic_flag_test_and_set(&is_warned))
        fprintf(stderr, "gpuranmar: %s ignores%s%s%s which only RMMARD and RMMAQD use\n", routine,
                other ? " GPURANMAR_FLAVOUR," : "", s->instances > 1 ? " GPURANMAR_INSTANCES," : "",
                s->start_position > 0 ? " GPURANMAR_START_POSITION," : "");
}

static void set_engine_state(gpuranmar_engine *e, const struct ranmar_state *state, uint64_t made,
                             int i97)
{
    memcpy(e->x, state->x, sizeof e->x);
    e->c = state->c;
    e->made = made;
    e->i97 = i97;
}

static void start_engine(gpuranmar_engine *e, const char *routine, int flavour, int zero, int i97,
                         const struct ranmar_state *state)
{
    ranmar_log_banner();
    warn_of_ignored_settings(routine, flavour);
    e->left = 0;
    e->flavour = flavour;
    e->zero = zero;
    e->stride = 1;
    set_engine_state(e, state, 0, i97);
}

int gpuranmar_engine_start(gpuranmar_engine *engine, const char *routine, int flavour, int zero,
                           int64_t seed, uint64_t skip)
{
    int error = check_engine(routine, engine, flavour, zero);
    if (!error)
        error = ranmar_check_seed(routine, ranmar_flavour(flavour), seed);
    if (!error)
        error = ranmar_check_position(routine, "numbers to skip", skip);
    if (error)
        return error;
    struct ranmar_state state;
    ranmar_start(&state, ranmar_flavour(flavour), seed, 0);
    ranmar_jump_by(NULL, skip, ranmar_flavour(flavour), &state);
    start_engine(engine, routine, flavour, zero, ranmar_index_after(RANMAR_LONG_LAG, skip), &state);
    ranmar_log("%s: an engine of flavour %s starts from seed %" PRIu64 " at position %" PRIu64,
               routine, ranmar_flavour_name(flavour), (uint64_t)seed, skip);
    return GPURANMAR_OK;
}

int gpuranmar_engine_start_pair(gpuranmar_engine *engine, const char *routine, int flavour,
                                int zero, int ij, int kl, uint64_t skip)
{
    int64_t seed;
    const int error = ranmar_seed_of_pair(routine, ij, kl, &seed);
    return error ? error : gpuranmar_engine_start(engine, routine, flavour, zero, seed, skip);
}

int gpuranmar_engine_adopt(gpuranmar_engine *engine, const char *routine, int flavour, int zero,
                           const gpuranmar_engine_state *state)
{
    int error = check_engine(routine, engine, flavour, zero);
    if (!error && !state)
        error = ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: state is a null pointer", routine);
    if (error)
        return error;
    struct ranmar_fortran_state kept = {.i97 = state->i97, .j97 = state->j97, .c = state->c};
    struct ranmar_counters counters = {0};
    struct ranmar_state words;
    memcpy(kept.u, state->u, sizeof kept.u);
    error = ranmar_from_fortran_state(routine, &kept, ranmar_flavour(flavour), &counters, &words);
    if (error)
        return error;
    start_engine(engine, routine, flavour, zero, counters.i97, &words);
    ranmar_log("%s: an engine of flavour %s goes on from a state", routine,
               ranmar_flavour_name(flavour));
    return GPURANMAR_OK;
}

/* --- States --- */

/* The state n numbers before the end of the buffer. Ends the program if the engine was not started:
 * the words of such an engine are all zero, so its numbers would be those of the arithmetic part
 * alone. Its buffer is empty, so each call that delivers or skips a number comes here. */
static void state_before(const gpuranmar_engine *e, uint64_t n, struct ranmar_state *state)
{
    if (!gpuranmar_engine_is_started(e))
        gpuranmar_stop("gpuranmar_engine: an engine is used before it is started");
    memcpy(state->x, e->x, sizeof state->x);
    state->c = e->c;
    if (n > 0) /* a refill's state stands where the buffer ends */
        ranmar_rewind(state, flavour_of(e), n);
}

/* The ring index n numbers before the end of the buffer. ranmar_index_after() only goes forward,
 * and a step back by n is a step forward by 97 - n mod 97. */
static int i97_before(const gpuranmar_engine *e, uint64_t n)
{
    return ranmar_index_after(e->i97, RANMAR_LONG_LAG - n % RANMAR_LONG_LAG);
}

/* The state n numbers before the end of the buffer, as a Fortran state. */
static void fortran_state_before(const gpuranmar_engine *e, uint64_t n,
                                 struct ranmar_fortran_state *s)
{
    struct ranmar_state state;
    state_before(e, n, &state);
    const struct ranmar_counters now = {0, 0, 0, i97_before(e, n)};
    ranmar_to_fortran_state(&now, &state, flavour_of(e), s);
}

void gpuranmar_engine_report(const gpuranmar_engine *engine, gpuranmar_engine_state *state)
{
    struct ranmar_fortran_state s;
    fortran_state_before(engine, (uint64_t)engine->left * engine->stride, &s);
    memcpy(state->u, s.u, sizeof state->u);
    state->c = s.c;
    state->i97 = s.i97;
    state->j97 = s.j97;
}

/* --- Numbers --- */

/* Whether any of n numbers may be the smallest number, and so may have been a zero. All numbers are
 * multiples of the smallest one, so no other number has its highest 32 bits. The function compares
 * all words of 32 bits, since compilers vectorise such comparisons better than those of doubles.
 * The lower half of a double equals these 32 bits by chance with a probability of 2^-24. */
static int may_have_zeros(const gpuranmar_engine *e, const void *out, size_t n)
{
    const int is_single = flavour_of(e)->bits == 24;
    const uint32_t smallest = is_single ? 0x33800000 : 0x3cf00000;
    const size_t count = is_single ? n : 2 * n;
    uint32_t found = 0;
    for (size_t i = 0; i < count; ++i) {
        uint32_t word;
        memcpy(&word, (const char *)out + i * sizeof word, sizeof word);
        found |= word == smallest;
    }
    return found != 0;
}

/* The number by which the rule replaces a zero; n is how many numbers were made after the zero. */
static double value_of_zero(const gpuranmar_engine *e, uint64_t n)
{
    struct ranmar_fortran_state s;
    switch (e->zero) {
    case GPURANMAR_ZERO_U2:
        fortran_state_before(e, n, &s);
        return s.u[1] > 0 ? 0x1p-24 * s.u[1] : 0x1p-48;
    case GPURANMAR_ZERO_HALF:
        return flavour_of(e)->bits == 24 ? 0x1p-25 : 0x1p-49;
    default:
        return 0;
    }
}

/* Treats the zeros among the n numbers at out, which are the last ones made. If zeros are redrawn,
 * the engine goes back to before the first zero. Returns how many numbers stay. */
static size_t treat_zeros(gpuranmar_engine *e, void *out, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        const size_t size = ranmar_number_size(flavour_of(e)), behind = n - 1 - i;
        char *const number = (char *)out + i * size;
        if (!may_have_zeros(e, number, 1))
            continue;
        struct ranmar_state state;
        state_before(e, behind, &state);
        const uint64_t *const last = &state.x[RANMAR_LONG_LAG - 1];
        if (*last - state.c != ranmar_mask(last, flavour_of(e)))
            continue;
        if (e->zero == GPURANMAR_ZERO_REDRAW) {
            state_before(e, behind + 1, &state);
            set_engine_state(e, &state, e->made - behind - 1, i97_before(e, behind + 1));
            return i;
        }
        const double u = value_of_zero(e, behind);
        if (size == sizeof(float))
            *(float *)number = (float)u;
        else
            *(double *)number = u;
    }
    return n;
}

/* Makes the next n numbers by `fill`, which replaces a zero by the smallest number. */
static void make_plain(gpuranmar_engine *e, ranmar_fill_function *fill, void *out, size_t n)
{
    struct ranmar_state state;
    state_before(e, 0, &state);
    struct ranmar_state before;
    const int is_checked = ranmar_settings()->verify > 0;
    if (is_checked)
        before = state;
    fill(&state, flavour_of(e), out, n);
    if (is_checked)
        ranmar_verify_made(&before, flavour_of(e), e->made, out, n);
    set_engine_state(e, &state, e->made + n, ranmar_index_after(e->i97, n));
}

/* Makes n numbers, or 1 to n numbers if zeros are redrawn. Returns how many. The numbers end
 * before a zero that is redrawn. The next call discards that zero, as the original does. So the
 * state between the two calls is the original's. */
static size_t make_treated(gpuranmar_engine *e, ranmar_fill_function *fill, void *out, size_t n)
{
    for (;;) {
        make_plain(e, fill, out, n);
        if (e->zero == GPURANMAR_ZERO_SMALLEST || !may_have_zeros(e, out, n))
            return n;
        const size_t stay = treat_zeros(e, out, n);
        if (stay > 0)
            return stay;
        make_plain(e, fill, out, 1);
    }
}

/* Writes the first number of each stride to out, for as many whole strides as a buffer holds, but
 * at least one. Returns how many. The strides are made in pieces as long as a buffer. All numbers
 * that are written lie in the first piece; later pieces only move the engine on. make_treated()
 * always makes a whole piece here, since no engine with a stride above 1 redraws zeros. */
static size_t make_strides(gpuranmar_engine *e, char *out)
{
    enum { PIECE = GPURANMAR_ENGINE_WINDOW };
    const size_t size = ranmar_number_size(flavour_of(e));
    const size_t n = e->stride < PIECE ? PIECE / (size_t)e->stride : 1;
    double piece[PIECE];
    uint64_t left = n * e->stride;
    for (size_t i = 0; left > 0; left -= left < PIECE ? left : PIECE) {
        make_treated(e, ranmar_fill, piece, left < PIECE ? (size_t)left : PIECE);
        for (; i < n; ++i)
            memcpy(out + i * size, (char *)piece + i * e->stride * size, size);
    }
    return n;
}

/* The numbers go to the end of the buffer, since `left` counts from there. */
void gpuranmar_engine_refill(gpuranmar_engine *engine)
{
    const size_t size = ranmar_number_size(flavour_of(engine));
    char *const buffer = (char *)&engine->window;
    const size_t n = engine->stride > 1
                         ? make_strides(engine, buffer)
                         : make_treated(engine, ranmar_fill, buffer, GPURANMAR_ENGINE_WINDOW);
    memmove(buffer + (GPURANMAR_ENGINE_WINDOW - n) * size, buffer, n * size);
    engine->left = (int32_t)n;
}

/* Takes up to n numbers of the buffer, which is refilled if it is empty. Sets *from to the first
 * of them, in the flavour's own precision; returns how many. */
static size_t take_from_buffer(gpuranmar_engine *e, size_t n, const void **from)
{
    if (e->left == 0)
        gpuranmar_engine_refill(e);
    const size_t count = n < (size_t)e->left ? n : (size_t)e->left;
    *from = (char *)&e->window +
            (size_t)(GPURANMAR_ENGINE_WINDOW - e->left) * ranmar_number_size(flavour_of(e));
    e->left -= (int32_t)count;
    return count;
}

/* Writes the next n numbers in the flavour's own precision. A large request bypasses the buffer,
 * unless the engine was split. The size of the whole request chooses the loop, since each batch has
 * fewer than RANMAR_ARRAY numbers. */
static void deliver_buffered(gpuranmar_engine *e, void *vector, size_t n)
{
    const size_t size = ranmar_number_size(flavour_of(e));
    ranmar_fill_function *const fill = n < RANMAR_ARRAY ? ranmar_fill : ranmar_fill_array;
    char *out = vector;
    for (size_t count; n > 0; n -= count, out += count * size) {
        if (e->left == 0 && n >= GPURANMAR_ENGINE_WINDOW && e->stride == 1) {
            count = make_treated(e, fill, out, n < BATCH ? n : BATCH);
        } else {
            const void *from;
            count = take_from_buffer(e, n, &from);
            memcpy(out, from, count * size);
        }
    }
}

/* Writes the next n numbers in the other precision. */
static void deliver_converted(gpuranmar_engine *e, void *out, size_t n)
{
    const int is_single = flavour_of(e)->bits == 24;
    for (size_t done = 0, count; done < n; done += count) {
        const void *from;
        count = take_from_buffer(e, n - done, &from);
        if (is_single)
            for (size_t i = 0; i < count; ++i)
                ((double *)out)[done + i] = ((const float *)from)[i];
        else
            for (size_t i = 0; i < count; ++i)
                ((float *)out)[done + i] = (float)((const double *)from)[i];
    }
}

void gpuranmar_engine_fill(gpuranmar_engine *engine, double *out, size_t n)
{
    (flavour_of(engine)->bits == 48 ? deliver_buffered : deliver_converted)(engine, out, n);
}

void gpuranmar_engine_fill_single(gpuranmar_engine *engine, float *out, size_t n)
{
    (flavour_of(engine)->bits == 24 ? deliver_buffered : deliver_converted)(engine, out, n);
}

void gpuranmar_engine_skip(gpuranmar_engine *engine, uint64_t n)
{
    const uint64_t left = (uint64_t)engine->left;
    if (n <= left) {
        engine->left -= (int32_t)n;
        return;
    }
    struct ranmar_state state;
    state_before(engine, 0, &state);
    engine->left = 0;
    n -= left;
    for (uint64_t count; n > 0; n -= count) {
        count = n < UINT64_MAX / engine->stride ? n : UINT64_MAX / engine->stride;
        const uint64_t numbers = count * engine->stride;
        ranmar_jump_by(NULL, numbers, flavour_of(engine), &state);
        set_engine_state(engine, &state, engine->made + numbers,
                         ranmar_index_after(engine->i97, numbers));
    }
}

/* --- Leapfrog --- */

int gpuranmar_engine_split(gpuranmar_engine *engine, const char *routine, uint64_t s, uint64_t n)
{
    if (!engine || !gpuranmar_engine_is_started(engine))
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: the engine to split is not started",
                            routine);
    if (engine->zero == GPURANMAR_ZERO_REDRAW && s > 1)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT,
                            "%s: an engine whose zeros are redrawn cannot be split", routine);
    const uint64_t most = RANMAR_STRIDE_MAX / engine->stride;
    if (s < 1 || s > most)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT,
                            "%s: s = %" PRIu64 " of split is not in 1..%" PRIu64, routine, s, most);
    if (n >= s)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT,
                            "%s: n = %" PRIu64 " of split is not in 0..%" PRIu64, routine, n,
                            s - 1);
    gpuranmar_engine_skip(engine, n);
    /* The buffer has numbers of the former stride. The engine goes back to the first of them. */
    struct ranmar_state state;
    const uint64_t back = (uint64_t)engine->left * engine->stride;
    state_before(engine, back, &state);
    set_engine_state(engine, &state, engine->made - back, i97_before(engine, back));
    engine->left = 0;
    engine->stride *= s;
    if (s > 1)
        ranmar_log("%s: the engine goes on with number %" PRIu64 " of each %" PRIu64, routine, n,
                   s);
    return GPURANMAR_OK;
}
