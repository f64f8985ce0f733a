/* The cascade of transport.h inside a kernel: each warp follows its own showers with its own
 * segment of the sequence, 32 particles at a time, and draws where it branches. The deposits agree
 * with the CPU's bit for bit.
 *
 *     transport [showers]      20000 unless given
 */
#include "transport.h"

#include <cstring>

#include "gpuranmar_cuda.h"
#include "gpuranmar_device.cuh"
#include "tap.h"

constexpr int block_warps = 2;

__device__ static unsigned lanes_below(unsigned mask)
{
    return __popc(mask & ((1u << gpuranmar::lane_number()) - 1));
}

__global__ void transport(const gpuranmar_state *states, int64_t showers, unsigned long long *bins,
                          unsigned long long *steps)
{
    __shared__ particle stacks[block_warps][TRANSPORT_STACK];
    particle *const stack = stacks[threadIdx.x / TRANSPORT_LANES];
    const unsigned warp = blockIdx.x * block_warps + threadIdx.x / TRANSPORT_LANES;
    const unsigned lane = gpuranmar::lane_number(), warps = gridDim.x * block_warps;
    gpuranmar::source<gpuranmar::double_precision> numbers;
    numbers.load(states[warp]);

    particle p = {};
    int64_t shower = warp;
    int waiting = 0; /* the same in all lanes, as is `shower` */
    unsigned long long made_steps = 0;
    for (;;) {
        /* Free lanes take particles that wait. If there are none at all, a new shower begins. */
        const bool idle = p.energy <= 0;
        const unsigned idle_lanes = __ballot_sync(gpuranmar::all_lanes, idle);
        const int taken = min(waiting, __popc(idle_lanes)), rank = (int)lanes_below(idle_lanes);
        if (idle && rank < taken)
            p = stack[waiting - 1 - rank];
        waiting -= taken;
        __syncwarp();
        if (__ballot_sync(gpuranmar::all_lanes, p.energy > 0) == 0) {
            if (shower >= showers)
                break;
            if (lane == 0)
                p = transport_primary(shower);
            shower += warps;
        }

        const bool moves = p.energy > 0;
        const double u = numbers.draw(moves);
        outcome o = {};
        if (moves) {
            transport_move(&p, u, &o);
            atomicAdd(&bins[o.bin], (unsigned long long)o.deposit);
            ++made_steps;
        }

        const double v = numbers.draw(o.splits);
        const unsigned splitting = __ballot_sync(gpuranmar::all_lanes, o.splits);
        if (o.splits) {
            const particle made = transport_split(&p, v);
            const int slot = waiting + (int)lanes_below(splitting);
            if (slot < TRANSPORT_STACK)
                stack[slot] = made;
            else
                atomicAdd(&bins[transport_bin(made.depth)],
                          (unsigned long long)(int64_t)(made.energy * TRANSPORT_UNIT));
        }
        waiting = min(TRANSPORT_STACK, waiting + __popc(splitting));
        __syncwarp();
    }
    atomicAdd(steps, made_steps);
}

int main(int argc, char **argv)
{
    tap_need_gpu("transport");
    const int64_t showers = argc > 1 ? atoll(argv[1]) : 20000, seed = 54217137;
    int multiprocessors;
    MUST(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    const int warps = multiprocessors * 16;

    gpuranmar_cuda_generator *g;
    gpuranmar_state *states;
    unsigned long long *sums; /* of the bins, and after them of the steps */
    MUST(cudaMalloc(&states, warps * sizeof *states));
    MUST(cudaMalloc(&sums, (TRANSPORT_BINS + 1) * sizeof *sums));
    MUST(gpuranmar_cuda_create(&g, GPURANMAR_DOUBLE));
    MUST(gpuranmar_cuda_set_seed(g, seed));
    MUST(gpuranmar_cuda_states(g, states, warps, TRANSPORT_DISTANCE));

    cudaEvent_t begin, end;
    MUST(cudaEventCreate(&begin));
    MUST(cudaEventCreate(&end));
    for (int run = 0; run < 2; ++run) { /* the first warms up */
        MUST(cudaMemset(sums, 0, (TRANSPORT_BINS + 1) * sizeof *sums));
        MUST(cudaEventRecord(begin));
        transport<<<warps / block_warps, block_warps * TRANSPORT_LANES>>>(states, showers, sums,
                                                                          sums + TRANSPORT_BINS);
        MUST(cudaEventRecord(end));
    }
    MUST(cudaEventSynchronize(end));
    float milliseconds;
    MUST(cudaEventElapsedTime(&milliseconds, begin, end));
    int64_t got[TRANSPORT_BINS + 1];
    MUST(cudaMemcpy(got, sums, sizeof got, cudaMemcpyDeviceToHost));
    gpuranmar_cuda_destroy(g);
    MUST(cudaFree(states));
    MUST(cudaFree(sums));

    int64_t want[TRANSPORT_BINS + 1] = {0};
    transport_on_cpu(seed, warps, showers, want);
    printf("# %lld showers, %lld steps: %.1f ms\n", (long long)showers,
           (long long)want[TRANSPORT_BINS], milliseconds);
    for (int b = 0; b < TRANSPORT_BINS; b += 5)
        printf("# depth %2d: %.6e MeV\n", b, (double)want[b] / TRANSPORT_UNIT);
    tap(memcmp(got, want, sizeof got) == 0, "the same deposits and steps as on the CPU");
    return tap_done();
}
