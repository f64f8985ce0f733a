/* Makers make the numbers of a stream, on the CPU or on a GPU.
 *
 * All makers make the same numbers: n of them from a position on, to which they move the states of
 * the instances. A stream has a row of makers, and asks the first one that takes requests of that
 * size. If that maker fails, the next one makes the numbers from the same position on. The last
 * maker is the CPU, which does not fail. A stream knows nothing else of its makers. */
#ifndef RANMAR_MAKER_H
#define RANMAR_MAKER_H

#include "gpuranmar.h"
#include "stream/observer.h"
#include "stream/states.h"

struct ranmar_maker {
    size_t from; /* the least that a request must ask for; SIZE_MAX once it is out of use */

    /* Makes n numbers from a position on. Returns 0 if it could not. */
    int (*fill)(struct ranmar_maker *m, struct ranmar_states *states, uint64_t position, void *out,
                size_t n);

    /* Makes a whole cache from a position on in the maker's own memory, which stays valid until the
     * next call. Returns NULL if it could not. The pointer is NULL in a maker without such
     * memory. */
    const void *(*block)(struct ranmar_maker *m, struct ranmar_states *states, uint64_t position);

    void (*close)(struct ranmar_maker *m);

    enum ranmar_by by; /* CPU or GPU: who has made the last numbers */
};

enum { RANMAR_MAKERS = 2 }; /* the most in a row */

/* The maker on the CPU, with options->threads threads. NULL if there is no memory. */
struct ranmar_maker *ranmar_cpu_maker(const gpuranmar_options *options);

/* The maker on the GPU, through the plugin, which is loaded at the first request. It gives the
 * stream memory of its own for the cache, and makes the next cache while one is used. NULL if there
 * is no memory. */
struct ranmar_maker *ranmar_gpu_maker(const gpuranmar_options *options);

/* The devices that a GPU's maker uses, in a few words; NULL while it uses none. */
const char *ranmar_gpu_maker_devices(const struct ranmar_maker *gpu);

#endif
