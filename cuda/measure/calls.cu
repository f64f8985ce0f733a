/* Measures what a call costs besides the numbers: short fills in a queue, sizes not seen before, a
 * new generator, graphs. Beside them it measures cuRAND's generators, in their default ordering and
 * in the dynamic one.
 *
 *     measure-calls FILE.json       a Markdown report to stdout, the same figures to FILE.json
 *
 * Every figure is the median of several rounds, in which all generators take turns. */
#include <curand.h>

#include <functional>
#include <string>
#include <vector>

#include "gpuranmar_cuda.h"
#include "report.h"
#include "tap.h"

#include "random.h"

constexpr size_t most = 9000000;

/* A generator: fill(n) queues the making of n numbers. */
struct maker {
    std::string name;
    std::function<void(size_t)> fill;
};

/* Microseconds a fill, for fills of these sizes queued one after the other. */
static double queue_time(const maker &m, const std::vector<size_t> &sizes)
{
    for (int i = 0; i < 3; ++i)
        m.fill(sizes[0]);
    MUST(cudaDeviceSynchronize());
    const double start = wall_clock();
    for (size_t n : sizes)
        m.fill(n);
    MUST(cudaDeviceSynchronize());
    return (wall_clock() - start) / (double)sizes.size() * 1e6;
}

static void queues(const std::vector<maker> &makers)
{
    std::vector<size_t> repeated, random;
    for (int i = 0; i < 300; ++i)
        random.push_back(random_in(100000, most));
    /* The same sizes, each ten times in a row. */
    for (size_t i = 0; i < random.size(); ++i)
        repeated.push_back(random[i / 10 * 10]);
    size_t sum_random = 0, sum_repeated = 0;
    for (size_t i = 0; i < random.size(); ++i) {
        sum_random += random[i];
        sum_repeated += repeated[i];
    }
    struct row {
        const char *name;
        std::vector<size_t> sizes;
        double scale; /* so that both kinds of sizes have the same mean */
    };
    const std::vector<row> rows = {
        {"10^4", std::vector<size_t>(2000, 10000), 1},
        {"10^5", std::vector<size_t>(2000, 100000), 1},
        {"10^6", std::vector<size_t>(500, 1000000), 1},
        {"10^5 to 9 * 10^6, each ten times", repeated, (double)sum_random / (double)sum_repeated},
        {"10^5 to 9 * 10^6, each once", random, 1}};
    printf("\n## Fills in a queue, microseconds each, double precision\n\n| numbers |");
    for (const maker &m : makers)
        printf(" %s |", m.name.c_str());
    printf("\n|---|");
    for (size_t i = 0; i < makers.size(); ++i)
        printf("---:|");
    printf("\n");
    for (const row &r : rows) {
        std::vector<std::vector<double>> times(makers.size());
        for (int round = 0; round < 7; ++round)
            for (size_t i = 0; i < makers.size(); ++i)
                times[i].push_back(queue_time(makers[i], r.sizes) * r.scale);
        printf("| %s |", r.name);
        for (size_t i = 0; i < makers.size(); ++i) {
            const double median = median_of(times[i]);
            note("queue", makers[i].name + ", " + r.name, "microseconds", median);
            printf(" %.2f |", median);
        }
        printf("\n");
        fflush(stdout);
    }
}

/* Milliseconds until a new generator's first 2^20 numbers are there, and for parts of that. */
static void first_numbers(double *memory)
{
    const size_t n = 1 << 20;
    printf("\n## A new generator's first 2^20 numbers, milliseconds\n\n| | |\n|---|---:|\n");
    const auto row = [&](const char *name, const std::function<void()> &run) {
        std::vector<double> times;
        for (int i = 0; i < 12; ++i) {
            MUST(cudaDeviceSynchronize());
            const double start = wall_clock();
            run();
            if (i > 1)
                times.push_back((wall_clock() - start) * 1e3);
        }
        const double median = median_of(times);
        note("first", name, "milliseconds", median);
        printf("| %s | %.3f |\n", name, median);
    };
    row("RANMAR, created, seeded, filled, waited for", [&] {
        gpuranmar_cuda_generator *g;
        MUST(gpuranmar_cuda_create(&g, GPURANMAR_DOUBLE));
        MUST(gpuranmar_cuda_set_seed(g, 42));
        MUST(gpuranmar_cuda_generate_double(g, memory, n));
        MUST(cudaDeviceSynchronize());
        gpuranmar_cuda_destroy(g);
    });
    row("cuRAND XORWOW, the same", [&] {
        curandGenerator_t c;
        MUST(curandCreateGenerator(&c, CURAND_RNG_PSEUDO_XORWOW));
        MUST(curandSetPseudoRandomGeneratorSeed(c, 42));
        MUST(curandGenerateUniformDouble(c, memory, n));
        MUST(cudaDeviceSynchronize());
        MUST(curandDestroyGenerator(c));
    });
    row("cuRAND Philox, the same", [&] {
        curandGenerator_t c;
        MUST(curandCreateGenerator(&c, CURAND_RNG_PSEUDO_PHILOX4_32_10));
        MUST(curandSetPseudoRandomGeneratorSeed(c, 42));
        MUST(curandGenerateUniformDouble(c, memory, n));
        MUST(cudaDeviceSynchronize());
        MUST(curandDestroyGenerator(c));
    });
    gpuranmar_cuda_generator *g;
    MUST(gpuranmar_cuda_create(&g, GPURANMAR_DOUBLE));
    row("RANMAR, set_position alone, waited for", [&] {
        MUST(gpuranmar_cuda_set_position(g, random_word() >> 1));
        MUST(cudaDeviceSynchronize());
    });
    struct ranmar_state *states;
    for (size_t count : {1000, 100000, 1000000}) {
        MUST(cudaMalloc(&states, count * GPURANMAR_CUDA_STATE_SIZE));
        MUST(gpuranmar_cuda_set_position(g, 0));
        row(("RANMAR, " + std::to_string(count) + " states, 10^9 apart").c_str(), [&] {
            MUST(gpuranmar_cuda_states(g, states, count, 1000000000));
            MUST(cudaDeviceSynchronize());
        });
        MUST(cudaFree(states));
    }
    gpuranmar_cuda_destroy(g);
}

/* A graph of ten fills, replayed. */
static void graphs(double *memory)
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    gpuranmar_cuda_generator *g;
    MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    MUST(gpuranmar_cuda_create(&g, GPURANMAR_DOUBLE));
    MUST(gpuranmar_cuda_set_stream(g, stream));
    printf("\n## Ten fills in a graph, microseconds each\n\n| numbers | queued | replayed |\n"
           "|---:|---:|---:|\n");
    for (size_t n : {10000, 100000, 1000000}) {
        MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        for (int i = 0; i < 10; ++i)
            MUST(gpuranmar_cuda_generate_double(g, memory, n));
        MUST(cudaStreamEndCapture(stream, &graph));
        MUST(cudaGraphInstantiate(&executable, graph, 0));
        std::vector<double> queued, replayed;
        for (int round = 0; round < 9; ++round) {
            double start = wall_clock();
            for (int i = 0; i < 1000; ++i)
                MUST(gpuranmar_cuda_generate_double(g, memory, n));
            MUST(cudaStreamSynchronize(stream));
            queued.push_back((wall_clock() - start) * 1e3);
            start = wall_clock();
            for (int i = 0; i < 100; ++i)
                MUST(cudaGraphLaunch(executable, stream));
            MUST(cudaStreamSynchronize(stream));
            replayed.push_back((wall_clock() - start) * 1e3);
        }
        note("graph", std::to_string(n) + ", queued", "microseconds", median_of(queued));
        note("graph", std::to_string(n) + ", replayed", "microseconds", median_of(replayed));
        printf("| %zu | %.2f | %.2f |\n", n, median_of(queued), median_of(replayed));
        MUST(cudaGraphExecDestroy(executable));
        MUST(cudaGraphDestroy(graph));
    }
    gpuranmar_cuda_destroy(g);
    MUST(cudaStreamDestroy(stream));
}

int main(int argc, char **argv)
{
    tap_need_gpu("calls");
    random_start();
    open_report(argc > 1 ? argv[1] : "/dev/null");
    double *memory;
    MUST(cudaMalloc(&memory, most * sizeof *memory));
    gpuranmar_cuda_generator *g;
    MUST(gpuranmar_cuda_create(&g, GPURANMAR_DOUBLE));
    std::vector<maker> makers = {
        {"RANMAR", [&](size_t n) { MUST(gpuranmar_cuda_generate_double(g, memory, n)); }}};
    static const struct {
        const char *name;
        curandRngType_t type;
    } peers[] = {{"XORWOW", CURAND_RNG_PSEUDO_XORWOW},
                 {"Philox", CURAND_RNG_PSEUDO_PHILOX4_32_10},
                 {"MRG32k3a", CURAND_RNG_PSEUDO_MRG32K3A}};
    for (const auto &peer : peers)
        for (bool dynamic : {false, true}) {
            curandGenerator_t c;
            MUST(curandCreateGenerator(&c, peer.type));
            if (dynamic && curandSetGeneratorOrdering(c, CURAND_ORDERING_PSEUDO_DYNAMIC) !=
                               CURAND_STATUS_SUCCESS)
                continue;
            makers.push_back(
                {peer.name + std::string(dynamic ? ", dynamic" : ", default"),
                 [=](size_t n) { MUST(curandGenerateUniformDouble(c, memory, n + n % 2)); }});
        }
    queues(makers);
    graphs(memory);
    first_numbers(memory);
    close_report();
    return 0;
}
