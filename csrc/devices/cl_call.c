/* Calls of OpenCL: see cl_call.h. */
#include "devices/cl_call.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

struct ranmar_cl ranmar_cl;

static _Thread_local char line[256];

const char *ranmar_cl_error(void)
{
    return line;
}

int ranmar_cl_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    return 0;
}

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
    return words ? ranmar_cl_fail("%s: %s", name, words)
                 : ranmar_cl_fail("%s: error %d", name, (int)error);
}

#ifdef RANMAR_TEST_FAILURES
static long calls, first_failing, last_failing;

long ranmar_cl_fail_calls(long first, long last)
{
    const long counted = calls;
    calls = 0;
    first_failing = first;
    last_failing = last;
    return counted;
}

int ranmar_cl_made_to_fail(void)
{
    ++calls;
    return calls >= first_failing && calls <= last_failing;
}
#endif

static char not_loaded[256];

static void load(void)
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
    pthread_once(&once, load);
    return !*not_loaded || ranmar_cl_fail("%s", not_loaded);
}
