/* Numbers in the memory of an OpenCL device: see cl_sequence.h. */
#include "devices/cl_sequence.h"

#include "devices/cut.h"

int ranmar_cl_sequence_open(struct ranmar_cl_sequence *s, cl_context context, cl_device_id device,
                            const struct ranmar_flavour *flavour,
                            struct ranmar_interleave interleave)
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

void ranmar_cl_sequence_close(struct ranmar_cl_sequence *s)
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
int ranmar_cl_sequence_set(struct ranmar_cl_sequence *s, const struct ranmar_state *states,
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

/* An argument of a kernel: a buffer, or an integer of that many bytes. */
struct argument {
    size_t size;
    const void *value;
};

static int set_arguments(cl_kernel kernel, const struct argument *arguments, cl_uint count)
{
    for (cl_uint i = 0; i < count; ++i)
        CL_TRY(clSetKernelArg, (kernel, i, arguments[i].size, arguments[i].value));
    return 1;
}

/* Into how many segments to cut n numbers. Each segment starts with a jump, which on a CPU takes as
 * long as making thousands of numbers. */
static size_t wanted(const struct ranmar_cl_program *p, cl_ulong n)
{
    const cl_ulong worth = p->lanes == 1 ? n >> RANMAR_CL_CPU_SEGMENT : p->wanted;
    return worth > p->wanted ? p->wanted : worth > 0 ? (size_t)worth : 1;
}

/* Sets the arguments for one sequence. Returns how many segments there are, or 0. */
static size_t cut_one(struct ranmar_cl_sequence *s, cl_mem out, cl_ulong at, cl_ulong distance,
                      cl_ulong n)
{
    const struct ranmar_cut c =
        ranmar_cut_among(wanted(s->program, n), n, 1 << RANMAR_CL_FIRST_DIGIT);
    const cl_ulong longest = c.segment;
    const struct argument arguments[] = {{sizeof(cl_mem), &s->states[s->current]},
                                         {sizeof(cl_mem), &s->states[1 - s->current]},
                                         {sizeof(cl_mem), &s->program->jumps},
                                         {sizeof out, &out},
                                         {sizeof at, &at},
                                         {sizeof distance, &distance},
                                         {sizeof longest, &longest},
                                         {sizeof n, &n}};
    return set_arguments(s->kernel, arguments, sizeof arguments / sizeof *arguments) ? c.segments
                                                                                     : 0;
}

/* The same for interleaved instances, each of which is cut. */
static size_t cut_instances(struct ranmar_cl_sequence *s, cl_mem out, cl_ulong at, cl_ulong n)
{
    const struct ranmar_interleave i = s->interleave;
    /* The most that an instance contributes, from whatever position. */
    const uint64_t part = ranmar_part_of(i, 0).length, rest = n % i.block;
    const uint64_t most = n / i.block * part + (rest < part ? rest : part);
    const size_t each = wanted(s->program, n) / i.instances;
    const struct ranmar_cut c = ranmar_cut_among(each ? each : 1, most, 1 << RANMAR_CL_FIRST_DIGIT);
    const cl_ulong instances = i.instances, block = i.block, longest = c.segment,
                   position = s->position;
    const cl_uint segments = (cl_uint)c.segments;
    const struct argument arguments[] = {{sizeof(cl_mem), &s->states[s->current]},
                                         {sizeof(cl_mem), &s->states[1 - s->current]},
                                         {sizeof(cl_mem), &s->program->jumps},
                                         {sizeof out, &out},
                                         {sizeof at, &at},
                                         {sizeof instances, &instances},
                                         {sizeof block, &block},
                                         {sizeof position, &position},
                                         {sizeof longest, &longest},
                                         {sizeof segments, &segments},
                                         {sizeof n, &n}};
    return set_arguments(s->kernel, arguments, sizeof arguments / sizeof *arguments)
               ? c.segments * i.instances
               : 0;
}

/* Queues a kernel, whose arguments are set, on so many segments. The states that it writes become
 * the current ones. */
static int launch(struct ranmar_cl_sequence *s, cl_kernel kernel, cl_command_queue queue,
                  size_t segments, cl_uint waits, const cl_event *wait_for, cl_event *done)
{
    const struct ranmar_cl_program *const p = s->program;
    const size_t group = p->lanes, all = segments * group;
    CL_TRY(clEnqueueNDRangeKernel,
           (queue, kernel, 1, NULL, &all, &group, waits, waits ? wait_for : NULL, done));
    s->current = 1 - s->current;
    return 1;
}

int ranmar_cl_sequence_fill(struct ranmar_cl_sequence *s, cl_command_queue queue, cl_mem out,
                            size_t at, uint64_t position, size_t n, cl_uint waits,
                            const cl_event *wait_for, cl_event *done)
{
    const size_t segments = s->interleave.instances == 1
                                ? cut_one(s, out, at, position - s->position, n)
                                : cut_instances(s, out, at, n);
    if (segments == 0)
        return 0;
    if (!launch(s, s->kernel, queue, segments, waits, wait_for, done))
        return 0;
    s->position = position + n;
    return 1;
}

int ranmar_cl_sequence_write_states(struct ranmar_cl_sequence *s, cl_command_queue queue,
                                    cl_mem out, uint64_t position, size_t count, uint64_t distance)
{
    const cl_ulong states = count, start = position - s->position, apart = distance;
    const struct argument arguments[] = {{sizeof(cl_mem), &s->states[s->current]},
                                         {sizeof(cl_mem), &s->states[1 - s->current]},
                                         {sizeof(cl_mem), &s->program->jumps},
                                         {sizeof out, &out},
                                         {sizeof states, &states},
                                         {sizeof start, &start},
                                         {sizeof apart, &apart}};
    if (!set_arguments(s->state_kernel, arguments, sizeof arguments / sizeof *arguments) ||
        !launch(s, s->state_kernel, queue, count + 1, 0, NULL, NULL))
        return 0;
    s->position = position + count * distance;
    return 1;
}
