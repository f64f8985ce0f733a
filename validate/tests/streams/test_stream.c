/* Streams deliver the numbers that gpuranmar.h defines by options and position, whatever the
 * requests. */
#define _GNU_SOURCE /* feenableexcept */
#include <fenv.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "definition/flavour.h"
#include "fill/fill.h"
#include "gpuranmar.h"
#include "stream/saved_state.h"
#include "stream/stream.h"
#include "tests.h"

enum { MOST = 30000 };
static char expected[MOST * sizeof(double)], got[MOST * sizeof(double)];

/* The call for the stream's precision. */
#define EITHER(call, s, ...)                                                     \
    ((s)->flavour->bits == 24 ? gpuranmar_stream_##call##_single(s, __VA_ARGS__) \
                              : gpuranmar_stream_##call(s, __VA_ARGS__))
#define GOOD(call) assert_int_equal(call, GPURANMAR_OK)

static gpuranmar_options random_options(int64_t instances)
{
    gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
    o.seed = (int64_t)random_in(0, 942377567);
    o.flavour = (int)random_in(0, RANMAR_FLAVOURS - 1);
    if (o.flavour == GPURANMAR_KEYED)
        o.seed = (int64_t)random_word();
    else if (instances > 1 && random_in(0, 1)) /* the second seed wraps at 30082 */
        o.seed = o.seed / 30082 * 30082 + 30080;
    o.instances = instances;
    o.prefetch = (int64_t)random_in(1, 3000);
    o.threads = (int)random_in(1, 3);
    return o;
}

/* The first n numbers of a stream, by the definition: instance p has the second seed raised by p,
 * or a hash of its own, and fills the p-th part of each block, the first (prefetch mod instances)
 * parts one longer. */
static void define(const gpuranmar_options *o, void *out, size_t n)
{
    const struct ranmar_flavour *f = ranmar_flavour(o->flavour);
    const size_t size = ranmar_number_size(f);
    const int64_t ij = o->seed / 30082, kl = o->seed % 30082;
    char *const part = malloc((size_t)o->prefetch * size);
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
                memcpy((char *)out + (start + i) * size, part + i * size, size);
        }
    }
    free(part);
}

/* Compares n numbers with the expected ones from position `at` on. */
static void compare(const gpuranmar_stream *s, const void *numbers, size_t at, size_t n)
{
    const size_t size = ranmar_number_size(s->flavour);
    if (memcmp(numbers, expected + at * size, n * size) != 0)
        fail_msg("seed %lld, %lld instances, prefetch %lld, flavour %d: numbers %zu to %zu differ",
                 (long long)s->options.seed, (long long)s->options.instances,
                 (long long)s->options.prefetch, s->options.flavour, at, at + n - 1);
}

/* A random sequence of all calls. */
static void mixed_requests_of(int64_t instances, int64_t most_prefetch)
{
    gpuranmar_options o = random_options(instances);
    o.prefetch = (int64_t)random_in(1, (uint64_t)most_prefetch);
    define(&o, expected, MOST);
    gpuranmar_stream *s = open_with(o), *former;
    char saved[GPURANMAR_SAVED_STATE_SIZE];
    const void *numbers;
    uint64_t position;
    for (size_t at = 0, n, wrong; at < MOST; at += n) {
        n = random_size(0, 5000);
        n = n < MOST - at ? n : MOST - at;
        switch (random_in(0, 8)) {
        case 0:
            GOOD(EITHER(fill, s, (void *)got, n));
            compare(s, got, at, n);
            break;
        case 1: /* often to just past the buffer */
            if (random_in(0, 1) && ranmar_buffer_left(&s->buffer) < MOST - at)
                n = ranmar_buffer_left(&s->buffer) + 1;
            GOOD(gpuranmar_stream_skip(s, n));
            break;
        case 2: /* goes on in another stream, which was elsewhere before, unless a bit is wrong */
            GOOD(gpuranmar_stream_save(s, saved, sizeof saved));
            gpuranmar_stream_close(s);
            s = OPEN(.threads = 2, .prefetch = 500);
            GOOD(gpuranmar_stream_get(s, (void *)got, n));
            wrong = random_in(0, sizeof saved - 1);
            saved[wrong] ^= 4;
            expect(gpuranmar_stream_restore(s, saved, sizeof saved), GPURANMAR_BAD_STATE, "saved");
            assert_int_equal(ranmar_stream_position(s), n);
            saved[wrong] ^= 4;
            GOOD(gpuranmar_stream_restore(s, saved, sizeof saved));
            assert_int_equal(s->options.prefetch, instances == 1 ? 500 : o.prefetch);
            n = 0;
            break;
        case 3: /* numbers where they stand in the buffer */
            if (random_in(0, 2) == 0 && (size_t)o.prefetch <= MOST - at)
                n = (size_t)o.prefetch;
            if (n > 0) {
                GOOD(EITHER(draw, s, (void *)&numbers, n));
                compare(s, numbers, at, n);
            }
            break;
        case 4: /* seeks away and back, or some numbers are drawn again */
            GOOD(gpuranmar_stream_save(s, saved, sizeof saved));
            if (random_in(0, 1))
                GOOD(gpuranmar_stream_seek(s, random_size(0, UINT64_C(1) << 63)));
            if (random_in(0, 2) == 0) {
                GOOD(gpuranmar_stream_restore(s, saved, sizeof saved));
            } else {
                at -= random_in(0, n < at ? n : at);
                GOOD(gpuranmar_stream_seek(s, at));
            }
            n = 0;
            break;
        case 5: /* goes on in a copy */
            former = s;
            GOOD(gpuranmar_stream_copy(&s, former));
            gpuranmar_stream_close(former);
            n = 0;
            break;
        default:
            GOOD(EITHER(get, s, (void *)got, n));
            compare(s, got, at, n);
        }
        GOOD(gpuranmar_stream_position(s, &position));
        assert_int_equal(position, at + n);
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
    gpuranmar_stream *const s = open_with(o);
    double *at = g;
    for (size_t i = 0; i < sizeof requests / sizeof *requests; at += requests[i++])
        GOOD(gpuranmar_stream_fill(s, at, requests[i]));
    assert_memory_equal(e, g, MANY * sizeof *e);
    gpuranmar_stream_close(s);
    free(e);
    free(g);
}

/* A thread's work with its own stream and last error. Returns how many checks failed. */
static void *use_own_stream(void *seed)
{
    enum { SMALL = 20000, ALL = SMALL + 3 * RANMAR_NUMBERS_A_THREAD };
    double *const e = malloc(ALL * sizeof *e), *const g = malloc(ALL * sizeof *g);
    gpuranmar_stream *const s = OPEN(.seed = (intptr_t)seed, .threads = 3);
    char line[40];
    intptr_t wrong = *gpuranmar_last_error() != '\0';
    define(&s->options, e, ALL);
    for (int i = 0; i < SMALL; i += 5) {
        const intptr_t n = -1 - (intptr_t)seed;
        wrong += gpuranmar_stream_get(s, g + i, 5) != GPURANMAR_OK;
        wrong += gpuranmar_stream_skip(s, (uint64_t)n) != GPURANMAR_BAD_ARGUMENT;
        snprintf(line, sizeof line, "n = %td ", n);
        wrong += !strstr(gpuranmar_last_error(), line);
    }
    wrong += gpuranmar_stream_fill(s, g + SMALL, ALL - SMALL) != GPURANMAR_OK;
    wrong += memcmp(e, g, ALL * sizeof *e) != 0;
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
    static const char line[] = "gpuranmar_stream_initialise: stream is a null pointer";
    pthread_t thread[THREADS];
    expect(gpuranmar_stream_initialise(NULL, NULL), GPURANMAR_BAD_ARGUMENT, line);
    for (intptr_t t = 0; t < THREADS; ++t)
        assert_int_equal(pthread_create(&thread[t], NULL, use_own_stream, (void *)t), 0);
    for (int t = 0; t < THREADS; ++t) {
        void *wrong;
        pthread_join(thread[t], &wrong);
        assert_null(wrong);
    }
    assert_string_equal(gpuranmar_last_error(), line);
}

/* Every call of an optimised library fits into the smallest stack that a thread may have. */
static void *use_small_stack(void *unused)
{
    double number;
    gpuranmar_stream *const s = OPEN(.position = UINT64_C(1) << 62), *copy = NULL;
    GOOD(gpuranmar_stream_copy(&copy, s));
    GOOD(gpuranmar_stream_skip(copy, INT64_MAX / 3));
    GOOD(gpuranmar_stream_get(copy, &number, 1));
    GOOD(gpuranmar_stream_seek(copy, 20000));
    GOOD(gpuranmar_stream_get(copy, &number, 1));
    gpuranmar_stream_close(copy);
    gpuranmar_stream_close(s);
    return unused;
}

TEST(smallest_stack)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
    const size_t size = 1 << 20;
#else
    const size_t size = (size_t)PTHREAD_STACK_MIN;
#endif
    pthread_attr_t small;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&small), 0);
    assert_int_equal(pthread_attr_setstacksize(&small, size), 0);
    assert_int_equal(pthread_create(&thread, &small, use_small_stack, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&small);
}

/* Streams that jump in turns, each by a distance of its own, keep their jumps: to prepare one takes
 * eight times as long as to repeat it. */
TEST(jumps_in_turns)
{
    enum { STREAMS = 3 };
    gpuranmar_stream *s[STREAMS];
    double number;
    for (int i = 0; i < STREAMS; ++i)
        s[i] = OPEN(.seed = i);
    for (int i = 0; i < STREAMS; ++i) {
        GOOD(gpuranmar_stream_skip(s[i], 1000000 + (uint64_t)i));
        GOOD(gpuranmar_stream_get(s[i], &number, 1));
    }
    for (int i = 0; i < STREAMS; ++i) {
        assert_int_equal(s[i]->states.last_jump.distance, 1000000 + i);
        gpuranmar_stream_close(s[i]);
    }
}

/* --- Errors: the code, a line that names the value, and nothing changed --- */

/* A GPU makes more at once, but numbers of several instances must not depend on their back end. */
TEST(default_prefetch)
{
    for (int backend = GPURANMAR_CPU; backend <= GPURANMAR_OPENCL; ++backend)
        for (int instances = 1; instances <= 3; ++instances) {
            gpuranmar_stream *const s = OPEN(.backend = backend, .instances = instances);
            const int is_large = backend != GPURANMAR_CPU && instances == 1;
            gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
            GOOD(gpuranmar_stream_options(s, &o));
            assert_true(o.backend == backend && o.instances == instances);
            assert_int_equal(o.prefetch, is_large ? 1048576 : 1024);
            gpuranmar_stream_close(s);
        }
}

/* The state far before a stream's position, after a state was set that is not its seed's. The
 * library jumps there from the state that was set, since a rewind would take longer. */
TEST(set_state)
{
    gpuranmar_options o = random_options(1);
    const struct ranmar_flavour *const f = ranmar_flavour(o.flavour);
    struct ranmar_state state, wanted;
    gpuranmar_stream *const s = open_with(o);
    ranmar_seed(&wanted, f, 77);
    ranmar_stream_set_state(s, &wanted, 7);
    GOOD(EITHER(get, s, (void *)got, 500));
    ranmar_fill_scalar(&wanted, f, expected, 500);
    compare(s, got, 0, 500);
    assert_int_equal(ranmar_stream_position(s), 507);
    GOOD(EITHER(fill, s, (void *)got, MOST));
    ranmar_states_get(&s->states, 507, &state);
    assert_memory_equal(&state, &wanted, sizeof state);
    gpuranmar_stream_close(s);
}

/* The last position is 2^63: numbers up to there, none beyond. What is refused moves nothing. */
TEST(bad_requests)
{
#define REFUSED(call, words) expect(gpuranmar_stream_##call, GPURANMAR_BAD_ARGUMENT, words)
    const uint64_t last = UINT64_C(1) << 63, before = last - 10;
    gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
    o.position = before;
    gpuranmar_stream *s = open_with(o);
    uint64_t position;
    double u[10];
    float v;
    const double *where = u;
    const float *single;
    REFUSED(get(NULL, u, 1), "stream is a null pointer");
    REFUSED(get(s, NULL, 1), "out is a null pointer");
    REFUSED(get(s, u, 11), "n = 11");
    REFUSED(fill(s, u, SIZE_MAX), "n = -1 is not in 0..2^63");
    REFUSED(skip(s, 11), "n = 11");
    REFUSED(get_single(s, &v, 1), "a stream of flavour double has no single numbers");
    REFUSED(position(s, NULL), "position");
    REFUSED(draw(s, NULL, 1), "numbers is a null pointer");
    REFUSED(draw(s, &where, 0), "n = 0 is not in 1..1000000000");
    REFUSED(draw(s, &where, 11), "n = 11");
    REFUSED(draw(NULL, &where, 1), "stream is a null pointer");
    REFUSED(draw_single(s, &single, 1), "flavour double");
    REFUSED(skip(NULL, 1), "stream");
    REFUSED(seek(NULL, 1), "stream");
    REFUSED(seek(s, last + 1), "position = -9223372036854775807 is not in 0..2^63");
    REFUSED(skip(s, (uint64_t)-5), "n = -5 is not in 0..2^63");
    REFUSED(copy(NULL, s), "copy is a null pointer");
    REFUSED(options(s, NULL), "options is a null pointer");
    REFUSED(options(s, &(gpuranmar_options){.size = 57}), "options.size = 57");
    REFUSED(save(s, (char *)got, 79), "size = 79");
    REFUSED(save(s, NULL, 80), "saved");
    REFUSED(restore(s, NULL, 80), "saved");
    expect(gpuranmar_stream_restore(s, (char *)got, 79), GPURANMAR_BAD_STATE, "size = 79");
    assert_ptr_equal(where, u);
    GOOD(gpuranmar_stream_get(s, NULL, 0));
    GOOD(gpuranmar_stream_position(s, &position));
    assert_int_equal(position, before);
    GOOD(gpuranmar_stream_get(s, u, 10));
    assert_true(ranmar_stream_position(s) == last);
    REFUSED(get(s, u, 1), "is past 2^63");
    GOOD(gpuranmar_stream_skip(s, 0));
    GOOD(gpuranmar_stream_seek(s, last));
    gpuranmar_stream_close(s);
    gpuranmar_stream_close(NULL);
    o.position = last;
    gpuranmar_stream_close(open_with(o));
    ++o.position;
    REFUSED(initialise(&s, &o), "position = -9223372036854775807");
    s = OPEN(.flavour = GPURANMAR_SINGLE);
    REFUSED(get(s, u, 1), "a stream of flavour single has no double numbers");
    gpuranmar_stream_close(s);
}

#ifdef __GLIBC__
/* A program that has floating-point exceptions trapped, FE_INEXACT among them, draws on: a refill,
 * an array by threads, the next stream of another flavour. */
TEST(under_traps)
{
    static char numbers[300000 * sizeof(double)];
    feenableexcept(FE_ALL_EXCEPT);
    for (int flavour = GPURANMAR_DOUBLE; flavour < RANMAR_FLAVOURS; ++flavour) {
        gpuranmar_stream *const s = OPEN(.flavour = flavour, .threads = 2);
        for (size_t n = 1; n <= 300000; n += 299999)
            GOOD(EITHER(get, s, (void *)numbers, n));
        gpuranmar_stream_close(s);
    }
    fedisableexcept(FE_ALL_EXCEPT);
}
#endif

/* A forged state with the right checksum is refused unless it is exactly what would be saved. */
TEST(forged_saved_states)
{
    char forged[GPURANMAR_SAVED_STATE_SIZE], again[GPURANMAR_SAVED_STATE_SIZE];
    int taken = 0;
    for (int i = 0; i < 20000; ++i) {
        gpuranmar_options o = random_options(1);
        const gpuranmar_options before = o;
        ranmar_write_state(forged, &o);
        for (uint64_t changes = random_in(1, 3); changes > 0; --changes)
            forged[random_in(0, 50)] = "0123456789 -+xR\n"[random_in(0, 15)];
        ranmar_write_checksum(forged);
        if (ranmar_read_state(forged, &o)) {
            ++taken;
            ranmar_write_state(again, &o);
            assert_memory_equal(again, forged, sizeof forged);
        } else {
            assert_memory_equal(&o, &before, sizeof o);
        }
    }
    assert_true(taken > 0);
}

enum { BEFORE = 100, BY_THREADS = 3 * RANMAR_NUMBERS_A_THREAD, ALL = BEFORE + BY_THREADS + 5000 };
static double all[ALL], numbers[ALL];

/* A process draws by threads, and then forks with numbers left in its buffer; its child does the
 * same, `left` times. Returns 0 if all have the same numbers. (valgrind.long.t sees whether a child
 * leaks memory that it inherited.) */
static int generation(gpuranmar_stream *s, int left)
{
    gpuranmar_stream_seek(s, 0);
    gpuranmar_stream_get(s, numbers, BEFORE);
    gpuranmar_stream_fill(s, numbers + BEFORE, BY_THREADS);
    gpuranmar_stream_get(s, numbers + BEFORE + BY_THREADS, 10);
    const struct child child = left > 0 ? start_child(0) : (struct child){-1, -1};
    for (size_t i = BEFORE + BY_THREADS + 10; i < ALL; i += 10)
        gpuranmar_stream_get(s, numbers + i, 10);
    const int wrong = memcmp(all, numbers, sizeof all) != 0;
    if (child.pid == 0)
        _exit(wrong || generation(s, left - 1));
    return (left > 0 && !ends_well(child)) || wrong;
}

TEST(forked)
{
#ifdef __SANITIZE_THREAD__
    SKIP("ThreadSanitizer cannot follow a forked process that starts a thread");
#endif
    gpuranmar_stream *const s = OPEN(.threads = 4);
    define(&s->options, all, ALL);
    assert_int_equal(generation(s, 3), 0);
    gpuranmar_stream_close(s);
}
