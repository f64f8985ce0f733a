/* Compiles the kernels: see program.h. */
#include "program.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text of kernels.cl after that of the files that it uses: rules.mk makes it. */
extern const char ranmar_kernels_text[];

static struct ranmar_cl_program *programs;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#ifdef RANMAR_TEST_FAILURES
static unsigned forced_lanes;
static const char *forced_options;

void ranmar_cl_shape(unsigned lanes, const char *further)
{
    forced_lanes = lanes;
    forced_options = further;
    programs = NULL;
}
#endif

/* --- Building --- */

/* A CPU makes a segment in one work-item, a GPU in 32. The 32 exchange words by shuffles if the
 * compiler is NVIDIA's, otherwise through local memory. */
static int choose_shape(struct ranmar_cl_program *p)
{
    cl_device_type type;
    cl_uint units;
    char extensions[8192] = "";
    CL_TRY(clGetDeviceInfo, (p->device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
    CL_TRY(clGetDeviceInfo, (p->device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
    CL_TRY(clGetDeviceInfo,
           (p->device, CL_DEVICE_EXTENSIONS, sizeof extensions - 1, extensions, NULL));
    const int is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
    p->lanes = is_cpu ? 1 : 32;
    /* Filling 2^30 numbers on an H200 (measure-opencl) takes 2.60 ps a keyed number with 24 groups
     * a unit, 2.67 with 16, and 2.56 with 32. It takes 0.99 ps a single number with 24 groups, 0.96
     * with 8, and 1.00 with 32. */
    p->wanted = units * (is_cpu ? 4 : 24);
    p->further = strstr(extensions, "cl_nv_compiler_options") ? " -D RANMAR_SHUFFLES" : "";
#ifdef RANMAR_TEST_FAILURES
    if (forced_lanes) {
        p->lanes = forced_lanes;
        p->further = forced_options;
    }
#endif
    /* A CPU makes few segments, so few jumps: the table of longer digits would not pay. */
    p->long_digit = p->lanes == 1 ? RANMAR_CL_HIGH_DIGIT : RANMAR_CL_LONG_DIGIT;
    return 1;
}

int ranmar_cl_users_options(const struct ranmar_cl_program *p, char *options, size_t size)
{
    const struct ranmar_flavour *const f = p->flavour;
    const int bits = 64 - __builtin_ctzll(f->modulus);
    return snprintf(
        options, size,
        "-D GPURANMAR_BITS=%u -D GPURANMAR_EVERY=%u -D GPURANMAR_KEYED=%d -D GPURANMAR_STEP=%lluUL "
        "-D GPURANMAR_MODULUS=%lluUL -D GPURANMAR_ARITHMETIC_BITS=%d -D GPURANMAR_FIRST_DIGIT=%d "
        "-D GPURANMAR_LONG_DIGIT=%d -D GPURANMAR_HIGH_DIGIT=%d%s",
        f->bits, f->every, f->keyed, (unsigned long long)f->step, (unsigned long long)f->modulus,
        bits, RANMAR_CL_FIRST_DIGIT, (int)p->long_digit, RANMAR_CL_HIGH_DIGIT, p->further);
}

/* The first line of what the compiler said goes with the error. */
static int build(struct ranmar_cl_program *p, const char *options)
{
    const cl_int error =
        ranmar_device_made_to_fail()
            ? CL_BUILD_PROGRAM_FAILURE
            : ranmar_cl.clBuildProgram(p->program, 1, &p->device, options, NULL, NULL);
    if (error == CL_BUILD_PROGRAM_FAILURE) {
        char log[2000] = "";
        ranmar_cl.clGetProgramBuildInfo(p->program, p->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1,
                                        log, NULL);
        return ranmar_device_fail("clBuildProgram: %.*s", (int)strcspn(log, "\n"), log);
    }
    return ranmar_cl_succeeded(error, "clBuildProgram");
}

static int make_program(struct ranmar_cl_program *p)
{
    char options[768];
    const char *const text = ranmar_kernels_text;
    const int length = ranmar_cl_users_options(p, options, sizeof options);
    snprintf(options + length, sizeof options - (size_t)length,
             " -cl-std=CL1.2 -D GPURANMAR_LANES=%u", p->lanes);
    CL_MAKE(p->program, clCreateProgramWithSource, p->context, 1, (const char **)&text, NULL);
    return build(p, options);
}

/* --- The table of jumps --- */

static unsigned digit_bits(const struct ranmar_cl_program *p, unsigned digit)
{
    return digit == 0 ? RANMAR_CL_FIRST_DIGIT : digit < 3 ? p->long_digit : RANMAR_CL_HIGH_DIGIT;
}

static unsigned digits(const struct ranmar_cl_program *p)
{
    const unsigned high = 64 - RANMAR_CL_FIRST_DIGIT - 2 * p->long_digit;
    return 3 + (high + RANMAR_CL_HIGH_DIGIT - 1) / RANMAR_CL_HIGH_DIGIT;
}

/* Each kernel waits for the event of the one before, so that it fails if that one failed. */
static int queue_doubling(const struct ranmar_cl_program *p, cl_command_queue queue,
                          cl_kernel kernel, cl_ulong begin, cl_uint known, cl_event *last)
{
    cl_event done = NULL;
    const size_t group = p->lanes, all = known * group;
    CL_TRY(clSetKernelArg, (kernel, 0, sizeof p->jumps, &p->jumps));
    CL_TRY(clSetKernelArg, (kernel, 1, sizeof begin, &begin));
    CL_TRY(clSetKernelArg, (kernel, 2, sizeof known, &known));
    CL_TRY(clEnqueueNDRangeKernel,
           (queue, kernel, 1, NULL, &all, &group, *last ? 1 : 0, *last ? last : NULL, &done));
    if (*last)
        ranmar_cl.clReleaseEvent(*last);
    *last = done;
    return 1;
}

/* Fills the table by doubling. A digit's last doubling also makes the first jump of the next. */
static int fill_table(const struct ranmar_cl_program *p, cl_command_queue queue, cl_kernel kernel,
                      cl_event *last)
{
    /* The jump by 1: in the unit sequence at position 1, the 1 is the last word but one. */
    cl_ulong unit[RANMAR_LONG_LAG] = {0};
    unit[RANMAR_LONG_LAG - 2] = 1;
    CL_TRY(clEnqueueWriteBuffer, (queue, p->jumps, CL_TRUE, 0, sizeof unit, unit, 0, NULL, NULL));
    cl_ulong begin = 0;
    for (unsigned digit = 0; digit < digits(p); ++digit) {
        const unsigned values = (1u << digit_bits(p, digit)) - 1;
        for (unsigned known = 1; known <= values; known *= 2)
            if (!queue_doubling(p, queue, kernel, begin, known, last))
                return 0;
        begin += (cl_ulong)values * RANMAR_LONG_LAG;
    }
    CL_TRY(clWaitForEvents, (1, last));
    return 1;
}

static int make_table(struct ranmar_cl_program *p)
{
    size_t jumps = 1; /* the last digit's doubling reaches one further */
    for (unsigned digit = 0; digit < digits(p); ++digit)
        jumps += (1u << digit_bits(p, digit)) - 1;
    cl_command_queue queue = NULL;
    cl_kernel kernel = NULL;
    CL_MAKE(p->jumps, clCreateBuffer, p->context, CL_MEM_READ_WRITE,
            jumps * RANMAR_LONG_LAG * sizeof(cl_ulong), NULL);
    CL_MAKE(queue, clCreateCommandQueue, p->context, p->device, 0);
    int good = 0;
    cl_int error = CL_OUT_OF_RESOURCES;
    if (!ranmar_device_made_to_fail())
        kernel = ranmar_cl.clCreateKernel(p->program, "double_jumps", &error);
    if (ranmar_cl_succeeded(error, "clCreateKernel")) {
        cl_event last = NULL;
        good = fill_table(p, queue, kernel, &last);
        if (last)
            ranmar_cl.clReleaseEvent(last);
        ranmar_cl.clReleaseKernel(kernel);
    }
    ranmar_cl.clReleaseCommandQueue(queue);
    return good;
}

static struct ranmar_cl_program *make_kernels(cl_context context, cl_device_id device,
                                              const struct ranmar_flavour *flavour)
{
    struct ranmar_cl_program *const p = calloc(1, sizeof *p);
    if (!p) {
        ranmar_device_fail("out of memory");
        return NULL;
    }
    p->context = context;
    p->device = device;
    p->flavour = flavour;
    if (choose_shape(p) && make_program(p) && make_table(p))
        return p;
    if (p->jumps)
        ranmar_cl.clReleaseMemObject(p->jumps);
    if (p->program)
        ranmar_cl.clReleaseProgram(p->program);
    free(p);
    return NULL;
}

const struct ranmar_cl_program *ranmar_cl_program(cl_context context, cl_device_id device,
                                                  const struct ranmar_flavour *flavour)
{
    pthread_mutex_lock(&mutex);
    struct ranmar_cl_program *p = programs;
    while (p && (p->context != context || p->device != device || p->flavour != flavour))
        p = p->next;
    if (!p && (p = make_kernels(context, device, flavour)) != NULL) {
        p->next = programs;
        programs = p;
    }
    pthread_mutex_unlock(&mutex);
    return p;
}
