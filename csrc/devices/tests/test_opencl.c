/* The OpenCL back end: its kernels run here, on PoCL or on a GPU, and what they make is compared
 * with the definition: every flavour, size, offset, instance and jump, in work-groups of each
 * shape. Then as streams, whose numbers are those of the CPU, whatever call of OpenCL fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define OWN_MAIN
#include "child.h"
#include "cl_place.h"
#include "definition/flavour.h"
#include "definition/jump.h"
#include "devices/cl_sequence.h"
#include "devices/device.h"
#include "fill/fill.h"
#include "random.h"
#include "stream/stream.h"

enum { MOST = 60000, GUARD = 64 };
static size_t most_of_a_fill = MOST;

/* --- Kernels --- */

/* What comes of several instances: each from its own state, by the definition. */
struct reference {
    const struct ranmar_flavour *flavour;
    struct ranmar_interleave interleave;
    struct ranmar_state *states;
    uint64_t position;
};

/* Makes the next number of a state one that would be zero. */
static void want_zero(struct ranmar_state *s, const struct ranmar_flavour *f)
{
    const uint64_t c = ranmar_arithmetic(s->c, f->step, f->modulus);
    s->x[0] += c + ranmar_mask(s->x + RANMAR_LONG_LAG, f) - ranmar_lagged(s->x, f->every);
}

static void start_reference(struct reference *r, int64_t seed, uint64_t position)
{
    r->states = malloc((size_t)r->interleave.instances * sizeof *r->states);
    r->position = position;
    for (uint64_t p = 0; p < r->interleave.instances; ++p) {
        struct ranmar_jump memo = {0};
        ranmar_seed(&r->states[p], r->flavour, ranmar_seed_of(seed, (int64_t)p));
        ranmar_jump_by(&memo, ranmar_made_of(r->interleave, p, position), r->flavour,
                       &r->states[p]);
        want_zero(&r->states[p], r->flavour);
    }
}

static void next_of_reference(struct reference *r, char *out, size_t n)
{
    const size_t size = ranmar_number_size(r->flavour);
    for (size_t i = 0; i < n; ++i, ++r->position) {
        const uint64_t p =
            r->interleave.instances == 1
                ? 0
                : ranmar_instance_at(r->interleave, r->position % r->interleave.block);
        ranmar_fill_scalar(&r->states[p], r->flavour, out + i * size, 1);
    }
}

/* One sequence and several fills, of any size, to any offset, some after a skip. */
static void fills_agree(int code, uint64_t instances, size_t most)
{
    static char got[(MOST + 2 * GUARD) * sizeof(double)], want[MOST * sizeof(double)];
    struct reference r = {
        ranmar_flavour(code), {instances, instances > 1 ? random_size(1, 3 * most) : 1}, NULL, 0};
    struct ranmar_cl_sequence s = {0};
    const size_t size = ranmar_number_size(r.flavour);
    const int64_t seed = (int64_t)random_in(0, RANMAR_SEED_MAX);
    start_reference(&r, seed, random_size(0, UINT64_C(1) << 60));
    assert_true(ranmar_cl_sequence_open(&s, context, device, r.flavour, r.interleave));
    assert_true(ranmar_cl_sequence_set(&s, r.states, r.position));
    const cl_mem memory = new_buffer(got, sizeof got);
    for (int i = 0; i < 6; ++i) {
        const size_t n = i == 0 ? most : random_size(1, most), at = random_in(1, GUARD);
        if (instances == 1 && i % 3 == 2) {
            struct ranmar_jump memo = {0};
            const uint64_t by = random_size(0, UINT64_C(1) << 59);
            ranmar_jump_by(&memo, by, r.flavour, r.states);
            r.position += by;
        }
        memset(got, 0x55, sizeof got);
        CL_MUST(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
        assert_true(ranmar_cl_sequence_fill(&s, queue, memory, at, r.position, n, 0, NULL, NULL));
        CL_MUST(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
        next_of_reference(&r, want, n);
        if (memcmp(got + at * size, want, n * size) != 0)
            fail_msg("flavour %s, seed %lld, %llu instances, block %llu, fill %d of %zu at %zu "
                     "ends at %llu",
                     ranmar_flavour_name(code), (long long)seed, (unsigned long long)instances,
                     (unsigned long long)r.interleave.block, i, n, at,
                     (unsigned long long)r.position);
        for (size_t b = 0; b < sizeof got; ++b)
            if ((b < at * size || b >= (at + n) * size) && got[b] != 0x55)
                fail_msg("a byte outside is written");
    }
    assert_int_equal(s.position, r.position);
    ranmar_cl.clReleaseMemObject(memory);
    ranmar_cl_sequence_close(&s);
    free(r.states);
}

static void kernels_of_shape(struct shape s, int first, int last)
{
    ranmar_cl_shape(s.lanes, s.sequences, s.further, s.before);
    for (int code = first; code <= last; ++code)
        for (int round = 0; round < (most_of_a_fill == MOST ? 3 : 1); ++round) {
            const size_t most = round ? random_size(1, MOST) : most_of_a_fill;
            fills_agree(code, 1, most);
            fills_agree(code, random_size(2, 300), most);
        }
    ranmar_cl_shape(0, 0, "", "");
}

/* What has doubles, and is optimised, makes the streams below. */
static void one_work_item(void **unused)
{
    const struct shape s = {1, 1, " -cl-opt-disable -D RANMAR_WITHOUT_DOUBLES", ""};
    kernels_of_shape(s, 0, RANMAR_FLAVOURS - 1);
    (void)unused;
}

/* PoCL takes a minute to optimise groups of 32. */
static void groups_of_32(void **unused)
{
    const struct shape s = {32, 1, " -cl-opt-disable", ""};
    kernels_of_shape(s, 0, RANMAR_FLAVOURS - 1);
    (void)unused;
}

/* What differs between flavours does not depend on how many segments a group has. To compile them
 * takes long. */
static void groups_of_64(void **unused)
{
    const int code = (int)random_in(0, RANMAR_FLAVOURS - 1);
    const struct shape s = {32, 2, " -cl-opt-disable", ""};
    kernels_of_shape(s, code, code);
    (void)unused;
}

/* Only the first shape: a program's kernel is tested in all (test_opencl_calls.c), and calls the
 * same functions. */
static void shuffles(void **unused)
{
    struct shape shapes[4];
    shapes_with_shuffles(shapes);
    kernels_of_shape(shapes[0], 0, RANMAR_FLAVOURS - 1);
    (void)unused;
}

/* --- Streams --- */

static gpuranmar_stream *open_stream(gpuranmar_options o, int backend)
{
    gpuranmar_stream *s;
    o.backend = backend;
    if (o.prefetch == 0)
        o.prefetch = 5000;
    assert_int_equal(gpuranmar_stream_initialise(&s, &o), GPURANMAR_OK);
    return s;
}

static int draw(gpuranmar_stream *s, int single, int cached, void *out, size_t n)
{
    if (single)
        return cached ? gpuranmar_stream_get_single(s, out, n)
                      : gpuranmar_stream_fill_single(s, out, n);
    return cached ? gpuranmar_stream_get(s, out, n) : gpuranmar_stream_fill(s, out, n);
}

/* Requests of every kind, beside the CPU's stream. Returns whether the device made them to the
 * end. */
static int streams_agree(gpuranmar_options o, int requests)
{
    static double got[MOST], want[MOST];
    const int single = o.flavour == GPURANMAR_SINGLE;
    gpuranmar_stream *const a = open_stream(o, GPURANMAR_OPENCL), *const b =
                                                                      open_stream(o, GPURANMAR_CPU);
    for (int i = 0; i < requests; ++i) {
        const size_t n = i == 0 ? MOST : random_size(0, MOST);
        const int cached = random_in(0, 2) > 0;
        assert_int_equal(draw(a, single, cached, got, n), GPURANMAR_OK);
        assert_int_equal(draw(b, single, cached, want, n), GPURANMAR_OK);
        assert_memory_equal(got, want, n * (single ? sizeof(float) : sizeof(double)));
        if (random_in(0, 4) == 0) {
            const uint64_t by = random_size(0, UINT64_C(1) << 50);
            assert_int_equal(gpuranmar_stream_skip(a, by), GPURANMAR_OK);
            assert_int_equal(gpuranmar_stream_skip(b, by), GPURANMAR_OK);
        }
    }
    const int by_device = ranmar_gpu_maker_devices(a->makers[0]) != NULL;
    gpuranmar_stream_close(a);
    gpuranmar_stream_close(b);
    return by_device;
}

static gpuranmar_options any_options(int flavour, int64_t instances)
{
    gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
    o.flavour = flavour;
    o.seed = (int64_t)random_in(0, RANMAR_SEED_MAX);
    o.position = random_size(0, UINT64_C(1) << 60);
    o.instances = instances;
    o.prefetch = (int64_t)random_size(1, MOST);
    o.threads = 2;
    return o;
}

static void streams(void **unused)
{
    for (int code = 0; code < RANMAR_FLAVOURS; ++code)
        for (int round = 0; round < 2; ++round) {
            assert_true(streams_agree(any_options(code, 1), 20));
            assert_true(streams_agree(any_options(code, (int64_t)random_size(2, 1000)), 10));
        }
    (void)unused;
}

/* A process that is forked while another thread starts the GPU, or by a driver in its own start,
 * makes its numbers on the CPU: at whatever call, under whatever locks. */
static void draw_in_child(long call)
{
    gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
    static double got[100], want[100];
    if (call > 40 && call % 20 != 0)
        return;
    IN_A_CHILD(0, assert_true(ends_well(this_child)), {
        ranmar_device_before_call = NULL;
        assert_non_null(freopen("/dev/null", "w", stderr));
        alarm(60); /* it would wait for ever */
        gpuranmar_stream_get(open_stream(o, GPURANMAR_OPENCL), got, 100);
        gpuranmar_stream_get(open_stream(o, GPURANMAR_CPU), want, 100);
        if (memcmp(got, want, sizeof got) != 0)
            _exit(1);
    });
}

static void forked_at_the_start(void **unused)
{
    ranmar_device_before_call = draw_in_child;
    assert_true(streams_agree(any_options(GPURANMAR_DOUBLE, 1), 1));
    ranmar_device_before_call = NULL;
    (void)unused;
}

/* A child process makes its numbers on the CPU, from where its parent stood. */
static void forked(void **unused)
{
    static double got[MOST], want[MOST];
    const gpuranmar_options o = any_options(GPURANMAR_DOUBLE, 1);
    gpuranmar_stream *const a = open_stream(o, GPURANMAR_OPENCL), *const b =
                                                                      open_stream(o, GPURANMAR_CPU);
    assert_int_equal(gpuranmar_stream_get(a, got, 1234), GPURANMAR_OK);
    assert_int_equal(gpuranmar_stream_get(b, want, 1234), GPURANMAR_OK);
    const pid_t child = fork();
    gpuranmar_stream_fill(a, got, MOST);
    gpuranmar_stream_fill(b, want, MOST);
    const int good = memcmp(got, want, sizeof got) == 0;
    if (child == 0)
        _exit(good ? 0 : 1);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(good && status == 0);
    gpuranmar_stream_close(a);
    gpuranmar_stream_close(b);
    (void)unused;
}

/* The same requests each time, so that the calls are the same, of which first..last fail. Returns
 * how many there were. */
static long fail_calls(uint64_t seed, long first, long last, int anew)
{
    gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
    o.prefetch = 3000;
    random_state = seed;
    if (anew)
        ranmar_cl_shape(0, 0, "", ""); /* the kernels are built again */
    ranmar_device_fail_calls(first, last);
    const int by_device = streams_agree(o, 4);
    const long calls = ranmar_device_fail_calls(0, 0);
    assert_true(by_device || first > 0);
    return calls;
}

/* Each call fails in turn, alone (as in an error that passes) and with all that follow (as in a
 * device that is lost). Of those that build the kernels and their table, which repeat, some do. */
static void calls_fail(void **unused)
{
    const uint64_t seed = random_word();
    const long building = fail_calls(seed, 0, 0, 1), calls = fail_calls(seed, 0, 0, 0);
    assert_true(calls > 30 && building > calls);
    printf("# %ld calls, %ld with the building of kernels\n", calls, building);
    for (long at = 1; at <= calls; ++at) {
        fail_calls(seed, at, at, 0);
        fail_calls(seed, at, LONG_MAX, 0);
    }
    for (long at = 1; at <= building; at += at < 30 ? 1 : (long)random_in(1, 30))
        fail_calls(seed, at, random_in(0, 1) ? at : LONG_MAX, 1);
    (void)unused;
}

/* With an argument only groups of 32 and 64 are tested, by fills of at most so many numbers: for a
 * device that is simulated (oclgrind.long.t). */
int main(int argc, char **argv)
{
    random_start();
    if (!find_device())
        return 0;
    const struct CMUnitTest kernels[] = {
        cmocka_unit_test(groups_of_32), cmocka_unit_test(groups_of_64), cmocka_unit_test(shuffles)};
    if (argc > 1) {
        most_of_a_fill = (size_t)atoi(argv[1]);
        return cmocka_run_group_tests(kernels, NULL, NULL);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forked_at_the_start),
        cmocka_unit_test(one_work_item),
        cmocka_unit_test(groups_of_32),
        cmocka_unit_test(groups_of_64),
        cmocka_unit_test(shuffles),
        cmocka_unit_test(streams),
        cmocka_unit_test(calls_fail),
        cmocka_unit_test(forked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
