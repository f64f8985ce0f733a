/* The figures of `gpuranmar device-check`: see cl_measure.h. */
#include "devices/cl_measure.h"

#include "definition/clock.h"
#include "definition/flavour.h"
#include "definition/ranges.h"
#include "devices/cl_sequence.h"

struct place {
    cl_context context;
    cl_command_queue queue;
    struct ranmar_cl_sequence numbers;
    cl_kernel plain;
    cl_mem memory;
    cl_ulong n; /* numbers that the memory has room for */
};

static int write_plain(struct place *p)
{
    const size_t group = 256, items = group * p->numbers.program->wanted;
    CL_TRY(clSetKernelArg, (p->plain, 0, sizeof p->memory, &p->memory));
    CL_TRY(clSetKernelArg, (p->plain, 1, sizeof p->n, &p->n));
    CL_TRY(clEnqueueNDRangeKernel, (p->queue, p->plain, 1, NULL, &items, &group, 0, NULL, NULL));
    return 1;
}

static int fill(struct place *p)
{
    return ranmar_cl_sequence_fill(&p->numbers, p->queue, p->memory, 0, p->numbers.position, p->n,
                                   0, NULL, NULL);
}

/* Numbers a second, the best of some times. */
static int time_work(struct place *p, int (*work)(struct place *p), double *rate)
{
    enum { TIMES = 8 };
    *rate = 0;
    for (int i = 0; i < TIMES; ++i) {
        const int64_t began = ranmar_nanoseconds();
        if (!work(p))
            return 0;
        CL_TRY(clFinish, (p->queue));
        const double now = 1e9 * (double)p->n / (double)(ranmar_nanoseconds() - began);
        *rate = now > *rate ? now : *rate;
    }
    return 1;
}

static int measure(struct place *p, cl_device_id device, int flavour,
                   struct ranmar_device_figures *f)
{
    const struct ranmar_flavour *const words = ranmar_flavour(flavour);
    struct ranmar_state state;
    cl_device_type type;
    CL_TRY(clGetDeviceInfo, (device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
    p->n = (cl_ulong)1 << (type & CL_DEVICE_TYPE_GPU ? 27 : 22);
    CL_MAKE(p->context, clCreateContext, NULL, 1, &device, NULL, NULL);
    CL_MAKE(p->queue, clCreateCommandQueue, p->context, device, 0);
    CL_MAKE(p->memory, clCreateBuffer, p->context, CL_MEM_READ_WRITE,
            p->n * ranmar_number_size(words), NULL);
    ranmar_seed(&state, words, RANMAR_IJKL_DEFAULT);
    if (!ranmar_cl_sequence_open(&p->numbers, p->context, device, words,
                                 (struct ranmar_interleave){1, 1}) ||
        !ranmar_cl_sequence_set(&p->numbers, &state, 0))
        return 0;
    CL_MAKE(p->plain, clCreateKernel, p->numbers.program->program, "write_plain");
    return time_work(p, write_plain, &f->plain) && time_work(p, fill, &f->fill);
}

/* The context stays: the kernels that were compiled for it do. */
int ranmar_cl_measure(cl_device_id device, int flavour, struct ranmar_device_figures *f)
{
    struct place p = {0};
    const int good = measure(&p, device, flavour, f);
    ranmar_cl_sequence_close(&p.numbers);
    if (p.plain)
        ranmar_cl.clReleaseKernel(p.plain);
    if (p.memory)
        ranmar_cl.clReleaseMemObject(p.memory);
    if (p.queue)
        ranmar_cl.clReleaseCommandQueue(p.queue);
    return good;
}
