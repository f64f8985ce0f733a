/* Measures how fast the GPU makes and delivers numbers, beside what the hardware allows and what
 * cuRAND reaches in the same run.
 *
 *     measure-all FILE.json            a Markdown report to stdout, the same figures to FILE.json
 *     measure-all FILE.json several    instead, how the GPUs that it sees share one sequence
 *
 * Every figure is the median of several runs after those that warm up. Rates are in 10^9
 * numbers a second. */
#include <curand.h>
#include <omp.h>

#include "draws.h"
#include "gpuranmar_cuda.h"
#include "gpuranmar_definition.h"
#include "report.h"
extern "C" {
#include "stream/copy.h"
#include "stream/plugin.h"
}

/* Seconds that one trip takes, from the time of many trips in a row. */
static spread wall_seconds(const work &run, double numbers, double most_trips = 1000)
{
    const int trips = (int)std::min(most_trips, std::max(1., 1e7 / numbers));
    std::vector<double> seconds;
    for (int i = -1; i < (numbers < 1e8 ? 5 : 3); ++i) {
        const double start = wall_clock();
        for (int t = 0; t < trips; ++t)
            run();
        if (i >= 0)
            seconds.push_back((wall_clock() - start) / trips);
    }
    return spread_of(seconds);
}

/* --- Filling device memory --- */

/* Plain kernels that write 16 bytes a thread: in a loop, and once. */
__global__ void write_strided(double2 *out, size_t n)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        out[i] = make_double2((double)i, 0.1);
}

__global__ void write_once(double2 *out)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    out[i] = make_double2((double)i, 0.1);
}

struct written {
    double strided, once;
};

/* Rates at which plain kernels write, in numbers of `number` bytes. */
static written write_rates(double2 *out, size_t bytes, size_t number, int multiprocessors)
{
    const double numbers = (double)(bytes / number);
    const size_t n = bytes / sizeof *out;
    double strided = 0;
    for (int blocks : {4, 8, 16, 64}) {
        const std::string name = std::to_string(number) + " bytes, a loop on " +
                                 std::to_string(blocks) + " blocks a multiprocessor";
        strided =
            std::max(strided, note("write", name, numbers, device_seconds([&] {
                                       write_strided<<<blocks * multiprocessors, 256>>>(out, n);
                                   })));
    }
    const double once =
        note("write", std::to_string(number) + " bytes, each thread once", numbers,
             device_seconds([&] { write_once<<<(unsigned)(n / 512), 512>>>(out); }));
    return {strided, once};
}

static void row(const char *name, double rate, written limit)
{
    printf("| %s | %.0f | %.1f %% | %.1f %% |\n", name, rate, 100 * rate / limit.strided,
           100 * rate / limit.once);
    fflush(stdout);
}

/* Every generator of cuRAND, the quasi-random ones too. */
static const struct curand_generator {
    const char *name;
    curandRngType_t type;
} curand_generators[] = {{"cuRAND MT19937", CURAND_RNG_PSEUDO_MT19937},
                         {"cuRAND MRG32k3a", CURAND_RNG_PSEUDO_MRG32K3A},
                         {"cuRAND Philox", CURAND_RNG_PSEUDO_PHILOX4_32_10},
                         {"cuRAND MTGP32", CURAND_RNG_PSEUDO_MTGP32},
                         {"cuRAND XORWOW", CURAND_RNG_PSEUDO_XORWOW},
                         {"cuRAND Sobol32 (quasi)", CURAND_RNG_QUASI_SOBOL32},
                         {"cuRAND scrambled Sobol32 (quasi)", CURAND_RNG_QUASI_SCRAMBLED_SOBOL32},
                         {"cuRAND Sobol64 (quasi)", CURAND_RNG_QUASI_SOBOL64},
                         {"cuRAND scrambled Sobol64 (quasi)", CURAND_RNG_QUASI_SCRAMBLED_SOBOL64}};

/* How fast a generator of cuRAND fills, in its default ordering and in the dynamic one, with which
 * cuRAND is free to choose what is fastest. What it refuses is left out. */
static void peer_row(const curand_generator &peer, const char *precision, size_t n, written limit,
                     const std::function<curandStatus_t(curandGenerator_t)> &generate)
{
    for (bool dynamic : {false, true}) {
        const std::string name =
            peer.name + std::string(dynamic ? ", dynamic ordering" : "") + precision;
        curandGenerator_t c;
        MUST(curandCreateGenerator(&c, peer.type));
        if ((!dynamic || curandSetGeneratorOrdering(c, CURAND_ORDERING_PSEUDO_DYNAMIC) ==
                             CURAND_STATUS_SUCCESS) &&
            generate(c) == CURAND_STATUS_SUCCESS)
            row(name.c_str(),
                note("fill", name, (double)n, device_seconds([&] { MUST(generate(c)); }, 5)),
                limit);
        else if (!dynamic)
            printf("| %s | refused | | |\n", name.c_str());
        MUST(curandDestroyGenerator(c));
    }
}

static void fill_rates(double *memory, size_t n, int multiprocessors)
{
    const written doubles =
        write_rates((double2 *)memory, n * sizeof(double), sizeof(double), multiprocessors);
    const written floats =
        write_rates((double2 *)memory, n * sizeof(float), sizeof(float), multiprocessors);
    printf("\n## Filling device memory, %zu numbers\n\n"
           "| | rate | of a plain kernel's, in a loop | of one's that writes once a thread |\n"
           "|---|---:|---:|---:|\n",
           n);
    row("plain kernel in a loop, double", doubles.strided, doubles);
    row("plain kernel, once a thread, double", doubles.once, doubles);

    gpuranmar_cuda_generator *g;
    static const struct {
        const char *name;
        int flavour;
    } ours[] = {{"RANMAR, double", GPURANMAR_DOUBLE},
                {"RANMAR, extended", GPURANMAR_EXTENDED},
                {"RANMAR, luxury", GPURANMAR_LUXURY}};
    for (const auto &[name, flavour] : ours) {
        MUST(gpuranmar_cuda_create(&g, flavour));
        row(name, note("fill", name, (double)n, device_seconds([&] {
                           MUST(gpuranmar_cuda_generate_double(g, memory, n));
                       })),
            doubles);
        for (size_t fewer : {n / 8, n / 64, n / 1024})
            note("fill", name + (", " + std::to_string(fewer)), (double)fewer,
                 device_seconds([&] { MUST(gpuranmar_cuda_generate_double(g, memory, fewer)); }));
        if (flavour == GPURANMAR_DOUBLE) {
            const std::string unaligned = "RANMAR, double, unaligned";
            row(unaligned.c_str(),
                note("fill", unaligned, (double)n - 5, device_seconds([&] {
                         MUST(gpuranmar_cuda_generate_double(g, memory + 5, n - 5));
                     })),
                doubles);
            MUST(gpuranmar_cuda_set_instances(g, 4096, 1 << 20));
            const std::string instances = "RANMAR, double, 4096 instances, blocks of 2^20";
            row(instances.c_str(), note("fill", instances, (double)n, device_seconds([&] {
                                            MUST(gpuranmar_cuda_generate_double(g, memory, n));
                                        })),
                doubles);
        }
        gpuranmar_cuda_destroy(g);
    }

    for (const auto &peer : curand_generators)
        peer_row(peer, ", double", n, doubles,
                 [&](curandGenerator_t c) { return curandGenerateUniformDouble(c, memory, n); });

    row("plain kernel in a loop, float", floats.strided, floats);
    row("plain kernel, once a thread, float", floats.once, floats);
    MUST(gpuranmar_cuda_create(&g, GPURANMAR_SINGLE));
    row("RANMAR, single", note("fill", "RANMAR, single", (double)n, device_seconds([&] {
                                   MUST(gpuranmar_cuda_generate_single(g, (float *)memory, n));
                               })),
        floats);
    gpuranmar_cuda_destroy(g);
    for (const auto &peer : curand_generators)
        peer_row(peer, ", float", n, floats,
                 [&](curandGenerator_t c) { return curandGenerateUniform(c, (float *)memory, n); });
}

/* --- Delivery to host memory --- */

static gpuranmar_stream *open_stream(int backend, int threads)
{
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    options.backend = backend;
    options.threads = threads;
    gpuranmar_stream *stream;
    MUST(gpuranmar_stream_initialise(&stream, &options));
    return stream;
}

/* Blocks of n numbers, each made and copied while the one before is used. */
static spread block_seconds(size_t n)
{
    char error[RANMAR_PLUGIN_ERROR];
    const ranmar_plugin *const plugin = ranmar_cuda_plugin(RANMAR_PLUGIN_ABI);
    const ranmar_gpu_maker_options options = {GPURANMAR_DOUBLE,      {1, n}, n, 1, "",
                                              ranmar_copy_by_threads};
    ranmar_gpu_maker *const maker = plugin->open(&options, error);
    ranmar_state state;
    static const struct ranmar_flavour flavour = RANMAR_DOUBLE_INIT;
    ranmar_seed(&state, &flavour, 1);
    MUST(!maker || !plugin->set(maker, &state, 0, error));
    /* Short blocks are made in groups: the trips must be enough for several groups. */
    const spread seconds =
        wall_seconds([&] { MUST(!plugin->block(maker, error)); }, (double)n, 1e5);
    plugin->close(maker);
    return seconds;
}

static void delivery_rates(double *memory)
{
    const int cores = omp_get_num_procs();
    printf("\n## Delivery to host memory, double precision\n\n"
           "| numbers a trip | copy alone | blocks ahead | of the copy | to pinned | to pageable |"
           " CPU, 1 core | CPU, %d cores |\n|---:|---:|---:|---:|---:|---:|---:|---:|\n",
           cores);
    const size_t most = 1000000000;
    double *fixed;
    MUST(cudaMallocHost(&fixed, most * sizeof *fixed));
    std::vector<double> pageable(most);
    std::string one_core, all_cores; /* overtaken at these sizes */
    for (size_t n = 100; n <= most; n *= 10) {
        const std::string trip = std::to_string(n);
        const double count = (double)n;
        const double copy = note(
            "delivery", "copy, " + trip, count,
            wall_seconds(
                [&] {
                    MUST(cudaMemcpyAsync(fixed, memory, n * sizeof *fixed, cudaMemcpyDeviceToHost));
                    MUST(cudaStreamSynchronize(0));
                },
                count));
        /* A block of 10^9 would be another 8 GB of pinned memory. */
        const double ahead =
            n < most ? note("delivery", "blocks, " + trip, count, block_seconds(n)) : 0;
        const auto stream_rate = [&](const char *name, int backend, int threads, double *to) {
            gpuranmar_stream *const stream = open_stream(backend, threads);
            const double rate =
                note("delivery", name + (", " + trip), count,
                     wall_seconds([&] { MUST(gpuranmar_stream_fill(stream, to, n)); }, count));
            gpuranmar_stream_close(stream);
            return rate;
        };
        const double pinned = stream_rate("to pinned", GPURANMAR_CUDA, cores, fixed);
        const double paged = stream_rate("to pageable", GPURANMAR_CUDA, cores, pageable.data());
        const double one = stream_rate("CPU, 1 core", GPURANMAR_CPU, 1, fixed);
        const double all = stream_rate("CPU, all cores", GPURANMAR_CPU, cores, fixed);
        const double best = std::max(ahead, pinned);
        if (best > one)
            one_core += " " + trip;
        if (best > all)
            all_cores += " " + trip;
        printf("| %.0e | %.3f | %.3f | %.1f %% | %.3f | %.3f | %.3f | %.3f |\n", count, copy, ahead,
               100 * ahead / copy, pinned, paged, one, all);
        fflush(stdout);
    }
    printf("\nThe GPU is ahead of one core at:%s numbers a trip; of all cores at:%s.\n",
           one_core.c_str(), all_cores.empty() ? " none" : all_cores.c_str());
    MUST(cudaFreeHost(fixed));
}

/* --- Several GPUs on one sequence --- */

/* Measures all GPUs that the program sees at work on one sequence, and prints a row of the table
 * that scripts/gpu-evidence makes. */
static void several(int devices)
{
    const size_t each = size_t(1) << 30, delivered = size_t(1) << 28;
    std::vector<gpuranmar_cuda_generator *> generators(devices);
    std::vector<double *> memory(devices);
    const auto on_all = [&](const std::function<void(int)> &run) {
        for (int d = 0; d < devices; ++d) {
            MUST(cudaSetDevice(d));
            run(d);
        }
    };
    /* Each makes its part in ten calls, so that the launches do not count. */
    const int times = 10;
    on_all([&](int d) {
        MUST(cudaMalloc(&memory[d], each * sizeof(double)));
        MUST(gpuranmar_cuda_create(&generators[d], GPURANMAR_DOUBLE));
        MUST(gpuranmar_cuda_set_position(generators[d], (uint64_t)d * times * each));
    });
    const std::string gpus = std::to_string(devices) + " GPUs, ";
    const double made = (double)each * devices * times;
    const double in_memory =
        note("several", gpus + "device memory", made,
             wall_seconds(
                 [&] {
                     on_all([&](int d) {
                         for (int i = 0; i < times; ++i)
                             MUST(gpuranmar_cuda_generate_double(generators[d], memory[d], each));
                     });
                     on_all([&](int) { MUST(cudaDeviceSynchronize()); });
                 },
                 made));
    on_all([&](int d) {
        gpuranmar_cuda_destroy(generators[d]);
        MUST(cudaFree(memory[d]));
    });

    double *fixed;
    MUST(cudaMallocHost(&fixed, delivered * sizeof *fixed));
    gpuranmar_stream *const stream = open_stream(GPURANMAR_CUDA, 1);
    const double count = (double)delivered;
    const double pinned =
        note("several", gpus + "pinned host memory", count,
             wall_seconds([&] { MUST(gpuranmar_stream_fill(stream, fixed, delivered)); }, count));
    gpuranmar_stream_close(stream);
    MUST(cudaFreeHost(fixed));
    printf("| %d | %.0f | %.2f |\n", devices, in_memory, pinned);
}

int main(int argc, char **argv)
{
    tap_need_gpu("measure");
    open_report(argc > 1 ? argv[1] : "/dev/null");
    int devices, clock;
    MUST(cudaGetDeviceCount(&devices));
    if (argc > 2) {
        several(devices);
        close_report();
        return 0;
    }
    cudaDeviceProp properties;
    MUST(cudaGetDeviceProperties(&properties, 0));
    MUST(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, 0));
    printf("%d x %s, %d multiprocessors, up to %d MHz; %d CPU cores. Rates in 10^9 numbers a "
           "second, medians.\n",
           devices, properties.name, properties.multiProcessorCount, clock / 1000,
           omp_get_num_procs());

    char compiler[64];
    snprintf(compiler, sizeof compiler, "CUDA %d.%d", __CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__);
    note("compiler", compiler, 0, {1, 1, 1});

    const size_t n = size_t(1) << 30;
    double *memory;
    MUST(cudaMalloc(&memory, n * sizeof *memory));
    fill_rates(memory, n, properties.multiProcessorCount);
    draw_rates(memory, properties.multiProcessorCount);
    delivery_rates(memory);
    MUST(cudaFree(memory));
    close_report();
    return 0;
}
