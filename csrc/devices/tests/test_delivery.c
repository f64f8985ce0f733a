/* Streams by OpenCL: see delivery.h. */
#include "devices/cl_program.h"
#include "stream/plugin.h"

#define BACKEND GPURANMAR_OPENCL
#define PLUGIN ranmar_opencl_plugin
#define EACH 1

extern ranmar_plugin_entry ranmar_opencl_plugin;

static void *pinned(size_t bytes)
{
    (void)bytes;
    return NULL;
}

static void unpin(void *memory)
{
    (void)memory;
}

static void build_anew(void)
{
    ranmar_cl_shape(0, "");
}

#include "devices/tests/delivery.h"
