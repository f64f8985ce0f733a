/* Where there is no memory: of what a call allocates, each piece in turn is refused. It is an
 * error, after which the call can be made again, or the numbers come without that memory. The
 * program is linked with -Wl,--wrap=malloc,--wrap=calloc. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "definition/flavour.h"
#include "fill/fill.h"
#include "gpuranmar.h"

static int allocations, refused; /* how many there were; which one fails, 0 for none */

static int is_refused(void)
{
    return ++allocations == refused;
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    return is_refused() ? NULL : __real_malloc(size);
}

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size)
{
    return is_refused() ? NULL : __real_calloc(count, size);
}

/* Refuses the next allocation, or, after an error, the one behind that: `while (try_next(error))`
 * with GPURANMAR_NO_MEMORY at first. Any other error ends the test. */
static int try_next(int error)
{
    if (error == GPURANMAR_OK) { /* so none was refused */
        assert_int_equal(refused, allocations + 1);
        refused = 0;
        return 0;
    }
    assert_int_equal(error, GPURANMAR_NO_MEMORY);
    ++refused;
    allocations = 0;
    return 1;
}

static gpuranmar_options options_of(int backend, int64_t instances)
{
    gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
    o.backend = backend;
    o.instances = instances;
    o.prefetch = 10;
    o.threads = 1;
    return o;
}

static gpuranmar_stream *open_stream(int backend)
{
    const gpuranmar_options o = options_of(backend, 1);
    gpuranmar_stream *s;
    assert_int_equal(gpuranmar_stream_initialise(&s, &o), GPURANMAR_OK);
    return s;
}

enum { MOST = 3 * RANMAR_NUMBERS_A_THREAD };
static double expected[MOST], got[MOST];

static void expect_at(gpuranmar_stream *s, uint64_t wanted)
{
    uint64_t position;
    assert_int_equal(gpuranmar_stream_position(s, &position), GPURANMAR_OK);
    assert_int_equal(position, wanted);
}

static void open_streams(void **unused)
{
    for (int backend = GPURANMAR_CPU; backend <= GPURANMAR_CUDA; ++backend)
        for (int64_t instances = 1; instances <= 3; instances += 2) {
            const gpuranmar_options o = options_of(backend, instances);
            gpuranmar_stream *const none = (gpuranmar_stream *)(uintptr_t)&o, *s = none;
            int error = GPURANMAR_NO_MEMORY;
            while (try_next(error)) {
                assert_ptr_equal(s, none);
                error = gpuranmar_stream_initialise(&s, &o);
                if (error)
                    assert_string_equal(gpuranmar_last_error(),
                                        instances == 1 ? "gpuranmar_stream_initialise: no memory "
                                                         "for instances = 1"
                                                       : "gpuranmar_stream_initialise: no memory "
                                                         "for instances = 3");
            }
            assert_in_range(allocations, 7, 20); /* the shadow check's included */
            gpuranmar_stream_close(s);
        }
    (void)unused;
}

static void copies_and_saved_states(void **unused)
{
    gpuranmar_stream *const s = open_stream(GPURANMAR_CPU), *copy = NULL;
    char saved[GPURANMAR_SAVED_STATE_SIZE];
    int error = GPURANMAR_NO_MEMORY;
    assert_int_equal(gpuranmar_stream_get(s, got, 25), GPURANMAR_OK);
    assert_int_equal(gpuranmar_stream_save(s, saved, sizeof saved), GPURANMAR_OK);
    while (try_next(error))
        error = gpuranmar_stream_copy(&copy, s);
    gpuranmar_stream_close(copy);
    assert_int_equal(gpuranmar_stream_get(s, got, 5), GPURANMAR_OK);
    error = GPURANMAR_NO_MEMORY;
    while (try_next(error)) {
        expect_at(s, 30);
        error = gpuranmar_stream_restore(s, saved, sizeof saved);
    }
    assert_int_equal(gpuranmar_stream_get(s, got, 100), GPURANMAR_OK);
    assert_memory_equal(got, expected + 25, 100 * sizeof *got);
    gpuranmar_stream_close(s);
    (void)unused;
}

/* Without memory for a cache the numbers are made one request at a time. */
static void without_a_cache(void **unused)
{
    gpuranmar_stream *const s = open_stream(GPURANMAR_CPU);
    for (size_t at = 0; at < 12; at += 3) {
        refused = at < 9;
        allocations = 0;
        assert_int_equal(gpuranmar_stream_get(s, got + at, 3), GPURANMAR_OK);
        assert_int_equal(allocations, 1);
    }
    assert_int_equal(gpuranmar_stream_get(s, got + 12, 3), GPURANMAR_OK);
    assert_int_equal(allocations, 1); /* the cache is there */
    assert_memory_equal(got, expected, 15 * sizeof *got);
    gpuranmar_stream_close(s);
    (void)unused;
}

/* A draw needs memory for the cache, for what lies across its end, or for what is larger. The same
 * memory serves the next draw. */
static void draws(void **unused)
{
    static const struct {
        size_t n;
        int allocations;
    } requests[] = {{7, 1}, {7, 1}, {7, 0}, {9, 0}, {11, 1}, {11, 0}, {3, 0}};
    gpuranmar_stream *const s = open_stream(GPURANMAR_CPU);
    size_t at = 0;
    for (size_t i = 0; i < sizeof requests / sizeof *requests; ++i) {
        const size_t n = requests[i].n;
        const double *numbers;
        int error = GPURANMAR_NO_MEMORY;
        while (try_next(error)) {
            expect_at(s, at);
            error = gpuranmar_stream_draw(s, &numbers, n);
        }
        assert_int_equal(allocations, requests[i].allocations);
        assert_memory_equal(numbers, expected + at, n * sizeof *numbers);
        at += n;
    }
    gpuranmar_stream_close(s);
    (void)unused;
}

/* Without a thread, the other one, and the states for their parts, the work is left to the rest. */
static void fewer_threads(void **unused)
{
    static const int which[] = {1, 2, 2, 1}; /* threads that were started once are kept */
    gpuranmar_options o = options_of(GPURANMAR_CPU, 1);
    o.threads = 3;
    for (size_t i = 0; i < sizeof which / sizeof *which; ++i) {
        gpuranmar_stream *s;
        assert_int_equal(gpuranmar_stream_initialise(&s, &o), GPURANMAR_OK);
        refused = which[i];
        allocations = 0;
        assert_int_equal(gpuranmar_stream_fill(s, got, MOST), GPURANMAR_OK);
        assert_in_range(allocations, refused, 3);
        refused = 0;
        assert_memory_equal(got, expected, sizeof got);
        gpuranmar_stream_close(s);
    }
    (void)unused;
}

static void sequences(void **unused)
{
    int error = GPURANMAR_NO_MEMORY;
    while (try_next(error))
        error = gpuranmar_initialise(1, 1802, 9373, 1, 10);
    assert_int_equal(gpuranmar_get(1, got, 100), GPURANMAR_OK);
    assert_memory_equal(got, expected, 100 * sizeof *got);
    gpuranmar_close(1);
    (void)unused;
}

int main(void)
{
    gpuranmar_stream *first;
    struct ranmar_state state;
    const struct ranmar_flavour *const f = ranmar_flavour(GPURANMAR_DOUBLE);
    setenv("GPURANMAR_VERIFY", "1", 1);
    setenv("GPURANMAR_THREADS", "1", 1);
    if (gpuranmar_stream_initialise(&first, NULL)) /* what is allocated once is there now */
        return 1;
    gpuranmar_stream_close(first);
    ranmar_seed(&state, f, 1802 * 30082 + 9373);
    ranmar_fill_scalar(&state, f, expected, MOST);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_streams),    cmocka_unit_test(copies_and_saved_states),
        cmocka_unit_test(without_a_cache), cmocka_unit_test(draws),
        cmocka_unit_test(fewer_threads),   cmocka_unit_test(sequences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
