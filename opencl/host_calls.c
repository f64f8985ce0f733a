/* The calls of gpuranmar_opencl.h: checks, then device_stream. */
#include "gpuranmar_opencl.h"

#include <stdlib.h>

#include "definition/jump.h"
#include "device_stream.h"
#include "devices/device_checks.h"
#include "fill/fill.h"

struct gpuranmar_opencl_generator {
    struct ranmar_cl_stream numbers;
    cl_command_queue queue;
    cl_context context;
    cl_device_id device;
    int flavour;
    int64_t seed;
    uint64_t position; /* may be ahead of the position of `numbers` if there is one instance */
};

typedef gpuranmar_opencl_generator generator;

/* Ends a call that cannot use the generator, with the error. */
#define CHECK_GENERATOR(g)               \
    do {                                 \
        CHECK_POINTER(g, "generator");   \
        if (!ranmar_device_is_ours())    \
            return GPURANMAR_NO_BACKEND; \
    } while (0)

static int result(int good)
{
    return good ? GPURANMAR_OK : GPURANMAR_NO_BACKEND;
}

const char *gpuranmar_opencl_last_error(void)
{
    return ranmar_device_error();
}

/* What a queue works on. */
struct target {
    cl_context context;
    cl_device_id device;
    cl_command_queue_properties properties;
};

static int query_queue(cl_command_queue queue, struct target *p)
{
    CL_TRY(clGetCommandQueueInfo, (queue, CL_QUEUE_CONTEXT, sizeof p->context, &p->context, NULL));
    CL_TRY(clGetCommandQueueInfo, (queue, CL_QUEUE_DEVICE, sizeof p->device, &p->device, NULL));
    CL_TRY(clGetCommandQueueInfo,
           (queue, CL_QUEUE_PROPERTIES, sizeof p->properties, &p->properties, NULL));
    return 1;
}

static int retain(cl_command_queue queue)
{
    CL_TRY(clRetainCommandQueue, (queue));
    return 1;
}

/* Opens a sequence in place of the generator's, at a position of a seed. With one instance the
 * sequence starts at the seed's state, and the next kernel jumps from there. */
static int go_to(generator *g, struct ranmar_interleave interleave, int64_t seed, uint64_t position)
{
    const struct ranmar_flavour *const f = ranmar_flavour(g->flavour);
    const uint64_t begin = interleave.instances == 1 ? 0 : position;
    struct ranmar_cl_stream changed = {0};
    struct ranmar_jump last_jump = {0};
    struct ranmar_state *const states = malloc((size_t)interleave.instances * sizeof *states);
    if (!states)
        return ranmar_device_fail("out of memory"), GPURANMAR_NO_MEMORY;
    for (uint64_t p = 0; p < interleave.instances; ++p) {
        ranmar_start(&states[p], f, seed, p);
        ranmar_jump_by(&last_jump, ranmar_made_of(interleave, p, begin), f, &states[p]);
    }
    const int good = ranmar_cl_stream_open(&changed, g->context, g->device, f, interleave) &&
                     ranmar_cl_stream_set(&changed, states, begin);
    free(states);
    if (!good) {
        ranmar_cl_stream_close(&changed);
        return GPURANMAR_NO_BACKEND;
    }
    ranmar_cl_stream_close(&g->numbers);
    g->numbers = changed;
    g->seed = seed;
    g->position = position;
    return GPURANMAR_OK;
}

int gpuranmar_opencl_create(generator **made, cl_command_queue queue, int flavour)
{
    struct target at;
    CHECK_POINTER(made, "generator");
    CHECK_POINTER(queue, "queue");
    CHECK_FLAVOUR(flavour);
    if (!ranmar_cl_load() || !query_queue(queue, &at))
        return GPURANMAR_NO_BACKEND;
    CHECK(!(at.properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
          "%s: queue does not execute in order", __func__);
    generator *const g = calloc(1, sizeof *g);
    if (!g)
        return ranmar_device_fail("%s: no memory", __func__), GPURANMAR_NO_MEMORY;
    g->context = at.context;
    g->device = at.device;
    g->flavour = flavour;
    const struct ranmar_interleave one = {1, 1};
    int error = go_to(g, one, RANMAR_IJKL_DEFAULT, 0);
    if (error == GPURANMAR_OK)
        error = result(retain(queue));
    if (error == GPURANMAR_OK) {
        g->queue = queue;
        *made = g;
    } else {
        gpuranmar_opencl_destroy(g);
    }
    return error;
}

void gpuranmar_opencl_destroy(generator *g)
{
    if (!g || !ranmar_device_is_ours()) /* a forked child must not free what is its parent's */
        return;
    ranmar_cl_stream_close(&g->numbers);
    if (g->queue)
        ranmar_cl.clReleaseCommandQueue(g->queue);
    free(g);
}

/* Queues a marker that waits for the events, or for all queued work if there are none. Sets *event
 * to the marker's own event, unless `event` is NULL. */
static int wait_for_all(cl_command_queue queue, cl_uint waits, const cl_event *wait_for,
                        cl_event *event)
{
    CL_TRY(clEnqueueMarkerWithWaitList, (queue, waits, wait_for, event));
    return 1;
}

/* Makes a queue wait for what is queued on another. */
static int wait_for_other(cl_command_queue queue, cl_command_queue other)
{
    cl_event all = NULL;
    if (!wait_for_all(other, 0, NULL, &all))
        return 0;
    const int good = ranmar_cl_succeeded(CL_RESULT(clFlush, (other)), "clFlush") &&
                     wait_for_all(queue, 1, &all, NULL);
    ranmar_cl.clReleaseEvent(all);
    return good;
}

int gpuranmar_opencl_set_queue(generator *g, cl_command_queue queue)
{
    struct target at;
    CHECK_GENERATOR(g);
    CHECK_POINTER(queue, "queue");
    if (!query_queue(queue, &at))
        return GPURANMAR_NO_BACKEND;
    CHECK(!(at.properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
          "%s: queue does not execute in order", __func__);
    CHECK(at.context == g->context && at.device == g->device,
          "%s: queue is of another context or device than the generator", __func__);
    if (!wait_for_other(queue, g->queue) || !retain(queue))
        return GPURANMAR_NO_BACKEND;
    ranmar_cl.clReleaseCommandQueue(g->queue);
    g->queue = queue;
    return GPURANMAR_OK;
}

int gpuranmar_opencl_set_seed(generator *g, int64_t seed)
{
    CHECK_GENERATOR(g);
    CHECK_SEED(g->flavour, seed);
    return go_to(g, g->numbers.interleave, seed, 0);
}

int gpuranmar_opencl_set_position(generator *g, uint64_t position)
{
    CHECK_GENERATOR(g);
    CHECK_POSITION(position);
    return go_to(g, g->numbers.interleave, g->seed, position);
}

int gpuranmar_opencl_set_instances(generator *g, int64_t instances, int64_t block)
{
    CHECK_GENERATOR(g);
    CHECK_INSTANCES(instances, block);
    const struct ranmar_interleave interleave = {(uint64_t)instances, (uint64_t)block};
    return go_to(g, interleave, g->seed, 0);
}

/* What is checked of a buffer, because some drivers accept a buffer of another context, an image,
 * or a buffer that kernels may only read. `room` counts elements. */
struct buffer {
    cl_context context;
    size_t room;
    int is_writable;
};

static int query_buffer(cl_mem memory, size_t size, struct buffer *b)
{
    cl_mem_object_type type;
    cl_mem_flags flags;
    CL_TRY(clGetMemObjectInfo, (memory, CL_MEM_CONTEXT, sizeof b->context, &b->context, NULL));
    CL_TRY(clGetMemObjectInfo, (memory, CL_MEM_SIZE, sizeof b->room, &b->room, NULL));
    CL_TRY(clGetMemObjectInfo, (memory, CL_MEM_TYPE, sizeof type, &type, NULL));
    CL_TRY(clGetMemObjectInfo, (memory, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    b->room /= size;
    b->is_writable = type == CL_MEM_OBJECT_BUFFER && !(flags & CL_MEM_READ_ONLY);
    return 1;
}

/* Sets *foreign to the first event of another context than the generator's, or else to `count`. */
static int find_foreign(const generator *g, const cl_event *events, cl_uint count, cl_uint *foreign)
{
    for (*foreign = 0; *foreign < count; ++*foreign) {
        cl_context context;
        CL_TRY(clGetEventInfo,
               (events[*foreign], CL_EVENT_CONTEXT, sizeof context, &context, NULL));
        if (context != g->context)
            break;
    }
    return 1;
}

#define CHECK_BUFFER(g, buffer, name)                                                            \
    do {                                                                                         \
        CHECK((buffer).context == (g)->context, "%s: " name " is of another context", __func__); \
        CHECK((buffer).is_writable, "%s: " name " is no buffer that kernels may write to",       \
              __func__);                                                                         \
    } while (0)

int gpuranmar_opencl_generate(generator *g, cl_mem out, size_t offset, size_t n, cl_uint waits,
                              const cl_event *wait_for, cl_event *event)
{
    struct buffer b;
    cl_uint foreign;
    CHECK_GENERATOR(g);
    CHECK(out || n == 0, "%s: out is a null pointer", __func__);
    CHECK(!waits == !wait_for, "%s: waits = %u, and wait_for is %sa null pointer", __func__, waits,
          wait_for ? "not " : "");
    if (!find_foreign(g, wait_for, waits, &foreign))
        return GPURANMAR_NO_BACKEND;
    CHECK(foreign == waits, "%s: wait_for[%u] is of another context", __func__, foreign);
    if (n == 0)
        return result(wait_for_all(g->queue, waits, wait_for, event));
    if (!query_buffer(out, ranmar_number_size(ranmar_flavour(g->flavour)), &b))
        return GPURANMAR_NO_BACKEND;
    CHECK_BUFFER(g, b, "out");
    CHECK(offset <= b.room && n <= b.room - offset,
          "%s: n = %zu from offset %zu on: out has room for %zu numbers", __func__, n, offset,
          b.room);
    CHECK(n <= RANMAR_POSITION_MAX - g->position,
          "%s: n = %zu from position %" PRIu64 " is past 2^63", __func__, n, g->position);
    if (!ranmar_cl_stream_fill(&g->numbers, g->queue, out, offset, g->position, n, waits, wait_for,
                               event))
        return GPURANMAR_NO_BACKEND;
    g->position += n;
    return GPURANMAR_OK;
}

int gpuranmar_opencl_states(generator *g, cl_mem states, size_t count, uint64_t distance)
{
    struct buffer b;
    CHECK_GENERATOR(g);
    CHECK_POINTER(states, "states");
    CHECK_STATES(count, distance, g->numbers.interleave.instances, g->position);
    if (!query_buffer(states, GPURANMAR_OPENCL_STATE_SIZE, &b))
        return GPURANMAR_NO_BACKEND;
    CHECK_BUFFER(g, b, "states");
    CHECK(count <= b.room, "%s: count = %zu: the buffer has room for %zu states", __func__, count,
          b.room);
    if (!ranmar_cl_stream_write_states(&g->numbers, g->queue, states, g->position, count, distance))
        return GPURANMAR_NO_BACKEND;
    g->position += count * distance;
    return GPURANMAR_OK;
}

int gpuranmar_opencl_jumps(const generator *g, cl_mem *jumps)
{
    CHECK_POINTER(g, "generator");
    CHECK_POINTER(jumps, "jumps");
    *jumps = g->numbers.program->jumps;
    return GPURANMAR_OK;
}

int gpuranmar_opencl_options(const generator *g, char *options, size_t size)
{
    CHECK_POINTER(g, "generator");
    CHECK_POINTER(options, "options");
    const int length = ranmar_cl_users_options(g->numbers.program, options, size);
    CHECK((size_t)length < size, "%s: size = %zu: the options need %d bytes", __func__, size,
          length + 1);
    return GPURANMAR_OK;
}

int gpuranmar_opencl_position(const generator *g, uint64_t *position)
{
    CHECK_POINTER(g, "generator");
    CHECK_POINTER(position, "position");
    *position = g->position;
    return GPURANMAR_OK;
}
