/* Compiles the kernels: see cl_program.h. */
#include "devices/cl_program.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/binaries.h"

/* kernels.cl with what it is made of, put there by rules.mk. */
extern const char ranmar_kernels_text[];

static struct ranmar_cl_program *programs;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#ifdef RANMAR_TEST_FAILURES
static unsigned forced_lanes, forced_segments;
static const char *forced_options, *text_before = "";

void ranmar_cl_shape(unsigned lanes, unsigned segments, const char *further, const char *before)
{
    forced_lanes = lanes;
    forced_segments = segments;
    forced_options = further;
    text_before = before;
    programs = NULL;
}
#else
static const char text_before[] = "";
#endif

/* --- Building --- */

/* Whether the device has an extension. */
static int look_for(cl_device_id device, const char *extension, int *has)
{
    char all[8192] = "";
    CL_TRY(clGetDeviceInfo, (device, CL_DEVICE_EXTENSIONS, sizeof all - 1, all, NULL));
    *has = strstr(all, extension) != NULL;
    return 1;
}

/* Whether a kernel may demand sub-groups of 32 work-items: a device with that extension lists the
 * sizes. */
static int look_for_size_32(cl_device_id device, int *has)
{
    enum { SIZES = 32, SUB_GROUP_SIZES_INTEL = 0x4108 /* of CL/cl_ext.h, where that is new */ };
    size_t sizes[SIZES] = {0};
    if (!look_for(device, "cl_intel_required_subgroup_size", has))
        return 0;
    if (*has)
        CL_TRY(clGetDeviceInfo, (device, SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, NULL));
    *has = 0;
    for (int i = 0; i < SIZES; ++i)
        *has |= sizes[i] == 32;
    return 1;
}

/* A GPU's lanes give words to each other by shuffles where the compiler is NVIDIA's, which takes
 * the instructions for it, or where sub-groups can. With Intel's extension OpenCL C 1.2 has that.
 */
static int choose_shuffles(struct ranmar_cl_program *p)
{
    char version[128] = "";
    int by_nvidia, by_intel, by_khronos, has_32;
    CL_TRY(clGetDeviceInfo, (p->device, CL_DEVICE_VERSION, sizeof version - 1, version, NULL));
    if (!look_for(p->device, "cl_nv_compiler_options", &by_nvidia) ||
        !look_for(p->device, "cl_intel_subgroups", &by_intel) ||
        !look_for(p->device, "cl_khr_subgroup_shuffle", &by_khronos) ||
        !look_for_size_32(p->device, &has_32))
        return 0;
    if (by_nvidia)
        p->further = " -D RANMAR_SHUFFLES";
    else if (by_intel)
        p->further = has_32 ? " -D RANMAR_BY_INTEL -D RANMAR_SUB_GROUPS=32"
                            : " -D RANMAR_BY_INTEL -D RANMAR_SUB_GROUPS=0";
    else if (by_khronos)
        p->further = has_32 ? " -D RANMAR_SUB_GROUPS=32" : " -D RANMAR_SUB_GROUPS=0";
    if (by_khronos && !by_nvidia && !by_intel && strncmp(version, "OpenCL 1", 8) != 0)
        p->standard = strncmp(version, "OpenCL 2", 8) == 0 ? "CL2.0" : "CL3.0";
    return 1;
}

/* A CPU makes a segment in one work-item. A GPU makes it in 32, of which one with wavefronts of 64
 * takes two segments at a time. */
static int choose_shape(struct ranmar_cl_program *p)
{
    cl_device_type type;
    cl_uint units, vendor;
    CL_TRY(clGetDeviceInfo, (p->device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
    CL_TRY(clGetDeviceInfo, (p->device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
    CL_TRY(clGetDeviceInfo, (p->device, CL_DEVICE_VENDOR_ID, sizeof vendor, &vendor, NULL));
    const int is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0, is_amd = vendor == 0x1002;
    p->is_cpu = is_cpu;
    p->standard = "CL1.2";
    p->further = "";
    if (!is_cpu && !choose_shuffles(p))
        return 0;
    p->lanes = is_cpu ? 1 : 32;
    p->segments = is_amd && !is_cpu ? 2 : 1;
    p->wanted = units * (is_cpu ? 4 : 24);
#ifdef RANMAR_TEST_FAILURES
    if (forced_lanes) {
        p->lanes = forced_lanes;
        p->segments = forced_segments;
        p->further = forced_options;
    }
#endif
    /* A CPU makes few segments, so few jumps. Longer digits would save fewer than their table has.
     */
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

void ranmar_cl_options(const struct ranmar_cl_program *p, char options[RANMAR_CL_OPTIONS])
{
    const int length = ranmar_cl_users_options(p, options, RANMAR_CL_OPTIONS);
    snprintf(options + length, RANMAR_CL_OPTIONS - (size_t)length,
             " -cl-std=%s -D GPURANMAR_LANES=%u -D GPURANMAR_SEGMENTS=%u "
             "-D RANMAR_BLOCKS=%d -D RANMAR_PAST_CACHES=%d",
             p->standard, p->lanes, p->segments, p->is_cpu && p->lanes == 1, RANMAR_CL_PAST_CACHES);
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

/* From a binary that an earlier process has kept, or from the text; then the binary is kept. */
static int make_program(struct ranmar_cl_program *p)
{
    char options[RANMAR_CL_OPTIONS];
    const char *texts[] = {text_before, ranmar_kernels_text};
    ranmar_cl_options(p, options);
    p->program = ranmar_binary_find(p->context, p->device, texts, options);
    if (p->program && build(p, options))
        return 1;
    if (p->program)
        ranmar_cl.clReleaseProgram(p->program);
    p->program = NULL;
    CL_MAKE(p->program, clCreateProgramWithSource, p->context, 2, texts, NULL);
    if (!build(p, options))
        return 0;
    ranmar_binary_keep(p->program, p->device, texts, options);
    return 1;
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

/* Each waits for the last one by its event, so that it fails where that did. */
static int queue_doubling(const struct ranmar_cl_program *p, cl_command_queue queue,
                          cl_kernel kernel, cl_ulong begin, cl_uint known, cl_event *last)
{
    cl_event done = NULL;
    const size_t group = p->lanes * p->segments;
    const size_t all = (known + p->segments - 1) / p->segments * group;
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

/* Fills the table, by doubling. The jump behind a digit's last one is the next digit's first. */
static int fill_table(const struct ranmar_cl_program *p, cl_command_queue queue, cl_kernel kernel,
                      cl_event *last)
{
    /* The unit sequence at position 1: its 1 is now the last word but one, and a 0 follows. */
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

static struct ranmar_cl_program *make(cl_context context, cl_device_id device,
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
    if (!p && (p = make(context, device, flavour)) != NULL) {
        p->next = programs;
        programs = p;
    }
    pthread_mutex_unlock(&mutex);
    return p;
}
