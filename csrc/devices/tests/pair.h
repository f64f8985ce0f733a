/* What a device makes, beside a stream on the CPU; for C and C++. Who includes this has MUST(call),
 * for calls that must return 0. */
#ifndef RANMAR_TEST_PAIR_H
#define RANMAR_TEST_PAIR_H

#include <string.h>

#include "gpuranmar.h"

static inline gpuranmar_stream *open_on_cpu(int flavour, int64_t seed, int64_t instances,
                                            int64_t block, uint64_t position)
{
    gpuranmar_stream *s;
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    options.flavour = flavour;
    options.seed = seed;
    options.instances = instances;
    options.prefetch = block;
    options.position = position;
    options.backend = GPURANMAR_CPU;
    MUST(gpuranmar_stream_initialise(&s, &options));
    return s;
}

#ifdef RANMAR_STREAM_H
/* Whether the CPU, a stream's last back end, has made none of its numbers. */
static inline int made_by_device(const gpuranmar_stream *s)
{
    const struct ranmar_backend *m = s->backend;
    while (m->next)
        m = m->next;
    return m->times == 0;
}
#endif

/* A stream by a device, and the same on the CPU. */
struct pair {
    gpuranmar_stream *gpu, *cpu;
    int single; /* whether its numbers are floats */
};

static inline struct pair open_pair(gpuranmar_options options, int backend)
{
    struct pair both;
    both.single = options.flavour == GPURANMAR_SINGLE;
    options.backend = backend;
    MUST(gpuranmar_stream_initialise(&both.gpu, &options));
    options.backend = GPURANMAR_CPU;
    if (options.prefetch == 0) /* what the GPU takes, so that a saved state fits both */
        options.prefetch = 1 << 20;
    MUST(gpuranmar_stream_initialise(&both.cpu, &options));
    return both;
}

static inline void close_pair(struct pair both)
{
    gpuranmar_stream_close(both.gpu);
    gpuranmar_stream_close(both.cpu);
}

static inline int draw(gpuranmar_stream *s, int single, int cached, void *to, size_t n)
{
    if (single)
        return cached ? gpuranmar_stream_get_single(s, (float *)to, n)
                      : gpuranmar_stream_fill_single(s, (float *)to, n);
    return cached ? gpuranmar_stream_get(s, (double *)to, n)
                  : gpuranmar_stream_fill(s, (double *)to, n);
}

/* Draws n numbers from both in the same way. Returns whether they and the positions are equal. */
static inline int draws_agree(struct pair both, int cached, void *got, void *want, size_t n)
{
    uint64_t at, reference;
    MUST(draw(both.gpu, both.single, cached, got, n));
    MUST(draw(both.cpu, both.single, cached, want, n));
    MUST(gpuranmar_stream_position(both.gpu, &at));
    MUST(gpuranmar_stream_position(both.cpu, &reference));
    return at == reference &&
           memcmp(got, want, n * (both.single ? sizeof(float) : sizeof(double))) == 0;
}

#endif
