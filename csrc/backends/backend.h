/* A back end fills an array with numbers from a position on: the CPU, a GPU, and the check of what
 * these have made. If it fails, it asks the next one for the same numbers. The last is the CPU,
 * which does not fail. A stream knows nothing else of its back ends. */
#ifndef RANMAR_BACKEND_H
#define RANMAR_BACKEND_H

#include "backends/states.h"
#include "gpuranmar.h"

struct ranmar_backend {
    /* Makes n > 0 numbers from a position on. Moves the states of the instances if it needs
     * them elsewhere. */
    void (*fill)(struct ranmar_backend *b, struct ranmar_states *states, uint64_t position,
                 void *out, size_t n);

    /* Makes the next n numbers from a position on in memory of the back end's own, which stays
     * valid until the next call. Returns NULL if they do not stand there in one piece. The pointer
     * is NULL in a back end without such memory. */
    const void *(*in_place)(struct ranmar_backend *b, struct ranmar_states *states,
                            uint64_t position, size_t n);

    void (*close)(struct ranmar_backend *b);

    struct ranmar_backend *next; /* NULL for the last one */
    const char *name; /* of its back end; NULL for the check, which makes nothing itself */
    uint64_t times;   /* how many requests it has filled itself */
};

/* Each of these returns NULL if there is no memory. */

/* The CPU, with options->threads threads. */
struct ranmar_backend *ranmar_cpu_backend(const gpuranmar_options *options);

/* A GPU, through the plugin, which is loaded at the first request. Most requests are served from
 * blocks that it makes ahead in memory of its own, multiples of options->prefetch long. */
struct ranmar_backend *ranmar_gpu_backend(const gpuranmar_options *options);

/* The check of what the next back end makes: verify.h describes it. */
struct ranmar_backend *ranmar_verifying_backend(const gpuranmar_options *options);

#endif
