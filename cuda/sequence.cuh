/* What the device keeps of a stream between kernels. A kernel reads the stream's position from
 * device memory at its start, and writes the new position there at its end. So the same launch,
 * replayed from a CUDA graph, continues the sequence. */
#ifndef RANMAR_CUDA_SEQUENCE_CUH
#define RANMAR_CUDA_SEQUENCE_CUH

#include "definition/interleave.h"
#include "gpuranmar_skip.cuh"

namespace gpuranmar
{

/* The warps of a block are independent of each other. With 1, 2 or 8 warps a block, all figures of
 * measure-cuda on an H200 are the same, except that keyed fills take 3 % less time with 8. */
constexpr unsigned warps_a_block = 4;
constexpr unsigned block_threads = warps_a_block * warp_size;

/* The states are double-buffered. A kernel reads the current set and writes the other, which
 * becomes current when all warps of the kernel have arrived. A warp that has done its part adds one
 * to `arrivals`. A set is current once `arrivals` has reached its `begins`. All warps of a kernel
 * find the same set, however late a warp starts: before that warp arrives, `arrivals` cannot reach
 * `begins` of the new set. */
struct progress {
    uint32_t arrivals; /* of warps, modulo 2^32 */
    uint32_t awaited;  /* arrivals of kernels that are not in a graph; one atomic adds to both */
    struct set {
        uint64_t position; /* of the stream */
        uint32_t begins;
    } sets[2];
};

/* The sequences of a stream, in device memory. */
struct sequence {
    progress *at;
    gpuranmar_state *states; /* three sets of `instances`: two for double buffering, and the base */
    uint64_t instances;
};

/* The state that a stream of one instance last started from or was set to. No fill changes it. */
__host__ __device__ inline gpuranmar_state *base_of(const sequence &q)
{
    return q.states + 2 * q.instances;
}

/* Stands for a distance from the base that the host does not know. */
constexpr uint64_t position_unknown = ~uint64_t(0);

/* What a warp of a kernel finds when it begins. */
struct kernel_states {
    uint64_t position;
    unsigned current;
    uint32_t begins;
    const gpuranmar_state *from;
    gpuranmar_state *to;
};

RANMAR_FUNCTION unsigned current_set(const progress &p)
{
    /* If `begins` has not been reached yet, the difference wraps to a large integer. */
    return p.arrivals - p.sets[1].begins < p.arrivals - p.sets[0].begins;
}

__device__ inline kernel_states current_states(const sequence &q)
{
    const progress now = *q.at;
    const unsigned current = current_set(now);
    const progress::set here = current ? now.sets[1] : now.sets[0];
    return {here.position, current, here.begins, q.states + current * q.instances,
            q.states + (1 - current) * q.instances};
}

/* One warp of a kernel calls this. It writes the position that the stream has once all `warps` of
 * the kernel have arrived. (warp) */
__device__ inline void set_position(const sequence &q, const kernel_states &v, uint64_t position,
                                    unsigned warps)
{
    if (lane_number() == 0)
        q.at->sets[1 - v.current] = {position, v.begins + warps};
}

/* A warp arrives: every warp calls this once, after it has read the states that it needs, and after
 * it has written states or the position, if it `wrote` any. (warp) */
__device__ inline void count_arrival(const sequence &q, bool wrote, bool replays)
{
    sync_warp(untestable);
    if (lane_number() == 0) {
        if (wrote)
            __threadfence();
        atomicAdd((unsigned long long *)&q.at->arrivals, replays ? 1 : 1 | 1ull << 32);
    }
}

} // namespace gpuranmar

#endif
