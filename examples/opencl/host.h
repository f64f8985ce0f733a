/* What an OpenCL program needs around its kernels: a device, buffers, kernels from a file. An error
 * ends the program with one line. */
#ifndef EXAMPLE_HOST_H
#define EXAMPLE_HOST_H

#include <stdio.h>
#include <stdlib.h>

#include <gpuranmar_opencl.h>

#ifndef INCLUDES /* where the kernels are, and gpuranmar_device.cl is installed */
#define INCLUDES "-I . -I /usr/local/include"
#endif

static inline void cl_must(cl_int error, const char *what)
{
    if (error == CL_SUCCESS)
        return;
    fprintf(stderr, "%s: error %d\n", what, (int)error);
    exit(1);
}

static inline void must(int error)
{
    if (error == GPURANMAR_OK)
        return;
    fprintf(stderr, "%s\n", gpuranmar_opencl_last_error());
    exit(1);
}

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

/* Takes the first GPU, or else the first device. Without a device the program ends as a test that
 * is skipped. */
static inline void open_device(void)
{
    cl_platform_id platforms[8];
    cl_uint count = 0, found = 0;
    cl_int error;
    clGetPlatformIDs(8, platforms, &count);
    for (int any = 0; any < 2; ++any)
        for (cl_uint i = 0; i < count && i < 8 && !found; ++i)
            clGetDeviceIDs(platforms[i], any ? CL_DEVICE_TYPE_ALL : CL_DEVICE_TYPE_GPU, 1, &device,
                           &found);
    if (!found) {
        puts("1..0 # SKIP no OpenCL device");
        exit(0);
    }
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    cl_must(error, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &error);
    cl_must(error, "clCreateCommandQueue");
}

static inline cl_mem new_buffer(size_t bytes)
{
    cl_int error;
    const cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    cl_must(error, "clCreateBuffer");
    return made;
}

/* The kernel of a file, which may include gpuranmar_device.cl. */
static inline cl_kernel new_kernel(const gpuranmar_opencl_generator *g, const char *file,
                                   const char *name)
{
    char flavour[512], options[1024], text[100];
    const char *line = text;
    cl_int error;
    must(gpuranmar_opencl_options(g, flavour, sizeof flavour));
    snprintf(options, sizeof options, "%s " INCLUDES, flavour);
    snprintf(text, sizeof text, "#include \"%s\"\n", file);
    const cl_program program = clCreateProgramWithSource(context, 1, &line, NULL, &error);
    cl_must(error, "clCreateProgramWithSource");
    error = clBuildProgram(program, 1, &device, options, NULL, NULL);
    if (error != CL_SUCCESS) {
        static char log[10000];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        fprintf(stderr, "%s", log);
    }
    cl_must(error, "clBuildProgram");
    const cl_kernel kernel = clCreateKernel(program, name, &error);
    cl_must(error, "clCreateKernel");
    clReleaseProgram(program);
    return kernel;
}

/* Sets an argument of a kernel, by its place. */
#define SET(kernel, place, argument) \
    cl_must(clSetKernelArg(kernel, place, sizeof(argument), &(argument)), "clSetKernelArg")

static inline void run(cl_kernel kernel, size_t items, size_t group)
{
    cl_must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL),
            "clEnqueueNDRangeKernel");
}

static inline void read_back(cl_mem from, void *to, size_t bytes)
{
    cl_must(clEnqueueReadBuffer(queue, from, CL_TRUE, 0, bytes, to, 0, NULL, NULL),
            "clEnqueueReadBuffer");
}

#endif
