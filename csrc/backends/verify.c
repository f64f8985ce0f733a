/* Checks numbers by the plain definition: verify.h describes it. */
#include "backends/verify.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "backends/backend.h"
#include "base/error.h"
#include "definition/flavour.h"
#include "fill/fill.h"
#include "settings/settings.h"

/* Numbers are chosen in chunks, which begin at multiples of CHUNK. A jump to a chunk takes about as
 * long as making a quarter of the chunk. Numbers are compared in batches of BATCH. */
enum { CHUNK = 8192, BATCH = 256 };

/* --- Which numbers are chosen --- */

/* The last step of SplitMix64: each of the 64 bits depends on all bits of the key (Steele, Lea,
 * Flood, OOPSLA 2014, 453). */
static uint64_t mix(uint64_t key)
{
    key = (key ^ key >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    key = (key ^ key >> 27) * UINT64_C(0x94d049bb133111eb);
    return key ^ key >> 31;
}

/* A number made of time and process, so that checks do not all choose the same chunks. */
static uint64_t new_salt(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return mix(mix((uint64_t)t.tv_sec << 30 ^ (uint64_t)t.tv_nsec) + (uint64_t)getpid());
}

static int is_chosen(uint64_t salt, uint64_t chunk)
{
    const uint64_t u = mix(salt + chunk * UINT64_C(0x9e3779b97f4a7c15)) >> 32;
    return (u * RANMAR_SHARE_ALL) >> 32 < (uint64_t)ranmar_settings()->verify;
}

/* --- The comparison --- */

/* Set at the first difference. Later ones are not reported: the program is ending, and functions
 * that run at its end may still draw. */
static atomic_flag is_found = ATOMIC_FLAG_INIT;

static double value_of(const void *number, const struct ranmar_flavour *f)
{
    return f->bits == 24 ? (double)*(const float *)number : *(const double *)number;
}

/* Compares n numbers with those that the definition makes from *state, which moves on. The line on
 * a difference names the sequence and the back end that made the number. */
static void compare_with_definition(struct ranmar_state *state, const struct ranmar_flavour *f,
                                    const char *sequence, const char *backend, uint64_t position,
                                    const char *numbers, uint64_t n)
{
    double defined[BATCH];
    const size_t size = ranmar_number_size(f);
    while (n > 0) {
        const size_t count = n < BATCH ? (size_t)n : BATCH;
        ranmar_fill_scalar(state, f, defined, count);
        if (memcmp(numbers, defined, count * size) != 0) {
            const char *wanted = (const char *)defined;
            for (; memcmp(numbers, wanted, size) == 0; numbers += size, wanted += size)
                ++position;
            const double got = value_of(numbers, f), right = value_of(wanted, f);
            if (atomic_flag_test_and_set(&is_found))
                return;
            ranmar_error(GPURANMAR_BAD_STATE,
                         "GPURANMAR_VERIFY: %s, position %" PRIu64 ": %s made %.17g (%a) where the "
                         "definition has %.17g (%a)",
                         sequence, position, backend, got, got, right, right);
            ranmar_stop();
        }
        numbers += count * size;
        position += count;
        n -= count;
    }
}

void ranmar_verify_made(const struct ranmar_state *before, const struct ranmar_flavour *f,
                        uint64_t position, const void *numbers, size_t n)
{
    struct ranmar_state state = *before;
    if (is_chosen(new_salt(), 0))
        compare_with_definition(&state, f, "an engine from its start on", "cpu", position, numbers,
                                n);
}

/* --- The back end --- */

struct verifying_backend {
    struct ranmar_backend calls;
    struct ranmar_states states; /* each instance stands after its last checked number */
    uint64_t salt;
};

/* Checks n numbers, or fewer if an instance's part of the block ends earlier; returns how many. */
static uint64_t check_part(struct ranmar_states *s, const char *backend, uint64_t position,
                           const char *numbers, uint64_t n)
{
    uint64_t p = 0;
    if (s->interleave.instances > 1) {
        const uint64_t offset = position % s->interleave.block;
        p = ranmar_instance_at(s->interleave, offset);
        const struct ranmar_part part = ranmar_part_of(s->interleave, p);
        const uint64_t rest = part.start + part.length - offset;
        n = n < rest ? n : rest;
    }
    char sequence[32];
    snprintf(sequence, sizeof sequence, "seed %" PRIu64, (uint64_t)s->seed);
    ranmar_states_seek_instance(s, p, ranmar_made_of(s->interleave, p, position));
    compare_with_definition(&s->state[p], s->flavour, sequence, backend, position, numbers, n);
    s->at[p] += n;
    return n;
}

/* Checks the chosen chunks among n numbers. If the stream continues from a set state and not from
 * its seed, the check starts from that state too. */
static void check_chunks(struct verifying_backend *c, const struct ranmar_states *of,
                         const char *backend, uint64_t position, const void *numbers, size_t n)
{
    const char *next = numbers;
    const size_t size = ranmar_number_size(of->flavour);
    if (of->is_set && !c->states.is_set)
        ranmar_states_set(&c->states, &of->set_state, of->set_position);
    while (n > 0) {
        const uint64_t rest = CHUNK - position % CHUNK;
        uint64_t count = n < rest ? n : rest;
        if (is_chosen(c->salt, position / CHUNK))
            count = check_part(&c->states, backend, position, next, count);
        next += count * size;
        position += count;
        n -= (size_t)count;
    }
}

static void fill_and_check(struct ranmar_backend *b, struct ranmar_states *states,
                           uint64_t position, void *out, size_t n)
{
    const struct ranmar_backend *by = b->next;
    const uint64_t before = by->times;
    b->next->fill(b->next, states, position, out, n);
    if (by->times == before)
        by = by->next;
    check_chunks((struct verifying_backend *)b, states, by->name, position, out, n);
}

static const void *give_and_check(struct ranmar_backend *b, struct ranmar_states *states,
                                  uint64_t position, size_t n)
{
    struct ranmar_backend *const by = b->next;
    const void *const numbers = by->in_place ? by->in_place(by, states, position, n) : NULL;
    if (numbers)
        check_chunks((struct verifying_backend *)b, states, by->name, position, numbers, n);
    return numbers;
}

static void close_verifying_backend(struct ranmar_backend *b)
{
    ranmar_states_close(&((struct verifying_backend *)b)->states);
    free(b);
}

struct ranmar_backend *ranmar_verifying_backend(const gpuranmar_options *options)
{
    struct verifying_backend *const c = calloc(1, sizeof *c);
    const struct ranmar_interleave interleave = {(uint64_t)options->instances,
                                                 (uint64_t)options->prefetch};
    if (!c || !ranmar_states_open(&c->states, ranmar_flavour(options->flavour), interleave,
                                  options->seed, NULL)) {
        free(c);
        return NULL;
    }
    c->calls = (struct ranmar_backend){
        .fill = fill_and_check, .in_place = give_and_check, .close = close_verifying_backend};
    c->salt = new_salt();
    return &c->calls;
}
