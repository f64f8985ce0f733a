/* Numbers in the memory of an OpenCL device: see device_stream.h. */
#include "device_stream.h"

#include "devices/segments.h"

int ranmar_cl_stream_open(struct ranmar_cl_stream *s, cl_context context, cl_device_id device,
                          const struct ranmar_flavour *flavour, struct ranmar_interleave interleave)
{
    const size_t bytes = (size_t)interleave.instances * sizeof(struct ranmar_state);
    s->interleave = interleave;
    s->program = ranmar_cl_program(context, device, flavour);
    if (!s->program)
        return 0;
    CL_MAKE(s->kernel, clCreateKernel, s->program->program,
            interleave.instances == 1 ? "fill" : "fill_interleaved");
    CL_MAKE(s->state_kernel, clCreateKernel, s->program->program, "write_states");
    for (int i = 0; i < 2; ++i)
        CL_MAKE(s->states[i], clCreateBuffer, context, CL_MEM_READ_WRITE, bytes, NULL);
    return 1;
}

void ranmar_cl_stream_close(struct ranmar_cl_stream *s)
{
    for (int i = 0; i < 2; ++i)
        if (s->states[i])
            ranmar_cl.clReleaseMemObject(s->states[i]);
    if (s->kernel)
        ranmar_cl.clReleaseKernel(s->kernel);
    if (s->state_kernel)
        ranmar_cl.clReleaseKernel(s->state_kernel);
}

/* The states go to a new buffer: queued kernels may still read the old one, and are not waited
 * for. */
int ranmar_cl_stream_set(struct ranmar_cl_stream *s, const struct ranmar_state *states,
                         uint64_t position)
{
    const size_t bytes = (size_t)s->interleave.instances * sizeof *states;
    cl_mem set = NULL;
    CL_MAKE(set, clCreateBuffer, s->program->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
            bytes, (void *)states);
    ranmar_cl.clReleaseMemObject(s->states[s->current]);
    s->states[s->current] = set;
    s->position = position;
    return 1;
}

/* An argument of a kernel: a buffer, or an integer of `size` bytes. */
struct argument {
    size_t size;
    const void *value;
};

/* Queues a kernel that makes `segments` segments. Its first arguments are the current states, the
 * states that it writes and that become the current ones, and the table of jumps. */
static int launch(struct ranmar_cl_stream *s, cl_kernel kernel, cl_command_queue queue,
                  size_t segments, const struct argument *further, cl_uint count, cl_uint waits,
                  const cl_event *wait_for, cl_event *done)
{
    const struct ranmar_cl_program *const p = s->program;
    const size_t group = p->lanes, all = segments * group;
    const cl_mem first[] = {s->states[s->current], s->states[1 - s->current], p->jumps};
    for (cl_uint i = 0; i < 3; ++i)
        CL_TRY(clSetKernelArg, (kernel, i, sizeof first[i], &first[i]));
    for (cl_uint i = 0; i < count; ++i)
        CL_TRY(clSetKernelArg, (kernel, 3 + i, further[i].size, further[i].value));
    CL_TRY(clEnqueueNDRangeKernel,
           (queue, kernel, 1, NULL, &all, &group, waits, waits ? wait_for : NULL, done));
    s->current = 1 - s->current;
    return 1;
}

/* Into how many segments to cut n numbers. Each segment starts with a jump, which on a CPU takes as
 * long as making thousands of numbers. */
static size_t wanted(const struct ranmar_cl_program *p, cl_ulong n)
{
    const cl_ulong worth = p->lanes == 1 ? n >> RANMAR_CL_CPU_SEGMENT : p->wanted;
    return worth < p->wanted ? (size_t)worth : p->wanted;
}

/* How to cut n numbers; if there are several instances, how to cut the share of each. */
static struct ranmar_cut cut(const struct ranmar_cl_stream *s, cl_ulong n)
{
    const struct ranmar_interleave i = s->interleave;
    /* The most that an instance contributes, from whatever position. */
    const uint64_t part = ranmar_part_of(i, 0).length, rest = n % i.block;
    const uint64_t most = n / i.block * part + (rest < part ? rest : part);
    const size_t each = wanted(s->program, n) / i.instances;
    return ranmar_cut_among(each ? each : 1, most, 1 << RANMAR_CL_FIRST_DIGIT);
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

int ranmar_cl_stream_fill(struct ranmar_cl_stream *s, cl_command_queue queue, cl_mem out, size_t at,
                          uint64_t position, size_t n, cl_uint waits, const cl_event *wait_for,
                          cl_event *done)
{
    const struct ranmar_cut c = cut(s, n);
    const cl_ulong begin = at, instances = s->interleave.instances, block = s->interleave.block,
                   from = s->position, distance = position - from, longest = c.segment, numbers = n;
    const cl_uint segments = (cl_uint)c.segments;
    const struct argument one[] = {{sizeof out, &out},
                                   {sizeof begin, &begin},
                                   {sizeof distance, &distance},
                                   {sizeof longest, &longest},
                                   {sizeof numbers, &numbers}};
    const struct argument several[] = {
        {sizeof out, &out},           {sizeof begin, &begin},    {sizeof instances, &instances},
        {sizeof block, &block},       {sizeof from, &from},      {sizeof longest, &longest},
        {sizeof segments, &segments}, {sizeof numbers, &numbers}};
    const struct argument *const arguments = instances == 1 ? one : several;
    if (!launch(s, s->kernel, queue, c.segments * instances, arguments,
                instances == 1 ? COUNT(one) : COUNT(several), waits, wait_for, done))
        return 0;
    s->position = position + n;
    return 1;
}

int ranmar_cl_stream_write_states(struct ranmar_cl_stream *s, cl_command_queue queue, cl_mem out,
                                  uint64_t position, size_t count, uint64_t distance)
{
    const cl_ulong states = count, start = position - s->position, apart = distance;
    const struct argument arguments[] = {{sizeof out, &out},
                                         {sizeof states, &states},
                                         {sizeof start, &start},
                                         {sizeof apart, &apart}};
    if (!launch(s, s->state_kernel, queue, count + 1, arguments, COUNT(arguments), 0, NULL, NULL))
        return 0;
    s->position = position + count * distance;
    return 1;
}
