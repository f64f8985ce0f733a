/* The interface between the library and the plugins of its GPU back ends, cuda/plugin.cu and
 * csrc/devices/opencl.c. A function that fails returns 0 or NULL and leaves one line in `error`,
 * which has RANMAR_PLUGIN_ERROR bytes. After that only close() may be called. */
#ifndef RANMAR_PLUGIN_H
#define RANMAR_PLUGIN_H

#include <stddef.h>

#include "definition/interleave.h"

/* To be raised whenever anything in this file, or any number, changes: plugin and library must
 * agree. */
#define RANMAR_PLUGIN_ABI 10

enum { RANMAR_PLUGIN_ERROR = 256 }; /* bytes of a line about an error */

/* A stream of numbers made on the GPUs and delivered to host memory. */
struct ranmar_gpu_maker;

struct ranmar_gpu_maker_options {
    int flavour; /* enum gpuranmar_flavour */
    struct ranmar_interleave interleave;
    size_t prefetch;    /* numbers of a block() */
    int threads;        /* how many threads `copy` may use */
    const char *device; /* GPURANMAR_DEVICE, or "" */
    void (*copy)(void *to, const void *from, size_t bytes, int threads); /* stream/copy.h */
};

/* How fast a device is, in numbers a second in its own memory. */
struct ranmar_device_figures {
    double plain; /* a kernel that writes numbers and makes none */
    double fill;
};

struct ranmar_plugin {
    /* Opens a maker; NULL on failure. */
    struct ranmar_gpu_maker *(*open)(const struct ranmar_gpu_maker_options *options, char *error);
    void (*close)(struct ranmar_gpu_maker *maker);

    /* Makes it go on from these states of the instances, which stand at this position of the
     * stream. */
    int (*set)(struct ranmar_gpu_maker *maker, const struct ranmar_state *states, uint64_t position,
               char *error);

    /* Writes the next n numbers to the caller's memory. */
    int (*fill)(struct ranmar_gpu_maker *maker, void *out, size_t n, char *error);

    /* The next `prefetch` numbers, in the maker's own memory, where they stay until the next call.
     * The numbers after them are made meanwhile. After a set() either fill() or block() is used,
     * not both. */
    const void *(*block)(struct ranmar_gpu_maker *maker, char *error);

    /* A few words on the devices in use. */
    const char *(*describe)(const struct ranmar_gpu_maker *maker);

    /* Writes the name of device `number`, counted from 0, by which GPURANMAR_DEVICE can ask for it.
     * Returns 0 if there are not so many; then `name` says why, if there is none at all. */
    int (*device)(int number, char *name, size_t size);

    /* The number of the first device that is used, and its name; -1, and why, if there is none. */
    int (*chosen)(const char *wanted, char *name, size_t size);

    /* Measures a device. The pointer is NULL in a plugin that does not. */
    int (*measure)(int number, int flavour, struct ranmar_device_figures *figures, char *error);
};

/* The function by which the library finds a plugin, ranmar_cuda_plugin() in libgpuranmar_cuda.so
 * and ranmar_opencl_plugin() in libgpuranmar_opencl.so. It returns NULL unless the plugin has this
 * ABI. */
typedef const struct ranmar_plugin *ranmar_plugin_entry(int abi);
extern ranmar_plugin_entry ranmar_cuda_plugin, ranmar_opencl_plugin;

/* The plugin of a GPU back end of enum gpuranmar_backend, which is loaded when it is first asked
 * for; NULL if there is none that can be used. `text` says where it was found, or why not. */
const struct ranmar_plugin *ranmar_find_plugin(int backend, const char **text);

#endif
