/* What fills cost.
 *
 *     arrays GENERATOR NUMBERS THREADS REPEATS  fills arrays; prints ns a number for each repeat
 *     arrays peers                              prints the names of the peers
 *
 * GENERATOR is a flavour's code or a peer. The peers store and stream-store only store, and so show
 * the limit. Each thread of a peer has a generator of its own. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __x86_64__
#include <immintrin.h>
#define HAVE_SSE2 1 /* as dSFMT's library was compiled */
/* The peers are compiled for the same instruction sets that the library picks from. */
#define EVERY_CPU __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define EVERY_CPU
#endif
#if __has_include(<dSFMT.h>)
#define DSFMT_MEXP 19937
#include <dSFMT.h>
#endif
#if __has_include(<Random123/philox.h>)
#include <Random123/philox.h>
#endif

#include "gpuranmar.h"

union generator {
#ifdef DSFMT_MEXP
    dsfmt_t dsfmt;
#endif
    uint64_t counter;
};

#ifdef DSFMT_MEXP
static void fill_dsfmt(union generator *g, double *out, size_t n)
{
    dsfmt_fill_array_open_open(&g->dsfmt, out, (ptrdiff_t)n);
}
#endif

#ifdef PHILOX4x32_DEFAULT_ROUNDS
static inline philox4x32_ctr_t philox_block(uint64_t block)
{
    const philox4x32_ctr_t c = {{(uint32_t)block, (uint32_t)(block >> 32), 0, 0}};
    const philox4x32_key_t key = {{1, 2}};
    return philox4x32(c, key);
}

EVERY_CPU static void fill_philox(union generator *g, double *out, size_t n)
{
    for (size_t i = 0; i + 2 <= n; i += 2) {
        const philox4x32_ctr_t r = philox_block(g->counter + i / 2);
        for (int k = 0; k < 2; ++k) {
            const uint64_t bits = (uint64_t)r.v[2 * k + 1] << 32 | r.v[2 * k];
            out[i + (size_t)k] = (double)(int64_t)(bits >> 11) * 0x1p-53;
        }
    }
    g->counter += n / 2;
}

/* Single precision, to the same memory. */
EVERY_CPU static void fill_philox_single(union generator *g, double *memory, size_t n)
{
    float *const out = (float *)(void *)memory;
    for (size_t i = 0; i + 4 <= n; i += 4) {
        const philox4x32_ctr_t r = philox_block(g->counter + i / 4);
        for (int k = 0; k < 4; ++k)
            out[i + (size_t)k] = (float)(int32_t)(r.v[k] >> 8) * 0x1p-24f;
    }
    g->counter += n / 4;
}
#endif

EVERY_CPU static void fill_store(union generator *g, double *out, size_t n)
{
    for (size_t i = 0; i < n; ++i)
        out[i] = 0.5;
    __asm__ volatile("" ::"r"(out), "r"(g) : "memory");
}

#ifdef __x86_64__
static void fill_stream_store(union generator *g, double *out, size_t n)
{
    const __m128d half = _mm_set1_pd(0.5);
    for (size_t i = 0; i + 2 <= n; i += 2)
        _mm_stream_pd(out + i, half);
    _mm_sfence();
    (void)g;
}
#endif

static const struct peer {
    const char *name;
    void (*fill)(union generator *g, double *out, size_t n);
} peers[] = {
#ifdef DSFMT_MEXP
    {"dsfmt", fill_dsfmt},
#endif
#ifdef PHILOX4x32_DEFAULT_ROUNDS
    {"philox", fill_philox},
    {"philox-single", fill_philox_single},
#endif
#ifdef __x86_64__
    {"stream-store", fill_stream_store},
#endif
    {"store", fill_store},
};

static void fill_by_peer(const struct peer *peer, union generator *g, double *out, size_t n,
                         int threads)
{
    if (threads == 1) { /* even a parallel region of one thread takes longer than a small array */
        peer->fill(g, out, n);
        return;
    }
    const size_t part = n / (size_t)threads / 64 * 64;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int t = 0; t < threads; ++t)
        peer->fill(&g[t], out + (size_t)t * part, t < threads - 1 ? part : n - (size_t)t * part);
}

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void check(int error)
{
    if (error) {
        fprintf(stderr, "arrays: %s\n", gpuranmar_last_error());
        exit(1);
    }
}

static gpuranmar_stream *open_stream(int flavour, int threads)
{
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    gpuranmar_stream *stream;
    options.flavour = flavour;
    options.threads = threads;
    check(gpuranmar_stream_initialise(&stream, &options));
    return stream;
}

static void print_fills(const char *name, const struct peer *peer, size_t n, int threads,
                        int repeats)
{
    double *const out = aligned_alloc(4096, (n * sizeof *out + 4095) / 4096 * 4096);
    union generator *const g = aligned_alloc(64, (size_t)threads * ((sizeof *g + 63) / 64 * 64));
    for (int t = 0; t < threads; ++t) {
        g[t].counter = (uint64_t)(t + 1) << 48;
#ifdef DSFMT_MEXP
        if (strcmp(name, "dsfmt") == 0)
            dsfmt_init_gen_rand(&g[t].dsfmt, (uint32_t)t + 1);
#endif
    }
    const int flavour = peer ? GPURANMAR_DOUBLE : atoi(name);
    gpuranmar_stream *const stream = open_stream(flavour, threads);
    /* Fills between two looks at the clock, which costs as much as a thousand numbers. */
    const size_t fills = n < 100000 ? 100000 / n : 1;
    for (int r = -1; r < repeats; ++r) {
        const double from = now_ns();
        for (size_t i = 0; i < fills; ++i)
            if (peer)
                fill_by_peer(peer, g, out, n, threads);
            else if (flavour == GPURANMAR_SINGLE)
                check(gpuranmar_stream_fill_single(stream, (float *)(void *)out, n));
            else
                check(gpuranmar_stream_fill(stream, out, n));
        if (r >= 0) /* the first fill has page faults and starts the threads */
            printf("%.5f ", (now_ns() - from) / (double)(fills * n));
    }
    puts("");
}

int main(int argc, char **argv)
{
    const struct peer *peer = NULL;
    const char *const what = argc > 1 ? argv[1] : "";
    for (size_t i = 0; i < sizeof peers / sizeof *peers; ++i) {
        if (strcmp(what, "peers") == 0)
            puts(peers[i].name);
        else if (strcmp(what, peers[i].name) == 0)
            peer = &peers[i];
    }
    if (argc == 5)
        print_fills(what, peer, strtoull(argv[2], NULL, 10), atoi(argv[3]), atoi(argv[4]));
    else if (argc != 2 || strcmp(what, "peers") != 0)
        return fputs("arrays: see the head of validate/bench/arrays.c\n", stderr), 2;
    return 0;
}
