/* What the library asks of the CUDA plugin, cuda/plugin.cu. Functions that may fail return 0 then
 * and leave one line in `error`; after that only close() may be called. */
#ifndef RANMAR_PLUGIN_H
#define RANMAR_PLUGIN_H

#include <stddef.h>

#include "definition/interleave.h"

/* Goes up whenever anything in this file, or the numbers, changes. */
#define RANMAR_PLUGIN_ABI 4

#define RANMAR_PLUGIN_FILE "libgpuranmar_cuda.so"
#define RANMAR_PLUGIN_ENTRY ranmar_cuda_plugin

enum { RANMAR_PLUGIN_ERROR = 256 }; /* bytes of a line */

/* A stream of numbers made on the GPUs and delivered to host memory. */
struct ranmar_gpu_maker;

struct ranmar_gpu_maker_options {
    int flavour; /* enum gpuranmar_flavour */
    struct ranmar_interleave interleave;
    size_t prefetch; /* numbers of a block() */
    int threads;     /* that may copy in host memory, by ... */
    void (*copy)(void *to, const void *from, size_t bytes, int threads); /* ... stream/copy.h */
};

struct ranmar_plugin {
    /* Opens one; NULL on failure. */
    struct ranmar_gpu_maker *(*open)(const struct ranmar_gpu_maker_options *options, char *error);
    void (*close)(struct ranmar_gpu_maker *maker);

    /* Goes on from these states of the instances, at this position of the stream. */
    int (*set)(struct ranmar_gpu_maker *maker, const struct ranmar_state *states, uint64_t position,
               char *error);

    /* The next n numbers to the caller's memory. */
    int (*fill)(struct ranmar_gpu_maker *maker, void *out, size_t n, char *error);

    /* The next `prefetch` numbers in the maker's own memory, until the next call, while those
     * after them are being made. After a set() either fill() or block() is used, not both. */
    const void *(*block)(struct ranmar_gpu_maker *maker, char *error);

    /* A few words on the devices in use. */
    const char *(*describe)(const struct ranmar_gpu_maker *maker);
};

/* The plugin's one entry: NULL unless it has this ABI. */
typedef const struct ranmar_plugin *ranmar_plugin_entry(int abi);

#endif
