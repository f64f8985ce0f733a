/* Calls of OpenCL: see call.h. */
#include "call.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

struct ranmar_cl ranmar_cl;

/* The errors that a machine can cause; others are a mistake of the caller's. */
static const char *words_for(cl_int error)
{
    switch (error) {
    case CL_DEVICE_NOT_FOUND:
        return "there is no device";
    case CL_DEVICE_NOT_AVAILABLE:
        return "the device is not available";
    case CL_COMPILER_NOT_AVAILABLE:
        return "the platform has no compiler";
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
        return "the device has too little memory";
    case CL_OUT_OF_RESOURCES:
        return "the device is out of resources, or is lost";
    case CL_OUT_OF_HOST_MEMORY:
        return "out of memory";
    case CL_BUILD_PROGRAM_FAILURE:
        return "the kernels do not compile";
    case CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST:
        return "work on the device has failed";
    case -1001:
        return "there is no platform";
    default:
        return NULL;
    }
}

int ranmar_cl_succeeded(cl_int error, const char *name)
{
    const char *const words = words_for(error);
    if (error == CL_SUCCESS)
        return 1;
    return words ? ranmar_device_fail("%s: %s", name, words)
                 : ranmar_device_fail("%s: error %d", name, (int)error);
}

static char not_loaded[256];

static void load_libopencl(void)
{
    void *const library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(not_loaded, sizeof not_loaded, "%s", dlerror());
        return;
    }
#define FIND(name)                                                            \
    if (!(*(void **)&ranmar_cl.name = dlsym(library, #name)) && !*not_loaded) \
        snprintf(not_loaded, sizeof not_loaded, "libOpenCL.so.1 has no %s", #name);
    RANMAR_CL_FUNCTIONS(FIND)
#undef FIND
}

int ranmar_cl_load(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!ranmar_device_is_ours())
        return 0;
    pthread_once(&once, load_libopencl);
    return !*not_loaded || ranmar_device_fail("%s", not_loaded);
}
