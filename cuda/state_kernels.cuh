/* The kernels that make and move states. */
#ifndef RANMAR_CUDA_STATE_KERNELS_CUH
#define RANMAR_CUDA_STATE_KERNELS_CUH

#include "sequence.cuh"

namespace gpuranmar
{

/* Where a stream starts. */
struct beginning {
    gpuranmar_state first;         /* the state of a single instance */
    const gpuranmar_state *given;  /* those of several, in device memory; null: `seed` gives them */
    int64_t seed;                  /* from which the kernel makes the states of several */
    struct ranmar_flavour flavour; /* with whose parameters it seeds */
    uint64_t skipped;              /* numbers of the stream from those states to its position */
    uint64_t position;
};

/* Makes the states of the instances, a warp each. */
__global__ void __launch_bounds__(block_threads)
    start(sequence q, const uint64_t *jumps, beginning b, struct ranmar_interleave interleave,
          recurrence r, bool replays)
{
    __shared__ workspace workspaces[warps_a_block];
    __shared__ gpuranmar_state seeded[warps_a_block];
    workspace &w = workspaces[threadIdx.x / warp_size];
    gpuranmar_state &own = seeded[threadIdx.x / warp_size];
    const unsigned p = blockIdx.x * warps_a_block + threadIdx.x / warp_size;
    if (p >= interleave.instances)
        return;
    wait_for_previous_kernel();
    const kernel_states here = current_states(q);
    if (interleave.instances == 1) {
        for (unsigned i = lane_number(); i < lag; i += warp_size)
            own.x[i] = b.first.x[i];
        if (lane_number() == 0)
            own.c = b.first.c;
    } else if (!b.given && lane_number() == 0) {
        ranmar_seed_instance(&own, &b.flavour, b.seed, p);
    }
    sync_warp();
    load(w, b.given ? b.given[p] : own);
    skip(w, jumps, ranmar_made_of(interleave, p, b.skipped), r);
    store(w, here.to[p]);
    if (interleave.instances == 1)
        store(w, *base_of(q));
    if (p == 0)
        set_position(q, here, b.position, (unsigned)interleave.instances);
    count_arrival(q, true, replays);
}

/* Moves one sequence on. */
__global__ void skip_numbers(sequence q, const uint64_t *jumps, uint64_t distance, recurrence r,
                             bool replays)
{
    __shared__ workspace w;
    wait_for_previous_kernel();
    const kernel_states here = current_states(q);
    load(w, here.from[0]);
    skip(w, jumps, distance, r);
    store(w, here.to[0]);
    set_position(q, here, here.position + distance, 1);
    count_arrival(q, true, replays);
}

/* State s of out, 0..count-1, is s * distance numbers from here. The sequence moves on to state
 * `count`. */
__global__ void __launch_bounds__(block_threads)
    write_strided_states(sequence q, const uint64_t *jumps, gpuranmar_state *out, unsigned count,
                         uint64_t distance, recurrence r, bool replays)
{
    __shared__ workspace workspaces[warps_a_block];
    workspace &w = workspaces[threadIdx.x / warp_size];
    const unsigned s = blockIdx.x * warps_a_block + threadIdx.x / warp_size;
    if (s > count)
        return;
    skipping to_state;
    to_state.begin(w, jumps, s * distance, r);
    wait_for_previous_kernel();
    const kernel_states here = current_states(q);
    load(w, here.from[0]);
    to_state.end(w);
    store(w, s < count ? out[s] : here.to[0]);
    if (s == count)
        set_position(q, here, here.position + count * distance, count + 1);
    count_arrival(q, s == count, replays);
}

} // namespace gpuranmar

#endif
