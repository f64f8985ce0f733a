/* The tests of delivery by gpu_backend.c, for CUDA and OpenCL: a stream on a device delivers the
 * same numbers as a stream on the CPU, for requests of every kind, after a failure of any call of
 * the device, and in forked processes. The tests run without a device too, since the CPU then goes
 * on.
 *
 * The including file defines:
 *   BACKEND, PLUGIN     a value of enum gpuranmar_backend, and the plugin's entry
 *   EACH                the step from one call that is made to fail to the next
 *   pinned(), unpin()   allocate host memory that the device can write to, or NULL; and free it
 *   build_anew()        has what all streams share (kernels, tables of jumps) built again */
#ifndef RANMAR_TEST_DELIVERY_H
#define RANMAR_TEST_DELIVERY_H

#define OWN_MAIN
#include "child.h"

#include <limits.h>

#include "stream/stream.h"

#define MUST(call) assert_int_equal(call, 0)
#include "backends/plugin.h"
#include "definition/flavour.h"
#include "devices/device_error.h"
#include "devices/tests/driver.h"
#include "devices/tests/pair.h"
#include "fill/thread_pool.h"
#include "known.h"

enum { PIECE = RANMAR_LARGEST_PIECE, MOST = 6 * PIECE };

static double got[MOST], want[MOST];
static int has_device;

/* One stream, and requests of every kind, up to `most` numbers each. Returns whether a device made
 * them to the end. */
static int requests_agree(int flavour, int64_t instances, int requests, size_t most)
{
    gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
    o.flavour = flavour;
    o.seed = (int64_t)random_in(0, 942438977);
    o.position = random_size(0, UINT64_C(1) << 60);
    o.instances = instances;
    o.prefetch = random_in(0, 1) || instances > 1 ? (int64_t)random_size(1, most) : 0;
    o.threads = 2;
    const struct pair both = open_pair(o, BACKEND);
    void *const fixed = pinned(most * sizeof(double));
    int is_by_device = 0;
    for (int i = 0; i < requests; ++i) {
        void *const to = fixed && random_in(0, 1) ? fixed : got;
        const size_t n = i == 0 ? most : random_size(0, most);
        if (!draws_agree(both, random_in(0, 2) > 0, to, want, n))
            fail_msg("flavour %d, instances %lld, prefetch %lld, seed %lld, position %llu: "
                     "request %d, of %zu",
                     flavour, (long long)instances, (long long)o.prefetch, (long long)o.seed,
                     (unsigned long long)o.position, i, n);
        if (n > 0)
            is_by_device = made_by_device(both.gpu);
        if (random_in(0, 9) == 0) {
            const uint64_t skipped = random_size(0, UINT64_C(1) << 50);
            MUST(gpuranmar_stream_skip(both.gpu, skipped));
            MUST(gpuranmar_stream_skip(both.cpu, skipped));
        }
        if (random_in(0, 9) == 0) {
            char a[GPURANMAR_SAVED_STATE_SIZE], b[GPURANMAR_SAVED_STATE_SIZE];
            MUST(gpuranmar_stream_save(both.gpu, a, sizeof a));
            MUST(gpuranmar_stream_save(both.cpu, b, sizeof b));
            assert_memory_equal(a, b, sizeof a);
            MUST(gpuranmar_stream_restore(both.gpu, b, sizeof b));
        }
    }
    unpin(fixed);
    close_pair(both);
    return is_by_device;
}

/* A process may be forked while another thread starts the device, or by a driver as it starts: at
 * any call, while locks are held. It must make its numbers on the CPU. */
static void draw_in_child(long call)
{
    static double drawn[2][100];
    if (call > 40 && call % 20 != 0)
        return;
    ENDS_WELL({
        ranmar_device_before_call = NULL;
        assert_non_null(freopen("/dev/null", "w", stderr));
        alarm(60); /* a deadlock must end */
        const struct pair both = open_pair((gpuranmar_options)GPURANMAR_OPTIONS_INIT, BACKEND);
        if (!draws_agree(both, 1, drawn[0], drawn[1], 100))
            _exit(1);
    });
}

TEST(forked_at_the_start)
{
    char name[256];
    ranmar_device_before_call = draw_in_child;
    const int is_by_device = requests_agree(GPURANMAR_DOUBLE, 1, 1, MOST);
    ranmar_device_before_call = NULL;
    const struct ranmar_plugin *const plugin = PLUGIN(RANMAR_PLUGIN_ABI);
    has_device = plugin->name(0, name, sizeof name);
    printf("# %s\n", has_device ? name : plugin->error());
    assert_int_equal(is_by_device, has_device);
    assert_null(PLUGIN(RANMAR_PLUGIN_ABI + 1));
}

TEST(known_answers)
{
    FILE *file = NULL;
    for (struct known k; known_next(&file, &k);)
        assert_true(known_by_stream(&k, BACKEND, MOST));
}

TEST(requests_of_every_kind)
{
    for (int flavour = 0; flavour < RANMAR_FLAVOURS; ++flavour)
        for (int round = 0; round < 2; ++round) {
            assert_int_equal(requests_agree(flavour, 1, 20, MOST), has_device);
            const int64_t instances = (int64_t)random_size(2, 5000);
            assert_int_equal(requests_agree(flavour, instances, 5, MOST / 10), has_device);
        }
}

/* Blocks of any length, made ahead or one at a time. */
static void blocks_agree(int64_t prefetch, int blocks)
{
    gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
    o.prefetch = prefetch;
    const struct pair both = open_pair(o, BACKEND);
    for (int i = 0; i < blocks; ++i)
        assert_true(draws_agree(both, 1, got, want, (size_t)prefetch - (size_t)i % 2));
    close_pair(both);
}

TEST(blocks)
{
    blocks_agree(PIECE / 160, 250);
    blocks_agree(4 * PIECE + 4465, 3);
}

/* The copy by which pinned memory is emptied, on any number of threads. */
TEST(copies_by_threads)
{
    enum { BYTES = 5 << 20 };
    static char from[BYTES], to[BYTES + 1], expected[BYTES + 1];
    for (size_t i = 0; i < BYTES; ++i)
        from[i] = (char)random_word();
    for (int i = 0; i < 20; ++i) {
        const size_t bytes = i == 0 ? BYTES : random_size(0, BYTES);
        memset(to, 0, sizeof to);
        memset(expected, 0, sizeof expected);
        memcpy(expected, from, bytes);
        ranmar_copy_by_threads(to, from, bytes, (int)random_in(1, 6));
        assert_memory_equal(to, expected, sizeof to);
    }
}

static int goes_on(struct pair both)
{
    static const size_t sizes[] = {777, MOST, 1, 9999};
    int good = 1;
    for (int i = 0; i < 4; ++i)
        good = draws_agree(both, sizes[i] < MOST, got, want, sizes[i]) && good;
    return good;
}

/* Parent and child both go on within a buffer and within the blocks made ahead: the child, which
 * has no device, makes the blocks' numbers again. */
TEST(forked)
{
    gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
    o.prefetch = 10000;
    o.threads = 2;
    const struct pair both = open_pair(o, BACKEND);
    assert_true(draws_agree(both, 1, got, want, 234));
    assert_true(both.gpu->pos < 0 && made_by_device(both.gpu) == has_device);
    IN_A_CHILD(0, assert_true(goes_on(both) && ends_well(this_child) && goes_on(both)), {
        alarm(600);
        if (!goes_on(both))
            _exit(1);
    });
    close_pair(both);
}

/* Requests that take every path: longer than a piece, blocks, short ones, to pinned and pageable
 * memory, with interleaved instances. */
static void take_every_path(void)
{
    enum { PART = PIECE / 8 };
    gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
    o.prefetch = PART;
    const struct pair both = open_pair(o, BACKEND);
    void *const fixed = pinned(3 * PART * sizeof(double));
    assert_true(draws_agree(both, 0, got, want, 1000));
    assert_true(draws_agree(both, 0, got, want, 30 * PART));
    if (fixed)
        assert_true(draws_agree(both, 0, fixed, want, 3 * PART));
    for (int i = 0; i < 5; ++i)
        assert_true(draws_agree(both, 1, got, want, PART / 2));
    close_pair(both);
    unpin(fixed);
    requests_agree(GPURANMAR_SINGLE, 3, 3, PART + PART / 3);
}

/* Makes the same requests for the same seed, and so the same calls. Calls first..last fail. Returns
 * how many calls there were. */
static long fail_calls(uint64_t seed, long first, long last, int anew)
{
    const uint64_t before = random_state;
    random_state = seed;
    if (anew)
        build_anew();
    ranmar_device_fail_calls(first, last);
    take_every_path();
    random_state = before;
    return ranmar_device_fail_calls(0, 0);
}

static long each = EACH;

/* Each call fails once alone (a passing error) and once with all that follow (a lost device). The
 * calls that build kernels and tables are much alike, so that a sample of them is enough. */
TEST(calls_fail)
{
    const uint64_t seed = random_word();
    const long building = fail_calls(seed, 0, 0, 1), calls = fail_calls(seed, 0, 0, 0);
    printf("# %ld calls, %ld with building\n", calls, building);
    assert_true(!has_device || calls > 30);
    for (long at = 1 + (long)random_in(0, (uint64_t)each - 1); at <= calls; at += each) {
        fail_calls(seed, at, at, 0);
        fail_calls(seed, at, LONG_MAX, 0);
    }
    for (long at = 1; at <= building && building > calls;
         at += at < 30 ? 1 : (long)random_in(1, 30))
        fail_calls(seed, at, random_in(0, 1) ? at : LONG_MAX, 1);
}

static void find_device(void)
{
    char name[256];
    PLUGIN(RANMAR_PLUGIN_ABI)->name(0, name, sizeof name);
}

/* With an argument each call fails in turn. */
int main(int argc, char **argv)
{
    if (!driver_survives(find_device))
        return 0;
    (void)argv;
    if (argc > 1)
        each = 1;
    random_start();
    return _cmocka_run_group_tests("delivery", tests.all, tests.count, NULL, NULL);
}

#endif
