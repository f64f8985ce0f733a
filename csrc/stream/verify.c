/* The shadow check: verify.h describes it. */
#include "stream/verify.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fill/fill.h"
#include "stream/counter.h"
#include "stream/settings.h"

/* Numbers are chosen in segments, which begin at multiples of SEGMENT. To jump to a segment takes
 * about as long as to make a quarter of it. They are compared in pieces of PIECE numbers. */
enum { SEGMENT = 8192, PIECE = 256 };

struct ranmar_verify {
    struct ranmar_states states; /* each instance stands after its last checked number */
    uint64_t salt, count;
    int64_t seed;
    int sequence; /* id of a numbered sequence, else 0 */
};

/* --- Which numbers are chosen --- */

/* The last step of SplitMix64: each of the 64 bits depends on all bits of the key (Steele, Lea,
 * Flood, OOPSLA 2014, 453). */
static uint64_t mix(uint64_t key)
{
    key = (key ^ key >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    key = (key ^ key >> 27) * UINT64_C(0x94d049bb133111eb);
    return key ^ key >> 31;
}

/* A number that differs between checks, within a process and between processes. */
static uint64_t new_salt(void)
{
    static atomic_uint count;
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return mix(mix((uint64_t)t.tv_sec << 30 ^ (uint64_t)t.tv_nsec) + (uint64_t)getpid()) + ++count;
}

static int is_chosen(uint64_t salt, uint64_t segment)
{
    const uint64_t u = mix(salt + segment * UINT64_C(0x9e3779b97f4a7c15)) >> 32;
    return (u * RANMAR_SHARE_ALL) >> 32 < (uint64_t)ranmar_settings()->verify;
}

int ranmar_verify_wanted(void)
{
    return ranmar_settings()->verify > 0;
}

/* --- The check --- */

/* Set at the first difference. Nothing is checked after that: a difference that is found while the
 * program ends would replace the first one's line. */
static atomic_int has_stopped;
static char failure[256];

const char *ranmar_verify_failure(void)
{
    return has_stopped ? failure : NULL;
}

static double value_of(const void *number, const struct ranmar_flavour *f)
{
    return f->bits == 24 ? (double)*(const float *)number : *(const double *)number;
}

static atomic_int program_ends, found_at_end;

/* Ends the program with a line. If a second thread finds a difference meanwhile, it waits for the
 * end. If the program is ending already, exit() must not be called again: the end goes on, and
 * end_with_failure() gives it the exit status of a failure. */
static void stop(const char *format, ...)
{
    static atomic_flag stopping = ATOMIC_FLAG_INIT;
    va_list arguments;
    if (atomic_flag_test_and_set(&stopping)) {
        if (program_ends) /* and this thread may be the one that ends it */
            return;
        for (;;)
            pause();
    }
    va_start(arguments, format);
    vsnprintf(failure, sizeof failure, format, arguments);
    va_end(arguments);
    has_stopped = 1;
    fprintf(stderr, "gpuranmar: GPURANMAR_VERIFY: %s\n", failure);
    if (!program_ends)
        exit(EXIT_FAILURE);
    found_at_end = 1;
}

void ranmar_verify_ends(void)
{
    program_ends = 1;
}

/* gfortran's FLUSH of all units, NULL if the program has no gfortran library. */
extern void _gfortran_flush_i4(int32_t *unit) __attribute__((weak));

/* Gives the program the exit status of a failure. It runs after all functions that were registered
 * by atexit(), the report's included. gfortran and C would write their buffers after it, so it has
 * them written here. */
__attribute__((destructor(101))) static void end_with_failure(void)
{
    if (!found_at_end)
        return;
    if (_gfortran_flush_i4)
        _gfortran_flush_i4(NULL);
    fflush(NULL);
    _exit(EXIT_FAILURE);
}

/* Compares n numbers with those that the definition makes from *state, which moves on. */
static void compare(struct ranmar_state *state, const struct ranmar_flavour *f, const char *whose,
                    uint64_t position, const char *numbers, uint64_t n)
{
    double defined[PIECE];
    const size_t size = ranmar_number_size(f);
    while (n > 0) {
        const size_t count = n < PIECE ? (size_t)n : PIECE;
        ranmar_fill_scalar(state, f, defined, count);
        if (memcmp(numbers, defined, count * size) != 0) {
            const char *wanted = (const char *)defined;
            for (; memcmp(numbers, wanted, size) == 0; numbers += size, wanted += size)
                ++position;
            const double got = value_of(numbers, f), right = value_of(wanted, f);
            stop("%s, position %" PRIu64
                 ": %.17g (%a) was delivered where the definition has %.17g (%a)",
                 whose, position, got, got, right, right);
            return;
        }
        numbers += count * size;
        position += count;
        n -= count;
    }
}

/* Writes which stream it is. */
static void name(const struct ranmar_verify *v, char whose[64])
{
    const int length = v->sequence ? snprintf(whose, 64, "sequence %d, ", v->sequence) : 0;
    snprintf(whose + length, 64 - (size_t)length, "seed %" PRIu64, (uint64_t)v->seed);
}

/* Checks up to n numbers, as far as one instance makes them; returns how many. */
static uint64_t check(struct ranmar_verify *v, uint64_t position, const char *numbers, uint64_t n)
{
    struct ranmar_states *const s = &v->states;
    uint64_t p = 0;
    if (s->interleave.instances > 1) {
        const uint64_t offset = position % s->interleave.block;
        p = ranmar_instance_at(s->interleave, offset);
        const struct ranmar_part part = ranmar_part_of(s->interleave, p);
        const uint64_t rest = part.start + part.length - offset;
        n = n < rest ? n : rest;
    }
    char whose[64];
    name(v, whose);
    ranmar_states_seek_instance(s, p, ranmar_made_of(s->interleave, p, position));
    compare(&s->state[p], s->flavour, whose, position, numbers, n);
    s->at[p] += n;
    ranmar_count_set(&v->count, v->count + n);
    return n;
}

void ranmar_verify(struct ranmar_verify *v, uint64_t position, const void *numbers, size_t n)
{
    const char *next = numbers;
    const size_t size = ranmar_number_size(v->states.flavour);
    while (n > 0 && !has_stopped) {
        const uint64_t rest = SEGMENT - position % SEGMENT;
        uint64_t count = n < rest ? n : rest;
        if (is_chosen(v->salt, position / SEGMENT))
            count = check(v, position, next, count);
        next += count * size;
        position += count;
        n -= (size_t)count;
    }
}

void ranmar_verify_made(const struct ranmar_state *before, const struct ranmar_flavour *f,
                        uint64_t position, const void *numbers, size_t n)
{
    struct ranmar_state state = *before;
    if (!has_stopped && is_chosen(new_salt(), 0))
        compare(&state, f, "an engine from its start on", position, numbers, n);
}

void ranmar_verify_damaged(const struct ranmar_verify *v)
{
    char whose[64];
    name(v, whose);
    if (!has_stopped)
        stop("%s: its position or its options have changed in memory", whose);
}

/* --- Opening and closing --- */

struct ranmar_verify *ranmar_verify_open(const struct ranmar_flavour *flavour,
                                         struct ranmar_interleave interleave, int64_t seed)
{
    struct ranmar_verify *const v = calloc(1, sizeof *v);
    if (!v || !ranmar_states_open(&v->states, flavour, interleave, seed)) {
        free(v);
        return NULL;
    }
    v->salt = new_salt();
    v->seed = seed;
    return v;
}

void ranmar_verify_close(struct ranmar_verify *v)
{
    if (!v)
        return;
    ranmar_states_close(&v->states);
    free(v);
}

void ranmar_verify_set_state(struct ranmar_verify *v, const struct ranmar_state *state,
                             uint64_t position)
{
    ranmar_states_set(&v->states, state, position);
}

void ranmar_verify_is_sequence(struct ranmar_verify *v, int id)
{
    v->sequence = id;
}

uint64_t ranmar_verify_count(const struct ranmar_verify *v)
{
    return ranmar_count_read(&v->count);
}
