/* What the measurements share: contenders take turns, and each prints a line that scripts/bench
 * reads: what was measured, who did it, and the nanoseconds a number of every round, with tabs
 * between. Who is "ours", perhaps with a word on how, "limit" and its name, or the name of a
 * peer. */
#ifndef RANMAR_CUDA_MEASURE_H
#define RANMAR_CUDA_MEASURE_H

#include <curand.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "gpuranmar.h"
#include "tap.h"

struct contender {
    std::string what, who;
    double numbers; /* that run() makes */
    std::function<void()> run;
};

static const struct {
    const char *name;
    curandRngType_t type;
} peers[] = {{"cuRAND XORWOW", CURAND_RNG_PSEUDO_XORWOW},
             {"cuRAND Philox", CURAND_RNG_PSEUDO_PHILOX4_32_10},
             {"cuRAND MRG32k3a", CURAND_RNG_PSEUDO_MRG32K3A},
             {"cuRAND MT19937", CURAND_RNG_PSEUDO_MT19937},
             {"cuRAND MTGP32", CURAND_RNG_PSEUDO_MTGP32}};

static const char *const flavours[] = {
#define FLAVOUR(CODE, name) #name,
#include "definition/flavours.def"
#undef FLAVOUR
};

/* A prefetch of 0 and 0 threads are the defaults. */
inline gpuranmar_stream *open_stream(int backend, size_t prefetch = 0, int threads = 0)
{
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    options.backend = backend;
    options.threads = threads;
    options.prefetch = (int64_t)prefetch;
    gpuranmar_stream *stream;
    MUST(gpuranmar_stream_initialise(&stream, &options));
    return stream;
}

/* Seconds by the clock on the wall, until the device has done all. */
inline double by_clock(const std::function<void()> &run)
{
    const auto start = std::chrono::steady_clock::now();
    run();
    MUST(cudaDeviceSynchronize());
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/* Seconds on the device. */
inline double on_device(const std::function<void()> &run)
{
    cudaEvent_t start, stop;
    float milliseconds;
    MUST(cudaEventCreate(&start));
    MUST(cudaEventCreate(&stop));
    MUST(cudaEventRecord(start));
    run();
    MUST(cudaEventRecord(stop));
    MUST(cudaEventSynchronize(stop));
    MUST(cudaEventElapsedTime(&milliseconds, start, stop));
    MUST(cudaEventDestroy(start));
    MUST(cudaEventDestroy(stop));
    MUST(cudaGetLastError());
    return milliseconds * 1e-3;
}

/* In every round each contender runs once, or as often as a hundredth of a second takes; the first
 * two rounds warm up. */
inline void take_turns(const std::vector<contender> &contenders,
                       double (*seconds)(const std::function<void()> &), int rounds = 9)
{
    std::vector<std::string> lines(contenders.size());
    std::vector<int> times(contenders.size(), 1);
    for (int round = -2; round < rounds; ++round)
        for (size_t i = 0; i < contenders.size(); ++i) {
            const double taken = seconds([&] {
                for (int t = 0; t < times[i]; ++t)
                    contenders[i].run();
            });
            if (round == -1)
                times[i] = (int)(1 + 0.01 / (taken + 1e-6));
            if (round >= 0) {
                char figure[32];
                snprintf(figure, sizeof figure, " %.6g",
                         taken / times[i] / contenders[i].numbers * 1e9);
                lines[i] += figure;
            }
        }
    for (size_t i = 0; i < contenders.size(); ++i)
        printf("%s\t%s\t%s\n", contenders[i].what.c_str(), contenders[i].who.c_str(),
               lines[i].c_str());
    fflush(stdout);
}

#endif
