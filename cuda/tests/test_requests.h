/* Streams whose numbers a GPU makes, beside the same on the CPU, for test_delivery.cu and
 * test_failures.cu. */
#ifndef RANMAR_CUDA_TEST_REQUESTS_H
#define RANMAR_CUDA_TEST_REQUESTS_H

#include <cstring>
#include <vector>

#include "gpuranmar.h"
#include "tap.h"

#include "random.h"

/* Pinned memory, or null where there is no CUDA. */
static void *pinned(size_t bytes)
{
    void *memory;
    return cudaMallocHost(&memory, bytes) == cudaSuccess ? memory : nullptr;
}

struct pair {
    gpuranmar_stream *gpu, *cpu;
};

static pair open_pair(gpuranmar_options options, int backend)
{
    pair both;
    options.backend = backend;
    MUST(gpuranmar_stream_initialise(&both.gpu, &options));
    options.backend = GPURANMAR_CPU;
    if (options.prefetch == 0) /* what the GPU takes, so that a saved state fits both */
        options.prefetch = 1 << 20;
    MUST(gpuranmar_stream_initialise(&both.cpu, &options));
    return both;
}

static void close_pair(pair both)
{
    gpuranmar_stream_close(both.gpu);
    gpuranmar_stream_close(both.cpu);
}

typedef int draw_function(gpuranmar_stream *, double *, size_t);
typedef int draw_single_function(gpuranmar_stream *, float *, size_t);

/* Draws n numbers from both in the same way. */
static bool draws_agree(pair both, bool single, bool cached, void *got, void *want, size_t n)
{
    draw_function *const draw = cached ? gpuranmar_stream_get : gpuranmar_stream_fill;
    draw_single_function *const draw_single =
        cached ? gpuranmar_stream_get_single : gpuranmar_stream_fill_single;
    if (single) {
        MUST(draw_single(both.gpu, (float *)got, n));
        MUST(draw_single(both.cpu, (float *)want, n));
    } else {
        MUST(draw(both.gpu, (double *)got, n));
        MUST(draw(both.cpu, (double *)want, n));
    }
    uint64_t at, reference;
    MUST(gpuranmar_stream_position(both.gpu, &at));
    MUST(gpuranmar_stream_position(both.cpu, &reference));
    return at == reference && memcmp(got, want, n * (single ? sizeof(float) : sizeof(double))) == 0;
}

/* One stream, and `requests` requests of every kind, up to `most` numbers each. */
static inline bool requests_agree(int flavour, bool interleaved, int requests, size_t most)
{
    const bool single = flavour == GPURANMAR_SINGLE;
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    options.flavour = flavour;
    options.seed = (int64_t)random_in(0, 942438977);
    options.position = random_size(0, UINT64_C(1) << 60);
    options.instances = interleaved ? (int64_t)random_size(2, 5000) : 1;
    options.prefetch = random_in(0, 1) || interleaved ? (int64_t)random_size(1, most) : 0;
    options.threads = 2;
    const pair both = open_pair(options, GPURANMAR_CUDA);
    std::vector<double> want(most), got(most);
    void *const fixed = pinned(most * sizeof(double));
    bool good = true;
    for (int i = 0; i < requests && good; ++i) {
        void *const to = fixed && random_in(0, 1) ? fixed : got.data();
        const size_t n = i == 0 ? most : random_size(0, most);
        good = draws_agree(both, single, random_in(0, 2) > 0, to, want.data(), n);
        if (random_in(0, 9) == 0) {
            const uint64_t skipped = random_size(0, UINT64_C(1) << 50);
            MUST(gpuranmar_stream_skip(both.gpu, skipped));
            MUST(gpuranmar_stream_skip(both.cpu, skipped));
        }
        if (random_in(0, 9) == 0) {
            char a[GPURANMAR_SAVED_STATE_SIZE], b[GPURANMAR_SAVED_STATE_SIZE];
            MUST(gpuranmar_stream_save(both.gpu, a, sizeof a));
            MUST(gpuranmar_stream_save(both.cpu, b, sizeof b));
            good = good && memcmp(a, b, sizeof a) == 0;
            MUST(gpuranmar_stream_restore(both.gpu, b, sizeof b));
        }
    }
    if (!good)
        printf("# flavour %d, instances %lld, prefetch %lld, seed %lld, position %llu\n", flavour,
               (long long)options.instances, (long long)options.prefetch, (long long)options.seed,
               (unsigned long long)options.position);
    if (fixed)
        cudaFreeHost(fixed);
    close_pair(both);
    return good;
}

/* Requests of up to a window's numbers, as the numbered sequences make them. */
static inline bool small_requests_agree(int requests)
{
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    options.prefetch = 1 << 14;
    const pair both = open_pair(options, GPURANMAR_CUDA);
    bool good = true;
    double got[1024], want[1024];
    for (int i = 0; i < requests && good; ++i)
        good = draws_agree(both, false, true, got, want, random_size(0, 1024));
    close_pair(both);
    return good;
}

#endif
