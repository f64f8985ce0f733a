/* The neutrons of transport_cpu.c inside a kernel. Each warp is a group of lanes and draws from its
 * own segment of the sequence. */
#include "gpuranmar_cuda.h"
#include "gpuranmar_device.cuh"
#include "tap.h"

constexpr int groups = 2112, block = 64 /* threads */, neutrons = 50, bins = 40;
constexpr uint64_t distance = 1 << 30;

__global__ void transport(const gpuranmar_state *states, unsigned long long *counts)
{
    gpuranmar::source<gpuranmar::double_precision> numbers;
    numbers.load(states[(blockIdx.x * block + threadIdx.x) / 32]);
    int layer = 1, left = neutrons;
    while (__any_sync(gpuranmar::all_lanes, left > 0)) {
        const bool moves = left > 0;
        const double u = numbers.draw(moves);
        const bool scatters = moves && u >= 0.02;
        const double v = numbers.draw(scatters);
        if (scatters)
            layer += v < 0.5 ? -1 : 1;
        if (moves && (!scatters || layer == 0 || layer == bins - 1)) {
            atomicAdd(&counts[layer], 1ull);
            layer = 1;
            --left;
        }
    }
}

int main()
{
    tap_need_gpu("transport");
    gpuranmar_cuda_generator *generator;
    gpuranmar_state *states;
    unsigned long long *counts, got[bins];
    MUST(cudaMalloc(&states, groups * sizeof *states));
    MUST(cudaMalloc(&counts, sizeof got));
    MUST(cudaMemset(counts, 0, sizeof got));
    MUST(gpuranmar_cuda_create(&generator, GPURANMAR_DOUBLE));
    MUST(gpuranmar_cuda_states(generator, states, groups, distance));
    transport<<<groups * 32 / block, block>>>(states, counts);
    MUST(cudaGetLastError());
    MUST(cudaMemcpy(got, counts, sizeof got, cudaMemcpyDeviceToHost));
    for (int b = 0; b < bins; ++b)
        printf("bin %d: %llu\n", b, got[b]);
    gpuranmar_cuda_destroy(generator);
    MUST(cudaFree(states));
    MUST(cudaFree(counts));
    return 0;
}
