/* A generator of gpuranmar_opencl.h beside a stream of the CPU: for tests by cmocka. */
#ifndef RANMAR_TEST_CL_GENERATOR_H
#define RANMAR_TEST_CL_GENERATOR_H

#include "cl_place.h"
#include "definition/flavour.h"
#include "devices/include/gpuranmar_opencl.h"
#include "random.h"

#define MUST(call) assert_int_equal(call, GPURANMAR_OK)
#include "devices/tests/pair.h"

enum { MOST = 60000 };
static size_t most = MOST; /* numbers of a fill */

static inline gpuranmar_opencl_generator *new_generator(int flavour)
{
    gpuranmar_opencl_generator *g;
    assert_int_equal(gpuranmar_opencl_create(&g, queue, flavour), GPURANMAR_OK);
    return g;
}

static int64_t any_seed(void)
{
    return (int64_t)random_in(0, RANMAR_SEED_MAX);
}

/* Makes a call; where it was made to fail, again, for the generator is where it was. */
#define ONCE(call)              \
    if ((call) != GPURANMAR_OK) \
    assert_int_equal(call, GPURANMAR_OK)

/* Fills by a generator: any size, to any offset, from one queue or the other, after an event. */
static void generator_agrees(int flavour, int64_t instances, int fills)
{
    static char got[(MOST + 64) * sizeof(double)], want[MOST * sizeof(double)];
    const size_t size = ranmar_number_size(ranmar_flavour(flavour)), room = (most + 64) * size;
    const int64_t seed = any_seed(), block = (int64_t)random_size(1, 3 * most);
    gpuranmar_stream *s = open_on_cpu(flavour, seed, instances, block, 0);
    gpuranmar_opencl_generator *g = NULL;
    const cl_command_queue queues[] = {queue, new_queue()};
    ONCE(gpuranmar_opencl_create(&g, queue, flavour));
    ONCE(gpuranmar_opencl_set_seed(g, seed));
    if (instances > 1)
        ONCE(gpuranmar_opencl_set_instances(g, instances, block));
    for (int i = 0; i < fills; ++i) {
        const size_t n = i == 0 ? most : random_size(1, most), at = random_in(0, 63);
        const cl_command_queue in = queues[random_in(0, 1)];
        uint64_t position;
        cl_event ready, done = NULL;
        if (random_in(0, 2) == 0) {
            position = random_size(0, UINT64_C(1) << 60);
            ONCE(gpuranmar_opencl_set_position(g, position));
            gpuranmar_stream_close(s);
            s = open_on_cpu(flavour, seed, instances, block, position);
        }
        memset(got, 0x55, room);
        const cl_mem memory = new_buffer(got, room);
        ONCE(gpuranmar_opencl_set_queue(g, in));
        CL_MUST(clEnqueueMarkerWithWaitList(queue, 0, NULL, &ready));
        ONCE(gpuranmar_opencl_generate(g, memory, at, n, 1, &ready, &done));
        CL_MUST(clWaitForEvents(1, &done));
        CL_MUST(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, room, got, 0, NULL, NULL));
        MUST(draw(s, flavour == GPURANMAR_SINGLE, 0, want, n));
        if (memcmp(got + at * size, want, n * size) != 0)
            fail_msg("flavour %d, seed %lld, %lld instances, block %lld, fill %d of %zu at %zu",
                     flavour, (long long)seed, (long long)instances, (long long)block, i, n, at);
        for (size_t b = 0; b < room; ++b)
            assert_true((b >= at * size && b < (at + n) * size) || got[b] == 0x55);
        uint64_t of_stream;
        assert_int_equal(gpuranmar_opencl_position(g, &position), GPURANMAR_OK);
        assert_int_equal(gpuranmar_stream_position(s, &of_stream), GPURANMAR_OK);
        assert_true(position == of_stream);
        ranmar_cl.clReleaseEvent(ready);
        ranmar_cl.clReleaseEvent(done);
        ranmar_cl.clReleaseMemObject(memory);
    }
    gpuranmar_opencl_destroy(g);
    ranmar_cl.clReleaseCommandQueue(queues[1]);
    gpuranmar_stream_close(s);
}

#endif
