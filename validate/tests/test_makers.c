/* The makers of a stream's numbers: the numbers stay the same whoever makes them. The GPU here is a
 * fake on the CPU (fake_plugin.h). It is asked for numbers, fails at each call in turn, and is
 * slower than the CPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/wait.h>
#include <unistd.h>

#include "fake_plugin.h"
#include "gpuranmar.h"
#include "random.h"
#include "stream/copy.h"
#include "stream/stream.h"

enum { MOST = 20000 };
static double expected[MOST], got[MOST];

static gpuranmar_stream *open_stream(int backend, int64_t prefetch)
{
    gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
    gpuranmar_stream *s;
    struct ranmar_state state;
    o.seed = (int64_t)random_in(0, 942377567);
    o.backend = backend;
    o.prefetch = prefetch;
    o.threads = 1;
    ranmar_seed(&state, ranmar_flavour(o.flavour), o.seed);
    ranmar_fill_scalar(&state, ranmar_flavour(o.flavour), expected, MOST);
    memset(&fake, 0, sizeof fake);
    assert_int_equal(gpuranmar_stream_initialise(&s, &o), GPURANMAR_OK);
    return s;
}

static void draw(gpuranmar_stream *s, size_t at, size_t n)
{
    assert_int_equal(gpuranmar_stream_get(s, got + at, n), GPURANMAR_OK);
    assert_memory_equal(got + at, expected + at, n * sizeof *got);
}

static void fill(gpuranmar_stream *s, size_t at, size_t n)
{
    assert_int_equal(gpuranmar_stream_fill(s, got + at, n), GPURANMAR_OK);
    assert_memory_equal(got + at, expected + at, n * sizeof *got);
}

/* Blocks for the cache, fills past it, and seeks. Whichever of the plugin's calls fails, the
 * numbers are the same. */
static void use(gpuranmar_stream *s)
{
    draw(s, 0, 10); /* open, set, block */
    draw(s, 10, 990);
    draw(s, 1000, 10);  /* block */
    fill(s, 1010, 990); /* the cache's rest */
    fill(s, 2000, 500); /* set, fill */
    fill(s, 2500, 500); /* fill */
    draw(s, 3000, 10);  /* set, block */
    assert_int_equal(gpuranmar_stream_seek(s, 700), GPURANMAR_OK);
    fill(s, 700, 100);  /* set, fill */
    draw(s, 800, 3000); /* fill: larger than the cache */
}

static void asked_by_name(void **unused)
{
    gpuranmar_stream *const s = open_stream(GPURANMAR_CUDA, 1000);
    use(s);
    assert_true(fake.opens == 1 && fake.sets == 4 && fake.blocks == 3 && fake.fills == 4);
    assert_string_equal(ranmar_gpu_maker_devices(s->makers[0]), "fake");
    gpuranmar_stream_close(s);
    assert_int_equal(fake.closes, 1);
    (void)unused;
}

static void not_asked(void **unused)
{
    gpuranmar_stream *s = open_stream(GPURANMAR_CPU, 1000);
    use(s);
    gpuranmar_stream_close(s);
    assert_int_equal(fake.calls, 0);
    s = open_stream(GPURANMAR_AUTO, 1000); /* no request is large enough */
    use(s);
    gpuranmar_stream_close(s);
    assert_int_equal(fake.calls, 0);
    (void)unused;
}

/* After a failure the plugin's maker is closed and not asked again. */
static void each_call_fails(void **unused)
{
    int calls = 12;
    for (int at = 1; at <= calls; ++at) {
        gpuranmar_stream *const s = open_stream(GPURANMAR_CUDA, 1000);
        fake.fail_at = at;
        use(s);
        assert_int_equal(fake.calls, at);
        assert_null(ranmar_gpu_maker_devices(s->makers[0]));
        gpuranmar_stream_close(s);
        assert_int_equal(fake.closes, at > 1);
    }
    (void)unused;
}

/* A child process leaves what the parent has on the GPU alone, and opens its own. */
static void forked(void **unused)
{
    gpuranmar_stream *const s = open_stream(GPURANMAR_CUDA, 1000);
    draw(s, 0, 1000);
    const pid_t child = fork();
    if (child == 0) {
        gpuranmar_stream_get(s, got + 1000, 3000);
        const int good = memcmp(got, expected, 4000 * sizeof *got) == 0;
        gpuranmar_stream_close(s);
        _exit(good && fake.opens == 2 && fake.closes == 1 ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    draw(s, 1000, 10);
    assert_int_equal(fake.opens, 1);
    gpuranmar_stream_close(s);
    (void)unused;
}

/* What the parent makes after the fork overwrites the memory of the child's cache. */
static void forked_within_a_cache(void **unused)
{
    gpuranmar_stream *const s = open_stream(GPURANMAR_CUDA, 1000);
    int go[2];
    char byte = 0;
    assert_int_equal(pipe(go), 0);
    draw(s, 0, 500);
    const pid_t child = fork();
    if (child == 0) {
        const double *drawn;
        if (read(go[0], &byte, 1) != 1)
            _exit(2);
        gpuranmar_stream_get(s, got + 500, 100);
        gpuranmar_stream_draw(s, &drawn, 1000);
        memcpy(got + 600, drawn, 1000 * sizeof *got);
        _exit(memcmp(got, expected, 1600 * sizeof *got) != 0);
    }
    for (size_t at = 500; at < 3000; at += 500)
        draw(s, at, 500);
    assert_int_equal(write(go[1], &byte, 1), 1);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    close(go[0]);
    close(go[1]);
    gpuranmar_stream_close(s);
    (void)unused;
}

/* The copying of numbers from a GPU's memory by threads; memory behind the copy keeps its value. */
static void copies(void **unused)
{
    enum { MOST_BYTES = (4 << 20) + 5 };
    static const size_t sizes[] = {0,       1,
                                   1 << 20, (2 << 20) - 1,
                                   2 << 20, (2 << 20) + 1,
                                   3 << 20, (3 << 20) + 1000,
                                   4 << 20, MOST_BYTES};
    char *const from = malloc(MOST_BYTES), *const to = malloc(MOST_BYTES + 1);
    assert_true(from && to);
    for (size_t i = 0; i < MOST_BYTES; ++i)
        from[i] = (char)(i * 2654435761u >> 13);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        for (int threads = 1; threads <= 4; ++threads) {
            memset(to, 0x55, MOST_BYTES + 1);
            ranmar_copy_by_threads(to, from, sizes[i], threads);
            assert_memory_equal(to, from, sizes[i]);
            assert_int_equal(to[sizes[i]], 0x55);
        }
    free(from);
    free(to);
    (void)unused;
}

/* --- The automatic choice --- */

/* A fill of many numbers, of which the last are compared. */
static void large_fill(gpuranmar_stream *s, double *out, size_t n)
{
    gpuranmar_stream *check;
    assert_int_equal(gpuranmar_stream_copy(&check, s), GPURANMAR_OK);
    assert_int_equal(gpuranmar_stream_fill(s, out, n), GPURANMAR_OK);
    assert_int_equal(gpuranmar_stream_skip(check, n - 1000), GPURANMAR_OK);
    assert_int_equal(gpuranmar_stream_get(check, got, 1000), GPURANMAR_OK);
    assert_memory_equal(out + n - 1000, got, 1000 * sizeof *got);
    gpuranmar_stream_close(check);
}

/* The CPU makes the first 2^30 numbers. Then the fake GPU is tried, which is slower and so is
 * closed. It is tried again with requests four times as large, of which the CPU makes the first
 * two. If it fails there, it is not tried any more. */
static void automatic_choice(void **unused)
{
    enum { N = 1 << 22 };
    double *const out = malloc(5 * (size_t)N * sizeof *out);
    gpuranmar_stream *const s = open_stream(GPURANMAR_AUTO, 1000);
    for (int i = 0; i < 256; ++i)
        assert_int_equal(gpuranmar_stream_fill(s, out, N), GPURANMAR_OK);
    assert_int_equal(fake.calls, 0);
    assert_int_equal(s->makers[0]->by, RANMAR_BY_CPU);
    fake.pause = 900000;
    large_fill(s, out, N); /* open, set, fill */
    assert_int_equal(s->makers[0]->by, RANMAR_BY_GPU);
    large_fill(s, out, N); /* fill, which is timed */
    assert_true(fake.opens == 1 && fake.fills == 2 && fake.closes == 1);
    large_fill(s, out, N); /* the CPU's again */
    assert_int_equal(fake.opens, 1);
    for (int i = 0; i < 2; ++i) {
        large_fill(s, out, 4 * (size_t)N); /* the CPU's, for its time */
        assert_int_equal(fake.opens, 1);
    }
    fake.fail_at = fake.calls + 3;
    large_fill(s, out, 4 * (size_t)N);
    assert_true(fake.opens == 2 && fake.fills == 3 && fake.closes == 2);
    large_fill(s, out, 5 * (size_t)N);
    assert_int_equal(fake.opens, 2);
    gpuranmar_stream_close(s);
    free(out);
    (void)unused;
}

int main(void)
{
    random_start();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asked_by_name),         cmocka_unit_test(not_asked),
        cmocka_unit_test(each_call_fails),       cmocka_unit_test(forked),
        cmocka_unit_test(forked_within_a_cache), cmocka_unit_test(copies),
        cmocka_unit_test(automatic_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
