/* Who makes a stream's numbers, request by request: the CPU, or the GPU through the CUDA plugin,
 * which is loaded when it is first needed. */
#ifndef RANMAR_BACKEND_H
#define RANMAR_BACKEND_H

#include <time.h>

#include "gpuranmar.h"
#include "stream/plugin.h"

struct ranmar_backend {
    size_t from; /* requests of at least so many numbers are put to ranmar_backend_begin() */
    struct ranmar_gpu_maker_options options;
    int wanted;                     /* enum gpuranmar_backend */
    struct ranmar_gpu_maker *maker; /* on the GPU; NULL while it is not in use, */
    unsigned forks;                 /* and the parent's when this process was forked since */
    int delivers;                   /* the maker: not set yet, by fill() or in blocks, ... */
    uint64_t position;              /* ... from this position on */

    /* How GPURANMAR_AUTO decides. */
    enum { RANMAR_WATCHING, RANMAR_WARMING, RANMAR_TIMING, RANMAR_DECIDED } stage;
    uint64_t by_cpu; /* numbers made by the CPU in requests large enough, ... */
    double cpu_rate; /* ... and how many a second, the last time */
    int gpu_at_work; /* on the request that began at ... */
    struct timespec began;
};

void ranmar_backend_start(struct ranmar_backend *b, const gpuranmar_options *options);
void ranmar_backend_stop(struct ranmar_backend *b);

/* Before a request of at least `from` numbers: whether the GPU is to make it. After it: learns from
 * how long it took. */
int ranmar_backend_begin(struct ranmar_backend *b);
void ranmar_backend_end(struct ranmar_backend *b, size_t n);

enum { RANMAR_NOT_SET, RANMAR_BY_FILL, RANMAR_IN_BLOCKS };

/* Makes the maker deliver so, from these states of the instances at this position. */
int ranmar_backend_set(struct ranmar_backend *b, const struct ranmar_state *states,
                       uint64_t position, int delivers);

/* The next n numbers; the next block, in the maker's memory. On failure, which they report, 0
 * or NULL: the GPU is out of use from then on. */
int ranmar_backend_fill(struct ranmar_backend *b, void *out, size_t n);
const void *ranmar_backend_block(struct ranmar_backend *b);

#endif
