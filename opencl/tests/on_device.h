/* For tests of OpenCL by cmocka: the device that they run on, the first or the one whose number
 * GPURANMAR_DEVICE has, and a generator of gpuranmar_opencl.h beside a stream on the CPU. */
#ifndef RANMAR_TEST_CL_GENERATOR_H
#define RANMAR_TEST_CL_GENERATOR_H

#include <stdlib.h>

#define OWN_MAIN
#include "tests.h"

#include "definition/flavour.h"
#include "devices/tests/driver.h"
#include "gpuranmar_opencl.h"
#include "program.h"

#define MUST(call) assert_int_equal(call, GPURANMAR_OK)
#include "devices/tests/pair.h"

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

#define CL_MUST(call) assert_int_equal(ranmar_cl.call, CL_SUCCESS)

static cl_command_queue new_queue(void)
{
    cl_int error;
    const cl_command_queue made = ranmar_cl.clCreateCommandQueue(context, device, 0, &error);
    assert_int_equal(error, CL_SUCCESS);
    return made;
}

/* A buffer with these bytes in it. */
static cl_mem new_buffer(const void *bytes, size_t size)
{
    cl_int error;
    const cl_mem made = ranmar_cl.clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                                 size, (void *)bytes, &error);
    assert_int_equal(error, CL_SUCCESS);
    return made;
}

/* Whether the device's compiler is NVIDIA's. */
static int has_shuffles(void)
{
    char all[8192] = "";
    ranmar_cl.clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof all - 1, all, NULL);
    return strstr(all, "cl_nv_compiler_options") != NULL;
}

static void find_device(void)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    cl_int error;
    const char *const wanted = getenv("GPURANMAR_DEVICE");
    int number = 0;
    if (ranmar_cl_load())
        ranmar_cl.clGetPlatformIDs(16, platforms, &count);
    for (cl_uint i = 0; i < count && !device; ++i) {
        cl_device_id devices[16];
        cl_uint here = 0;
        ranmar_cl.clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 16, devices, &here);
        for (cl_uint k = 0; k < here && !device; ++k)
            if (!wanted || atoi(wanted) == number++)
                device = devices[k];
    }
    if (!device)
        return;
    context = ranmar_cl.clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    queue = new_queue();
}

/* The tests of the file, where there is a device; else a line says that they are skipped. */
static inline int run_on_device(void)
{
    random_start();
    if (!driver_survives(find_device))
        return 0;
    find_device();
    if (!device) {
        printf("1..0 # SKIP no OpenCL device (Debian: pocl-opencl-icd): %s\n",
               ranmar_device_error());
        return 0;
    }
    return _cmocka_run_group_tests("opencl", tests.all, tests.count, NULL, NULL);
}

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

/* Makes a call; if it was made to fail, repeats it: the failure has not moved the generator. */
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
