/* Compares a long sequence as all GPUs together make it with that which the CPU makes.
 *
 *     compare [numbers [seed]]      10^12 unless given; rounded up to whole blocks of 2^20
 *
 * The GPUs make pieces of the sequence in rotation. Two sums modulo 2^64 of each block are
 * compared: of the numbers' bits, and of all sums on the way, so that values and order both count
 * (Fletcher 1982). The first block that differs is reported. */
#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cmath>
#include <cstring>
#include <vector>

#include "gpuranmar_cuda.h"
#include "tap.h"

#include "random.h"
extern "C" {
#include "definition/flavour.h"
#include "definition/jump.h"
#include "fill/fill.h"
}

constexpr unsigned block = 1 << 20; /* numbers */
constexpr size_t piece = 1024;      /* blocks, 8 GiB */
constexpr unsigned slices = 8;      /* of a block, each summed by `threads` */
constexpr unsigned threads = 256;

struct sums {
    unsigned long long of_numbers, of_sums;
};

/* A number is part of as many sums as there are numbers from there on. */
__global__ void add(const uint64_t *numbers, sums *all)
{
    const unsigned b = blockIdx.x / slices, begin = blockIdx.x % slices * (block / slices);
    sums s = {0, 0};
    for (unsigned i = begin + threadIdx.x; i < begin + block / slices; i += threads) {
        const uint64_t bits = numbers[(size_t)b * block + i];
        s.of_numbers += bits;
        s.of_sums += bits * (block - i);
    }
    atomicAdd(&all[b].of_numbers, s.of_numbers);
    atomicAdd(&all[b].of_sums, s.of_sums);
}

struct device {
    gpuranmar_cuda_generator *generator;
    double *numbers;
    sums *all;
};

static void add_on_gpus(int devices, int64_t seed, std::vector<sums> &all)
{
    std::vector<device> on(devices);
    for (int d = 0; d < devices; ++d) {
        MUST(cudaSetDevice(d));
        MUST(gpuranmar_cuda_create(&on[d].generator, GPURANMAR_DOUBLE));
        MUST(gpuranmar_cuda_set_seed(on[d].generator, seed));
        MUST(cudaMalloc(&on[d].numbers, std::min(piece, all.size()) * block * sizeof(double)));
        MUST(cudaMalloc(&on[d].all, piece * sizeof(sums)));
    }
    for (size_t begin = 0; begin < all.size(); begin += piece * devices) {
        const auto on_each = [&](void (*call)(device, size_t first, size_t count, sums *)) {
            for (int d = 0; d < devices && begin + d * piece < all.size(); ++d) {
                const size_t first = begin + d * piece;
                MUST(cudaSetDevice(d));
                call(on[d], first, std::min(piece, all.size() - first), &all[first]);
            }
        };
        on_each([](device d, size_t first, size_t count, sums *) {
            MUST(gpuranmar_cuda_set_position(d.generator, first * block));
            MUST(gpuranmar_cuda_generate_double(d.generator, d.numbers, count * block));
            MUST(cudaMemsetAsync(d.all, 0, count * sizeof(sums)));
            LAUNCH(add, count * slices, threads, (const uint64_t *)d.numbers, d.all);
        });
        on_each([](device d, size_t, size_t count, sums *to) {
            MUST(cudaMemcpy(to, d.all, count * sizeof *to, cudaMemcpyDeviceToHost));
        });
    }
}

static void add_on_cpu(int64_t seed, std::vector<sums> &all)
{
    constexpr size_t at_once = 64, part = 1 << 12; /* numbers that stay in the fastest cache */
    const struct ranmar_flavour *const flavour = ranmar_flavour(GPURANMAR_DOUBLE);
#pragma omp parallel for schedule(dynamic)
    for (size_t first = 0; first < all.size(); first += at_once) {
        double numbers[part];
        ranmar_state state;
        ranmar_jump jump = {};
        ranmar_seed(&state, flavour, seed);
        ranmar_jump_by(&jump, first * block, flavour, &state);
        for (size_t b = first; b < std::min(first + at_once, all.size()); ++b) {
            sums s = {0, 0};
            for (size_t made = 0; made < block; made += part) {
                ranmar_fill(&state, flavour, numbers, part);
                for (const double &u : numbers) {
                    uint64_t bits;
                    memcpy(&bits, &u, sizeof bits);
                    s.of_sums += s.of_numbers += bits;
                }
            }
            all[b] = s;
        }
    }
}

static double now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

int main(int argc, char **argv)
{
    tap_need_gpu("long sequence");
    random_start();
    const double numbers = argc > 1 ? atof(argv[1]) : 1e12;
    const int64_t seed = argc > 2 ? atoll(argv[2]) : (int64_t)random_in(0, 942438977);
    const size_t blocks = std::max<size_t>(1, (size_t)std::ceil(numbers / block));
    int devices;
    MUST(cudaGetDeviceCount(&devices));

    std::vector<sums> gpu(blocks), cpu(blocks);
    double start = now();
    add_on_gpus(devices, seed, gpu);
    const double gpu_seconds = now() - start;
    start = now();
    add_on_cpu(seed, cpu);
    const double cpu_seconds = now() - start;

    size_t different = 0;
    for (size_t i = 0; i < blocks; ++i)
        if (memcmp(&gpu[i], &cpu[i], sizeof gpu[i]) != 0 && different++ == 0)
            printf("# numbers %zu to %zu differ\n", i * block, (i + 1) * block - 1);
    printf("# %.6e numbers of seed %" PRId64 ": %d GPU(s) %.1f s, CPU %.1f s, %zu of %zu blocks "
           "differ\n",
           (double)blocks * block, seed, devices, gpu_seconds, cpu_seconds, different, blocks);
    tap(different == 0, "the GPUs' sequence is the CPU's");
    return tap_done();
}
