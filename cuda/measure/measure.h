/* What the measurements share: contenders take turns, and each prints a line that scripts/bench
 * reads: its name, a tab, and the nanoseconds a number of every round. */
#ifndef RANMAR_CUDA_MEASURE_H
#define RANMAR_CUDA_MEASURE_H

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "tap.h"

struct contender {
    std::string name;
    double numbers; /* that run() makes */
    std::function<void()> run;
};

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
        printf("%s\t%s\n", contenders[i].name.c_str(), lines[i].c_str());
    fflush(stdout);
}

#endif
