/* What the device keeps of a stream between kernels. A kernel finds there where the stream is, and
 * leaves there where it has come to, so that the same launch, replayed from a CUDA graph, goes on.
 */
#ifndef RANMAR_CUDA_SEQUENCE_CUH
#define RANMAR_CUDA_SEQUENCE_CUH

#include "definition/interleave.h"
#include "gpuranmar_skip.cuh"

namespace gpuranmar
{

/* The warps of a block have nothing to do with each other. scripts/bench measures other numbers. */
#ifndef RANMAR_WARPS_A_BLOCK
#define RANMAR_WARPS_A_BLOCK 4
#endif
constexpr unsigned warps_a_block = RANMAR_WARPS_A_BLOCK;
constexpr unsigned block_threads = warps_a_block * warp_size;

/* The two sets of states take turns: a kernel goes from one and leaves the other. Which is whose
 * turn follows from how many warps have arrived, in all kernels: a set is of no use before
 * `arrivals` has come to its `begins`, and of the two that are of use the later counts. A warp
 * that starts late finds what those before it found, for without itself the count is not full. */
struct progress {
    uint32_t arrivals; /* of warps, modulo 2^32 */
    uint32_t awaited;  /* the same, but for launches that may be replayed; in one word with it */
    struct place {
        uint64_t position; /* of the stream */
        uint32_t begins;
    } places[2];
};

/* The sequences of a stream, in device memory. */
struct sequence {
    progress *at;
    gpuranmar_state *states; /* two sets of `instances`, and one more */
    uint64_t instances;
};

/* Where one sequence was started, or set to, last: a state that no fill changes. */
__host__ __device__ inline gpuranmar_state *base_of(const sequence &q)
{
    return q.states + 2 * q.instances;
}

/* In place of a distance from the base. */
constexpr uint64_t position_unknown = ~uint64_t(0);

/* What a warp of a kernel finds. */
struct visit {
    uint64_t position;
    unsigned current;
    uint32_t begins;
    const gpuranmar_state *from;
    gpuranmar_state *to;
};

RANMAR_FUNCTION unsigned current_place(const progress &p)
{
    /* A count that has not been reached yet is far behind, modulo 2^32. */
    return p.arrivals - p.places[1].begins < p.arrivals - p.places[0].begins;
}

__device__ inline visit begin_visit(const sequence &q)
{
    const progress now = *q.at;
    const unsigned current = current_place(now);
    const progress::place here = current ? now.places[1] : now.places[0];
    return {here.position, current, here.begins, q.states + current * q.instances,
            q.states + (1 - current) * q.instances};
}

/* One warp of the kernel says where the stream has come to, with the last of `warps`. (warp) */
__device__ inline void set_place(const sequence &q, const visit &v, uint64_t position,
                                 unsigned warps)
{
    if (lane_number() == 0)
        q.at->places[1 - v.current] = {position, v.begins + warps};
}

/* Every warp calls this once, when it has read the states that it needs and, if it `wrote` any, or
 * the place, those are written. (warp) */
__device__ inline void end_visit(const sequence &q, bool wrote, bool replays)
{
    order_warp();
    if (lane_number() == 0) {
        if (wrote)
            __threadfence();
        atomicAdd((unsigned long long *)&q.at->arrivals, replays ? 1 : 1 | 1ull << 32);
    }
}

} // namespace gpuranmar

#endif
