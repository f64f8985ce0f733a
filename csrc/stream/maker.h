/* Makers make the numbers of a stream: the CPU, a GPU, and the check of what these have made.
 *
 * All makers make the same numbers: n of them from a position on. Makers form a chain. A stream
 * asks the first maker, and a maker that cannot make the numbers asks the next one for the same
 * numbers. The last maker is the CPU, which does not fail. A stream knows nothing else of its
 * makers. */
#ifndef RANMAR_MAKER_H
#define RANMAR_MAKER_H

#include "gpuranmar.h"
#include "stream/states.h"

struct ranmar_maker {
    /* Makes n > 0 numbers from a position on. Moves the states of the instances if the maker needs
     * them elsewhere. */
    void (*fill)(struct ranmar_maker *m, struct ranmar_states *states, uint64_t position, void *out,
                 size_t n);

    void (*close)(struct ranmar_maker *m);

    struct ranmar_maker *next; /* NULL for the last one */
    const char *name;          /* of its back end; NULL for a maker that makes nothing itself */
    uint64_t times;            /* how many requests it has filled itself */
};

/* Each of these returns NULL if there is no memory. */

/* The CPU, with options->threads threads. */
struct ranmar_maker *ranmar_cpu_maker(const gpuranmar_options *options);

/* A GPU, through the plugin, which is loaded at the first request. For requests below
 * options->prefetch it makes blocks ahead in memory of its own. */
struct ranmar_maker *ranmar_gpu_maker(const gpuranmar_options *options);

/* The check of what the next maker makes: verify.h describes it. */
struct ranmar_maker *ranmar_checking_maker(const gpuranmar_options *options);

#endif
