/* What the device keeps of a stream between kernels. A kernel finds there where the stream is, and
 * leaves where it has come to, so that the same launch, replayed from a CUDA graph, goes on. */
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

struct progress {
    uint64_t position; /* of the stream */
    uint32_t current;  /* which of the two sets of states is that of the position */
    uint32_t arrivals; /* of warps of the kernel at work */
    uint32_t ticket;   /* of the last launch that has left its states here */
};

/* The sequences of a stream, in device memory. */
struct sequence {
    progress *at;
    gpuranmar_state *states; /* two sets of `instances`: from where, and to where, in turns */
    uint64_t instances;
};

/* What a warp of a kernel finds. All have read it before any may change. */
struct visit {
    uint64_t position;
    uint32_t current;
    const gpuranmar_state *from;
    gpuranmar_state *to;
};

__device__ inline visit begin_visit(const sequence &q)
{
    const uint32_t current = q.at->current;
    return {q.at->position, current, q.states + current * q.instances,
            q.states + (1 - current) * q.instances};
}

/* Every warp calls this once, when it has read the states that it needs and written those that it
 * has to. With the last of `warps` the stream is at `position`, the states written are the ones
 * that the next kernel finds, and whoever waits for `ticket` may go on; ticket 0, of launches that
 * may be replayed, is nobody's. (warp) */
__device__ inline void end_visit(const sequence &q, const visit &v, uint64_t position,
                                 unsigned warps, uint32_t ticket)
{
    order_warp();
    if (lane_number() != 0)
        return;
    __threadfence();
    if (atomicInc(&q.at->arrivals, warps - 1) < warps - 1) /* the last makes it 0 again */
        return;
    __threadfence();
    q.at->position = position;
    q.at->current = 1 - v.current;
    if (ticket != 0) {
        __threadfence();
        *(volatile uint32_t *)&q.at->ticket = ticket;
    }
}

} // namespace gpuranmar

#endif
