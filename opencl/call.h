/* Calls of OpenCL, whose errors are kept as devices/device_error.h says.
 *
 * libOpenCL is loaded when it is first needed, so that the plugin needs no vendor's toolkit. */
#ifndef RANMAR_CL_CALL_H
#define RANMAR_CL_CALL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "devices/device_error.h"

#define RANMAR_CL_FUNCTIONS(F)     \
    F(clBuildProgram)              \
    F(clCreateBuffer)              \
    F(clCreateCommandQueue)        \
    F(clCreateContext)             \
    F(clCreateKernel)              \
    F(clCreateProgramWithSource)   \
    F(clEnqueueMapBuffer)          \
    F(clEnqueueMarkerWithWaitList) \
    F(clEnqueueNDRangeKernel)      \
    F(clEnqueueReadBuffer)         \
    F(clEnqueueUnmapMemObject)     \
    F(clEnqueueWriteBuffer)        \
    F(clFinish)                    \
    F(clFlush)                     \
    F(clGetCommandQueueInfo)       \
    F(clGetDeviceIDs)              \
    F(clGetDeviceInfo)             \
    F(clGetEventInfo)              \
    F(clGetMemObjectInfo)          \
    F(clGetPlatformIDs)            \
    F(clGetPlatformInfo)           \
    F(clGetProgramBuildInfo)       \
    F(clReleaseCommandQueue)       \
    F(clReleaseEvent)              \
    F(clReleaseKernel)             \
    F(clReleaseMemObject)          \
    F(clReleaseProgram)            \
    F(clRetainCommandQueue)        \
    F(clSetKernelArg)              \
    F(clWaitForEvents)

/* The functions of libOpenCL, once ranmar_cl_load() has been called. */
#define RANMAR_CL_POINTER(name) __typeof__(name) *name;
extern struct ranmar_cl {
    RANMAR_CL_FUNCTIONS(RANMAR_CL_POINTER)
} ranmar_cl;

/* Call this, and see it succeed, before you use anything else here or take a lock for it. */
int ranmar_cl_load(void);

/* Whether a call of that name went well; if not, the line names it. */
int ranmar_cl_succeeded(cl_int error, const char *name);

/* The error of a call, which a test can make fail: CL_RESULT(clFlush, (queue)). */
#define CL_RESULT(name, arguments) \
    (ranmar_device_made_to_fail() ? CL_OUT_OF_RESOURCES : ranmar_cl.name arguments)

/* CL_TRY(clFlush, (queue)) makes a call that returns an error code; CL_MAKE, one that returns an
 * object and sets the code by its last argument. Both end the function with 0 if the call fails. */
#define CL_TRY(name, arguments)                                      \
    do {                                                             \
        if (!ranmar_cl_succeeded(CL_RESULT(name, arguments), #name)) \
            return 0;                                                \
    } while (0)
#define CL_MAKE(object, name, ...)                           \
    do {                                                     \
        cl_int error_ = CL_OUT_OF_RESOURCES;                 \
        if (!ranmar_device_made_to_fail())                   \
            (object) = ranmar_cl.name(__VA_ARGS__, &error_); \
        if (!ranmar_cl_succeeded(error_, #name))             \
            return 0;                                        \
    } while (0)

#endif
