/* Compares a long sequence as all GPUs together make it with that which the CPU makes.
 *
 *     compare [numbers [seed]]      10^12 unless given; rounded up to whole blocks of 2^20
 *
 * The GPUs take turns at pieces of the sequence. The first block that differs is reported. */
#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cmath>
#include <vector>

#include "compare_cpu.h"
#include "gpuranmar_cuda.h"
#include "tap.h"

#include "random.h"

constexpr unsigned slices = 16; /* of a block, each summed by HASH_LANES threads */

__global__ void hash_blocks(const uint64_t *numbers, uint64_t *a, uint64_t *b)
{
    constexpr unsigned rows = HASH_BLOCK / HASH_LANES / slices;
    __shared__ uint64_t slice_a[slices][HASH_LANES], slice_b[slices][HASH_LANES];
    const unsigned lane = threadIdx.x % HASH_LANES, slice = threadIdx.x / HASH_LANES;
    const uint64_t *const from =
        numbers + (size_t)blockIdx.x * HASH_BLOCK + slice * rows * HASH_LANES + lane;
    uint64_t sum = 0, sums = 0;
#pragma unroll 8
    for (unsigned row = 0; row < rows; ++row) {
        sum += from[row * HASH_LANES];
        sums += sum;
    }
    slice_a[slice][lane] = sum;
    slice_b[slice][lane] = sums;
    __syncthreads();
    if (slice == 0) {
        sum = sums = 0;
        for (unsigned s = 0; s < slices; ++s) {
            sums += slice_b[s][lane] + rows * sum;
            sum += slice_a[s][lane];
        }
        a[blockIdx.x * HASH_LANES + lane] = sum;
        b[blockIdx.x * HASH_LANES + lane] = sums;
    }
}

struct device {
    gpuranmar_cuda_generator *generator;
    double *numbers;
    uint64_t *a, *b;
};

static void hash_on_gpus(int devices, int64_t seed, size_t blocks, uint64_t *hashes)
{
    const size_t piece = 1024; /* blocks, 8 GiB */
    std::vector<device> all(devices);
    for (int d = 0; d < devices; ++d) {
        MUST(cudaSetDevice(d));
        MUST(gpuranmar_cuda_create(&all[d].generator, GPURANMAR_DOUBLE));
        MUST(gpuranmar_cuda_set_seed(all[d].generator, seed));
        MUST(cudaMalloc(&all[d].numbers, piece * HASH_BLOCK * sizeof(double)));
        MUST(cudaMallocHost(&all[d].a, piece * HASH_LANES * sizeof(uint64_t)));
        MUST(cudaMallocHost(&all[d].b, piece * HASH_LANES * sizeof(uint64_t)));
    }
    for (size_t begin = 0; begin < blocks; begin += piece * devices) {
        const auto count = [&](int d) {
            const size_t first = begin + d * piece;
            return first >= blocks ? 0 : std::min(piece, blocks - first);
        };
        for (int d = 0; d < devices; ++d) {
            if (count(d) == 0)
                continue;
            MUST(cudaSetDevice(d));
            MUST(gpuranmar_cuda_set_position(all[d].generator, (begin + d * piece) * HASH_BLOCK));
            MUST(gpuranmar_cuda_generate_double(all[d].generator, all[d].numbers,
                                                count(d) * HASH_BLOCK));
            hash_blocks<<<(unsigned)count(d), slices * HASH_LANES>>>((uint64_t *)all[d].numbers,
                                                                     all[d].a, all[d].b);
            MUST(cudaGetLastError());
        }
        for (int d = 0; d < devices; ++d) {
            MUST(cudaSetDevice(d));
            MUST(cudaDeviceSynchronize());
            for (size_t i = 0; i < count(d); ++i)
                hashes[begin + d * piece + i] =
                    hash_of_sums(all[d].a + i * HASH_LANES, all[d].b + i * HASH_LANES);
        }
    }
    for (device &d : all) {
        gpuranmar_cuda_destroy(d.generator);
        MUST(cudaFree(d.numbers));
        MUST(cudaFreeHost(d.a));
        MUST(cudaFreeHost(d.b));
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
    const size_t blocks = std::max<size_t>(1, (size_t)std::ceil(numbers / HASH_BLOCK));
    int devices;
    MUST(cudaGetDeviceCount(&devices));

    std::vector<uint64_t> gpu(blocks), cpu(blocks);
    double start = now();
    hash_on_gpus(devices, seed, blocks, gpu.data());
    const double gpu_seconds = now() - start;
    start = now();
    hash_on_cpu(seed, blocks, cpu.data());
    const double cpu_seconds = now() - start;

    size_t different = 0;
    for (size_t i = 0; i < blocks; ++i)
        if (gpu[i] != cpu[i] && different++ == 0)
            printf("# numbers %zu to %zu differ\n", i * HASH_BLOCK, (i + 1) * HASH_BLOCK - 1);
    printf("# %.6e numbers of seed %" PRId64 ": %d GPU(s) %.1f s, CPU %.1f s, %zu of %zu blocks "
           "differ\n",
           (double)blocks * HASH_BLOCK, seed, devices, gpu_seconds, cpu_seconds, different, blocks);
    tap(different == 0, "the GPUs' sequence is the CPU's");
    return tap_done();
}
