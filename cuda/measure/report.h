/* What the measurements share: clocks, medians, and the JSON file beside the report. */
#ifndef RANMAR_CUDA_REPORT_H
#define RANMAR_CUDA_REPORT_H

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "tap.h"

inline FILE *json;
inline bool json_begun;

inline void open_report(const char *path)
{
    json = fopen(path, "w");
    if (!json) {
        perror(path);
        exit(1);
    }
}

inline void close_report()
{
    fprintf(json, "\n]\n");
    if (fclose(json) != 0) {
        perror("the report");
        exit(1);
    }
}

/* Writes one figure to the JSON file. */
inline void note(const char *section, const std::string &name, const char *unit, double figure)
{
    fprintf(json, "%s\n  {\"section\": \"%s\", \"name\": \"%s\", \"%s\": %.5g}",
            json_begun ? "," : "[", section, name.c_str(), unit, figure);
    json_begun = true;
}

/* Seconds of several runs. */
struct spread {
    double median, low, high;
};

inline spread spread_of(std::vector<double> times)
{
    std::sort(times.begin(), times.end());
    return {times[times.size() / 2], times.front(), times.back()};
}

/* Writes one rate, in 10^9 numbers a second, to the JSON file, and returns it for the report. */
inline double note(const char *section, const std::string &name, double numbers, spread seconds)
{
    const double rate = numbers / seconds.median / 1e9;
    fprintf(json,
            "%s\n  {\"section\": \"%s\", \"name\": \"%s\", \"numbers\": %.0f, \"seconds\": %.6g, "
            "\"low\": %.6g, \"high\": %.6g, \"rate\": %.5g}",
            json_begun ? "," : "[", section, name.c_str(), numbers, seconds.median, seconds.low,
            seconds.high, rate);
    json_begun = true;
    return rate;
}

typedef std::function<void()> work;

/* Seconds on the device. */
inline spread device_seconds(const work &run, int times = 9)
{
    cudaEvent_t start, stop;
    MUST(cudaEventCreate(&start));
    MUST(cudaEventCreate(&stop));
    std::vector<double> seconds;
    for (int i = -2; i < times; ++i) {
        MUST(cudaEventRecord(start));
        run();
        MUST(cudaEventRecord(stop));
        MUST(cudaEventSynchronize(stop));
        float milliseconds;
        MUST(cudaEventElapsedTime(&milliseconds, start, stop));
        if (i >= 0)
            seconds.push_back(milliseconds * 1e-3);
    }
    MUST(cudaEventDestroy(start));
    MUST(cudaEventDestroy(stop));
    MUST(cudaGetLastError());
    return spread_of(seconds);
}

/* Seconds by the clock on the wall. */
inline double wall_clock()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

inline double median_of(const std::vector<double> &figures)
{
    return spread_of(figures).median;
}

#endif
