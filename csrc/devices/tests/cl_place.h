/* Where the tests of OpenCL run: the device that GPURANMAR_DEVICE says by its number, or the first.
 */
#ifndef RANMAR_TEST_CL_PLACE_H
#define RANMAR_TEST_CL_PLACE_H

#include <stdlib.h>

#define OWN_MAIN
#include "tests.h"

#include "devices/cl_program.h"
#include "driver.h"

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

#define CL_MUST(call) assert_int_equal(ranmar_cl.call, CL_SUCCESS)

static cl_command_queue new_queue(void)
{
    cl_int error;
    const cl_command_queue made = ranmar_cl.clCreateCommandQueue(context, device, 0, &error);
    assert_int_equal(error, CL_SUCCESS);
    return made;
}

/* A buffer with these bytes in it. */
static cl_mem new_buffer(const void *bytes, size_t size)
{
    cl_int error;
    const cl_mem made = ranmar_cl.clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                                 size, (void *)bytes, &error);
    assert_int_equal(error, CL_SUCCESS);
    return made;
}

/* How many work-items a group has, and the compiler's further options. */
struct shape {
    unsigned lanes;
    const char *further;
};

/* Whether the device's compiler is NVIDIA's. */
static int has_shuffles(void)
{
    char all[8192] = "";
    ranmar_cl.clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof all - 1, all, NULL);
    return strstr(all, "cl_nv_compiler_options") != NULL;
}

static void find_device(void)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    cl_int error;
    const char *const wanted = getenv("GPURANMAR_DEVICE");
    int number = 0;
    if (ranmar_cl_load())
        ranmar_cl.clGetPlatformIDs(16, platforms, &count);
    for (cl_uint i = 0; i < count && !device; ++i) {
        cl_device_id devices[16];
        cl_uint here = 0;
        ranmar_cl.clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 16, devices, &here);
        for (cl_uint k = 0; k < here && !device; ++k)
            if (!wanted || atoi(wanted) == number++)
                device = devices[k];
    }
    if (!device)
        return;
    context = ranmar_cl.clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    queue = new_queue();
}

/* The tests of the file, where there is a device; else a line says that they are skipped. */
static inline int run_on_device(void)
{
    random_start();
    if (!driver_survives(find_device))
        return 0;
    find_device();
    if (!device) {
        printf("1..0 # SKIP no OpenCL device (Debian: pocl-opencl-icd): %s\n",
               ranmar_device_error());
        return 0;
    }
    return _cmocka_run_group_tests("opencl", tests.all, tests.count, NULL, NULL);
}

#endif
