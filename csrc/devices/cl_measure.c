/* The figures of `gpuranmar device-check`: how fast a device makes numbers, beside how fast it
 * writes at all. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "definition/clock.h"
#include "definition/flavour.h"
#include "devices/cl_measure.h"
#include "devices/cl_sequence.h"

extern const char ranmar_measure_text[]; /* kernels.cl and measure.cl */

enum { TIMES = 8, QUEUED = 200, SHORT_FILL = 10000 };

struct place {
    cl_context context;
    cl_command_queue queue;
    struct ranmar_cl_sequence numbers;
    cl_program program;
    cl_kernel plain, nothing, sum;
    cl_mem memory;
    size_t size; /* bytes of a number */
    cl_ulong n;  /* numbers that the memory has room for */
};

/* The shortest time of some, in seconds, in which `queued` works of a kind are done. */
typedef int queue_work(struct place *p);

static int shortest(struct place *p, queue_work *work, int queued, double *seconds)
{
    *seconds = HUGE_VAL;
    for (int i = 0; i < TIMES; ++i) {
        const int64_t began = ranmar_nanoseconds();
        for (int k = 0; k < queued; ++k)
            if (!work(p))
                return 0;
        CL_TRY(clFinish, (p->queue));
        const double taken = 1e-9 * (double)(ranmar_nanoseconds() - began);
        *seconds = taken < *seconds ? taken : *seconds;
    }
    return 1;
}

static int run(struct place *p, cl_kernel kernel, size_t items, size_t group)
{
    CL_TRY(clEnqueueNDRangeKernel, (p->queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL));
    return 1;
}

static int plain(struct place *p)
{
    enum { GROUP = 256 };
    CL_TRY(clSetKernelArg, (p->plain, 0, sizeof p->memory, &p->memory));
    CL_TRY(clSetKernelArg, (p->plain, 1, sizeof p->n, &p->n));
    return run(p, p->plain, p->numbers.program->wanted * GROUP, GROUP);
}

static int nothing(struct place *p)
{
    CL_TRY(clSetKernelArg, (p->nothing, 0, sizeof p->memory, &p->memory));
    CL_TRY(clSetKernelArg, (p->nothing, 1, sizeof p->n, &p->n));
    return run(p, p->nothing, 1, 1);
}

static int fill(struct place *p)
{
    return ranmar_cl_sequence_fill(&p->numbers, p->queue, p->memory, 0, p->numbers.position, p->n,
                                   0, NULL, NULL);
}

static int short_fill(struct place *p)
{
    return ranmar_cl_sequence_fill(&p->numbers, p->queue, p->memory, 0, p->numbers.position,
                                   SHORT_FILL, 0, NULL, NULL);
}

/* A kernel that does not write needs more segments than a fill to be fast. Each is of as many rows
 * as make 16 n in all. */
static size_t segments_of_sum(const struct place *p)
{
    return 4 * p->numbers.program->wanted;
}

static cl_ulong rows_of_sum(const struct place *p)
{
    return 16 * p->n / (segments_of_sum(p) * 32);
}

static int sum(struct place *p)
{
    const struct ranmar_cl_program *const made = p->numbers.program;
    const size_t group = made->lanes * made->segments;
    const size_t groups = segments_of_sum(p) / made->segments;
    const cl_ulong rows = rows_of_sum(p);
    CL_TRY(clSetKernelArg, (p->sum, 0, sizeof(cl_mem), &p->numbers.states[p->numbers.current]));
    CL_TRY(clSetKernelArg, (p->sum, 1, sizeof(cl_mem), &made->jumps));
    CL_TRY(clSetKernelArg, (p->sum, 2, sizeof p->memory, &p->memory));
    CL_TRY(clSetKernelArg, (p->sum, 3, sizeof rows, &rows));
    return run(p, p->sum, groups * group, group);
}

static int build(struct place *p, cl_device_id device)
{
    const char *text = ranmar_measure_text;
    char options[RANMAR_CL_OPTIONS];
    CL_MAKE(p->program, clCreateProgramWithSource, p->context, 1, &text, NULL);
    ranmar_cl_options(p->numbers.program, options);
    CL_TRY(clBuildProgram, (p->program, 1, &device, options, NULL, NULL));
    CL_MAKE(p->plain, clCreateKernel, p->program, "write_plain");
    CL_MAKE(p->nothing, clCreateKernel, p->program, "nothing");
    CL_MAKE(p->sum, clCreateKernel, p->program, "sum");
    return 1;
}

static int measure(struct place *p, cl_device_id device, int flavour,
                   struct ranmar_device_figures *f)
{
    const struct ranmar_flavour *const words = ranmar_flavour(flavour);
    struct ranmar_state state;
    cl_device_type type;
    double seconds[5];
    CL_TRY(clGetDeviceInfo, (device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
    p->n = (cl_ulong)1 << (type & CL_DEVICE_TYPE_GPU ? 27 : 22);
    p->size = ranmar_number_size(words);
    CL_MAKE(p->context, clCreateContext, NULL, 1, &device, NULL, NULL);
    CL_MAKE(p->queue, clCreateCommandQueue, p->context, device, 0);
    CL_MAKE(p->memory, clCreateBuffer, p->context, CL_MEM_READ_WRITE, p->n * p->size, NULL);
    ranmar_seed(&state, words, 54217137);
    if (!ranmar_cl_sequence_open(&p->numbers, p->context, device, words,
                                 (struct ranmar_interleave){1, 1}) ||
        !ranmar_cl_sequence_set(&p->numbers, &state, 0) || !build(p, device) ||
        !shortest(p, plain, 1, &seconds[0]) || !shortest(p, fill, 1, &seconds[1]) ||
        !shortest(p, sum, 1, &seconds[2]) || !shortest(p, nothing, QUEUED, &seconds[3]) ||
        !shortest(p, short_fill, QUEUED, &seconds[4]))
        return 0;
    const double n = (double)p->n;
    f->plain = n / seconds[0];
    f->fill = n / seconds[1];
    f->summed = (double)(rows_of_sum(p) * 32 * segments_of_sum(p)) / seconds[2];
    f->empty_kernel = seconds[3] / QUEUED;
    f->short_fill = seconds[4] / QUEUED;
    return 1;
}

int ranmar_cl_measure(cl_device_id device, int flavour, struct ranmar_device_figures *f)
{
    struct place p;
    memset(&p, 0, sizeof p);
    const int good = measure(&p, device, flavour, f);
    ranmar_cl_sequence_close(&p.numbers);
    const cl_kernel kernels[] = {p.plain, p.nothing, p.sum};
    for (int i = 0; i < 3; ++i)
        if (kernels[i])
            ranmar_cl.clReleaseKernel(kernels[i]);
    if (p.program)
        ranmar_cl.clReleaseProgram(p.program);
    if (p.memory)
        ranmar_cl.clReleaseMemObject(p.memory);
    if (p.queue)
        ranmar_cl.clReleaseCommandQueue(p.queue);
    return good;
}
