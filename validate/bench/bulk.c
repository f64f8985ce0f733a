/* How long an array takes to fill: bulk GENERATOR NUMBERS THREADS REPEATS. Prints nanoseconds a
 * number, the median of the repeats. Generators: double, single, extended, luxury (ours), the peers
 * dsfmt, philox, philox-single, gsl, and store and stream-store, which only store and so show the
 * limit. A peer on several threads has a generator of its own on each. */
#include <gsl/gsl_rng.h>
#include <immintrin.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define DSFMT_MEXP 19937
#define HAVE_SSE2 1
#include <Random123/philox.h>
#include <dSFMT.h>

#include "gpuranmar.h"
#include "timing.h"

/* The peers are compiled for the same instruction sets that the library picks from. */
#define EVERY_CPU __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))

typedef void fill_function(void *generator, double *out, size_t n);

static void fill_dsfmt(void *generator, double *out, size_t n)
{
    dsfmt_fill_array_open_open(generator, out, (ptrdiff_t)n);
}

EVERY_CPU static void fill_philox(void *generator, double *out, size_t n)
{
    uint64_t *const counter = generator;
    for (size_t i = 0; i + 2 <= n; i += 2) {
        const uint64_t block = *counter + i / 2;
        const philox4x32_ctr_t c = {{(uint32_t)block, (uint32_t)(block >> 32), 0, 0}};
        const philox4x32_key_t key = {{1, 2}};
        const philox4x32_ctr_t r = philox4x32(c, key);
        for (int k = 0; k < 2; ++k) {
            const uint64_t bits = (uint64_t)r.v[2 * k + 1] << 32 | r.v[2 * k];
            out[i + (size_t)k] = (double)(int64_t)(bits >> 11) * 0x1p-53;
        }
    }
    *counter += n / 2;
}

/* Single precision, to the same memory. */
EVERY_CPU static void fill_philox_single(void *generator, double *memory, size_t n)
{
    uint64_t *const counter = generator;
    float *const out = (float *)(void *)memory;
    for (size_t i = 0; i + 4 <= n; i += 4) {
        const uint64_t block = *counter + i / 4;
        const philox4x32_ctr_t c = {{(uint32_t)block, (uint32_t)(block >> 32), 0, 0}};
        const philox4x32_key_t key = {{1, 2}};
        const philox4x32_ctr_t r = philox4x32(c, key);
        for (int k = 0; k < 4; ++k)
            out[i + (size_t)k] = (float)(int32_t)(r.v[k] >> 8) * 0x1p-24f;
    }
    *counter += n / 4;
}

static void fill_gsl(void *generator, double *out, size_t n)
{
    for (size_t i = 0; i < n; ++i)
        out[i] = gsl_rng_uniform_pos(generator);
}

EVERY_CPU static void fill_store(void *generator, double *out, size_t n)
{
    for (size_t i = 0; i < n; ++i)
        out[i] = 0.5;
    __asm__ volatile("" ::"r"(out), "r"(generator) : "memory");
}

static void fill_stream_store(void *generator, double *out, size_t n)
{
    const __m128d half = _mm_set1_pd(0.5);
    for (size_t i = 0; i + 2 <= n; i += 2)
        _mm_stream_pd(out + i, half);
    _mm_sfence();
    (void)generator;
}

static void *new_dsfmt(unsigned seed)
{
    dsfmt_t *const g = aligned_alloc(64, (sizeof *g + 63) / 64 * 64);
    dsfmt_init_gen_rand(g, seed);
    return g;
}

static void *new_philox(unsigned seed)
{
    uint64_t *const counter = malloc(sizeof *counter);
    *counter = (uint64_t)seed << 48;
    return counter;
}

static void *new_gsl(unsigned seed)
{
    gsl_rng *const g = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(g, seed);
    return g;
}

static void *new_nothing(unsigned seed)
{
    (void)seed;
    return NULL;
}

static const struct {
    const char *name;
    void *(*new_generator)(unsigned seed);
    fill_function *fill;
} peers[] = {
    {"dsfmt", new_dsfmt, fill_dsfmt},
    {"philox", new_philox, fill_philox},
    {"philox-single", new_philox, fill_philox_single},
    {"gsl", new_gsl, fill_gsl},
    {"store", new_nothing, fill_store},
    {"stream-store", new_nothing, fill_stream_store},
};

static void check(int error)
{
    if (error) {
        fprintf(stderr, "bulk: %s\n", gpuranmar_last_error());
        exit(1);
    }
}

/* Fills between two looks at the clock, which costs as much as a thousand numbers. */
static size_t fills(size_t n)
{
    return n < 100000 ? 100000 / n : 1;
}

static void time_ours(const char *name, double *out, size_t n, int threads, double *ns, int repeats)
{
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    options.threads = threads;
    static const char *const flavours[] = {[GPURANMAR_DOUBLE] = "double",
                                           [GPURANMAR_SINGLE] = "single",
                                           [GPURANMAR_EXTENDED] = "extended",
                                           [GPURANMAR_LUXURY] = "luxury"};
    options.flavour = GPURANMAR_DOUBLE;
    while (strcmp(name, flavours[options.flavour]) != 0)
        if (++options.flavour > GPURANMAR_LUXURY) {
            fprintf(stderr, "bulk: GENERATOR = '%s' is unknown\n", name);
            exit(2);
        }
    options.backend = GPURANMAR_CPU;
    gpuranmar_stream *stream;
    check(gpuranmar_stream_initialise(&stream, &options));
    for (int r = -1; r < repeats; ++r) {
        const double from = now_ns();
        for (size_t i = 0; i < fills(n); ++i)
            check(options.flavour == GPURANMAR_SINGLE
                      ? gpuranmar_stream_fill_single(stream, (float *)(void *)out, n)
                      : gpuranmar_stream_fill(stream, out, n));
        if (r >= 0) /* the first fill finds its pages and starts its threads */
            ns[r] = (now_ns() - from) / (double)fills(n);
    }
    gpuranmar_stream_close(stream);
}

static void fill_once(size_t p, void **generator, double *out, size_t n, int threads)
{
    if (threads == 1) { /* even a parallel region of one thread takes longer than a small array */
        peers[p].fill(generator[0], out, n);
        return;
    }
    const size_t part = n / (size_t)threads / 64 * 64;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int t = 0; t < threads; ++t)
        peers[p].fill(generator[t], out + (size_t)t * part,
                      t < threads - 1 ? part : n - (size_t)t * part);
}

static void time_peer(size_t p, double *out, size_t n, int threads, double *ns, int repeats)
{
    void *generator[threads];
    for (int t = 0; t < threads; ++t)
        generator[t] = peers[p].new_generator((unsigned)t + 1);
    for (int r = -1; r < repeats; ++r) {
        const double from = now_ns();
        for (size_t i = 0; i < fills(n); ++i)
            fill_once(p, generator, out, n, threads);
        if (r >= 0)
            ns[r] = (now_ns() - from) / (double)fills(n);
    }
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: bulk GENERATOR NUMBERS THREADS REPEATS\n");
        return 2;
    }
    const size_t n = strtoull(argv[2], NULL, 10);
    const int threads = atoi(argv[3]), repeats = atoi(argv[4]);
    double ns[repeats];
    double *const out = aligned_alloc(4096, (n * sizeof *out + 4095) / 4096 * 4096);
    size_t p = 0, count = sizeof peers / sizeof *peers;
    while (p < count && strcmp(argv[1], peers[p].name) != 0)
        ++p;
    if (p < count)
        time_peer(p, out, n, threads, ns, repeats);
    else
        time_ours(argv[1], out, n, threads, ns, repeats);
    printf("%.5f\n", median(ns, repeats) / (double)n);
    return 0;
}
