/* The calls of gpuranmar_opencl.h: checks, then cl_sequence. */
#include "devices/include/gpuranmar_opencl.h"

#include <inttypes.h>
#include <stdlib.h>

#include "definition/flavour.h"
#include "definition/jump.h"
#include "definition/ranges.h"
#include "devices/cl_sequence.h"

struct gpuranmar_opencl_generator {
    struct ranmar_cl_sequence numbers;
    cl_command_queue queue;
    cl_context context;
    cl_device_id device;
    int flavour;
    int64_t seed;
    uint64_t position; /* with one instance it may be ahead of that of `numbers` */
};

typedef gpuranmar_opencl_generator generator;

enum { COUNT_MAX = 1000000000 }; /* states, 784 GB */

#define CHECK(condition, ...)                                               \
    do {                                                                    \
        if (!(condition))                                                   \
            return ranmar_device_fail(__VA_ARGS__), GPURANMAR_BAD_ARGUMENT; \
    } while (0)

static int result(int good)
{
    return good ? GPURANMAR_OK : GPURANMAR_NO_BACKEND;
}

const char *gpuranmar_opencl_last_error(void)
{
    return ranmar_device_error();
}

void gpuranmar_opencl_error(char *line, size_t size)
{
    ranmar_device_error_padded(line, size);
}

/* What a queue works on. */
struct place {
    cl_context context;
    cl_device_id device;
    cl_command_queue_properties properties;
};

static int look_at(cl_command_queue queue, struct place *p)
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

/* Opens a sequence in place of the generator's, at a position of a seed. A single instance stays at
 * the seed's state: the next kernel jumps from there. */
static int go_to(generator *g, struct ranmar_interleave interleave, int64_t seed, uint64_t position)
{
    const struct ranmar_flavour *const f = ranmar_flavour(g->flavour);
    const uint64_t begin = interleave.instances == 1 ? 0 : position;
    struct ranmar_cl_sequence changed = {0};
    struct ranmar_jump memo = {0};
    struct ranmar_state *const states = malloc((size_t)interleave.instances * sizeof *states);
    if (!states)
        return ranmar_device_fail("out of memory"), GPURANMAR_NO_MEMORY;
    for (uint64_t p = 0; p < interleave.instances; ++p) {
        ranmar_seed_instance(&states[p], f, seed, p);
        ranmar_jump_by(&memo, ranmar_made_of(interleave, p, begin), f, &states[p]);
    }
    const int good = ranmar_cl_sequence_open(&changed, g->context, g->device, f, interleave) &&
                     ranmar_cl_sequence_set(&changed, states, begin);
    free(states);
    if (!good) {
        ranmar_cl_sequence_close(&changed);
        return GPURANMAR_NO_BACKEND;
    }
    ranmar_cl_sequence_close(&g->numbers);
    g->numbers = changed;
    g->seed = seed;
    g->position = position;
    return GPURANMAR_OK;
}

int gpuranmar_opencl_create(generator **made, cl_command_queue queue, int flavour)
{
    struct place at;
    CHECK(made, "%s: generator is a null pointer", __func__);
    CHECK(queue, "%s: queue is a null pointer", __func__);
    CHECK(ranmar_flavour(flavour), "%s: flavour = %d is none of enum gpuranmar_flavour", __func__,
          flavour);
    if (!ranmar_cl_load() || !look_at(queue, &at))
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
    if (!g)
        return;
    ranmar_cl_sequence_close(&g->numbers);
    if (g->queue)
        ranmar_cl.clReleaseCommandQueue(g->queue);
    free(g);
}

/* Makes a queue wait for what is queued on another. */
static int wait_for_other(cl_command_queue queue, cl_command_queue other)
{
    cl_event all = NULL;
    CL_TRY(clEnqueueMarkerWithWaitList, (other, 0, NULL, &all));
    cl_int error = ranmar_device_made_to_fail() ? CL_OUT_OF_RESOURCES : ranmar_cl.clFlush(other);
    if (error == CL_SUCCESS)
        error = ranmar_device_made_to_fail()
                    ? CL_OUT_OF_RESOURCES
                    : ranmar_cl.clEnqueueMarkerWithWaitList(queue, 1, &all, NULL);
    ranmar_cl.clReleaseEvent(all);
    return ranmar_cl_succeeded(error, "clEnqueueMarkerWithWaitList");
}

int gpuranmar_opencl_set_queue(generator *g, cl_command_queue queue)
{
    struct place at;
    CHECK(g, "%s: generator is a null pointer", __func__);
    CHECK(queue, "%s: queue is a null pointer", __func__);
    if (!look_at(queue, &at))
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
    CHECK(g, "%s: generator is a null pointer", __func__);
    CHECK(ranmar_flavour(g->flavour)->keyed || (seed >= 0 && seed <= RANMAR_SEED_MAX),
          "%s: seed = %" PRId64 " is not in 0..%" PRId64, __func__, seed, (int64_t)RANMAR_SEED_MAX);
    return go_to(g, g->numbers.interleave, seed, 0);
}

int gpuranmar_opencl_set_position(generator *g, uint64_t position)
{
    CHECK(g, "%s: generator is a null pointer", __func__);
    CHECK(position <= RANMAR_POSITION_MAX, "%s: position = %" PRIu64 " is above 2^63", __func__,
          position);
    return go_to(g, g->numbers.interleave, g->seed, position);
}

int gpuranmar_opencl_set_instances(generator *g, int64_t instances, int64_t block)
{
    CHECK(g, "%s: generator is a null pointer", __func__);
    CHECK(instances >= 1 && instances <= RANMAR_INSTANCES_MAX,
          "%s: instances = %" PRId64 " is not in 1..%d", __func__, instances, RANMAR_INSTANCES_MAX);
    CHECK(block >= 1 && block <= RANMAR_PREFETCH_MAX,
          "%s: block = %" PRId64 " is not in 1..%" PRId64, __func__, block, RANMAR_PREFETCH_MAX);
    const struct ranmar_interleave interleave = {(uint64_t)instances, (uint64_t)block};
    return go_to(g, interleave, g->seed, 0);
}

/* Writes how many things of a size a buffer has room for. */
static int room_of(cl_mem buffer, size_t size, size_t *room)
{
    size_t bytes;
    CL_TRY(clGetMemObjectInfo, (buffer, CL_MEM_SIZE, sizeof bytes, &bytes, NULL));
    *room = bytes / size;
    return 1;
}

int gpuranmar_opencl_generate(generator *g, cl_mem out, size_t offset, size_t n, cl_uint waits,
                              const cl_event *wait_for, cl_event *event)
{
    size_t room;
    CHECK(g, "%s: generator is a null pointer", __func__);
    CHECK(out, "%s: out is a null pointer", __func__);
    CHECK(n >= 1, "%s: n = 0", __func__);
    CHECK(!waits == !wait_for, "%s: waits = %u, and wait_for is %sa null pointer", __func__, waits,
          wait_for ? "not " : "");
    if (!room_of(out, ranmar_number_size(ranmar_flavour(g->flavour)), &room))
        return GPURANMAR_NO_BACKEND;
    CHECK(offset <= room && n <= room - offset,
          "%s: n = %zu from offset %zu on: out has room for %zu numbers", __func__, n, offset,
          room);
    CHECK(n <= RANMAR_POSITION_MAX - g->position,
          "%s: n = %zu from position %" PRIu64 " is past 2^63", __func__, n, g->position);
    if (!ranmar_cl_sequence_fill(&g->numbers, g->queue, out, offset, g->position, n, waits,
                                 wait_for, event))
        return GPURANMAR_NO_BACKEND;
    g->position += n;
    return GPURANMAR_OK;
}

int gpuranmar_opencl_states(generator *g, cl_mem states, size_t count, uint64_t distance)
{
    size_t room;
    CHECK(g, "%s: generator is a null pointer", __func__);
    CHECK(states, "%s: states is a null pointer", __func__);
    CHECK(count >= 1 && count <= COUNT_MAX, "%s: count = %zu is not in 1..%d", __func__, count,
          COUNT_MAX);
    CHECK(g->numbers.interleave.instances == 1, "%s: instances = %" PRIu64 " is not 1", __func__,
          g->numbers.interleave.instances);
    CHECK(distance >= 1 && distance <= (RANMAR_POSITION_MAX - g->position) / count,
          "%s: %zu times distance = %" PRIu64 " from position %" PRIu64 " is past 2^63", __func__,
          count, distance, g->position);
    if (!room_of(states, GPURANMAR_OPENCL_STATE_SIZE, &room))
        return GPURANMAR_NO_BACKEND;
    CHECK(count <= room, "%s: count = %zu: the buffer has room for %zu states", __func__, count,
          room);
    if (!ranmar_cl_sequence_spread(&g->numbers, g->queue, states, g->position, count, distance))
        return GPURANMAR_NO_BACKEND;
    g->position += count * distance;
    return GPURANMAR_OK;
}

int gpuranmar_opencl_jumps(const generator *g, cl_mem *jumps)
{
    CHECK(g, "%s: generator is a null pointer", __func__);
    CHECK(jumps, "%s: jumps is a null pointer", __func__);
    *jumps = g->numbers.program->jumps;
    return GPURANMAR_OK;
}

int gpuranmar_opencl_options(const generator *g, char *options, size_t size)
{
    CHECK(g, "%s: generator is a null pointer", __func__);
    CHECK(options, "%s: options is a null pointer", __func__);
    const int length = ranmar_cl_flavour_options(ranmar_flavour(g->flavour), options, size);
    CHECK((size_t)length < size, "%s: size = %zu: the options need %d bytes", __func__, size,
          length + 1);
    return GPURANMAR_OK;
}

int gpuranmar_opencl_position(const generator *g, uint64_t *position)
{
    CHECK(g, "%s: generator is a null pointer", __func__);
    CHECK(position, "%s: position is a null pointer", __func__);
    *position = g->position;
    return GPURANMAR_OK;
}
