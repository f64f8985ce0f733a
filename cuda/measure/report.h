/* What the measurements share: clocks, medians, and the JSON file beside the report. */
#ifndef RANMAR_CUDA_REPORT_H
#define RANMAR_CUDA_REPORT_H

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

static FILE *json;
static bool json_begun;

static inline void open_report(const char *path)
{
    json = fopen(path, "w");
    if (!json) {
        perror(path);
        exit(1);
    }
}

static inline void close_report()
{
    fprintf(json, "\n]\n");
    if (fclose(json) != 0) {
        perror("the report");
        exit(1);
    }
}

/* One figure to the JSON file. */
static inline void note(const char *section, const std::string &name, const char *unit,
                        double figure)
{
    fprintf(json, "%s\n  {\"section\": \"%s\", \"name\": \"%s\", \"%s\": %.5g}",
            json_begun ? "," : "[", section, name.c_str(), unit, figure);
    json_begun = true;
}

/* Seconds by the clock on the wall. */
static inline double wall_clock()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

static inline double median_of(std::vector<double> figures)
{
    std::sort(figures.begin(), figures.end());
    return figures[figures.size() / 2];
}

#endif
