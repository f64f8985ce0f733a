/* What the measurements share. Contenders take turns, and each prints a line of three fields, with
 * tabs between, for scripts/bench: what was measured, who did it, and the nanoseconds per number in
 * each round. Who did it is "ours", perhaps with a word on how, "limit" and its name, or the name
 * of a peer. */
#ifndef RANMAR_CUDA_MEASURE_H
#define RANMAR_CUDA_MEASURE_H

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "gpuranmar_cuda.h"
#include "tap.h"

constexpr size_t many = size_t(1) << 30; /* numbers of a long fill */

struct contender {
    std::string what, who;
    double numbers; /* that run() makes */
    std::function<void()> run;
};

static const char *const flavours[] = {
#define FLAVOUR(CODE, name) #name,
#include "definition/flavours.def"
#undef FLAVOUR
};

inline gpuranmar_cuda_generator *new_cuda_generator(int flavour)
{
    gpuranmar_cuda_generator *g;
    MUST(gpuranmar_cuda_create(&g, flavour));
    return g;
}

inline void fill_by_cuda(gpuranmar_cuda_generator *g, int flavour, void *to, size_t n)
{
    MUST(flavour == GPURANMAR_SINGLE ? gpuranmar_cuda_generate_single(g, (float *)to, n)
                                     : gpuranmar_cuda_generate_double(g, (double *)to, n));
}

/* Numbers to the host by a back end: blocks that it makes ahead, and requests to this memory. */
inline void add_deliveries(std::vector<contender> &all, const std::string &what, int backend,
                           size_t n, double *to)
{
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    gpuranmar_stream *ahead, *straight;
    options.backend = backend;
    MUST(gpuranmar_stream_initialise(&straight, &options));
    options.prefetch = (int64_t)n;
    MUST(gpuranmar_stream_initialise(&ahead, &options));
    all.push_back({what, "ours ahead", (double)n, [=] {
                       const double *numbers;
                       MUST(gpuranmar_stream_draw(ahead, &numbers, n));
                   }});
    all.push_back(
        {what, "ours straight", (double)n, [=] { MUST(gpuranmar_stream_fill(straight, to, n)); }});
}

/* In every round each contender runs for a hundredth of a second, or once if a run takes longer,
 * until all devices have finished. The first two rounds warm up. */
inline void take_turns(
    const std::vector<contender> &contenders, int rounds = 9,
    const std::function<void()> &finish = [] { MUST(cudaDeviceSynchronize()); })
{
    std::vector<std::string> lines(contenders.size());
    std::vector<int> times(contenders.size(), 1);
    for (int round = -2; round < rounds; ++round)
        for (size_t i = 0; i < contenders.size(); ++i) {
            const auto start = std::chrono::steady_clock::now();
            for (int t = 0; t < times[i]; ++t)
                contenders[i].run();
            finish();
            const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
            if (round == -1)
                times[i] = (int)(1 + 0.01 / (taken.count() + 1e-6));
            char figure[32];
            snprintf(figure, sizeof figure, " %.6g",
                     taken.count() / times[i] / contenders[i].numbers * 1e9);
            if (round >= 0)
                lines[i] += figure;
        }
    for (size_t i = 0; i < contenders.size(); ++i)
        printf("%s\t%s\t%s\n", contenders[i].what.c_str(), contenders[i].who.c_str(),
               lines[i].c_str());
    fflush(stdout);
}

#endif
