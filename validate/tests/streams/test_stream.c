/* Streams: whatever the requests, what is delivered is the pure function of options and position
 * that gpuranmar.h defines. */
#define _GNU_SOURCE /* feenableexcept */
#include <fenv.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "definition/flavour.h"
#include "fill/fill.h"
#include "gpuranmar.h"
#include "stream/stream.h"
#include "tests.h"

enum { MOST = 30000 };
static double expected[MOST], got[MOST];

static gpuranmar_options random_options(int64_t instances)
{
    gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
    o.seed = (int64_t)random_in(0, 942377567);
    static const int flavours[] = {GPURANMAR_DOUBLE, GPURANMAR_EXTENDED, GPURANMAR_KEYED};
    o.flavour = flavours[random_in(0, 2)];
    if (o.flavour == GPURANMAR_KEYED)
        o.seed = (int64_t)random_word();
    else if (instances > 1 && random_in(0, 1)) /* the second seed wraps at 30082 */
        o.seed = o.seed / 30082 * 30082 + 30080;
    o.instances = instances;
    o.prefetch = (int64_t)random_in(1, 3000);
    o.threads = (int)random_in(1, 3);
    return o;
}

/* The first n numbers of a sequence, by the definition. */
static void define_one(int flavour, int64_t seed, void *out, size_t n)
{
    struct ranmar_state state;
    ranmar_seed(&state, ranmar_flavour(flavour), seed);
    ranmar_fill_scalar(&state, ranmar_flavour(flavour), out, n);
}

/* The first n numbers of a stream, by the definition: instance p has the second seed raised by p,
 * or a hash of its own, and fills the p-th part of each block, the first (prefetch mod instances)
 * parts one longer. */
static void define(const gpuranmar_options *o, double *out, size_t n)
{
    const struct ranmar_flavour *f = ranmar_flavour(o->flavour);
    const int64_t ij = o->seed / 30082, kl = o->seed % 30082;
    double *const part = malloc((size_t)o->prefetch * sizeof *part);
    assert_non_null(part);
    for (int64_t p = 0; p < o->instances; ++p) {
        struct ranmar_state s;
        if (o->flavour == GPURANMAR_KEYED)
            ranmar_seed_by_key(&s, f, (uint64_t)o->seed, (uint64_t)p);
        else
            ranmar_seed(&s, f, ij * 30082 + (kl + p) % 30082);
        for (size_t block = 0; block < n; block += (size_t)o->prefetch) {
            size_t start = block;
            for (int64_t q = 0; q < p; ++q)
                start += (size_t)(o->prefetch / o->instances + (q < o->prefetch % o->instances));
            const size_t length =
                (size_t)(o->prefetch / o->instances + (p < o->prefetch % o->instances));
            ranmar_fill_scalar(&s, f, part, length);
            for (size_t i = 0; i < length && start + i < n; ++i)
                out[start + i] = part[i];
        }
    }
    free(part);
}

static gpuranmar_stream *open_stream(const gpuranmar_options *o)
{
    gpuranmar_stream *s;
    if (gpuranmar_stream_initialise(&s, o) != GPURANMAR_OK)
        fail_msg("%s", gpuranmar_last_error());
    return s;
}

static void compare(const gpuranmar_options *o, size_t from, size_t n)
{
    for (size_t i = from; i < from + n; ++i)
        if (got[i] != expected[i])
            fail_msg(
                "seed %lld, %lld instances, prefetch %lld, flavour %d: number %zu is the first "
                "to differ",
                (long long)o->seed, (long long)o->instances, (long long)o->prefetch, o->flavour, i);
}

/* Random requests through the cache, past it, skips, saves and restores, mixed. */
static void mixed_requests_of(int64_t instances, int64_t most_prefetch)
{
    gpuranmar_options o = random_options(instances);
    o.prefetch = (int64_t)random_in(1, (uint64_t)most_prefetch);
    define(&o, expected, MOST);
    gpuranmar_stream *s = open_stream(&o);
    char saved[GPURANMAR_SAVED_STATE_SIZE];
    for (size_t at = 0; at < MOST;) {
        size_t n = random_size(0, 5000);
        n = n < MOST - at ? n : MOST - at;
        switch (random_in(0, 8)) {
        case 0:
            assert_int_equal(gpuranmar_stream_fill(s, got + at, n), GPURANMAR_OK);
            compare(&o, at, n);
            break;
        case 1:
            assert_int_equal(gpuranmar_stream_skip(s, n), GPURANMAR_OK);
            break;
        case 2: /* goes on in another stream, which was elsewhere before */
            assert_int_equal(gpuranmar_stream_save(s, saved, sizeof saved), GPURANMAR_OK);
            gpuranmar_stream_close(s);
            s = open_stream(NULL);
            assert_int_equal(gpuranmar_stream_get(s, got + at, n), GPURANMAR_OK);
            assert_int_equal(gpuranmar_stream_restore(s, saved, sizeof saved), GPURANMAR_OK);
            n = 0;
            break;
        case 4: /* seeks away and back, or some numbers are drawn again */
            if (random_in(0, 1))
                assert_int_equal(gpuranmar_stream_seek(s, random_size(0, UINT64_C(1) << 63)),
                                 GPURANMAR_OK);
            n = random_in(0, n);
            at -= n < at ? n : at;
            assert_int_equal(gpuranmar_stream_seek(s, at), GPURANMAR_OK);
            n = 0;
            break;
        case 5: { /* goes on in a copy */
            gpuranmar_stream *const original = s;
            assert_int_equal(gpuranmar_stream_copy(&s, original), GPURANMAR_OK);
            gpuranmar_stream_close(original);
            n = 0;
            break;
        }
        case 3: { /* numbers where they stand in the cache */
            const double *numbers;
            if (random_in(0, 2) == 0 && (size_t)o.prefetch <= MOST - at)
                n = (size_t)o.prefetch;
            if (n == 0)
                break;
            assert_int_equal(gpuranmar_stream_draw(s, &numbers, n), GPURANMAR_OK);
            memcpy(got + at, numbers, n * sizeof *got);
            compare(&o, at, n);
            break;
        }
        default:
            assert_int_equal(gpuranmar_stream_get(s, got + at, n), GPURANMAR_OK);
            compare(&o, at, n);
        }
        at += n;
        uint64_t position;
        assert_int_equal(gpuranmar_stream_position(s, &position), GPURANMAR_OK);
        assert_int_equal(position, at);
    }
    gpuranmar_stream_close(s);
}

TEST(mixed_requests)
{
    for (int i = 0; i < 20; ++i)
        mixed_requests_of(1, i % 2 ? 3000 : 7);
}

TEST(mixed_requests_of_instances)
{
    for (int i = 0; i < 20; ++i)
        mixed_requests_of((int64_t)random_in(2, 9), 3000);
    mixed_requests_of(35, 30); /* more instances than numbers in a block */
}

/* A stream that is opened at a position goes on as one that has skipped there, also far out. */
TEST(opened_at_position)
{
    for (int i = 0; i < 30; ++i) {
        gpuranmar_options o = random_options((int64_t)random_in(1, 4));
        gpuranmar_stream *s = open_stream(&o), *t;
        o.position = random_size(0, UINT64_C(1) << 62);
        t = open_stream(&o);
        const uint64_t first = random_in(0, o.position);
        assert_int_equal(gpuranmar_stream_skip(s, first), GPURANMAR_OK);
        assert_int_equal(gpuranmar_stream_skip(s, o.position - first), GPURANMAR_OK);
        assert_int_equal(gpuranmar_stream_get(s, expected, 4000), GPURANMAR_OK);
        assert_int_equal(gpuranmar_stream_get(t, got, 4000), GPURANMAR_OK);
        compare(&o, 0, 4000);
        gpuranmar_stream_close(s);
        gpuranmar_stream_close(t);
    }
}

TEST(single_precision)
{
    static float e[20000], g[20000];
    gpuranmar_options o = random_options(1);
    o.flavour = GPURANMAR_SINGLE;
    o.seed = (int64_t)random_in(0, RANMAR_SEED_MAX); /* not a key */
    define_one(GPURANMAR_SINGLE, o.seed, e, 20000);
    gpuranmar_stream *s = open_stream(&o);
    for (size_t at = 0; at < 20000;) {
        size_t n = random_size(0, 3000);
        n = n < 20000 - at ? n : 20000 - at;
        const float *numbers;
        const uint64_t how = random_in(0, 2);
        if (how == 0 && n > 0 && n <= (size_t)(o.prefetch ? o.prefetch : 1024)) {
            assert_int_equal(gpuranmar_stream_draw_single(s, &numbers, n), GPURANMAR_OK);
            memcpy(g + at, numbers, n * sizeof *g);
        } else if (how == 1)
            assert_int_equal(gpuranmar_stream_get_single(s, g + at, n), GPURANMAR_OK);
        else
            assert_int_equal(gpuranmar_stream_fill_single(s, g + at, n), GPURANMAR_OK);
        at += n;
    }
    assert_memory_equal(e, g, sizeof e);
    gpuranmar_stream_seek(s, 4);
    assert_int_equal(gpuranmar_stream_leapfrog_single(s, g, 3000, 6), GPURANMAR_OK);
    for (size_t i = 0; i < 3000; ++i)
        assert_memory_equal(&g[i], &e[4 + 6 * i], sizeof *g);
    assert_int_equal(gpuranmar_stream_get(s, got, 1), GPURANMAR_BAD_ARGUMENT);
    gpuranmar_stream_close(s);
}

/* Every s-th number, in requests of any size between others; and what is refused moves nothing. */
TEST(leapfrog)
{
    for (int trial = 0; trial < 100; ++trial) {
        const size_t s = random_size(1, trial % 4 ? 20 : 3000), first = random_size(0, s - 1);
        const gpuranmar_options o = random_options(1 + trial % 2 * 7);
        gpuranmar_stream *stream;
        define(&o, expected, MOST);
        assert_int_equal(gpuranmar_stream_initialise(&stream, &o), GPURANMAR_OK);
        assert_int_equal(gpuranmar_stream_get(stream, got, first), GPURANMAR_OK);
        for (size_t at = first, n; at + s <= MOST; at += n * s) {
            n = random_size(1, (MOST - at) / s);
            assert_int_equal(gpuranmar_stream_leapfrog(stream, got, n, s), GPURANMAR_OK);
            for (size_t i = 0; i < n; ++i)
                assert_memory_equal(&got[i], &expected[at + i * s], sizeof *got);
        }
        uint64_t before, after;
        gpuranmar_stream_position(stream, &before);
        expect(gpuranmar_stream_leapfrog(stream, got, 1, 0), GPURANMAR_BAD_ARGUMENT, "s = 0 is");
        expect(gpuranmar_stream_leapfrog(stream, got, 1, 65537), GPURANMAR_BAD_ARGUMENT, "65537");
        expect(gpuranmar_stream_leapfrog(stream, got, ((UINT64_C(1) << 63) - before) / 3 + 1, 3),
               GPURANMAR_BAD_ARGUMENT, "s = 3 from position");
        expect(gpuranmar_stream_leapfrog(stream, NULL, 1, 3), GPURANMAR_BAD_ARGUMENT, "out is a");
        expect(gpuranmar_stream_leapfrog_single(stream, (float *)got, 1, 1), GPURANMAR_BAD_ARGUMENT,
               "has no single numbers");
        gpuranmar_stream_position(stream, &after);
        assert_int_equal(before, after);
        gpuranmar_stream_close(stream);
    }
}

/* Instances on several threads; requests end within a part and within a block. */
TEST(large_fill_of_instances)
{
    enum { INSTANCES = 5, BLOCK = 3 * RANMAR_NUMBERS_A_THREAD + 2, MANY = 3 * BLOCK };
    static const size_t requests[] = {BLOCK, 10, BLOCK - 100000, BLOCK, 99990};
    double *const e = malloc(MANY * sizeof *e), *const g = malloc(MANY * sizeof *g);
    assert_true(e && g);
    gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
    o.instances = INSTANCES;
    o.prefetch = BLOCK;
    o.threads = 3;
    define(&o, e, MANY);
    gpuranmar_stream *s = open_stream(&o);
    double *at = g;
    for (size_t i = 0; i < sizeof requests / sizeof *requests; at += requests[i++])
        assert_int_equal(gpuranmar_stream_fill(s, at, requests[i]), GPURANMAR_OK);
    assert_memory_equal(e, g, MANY * sizeof *e);
    gpuranmar_stream_close(s);
    free(e);
    free(g);
}

/* What one of several threads does with a stream of its own. Returns how many checks failed. */
static void *use_own_stream(void *seed)
{
    enum { NUMBERS = 20000, LARGE = 3 * RANMAR_NUMBERS_A_THREAD };
    double *const e = malloc(LARGE * sizeof *e), *const g = malloc(LARGE * sizeof *g);
    gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
    gpuranmar_stream *s;
    struct ranmar_state state;
    char line[40];
    intptr_t wrong = 0;
    o.seed = (intptr_t)seed;
    o.threads = 3;
    ranmar_seed(&state, ranmar_flavour(o.flavour), o.seed);
    ranmar_fill_scalar(&state, ranmar_flavour(o.flavour), e, NUMBERS);
    wrong += gpuranmar_stream_initialise(&s, &o) != GPURANMAR_OK;
    for (int i = 0; i < NUMBERS; i += 5) {
        const uint64_t n = UINT64_MAX - (uint64_t)o.seed;
        wrong += gpuranmar_stream_get(s, g + i, 5) != GPURANMAR_OK;
        wrong += gpuranmar_stream_skip(s, n) != GPURANMAR_BAD_ARGUMENT;
        snprintf(line, sizeof line, "n = %llu", (unsigned long long)n);
        wrong += !strstr(gpuranmar_last_error(), line);
    }
    wrong += memcmp(e, g, NUMBERS * sizeof *e) != 0;
    ranmar_fill_scalar(&state, ranmar_flavour(o.flavour), e, LARGE);
    wrong += gpuranmar_stream_fill(s, g, LARGE) != GPURANMAR_OK;
    wrong += memcmp(e, g, LARGE * sizeof *e) != 0;
    gpuranmar_stream_close(s);
    free(e);
    free(g);
    return (void *)wrong;
}

/* Separate streams on separate threads, opened, drawn from and failing all at once, and with large
 * requests for which they share the threads that help. */
TEST(streams_on_threads)
{
    enum { THREADS = 8 };
    pthread_t thread[THREADS];
    for (intptr_t t = 0; t < THREADS; ++t)
        assert_int_equal(pthread_create(&thread[t], NULL, use_own_stream, (void *)t), 0);
    for (int t = 0; t < THREADS; ++t) {
        void *wrong;
        pthread_join(thread[t], &wrong);
        assert_null(wrong);
    }
}

/* --- Errors: the code, a line that names the value, and nothing changed --- */

/* Options of a program that was compiled with a newer header. */
TEST(options_of_other_versions)
{
    struct {
        gpuranmar_options options;
        int64_t later[3];
    } newer = {GPURANMAR_OPTIONS_INIT, {0, 0, 0}};
    gpuranmar_stream *s = NULL;
    newer.options.size = sizeof newer;
    newer.options.seed = 5;
    s = open_stream(&newer.options);
    memset(newer.later, 0x55, sizeof newer.later); /* which become zeros */
    assert_int_equal(gpuranmar_stream_options(s, &newer.options), GPURANMAR_OK);
    assert_true(newer.later[0] == 0 && newer.later[1] == 0 && newer.later[2] == 0);
    assert_int_equal(newer.options.size, sizeof newer);
    assert_int_equal(newer.options.seed, 5);
    assert_int_equal(newer.options.prefetch, 1024);
    gpuranmar_stream_close(s);
    newer.later[1] = 1;
    expect(gpuranmar_stream_initialise(&s, &newer.options), GPURANMAR_BAD_ARGUMENT, "is set");
}

/* The last position is 2^63: numbers up to there, none beyond. */
TEST(last_position)
{
    gpuranmar_options o = random_options(1);
    o.position = (UINT64_C(1) << 63) - 10;
    gpuranmar_stream *s = open_stream(&o);
    uint64_t position;
    assert_int_equal(gpuranmar_stream_get(s, got, 10), GPURANMAR_OK);
    assert_int_equal(gpuranmar_stream_position(s, &position), GPURANMAR_OK);
    assert_true(position == UINT64_C(1) << 63);
    expect(gpuranmar_stream_get(s, got, 1), GPURANMAR_BAD_ARGUMENT, "is past 2^63");
    gpuranmar_stream_close(s);
    o.position = UINT64_C(1) << 63;
    s = open_stream(&o);
    assert_int_equal(gpuranmar_stream_skip(s, 0), GPURANMAR_OK);
    assert_int_equal(gpuranmar_stream_seek(s, o.position), GPURANMAR_OK);
    gpuranmar_stream_close(s);
    ++o.position;
    expect(gpuranmar_stream_initialise(&s, &o), GPURANMAR_BAD_ARGUMENT,
           "position = 9223372036854775809");
    expect(gpuranmar_stream_initialise(NULL, &o), GPURANMAR_BAD_ARGUMENT, "stream");
}

/* A GPU makes more at once, but with several instances the numbers must not depend on who makes
 * them. */
TEST(default_prefetch)
{
    static const struct {
        int backend;
        int64_t instances, prefetch;
    } cases[] = {
        {GPURANMAR_CPU, 1, 1024},  {GPURANMAR_CPU, 2, 1024},  {GPURANMAR_CUDA, 1, 1048576},
        {GPURANMAR_CUDA, 2, 1024}, {GPURANMAR_CUDA, 3, 1024},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
        o.backend = cases[i].backend;
        o.instances = cases[i].instances;
        gpuranmar_stream *const s = open_stream(&o);
        assert_int_equal(gpuranmar_stream_options(s, &o), GPURANMAR_OK);
        assert_int_equal(o.prefetch, cases[i].prefetch);
        gpuranmar_stream_close(s);
    }
}

/* A restored stream of one instance keeps its own prefetch. With several instances the prefetch is
 * part of what is restored. */
TEST(restored_prefetch)
{
    for (int64_t instances = 1; instances <= 2; ++instances) {
        gpuranmar_options o = GPURANMAR_OPTIONS_INIT, now = GPURANMAR_OPTIONS_INIT;
        char saved[GPURANMAR_SAVED_STATE_SIZE];
        const double *numbers;
        o.instances = instances;
        o.prefetch = 10;
        gpuranmar_stream *s = open_stream(&o), *t;
        assert_int_equal(gpuranmar_stream_save(s, saved, sizeof saved), GPURANMAR_OK);
        o.prefetch = 2000;
        t = open_stream(&o);
        assert_int_equal(gpuranmar_stream_restore(t, saved, sizeof saved), GPURANMAR_OK);
        assert_int_equal(gpuranmar_stream_options(t, &now), GPURANMAR_OK);
        assert_int_equal(now.prefetch, instances == 1 ? 2000 : 10);
        assert_int_equal(gpuranmar_stream_get(s, expected, 2000), GPURANMAR_OK);
        assert_int_equal(gpuranmar_stream_draw(t, &numbers, 2000), GPURANMAR_OK);
        assert_memory_equal(numbers, expected, 2000 * sizeof *numbers);
        gpuranmar_stream_close(s);
        gpuranmar_stream_close(t);
    }
}

/* The state at a stream's position, after one was set that is not its seed's, at another position
 * than that at which the stream was opened. The cache is so large
 * that to step back over it number by number would take too long: the state is made from that one.
 */
TEST(set_state_before_large_cache)
{
    gpuranmar_options o = random_options(1);
    const struct ranmar_flavour *const f = ranmar_flavour(o.flavour);
    struct ranmar_state state, wanted;
    o.prefetch = 200000;
    gpuranmar_stream *const s = open_stream(&o);
    ranmar_seed(&wanted, f, 77);
    ranmar_stream_set_state(s, &wanted, o.position + 7);
    assert_int_equal(gpuranmar_stream_get(s, got, 500), GPURANMAR_OK);
    ranmar_fill_scalar(&wanted, f, expected, 500);
    ranmar_states_get(&s->states, ranmar_stream_position(s), &state);
    assert_memory_equal(&state, &wanted, sizeof state);
    assert_memory_equal(got, expected, 500 * ranmar_number_size(f));
    assert_int_equal(ranmar_stream_position(s), o.position + 507);
    gpuranmar_stream_close(s);
}

static void *fail_elsewhere(void *unused)
{
    assert_string_equal(gpuranmar_last_error(), "");
    assert_int_equal(gpuranmar_stream_get(NULL, NULL, 0), GPURANMAR_BAD_ARGUMENT);
    return unused;
}

/* Each thread has a last error of its own. */
TEST(last_error_of_a_thread)
{
    pthread_t thread;
    assert_int_equal(gpuranmar_stream_initialise(NULL, NULL), GPURANMAR_BAD_ARGUMENT);
    assert_int_equal(pthread_create(&thread, NULL, fail_elsewhere, NULL), 0);
    pthread_join(thread, NULL);
    assert_string_equal(gpuranmar_last_error(),
                        "gpuranmar_stream_initialise: stream is a null pointer");
}

TEST(bad_requests)
{
    gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
    o.position = (UINT64_C(1) << 63) - 10;
    gpuranmar_stream *s = open_stream(&o);
    uint64_t position;
    double u[4];
    float v[4];
    expect(gpuranmar_stream_get(NULL, u, 1), GPURANMAR_BAD_ARGUMENT, "stream is a null pointer");
    expect(gpuranmar_stream_get(s, NULL, 1), GPURANMAR_BAD_ARGUMENT, "out is a null pointer");
    expect(gpuranmar_stream_get(s, u, 11), GPURANMAR_BAD_ARGUMENT, "n = 11");
    expect(gpuranmar_stream_fill(s, u, SIZE_MAX), GPURANMAR_BAD_ARGUMENT,
           "n = 18446744073709551615");
    expect(gpuranmar_stream_skip(s, 11), GPURANMAR_BAD_ARGUMENT, "n = 11");
    expect(gpuranmar_stream_get_single(s, v, 1), GPURANMAR_BAD_ARGUMENT,
           "a stream of flavour double has no single numbers");
    expect(gpuranmar_stream_position(s, NULL), GPURANMAR_BAD_ARGUMENT, "position");
    const double *where = u;
    const float *single;
    expect(gpuranmar_stream_draw(s, NULL, 1), GPURANMAR_BAD_ARGUMENT, "numbers is a null pointer");
    expect(gpuranmar_stream_draw(s, &where, 0), GPURANMAR_BAD_ARGUMENT,
           "n = 0 is not in 1..1000000000");
    expect(gpuranmar_stream_draw(s, &where, 11), GPURANMAR_BAD_ARGUMENT, "n = 11");
    expect(gpuranmar_stream_draw(NULL, &where, 1), GPURANMAR_BAD_ARGUMENT,
           "stream is a null pointer");
    expect(gpuranmar_stream_draw_single(s, &single, 1), GPURANMAR_BAD_ARGUMENT, "flavour double");
    assert_ptr_equal(where, u);
    expect(gpuranmar_stream_skip(NULL, 1), GPURANMAR_BAD_ARGUMENT, "stream");
    expect(gpuranmar_stream_seek(NULL, 1), GPURANMAR_BAD_ARGUMENT, "stream");
    expect(gpuranmar_stream_seek(s, (UINT64_C(1) << 63) + 1), GPURANMAR_BAD_ARGUMENT,
           "position = 9223372036854775809");
    expect(gpuranmar_stream_copy(NULL, s), GPURANMAR_BAD_ARGUMENT, "copy is a null pointer");
    expect(gpuranmar_stream_options(s, NULL), GPURANMAR_BAD_ARGUMENT, "options is a null pointer");
    assert_int_equal(gpuranmar_stream_get(s, NULL, 0), GPURANMAR_OK);
    gpuranmar_stream_position(s, &position);
    assert_int_equal(position, o.position);
    gpuranmar_stream_close(s);
    gpuranmar_stream_close(NULL);
    o.flavour = GPURANMAR_SINGLE;
    s = open_stream(&o);
    expect(gpuranmar_stream_get(s, u, 1), GPURANMAR_BAD_ARGUMENT,
           "a stream of flavour single has no double numbers");
    gpuranmar_stream_close(s);
}

/* A program that has floating-point exceptions trapped, FE_INEXACT among them, draws on: a refill,
 * an array by threads, the next stream of another flavour. */
TEST(under_traps)
{
#ifdef __GLIBC__
    feenableexcept(FE_ALL_EXCEPT);
#endif
    for (int flavour = GPURANMAR_DOUBLE; flavour < RANMAR_FLAVOURS; ++flavour) {
        gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
        o.flavour = flavour;
        o.threads = 2;
        gpuranmar_stream *s = open_stream(&o);
        static float single[300000];
        static double numbers[300000];
        for (size_t n = 1; n <= 300000; n += 299999)
            assert_int_equal(flavour == GPURANMAR_SINGLE ? gpuranmar_stream_get_single(s, single, n)
                                                         : gpuranmar_stream_get(s, numbers, n),
                             GPURANMAR_OK);
        gpuranmar_stream_close(s);
    }
#ifdef __GLIBC__
    fedisableexcept(FE_ALL_EXCEPT);
#endif
}

/* A damaged saved state is refused, and the stream goes on as it was. */
TEST(bad_saved_state)
{
    const gpuranmar_options o = random_options(1);
    define(&o, expected, 200);
    gpuranmar_stream *s = open_stream(&o);
    assert_int_equal(gpuranmar_stream_get(s, got, 100), GPURANMAR_OK);
    char saved[GPURANMAR_SAVED_STATE_SIZE], damaged[GPURANMAR_SAVED_STATE_SIZE];
    expect(gpuranmar_stream_save(s, saved, 79), GPURANMAR_BAD_ARGUMENT, "size = 79");
    expect(gpuranmar_stream_save(s, NULL, 80), GPURANMAR_BAD_ARGUMENT, "saved");
    assert_int_equal(gpuranmar_stream_save(s, saved, sizeof saved), GPURANMAR_OK);
    expect(gpuranmar_stream_restore(s, saved, 79), GPURANMAR_BAD_STATE, "size = 79");
    expect(gpuranmar_stream_restore(s, NULL, 80), GPURANMAR_BAD_ARGUMENT, "saved");
    for (int i = 0; i < GPURANMAR_SAVED_STATE_SIZE; ++i) {
        memcpy(damaged, saved, sizeof saved);
        damaged[i] = (char)(damaged[i] ^ 1 << random_in(0, 4));
        expect(gpuranmar_stream_restore(s, damaged, sizeof damaged), GPURANMAR_BAD_STATE, "saved");
    }
    /* Three digits at once, in all places. */
    for (int i = 0; i < GPURANMAR_SAVED_STATE_SIZE - 2; ++i) {
        memcpy(damaged, saved, sizeof saved);
        for (int k = 0; k < 3; ++k)
            damaged[i + k] = (char)random_in('0', '9');
        if (memcmp(damaged, saved, sizeof saved) != 0)
            expect(gpuranmar_stream_restore(s, damaged, sizeof damaged), GPURANMAR_BAD_STATE,
                   "saved");
    }
    assert_int_equal(gpuranmar_stream_get(s, got + 100, 100), GPURANMAR_OK);
    compare(&o, 0, 200);
    gpuranmar_stream_close(s);
}

/* A process that starts threads and forks; its child does the same, `left` times. Returns 0 if all
 * have the same numbers. (valgrind.long.t sees whether a child leaks memory that it inherited.) */
static int generation(gpuranmar_stream *s, const double *all, double *numbers, size_t n, int left)
{
    gpuranmar_stream_seek(s, 0);
    gpuranmar_stream_fill(s, numbers, n);
    const int wrong = memcmp(all, numbers, n * sizeof *all) != 0;
    if (wrong || left == 0)
        return wrong;
    const struct child child = start_child(0);
    if (child.pid == 0) {
        alarm(60);
        _exit(generation(s, all, numbers, n, left - 1));
    }
    return !ends_well(child);
}

TEST(forked_again)
{
#ifdef __SANITIZE_THREAD__
    SKIP("ThreadSanitizer cannot follow a forked process that starts a thread");
#endif
    enum { N = 3 * RANMAR_NUMBERS_A_THREAD };
    static double all[N], numbers[N];
    gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
    o.threads = 3;
    define_one(o.flavour, o.seed, all, N);
    gpuranmar_stream *const s = open_stream(&o);
    for (by_clone = 0; by_clone < 2; ++by_clone)
        assert_int_equal(generation(s, all, numbers, N, 3), 0);
    by_clone = 0;
    gpuranmar_stream_close(s);
}

/* Parent and child go on with the same numbers, also where the parent had helper threads, which a
 * child lacks. A child that waits for such a thread is ended by the alarm. */
TEST(forked)
{
#ifdef __SANITIZE_THREAD__
    SKIP("ThreadSanitizer cannot follow a forked process that starts a thread");
#endif
    enum { BEFORE = 100, MANY = 4 * RANMAR_NUMBERS_A_THREAD, AFTER = 5000 };
    enum { ALL = BEFORE + MANY + 2 * AFTER };
    static double all[ALL], numbers[ALL];
    gpuranmar_options o = random_options(1);
    o.prefetch = 1024;
    o.threads = 4;
    define_one(o.flavour, o.seed, all, ALL);

    gpuranmar_stream *s = open_stream(&o);
    assert_int_equal(gpuranmar_stream_get(s, numbers, BEFORE), GPURANMAR_OK);
    assert_int_equal(gpuranmar_stream_fill(s, numbers + BEFORE, MANY), GPURANMAR_OK);
    double *const rest = numbers + BEFORE + MANY;
    assert_int_equal(gpuranmar_stream_get(s, rest, 10), GPURANMAR_OK);
    const struct child child = start_child(0);
    if (child.pid == 0)
        alarm(60);
    for (size_t i = 10; i < AFTER; i += 10)
        gpuranmar_stream_get(s, rest + i, 10);
    if (child.pid == 0) {
        gpuranmar_stream_get(s, rest + AFTER, AFTER);
        gpuranmar_stream_close(s);
        _exit(memcmp(all, numbers, sizeof all) != 0);
    }
    assert_true(ends_well(child));
    assert_memory_equal(all, numbers, (ALL - AFTER) * sizeof *all);
    gpuranmar_stream_close(s);
}
