/* Streams by OpenCL: see delivery.h. */
#include <dlfcn.h>

#include "backends/plugin.h"
#include "program.h"

#define BACKEND GPURANMAR_OPENCL
#define PLUGIN ranmar_opencl_plugin
#define EACH 1

extern ranmar_plugin_entry ranmar_opencl_plugin;

#define pinned(bytes) NULL
#define unpin(memory) ((void)(memory))

static void build_anew(void)
{
    ranmar_cl_shape(0, "");
}

#include "devices/tests/delivery.h"

static __typeof__(clCreateUserEvent) *create_event;
static __typeof__(clSetUserEventStatus) *end_event;
static __typeof__(clWaitForEvents) *wait_for_events;
static cl_event copied;
static int at_once;

static cl_int CL_API_CALL read_later(cl_command_queue queue, cl_mem from, cl_bool blocks, size_t at,
                                     size_t bytes, void *to, cl_uint waits,
                                     const cl_event *wait_for, cl_event *event)
{
    cl_context context;
    cl_int error;
    (void)from, (void)blocks, (void)at, (void)bytes, (void)to, (void)waits, (void)wait_for;
    ranmar_cl.clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
    *event = copied = create_event(context, &error);
    if (at_once && !error)
        error = end_event(copied, CL_OUT_OF_RESOURCES);
    return error;
}

static cl_int CL_API_CALL fail_and_wait(cl_uint count, const cl_event *events)
{
    if (!at_once)
        end_event(copied, CL_OUT_OF_RESOURCES);
    return wait_for_events(count, events);
}

/* The options of a stream that makes half a piece at once, since its blocks are shorter. */
static gpuranmar_options short_blocks(void)
{
    gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
    o.prefetch = 1;
    return o;
}

/* A copy is queued without an error, and fails when the device makes it: before the event is
 * queued, or after. */
TEST(copy_fails)
{
    void *const library = dlopen("libOpenCL.so.1", RTLD_NOW);
    if (!has_device)
        SKIP("no OpenCL device");
    create_event = (__typeof__(create_event))dlsym(library, "clCreateUserEvent");
    end_event = (__typeof__(end_event))dlsym(library, "clSetUserEventStatus");
    __typeof__(clEnqueueReadBuffer) *const read = ranmar_cl.clEnqueueReadBuffer;
    wait_for_events = ranmar_cl.clWaitForEvents;
    for (at_once = 0; at_once < 2; ++at_once) {
        const struct pair both = open_pair(short_blocks(), BACKEND);
        ranmar_cl.clEnqueueReadBuffer = read_later;
        ranmar_cl.clWaitForEvents = fail_and_wait;
        assert_true(draws_agree(both, 0, got, want, PIECE / 2));
        ranmar_cl.clEnqueueReadBuffer = read;
        ranmar_cl.clWaitForEvents = wait_for_events;
        assert_false(made_by_device(both.gpu));
        close_pair(both);
    }
}

static __typeof__(clReleaseEvent) *release;
static int releases;

static cl_int CL_API_CALL count_release(cl_event event)
{
    ++releases;
    return release(event);
}

/* A request has an event each of its kernel, its copy and the one behind them. */
TEST(events_are_released)
{
    if (!has_device)
        SKIP("no OpenCL device");
    const struct pair both = open_pair(short_blocks(), BACKEND);
    release = ranmar_cl.clReleaseEvent;
    ranmar_cl.clReleaseEvent = count_release;
    for (int i = 0; i < 10; ++i)
        assert_true(draws_agree(both, 0, got, want, PIECE / 2));
    close_pair(both);
    ranmar_cl.clReleaseEvent = release;
    assert_int_equal(releases, 3 * 10);
}
