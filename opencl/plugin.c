/* The OpenCL plugin: csrc/backends/plugin.h describes its calls. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/plugin.h"
#include "definition/flavour.h"
#include "device_stream.h"

/* --- The devices --- */

enum { PLATFORMS = 16, DEVICES = 64, NAME = 256 };

struct found {
    cl_platform_id platform;
    cl_device_id device;
    int is_gpu;
    char name[NAME]; /* platform, device and version of the driver */
};

static struct found found[DEVICES];
static int found_count;

static int find_in(cl_platform_id platform)
{
    cl_device_id devices[DEVICES];
    cl_uint count = 0;
    char platform_name[NAME / 4] = "", device_name[NAME / 2] = "", driver[NAME / 8] = "";
    const cl_int error =
        CL_RESULT(clGetDeviceIDs, (platform, CL_DEVICE_TYPE_ALL, DEVICES, devices, &count));
    if (error == CL_DEVICE_NOT_FOUND)
        return 1;
    if (!ranmar_cl_succeeded(error, "clGetDeviceIDs"))
        return 0;
    CL_TRY(clGetPlatformInfo,
           (platform, CL_PLATFORM_NAME, sizeof platform_name - 1, platform_name, NULL));
    for (cl_uint i = 0; i < count && i < DEVICES && found_count < DEVICES; ++i) {
        struct found *const f = &found[found_count];
        cl_device_type type;
        CL_TRY(clGetDeviceInfo,
               (devices[i], CL_DEVICE_NAME, sizeof device_name - 1, device_name, NULL));
        CL_TRY(clGetDeviceInfo, (devices[i], CL_DRIVER_VERSION, sizeof driver - 1, driver, NULL));
        CL_TRY(clGetDeviceInfo, (devices[i], CL_DEVICE_TYPE, sizeof type, &type, NULL));
        f->platform = platform;
        f->device = devices[i];
        f->is_gpu = (type & CL_DEVICE_TYPE_GPU) != 0;
        snprintf(f->name, sizeof f->name, "%s: %s, driver %s", platform_name, device_name, driver);
        ++found_count;
    }
    return 1;
}

/* Finds the devices of all platforms. A later call searches again only if none was found. */
static int find_devices(void)
{
    cl_platform_id platforms[PLATFORMS];
    cl_uint count = 0;
    if (found_count > 0)
        return 1;
    CL_TRY(clGetPlatformIDs, (PLATFORMS, platforms, &count));
    for (cl_uint i = 0; i < count && i < PLATFORMS; ++i)
        if (!find_in(platforms[i])) {
            found_count = 0;
            return 0;
        }
    return found_count > 0 || ranmar_device_fail("there is no device");
}

/* The devices in use: all of one platform, in one context, so that they can share host memory. */
static cl_device_id used[DEVICES];
static int used_count;
static cl_context context;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* Chooses the devices that match `wanted`, all on the platform of the first. If `wanted` is empty,
 * chooses the GPUs of the first platform that has one, or else one device of any kind. */
static const struct found *choose(const char *wanted)
{
    const struct found *first = NULL;
    for (int pass = *wanted ? 1 : 0; pass < 2 && !first; ++pass)
        for (int i = 0; i < found_count; ++i) {
            const struct found *const f = &found[i];
            if (!(pass == 0 ? f->is_gpu : ranmar_device_is_wanted(wanted, i, f->name)) ||
                (first && (f->platform != first->platform || (pass == 1 && !*wanted))))
                continue;
            if (!first)
                first = f;
            used[used_count++] = f->device;
        }
    return first;
}

static int open_context(const char *wanted, int *number, char *name, size_t size)
{
    static const struct found *first;
    if (!find_devices())
        return 0;
    if (!context) {
        used_count = 0;
        first = choose(wanted);
        if (!first)
            return ranmar_device_fail("GPURANMAR_DEVICE: no device is '%.60s'", wanted);
        CL_MAKE(context, clCreateContext, NULL, (cl_uint)used_count, used, NULL, NULL);
    }
    *number = (int)(first - found);
    snprintf(name, size, "%s", first->name);
    return 1;
}

static int count(const char *wanted, int *devices, int *first, char *name, size_t size)
{
    if (!ranmar_cl_load())
        return 0;
    pthread_mutex_lock(&mutex);
    const int good = open_context(wanted, first, name, size);
    *devices = used_count;
    pthread_mutex_unlock(&mutex);
    return good;
}

static int name_device(int number, char *name, size_t size)
{
    if (!ranmar_cl_load())
        return 0;
    pthread_mutex_lock(&mutex);
    int exists = find_devices();
    if (exists && number >= found_count)
        exists = ranmar_device_fail("%s", ""); /* the error is "" for such a number: plugin.h */
    pthread_mutex_unlock(&mutex);
    if (exists)
        snprintf(name, size, "%s", found[number].name);
    return exists;
}

/* --- One device --- */

/* Memory of the host that the devices write to at full speed: a buffer that stays mapped. */
struct pinned {
    void *memory;
    cl_mem buffer;
    struct pinned *next;
};

/* Two queues: one makes numbers, the other copies them to the host. */
struct ranmar_device {
    size_t size; /* bytes of a number */
    cl_device_id device;
    struct ranmar_cl_stream numbers;
    cl_command_queue making, copying;
    cl_event copied[RANMAR_SLOTS], events[RANMAR_EVENTS];
    cl_mem memory[RANMAR_SLOTS];
    size_t room[RANMAR_SLOTS]; /* how many bytes each memory has */
    struct pinned *pinned;
    cl_bool shares_memory; /* whether device and host share memory, and so none has to be pinned */
};

static void finish(struct ranmar_device *d)
{
    if (d->making)
        ranmar_cl.clFinish(d->making);
    if (d->copying)
        ranmar_cl.clFinish(d->copying);
}

static void release_event(cl_event *event)
{
    if (*event)
        ranmar_cl.clReleaseEvent(*event);
    *event = NULL;
}

static void close_device(struct ranmar_device *d)
{
    for (int slot = 0; slot < RANMAR_SLOTS; ++slot) {
        release_event(&d->copied[slot]);
        if (d->memory[slot])
            ranmar_cl.clReleaseMemObject(d->memory[slot]);
    }
    for (int event = 0; event < RANMAR_EVENTS; ++event)
        release_event(&d->events[event]);
    ranmar_cl_stream_close(&d->numbers);
    if (d->making)
        ranmar_cl.clReleaseCommandQueue(d->making);
    if (d->copying)
        ranmar_cl.clReleaseCommandQueue(d->copying);
    free(d);
}

static int open_queues(struct ranmar_device *d, int flavour, struct ranmar_interleave interleave)
{
    CL_MAKE(d->making, clCreateCommandQueue, context, d->device, 0);
    CL_MAKE(d->copying, clCreateCommandQueue, context, d->device, 0);
    CL_TRY(clGetDeviceInfo, (d->device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof d->shares_memory,
                             &d->shares_memory, NULL));
    return ranmar_cl_stream_open(&d->numbers, context, d->device, ranmar_flavour(flavour),
                                 interleave);
}

static struct ranmar_device *open_device(int number, int flavour,
                                         struct ranmar_interleave interleave)
{
    struct ranmar_device *const d = calloc(1, sizeof *d);
    if (!d) {
        ranmar_device_fail("out of memory");
        return NULL;
    }
    d->size = ranmar_number_size(ranmar_flavour(flavour));
    d->device = used[number];
    if (open_queues(d, flavour, interleave))
        return d;
    close_device(d);
    return NULL;
}

static int map(struct ranmar_device *d, struct pinned *p, size_t bytes)
{
    CL_MAKE(p->buffer, clCreateBuffer, context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes,
            NULL);
    CL_MAKE(p->memory, clEnqueueMapBuffer, d->copying, p->buffer, CL_TRUE,
            CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL, NULL);
    return 1;
}

static void *allocate(struct ranmar_device *d, size_t bytes)
{
    struct pinned *const p = calloc(1, sizeof *p);
    if (p && map(d, p, bytes)) {
        p->next = d->pinned;
        d->pinned = p;
        return p->memory;
    }
    if (!p)
        ranmar_device_fail("out of memory");
    else if (p->buffer)
        ranmar_cl.clReleaseMemObject(p->buffer);
    free(p);
    return NULL;
}

static void release(struct ranmar_device *d, void *memory)
{
    struct pinned **at = &d->pinned;
    while (*at && (*at)->memory != memory)
        at = &(*at)->next;
    struct pinned *const p = *at;
    if (!p || !memory)
        return;
    *at = p->next;
    ranmar_cl.clEnqueueUnmapMemObject(d->copying, p->buffer, p->memory, 0, NULL, NULL);
    ranmar_cl.clFinish(d->copying);
    ranmar_cl.clReleaseMemObject(p->buffer);
    free(p);
}

static int is_writable(struct ranmar_device *d, const void *memory, size_t bytes, int *writable)
{
    (void)memory;
    (void)bytes;
    *writable = d->shares_memory == CL_TRUE;
    return 1;
}

static int set(struct ranmar_device *d, const struct ranmar_state *states, uint64_t position)
{
    return ranmar_cl_stream_set(&d->numbers, states, position);
}

static int reserve(struct ranmar_device *d, int slot, size_t bytes)
{
    if (d->room[slot] >= bytes)
        return 1;
    if (d->memory[slot])
        ranmar_cl.clReleaseMemObject(d->memory[slot]); /* freed when the queued work is done */
    d->memory[slot] = NULL;
    CL_MAKE(d->memory[slot], clCreateBuffer, context, CL_MEM_READ_WRITE, bytes, NULL);
    d->room[slot] = bytes;
    return 1;
}

/* Whether no copy has failed so far. If an event has failed before work is queued that waits for
 * it, the work never ends in PoCL 3.1, and is done without an error in PoCL 7.1. So call this
 * before and after such work is queued. */
static int none_failed(const struct ranmar_device *d)
{
    for (int slot = 0; slot < RANMAR_SLOTS; ++slot) {
        cl_int status = CL_COMPLETE;
        if (d->copied[slot])
            CL_TRY(clGetEventInfo, (d->copied[slot], CL_EVENT_COMMAND_EXECUTION_STATUS,
                                    sizeof status, &status, NULL));
        if (status < 0)
            return ranmar_cl_succeeded(status, "clEnqueueReadBuffer");
    }
    return 1;
}

static int make(struct ranmar_device *d, int slot, uint64_t position, size_t n, void *to)
{
    cl_event made = NULL;
    if (!none_failed(d) || !reserve(d, slot, n * d->size) ||
        !ranmar_cl_stream_fill(&d->numbers, d->making, d->memory[slot], 0, position, n,
                               d->copied[slot] != NULL, &d->copied[slot], &made))
        return 0;
    if (!none_failed(d)) {
        release_event(&made);
        return 0;
    }
    release_event(&d->copied[slot]);
    cl_int error = CL_RESULT(clFlush, (d->making));
    if (error == CL_SUCCESS)
        error = CL_RESULT(clEnqueueReadBuffer, (d->copying, d->memory[slot], CL_FALSE, 0,
                                                n * d->size, to, 1, &made, &d->copied[slot]));
    release_event(&made);
    if (!ranmar_cl_succeeded(error, "clEnqueueReadBuffer"))
        return 0;
    CL_TRY(clFlush, (d->copying));
    return 1;
}

/* The event waits for the events of the copies, so that it fails if one of them fails. Order alone
 * is not enough: an in-order queue goes on after work that failed. The last copy of each slot is
 * enough: it fails if the copy before failed, since its kernel waits for that copy's event. */
static int record(struct ranmar_device *d, int event)
{
    cl_event copies[RANMAR_SLOTS];
    cl_uint count = 0;
    for (int slot = 0; slot < RANMAR_SLOTS; ++slot)
        if (d->copied[slot])
            copies[count++] = d->copied[slot];
    release_event(&d->events[event]);
    if (!none_failed(d))
        return 0;
    CL_TRY(clEnqueueMarkerWithWaitList,
           (d->copying, count, count ? copies : NULL, &d->events[event]));
    CL_TRY(clFlush, (d->copying));
    return none_failed(d);
}

static int wait_for(struct ranmar_device *d, int event)
{
    CL_TRY(clWaitForEvents, (1, &d->events[event]));
    return 1;
}

/* --- The plugin --- */

GPURANMAR_API ranmar_plugin_entry ranmar_opencl_plugin;

const struct ranmar_plugin *ranmar_opencl_plugin(int abi)
{
    static const struct ranmar_plugin plugin = RANMAR_PLUGIN_TABLE;
    return abi == RANMAR_PLUGIN_ABI ? &plugin : NULL;
}
