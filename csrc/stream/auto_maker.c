/* The maker of GPURANMAR_AUTO, which finds out whether the CPU or the GPU is faster for requests of
 * some size. The CPU makes the first requests and is timed. Once it has made so many numbers that
 * starting CUDA is worth the time, the GPU is timed too. */
#include <stdlib.h>

#include "definition/clock.h"
#include "fill/fill.h"
#include "stream/maker.h"

/* To start CUDA takes about as long as the CPU needs for this many numbers. */
static const uint64_t WORTH_A_START = UINT64_C(1) << 30;

struct auto_maker {
    struct ranmar_maker calls;
    struct ranmar_maker *cpu, *gpu;

    enum { WATCHING, WARMING, TIMING, DECIDED } stage; /* the CPU makes numbers in the first only */
    uint64_t by_cpu;                                   /* numbers made by the CPU */
    double cpu_rate;                                   /* numbers a second, in its last request */
    uint64_t requests;                                 /* made by the CPU since the last decision */
};

static double seconds_since(int64_t began)
{
    return 1e-9 * (double)(ranmar_nanoseconds() - began);
}

static void decide(struct auto_maker *a, size_t n, double gpu_rate)
{
    const int gpu_wins = gpu_rate > a->cpu_rate;
    ranmar_note("auto: requests of %zu numbers and more are made by the %s (%s: %.2e numbers a "
                "second, CPU: %.2e)",
                n, gpu_wins ? "GPU" : "CPU", ranmar_gpu_maker_devices(a->gpu), gpu_rate,
                a->cpu_rate);
    if (gpu_wins) {
        a->calls.from = n;
        a->stage = DECIDED;
    } else { /* both are timed again when requests are four times as large */
        ranmar_gpu_maker_rest(a->gpu);
        a->calls.from = 4 * n;
        a->requests = 0;
        a->stage = WATCHING;
    }
}

/* Makes a request on the GPU. The first one also allocates memory and makes tables there, so the
 * second one is timed. */
static int fill_on_gpu(struct auto_maker *a, struct ranmar_states *states, uint64_t position,
                       void *out, size_t n)
{
    const int64_t began = ranmar_nanoseconds();
    if (!a->gpu->fill(a->gpu, states, position, out, n)) {
        a->calls.from = SIZE_MAX;
        return 0;
    }
    a->calls.by = RANMAR_BY_GPU;
    if (a->stage == TIMING)
        decide(a, n, (double)n / seconds_since(began));
    else if (a->stage == WARMING)
        a->stage = TIMING;
    return 1;
}

/* Of requests of a new size the CPU's second one counts too: in the first the program's memory may
 * be touched for the first time. */
static int fill(struct ranmar_maker *m, struct ranmar_states *states, uint64_t position, void *out,
                size_t n)
{
    struct auto_maker *const a = (struct auto_maker *)m;
    if (a->stage == WATCHING && a->by_cpu >= WORTH_A_START && a->requests >= 2)
        a->stage = WARMING;
    if (a->stage != WATCHING)
        return fill_on_gpu(a, states, position, out, n);
    const int64_t began = ranmar_nanoseconds();
    a->cpu->fill(a->cpu, states, position, out, n);
    a->calls.by = RANMAR_BY_CPU;
    a->cpu_rate = (double)n / seconds_since(began);
    a->by_cpu += n;
    ++a->requests;
    return 1;
}

static void close_maker(struct ranmar_maker *m)
{
    struct auto_maker *const a = (struct auto_maker *)m;
    if (a->cpu)
        a->cpu->close(a->cpu);
    if (a->gpu)
        a->gpu->close(a->gpu);
    free(a);
}

struct ranmar_maker *ranmar_auto_maker(const gpuranmar_options *options)
{
    struct auto_maker *const a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    a->calls =
        (struct ranmar_maker){RANMAR_NUMBERS_A_THREAD, fill, NULL, close_maker, RANMAR_BY_CPU};
    a->cpu = ranmar_cpu_maker(options);
    a->gpu = ranmar_gpu_maker(options);
    if (!a->cpu || !a->gpu) {
        close_maker(&a->calls);
        return NULL;
    }
    return &a->calls;
}
