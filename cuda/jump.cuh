/* Jump-ahead by a warp, in shared memory. See csrc/jump.h for the mathematics.
 *
 * A jump by N is kept as the state at position N of the *unit sequence*, whose words before
 * position 0 are zero but for the youngest, 1. Multiplying t^N by t shows that the coefficients
 * of t^N mod f are sums of that state's words,
 *
 *     p[96-i] = e[i], i = 0..32      p[63-i] = e[33+i] + e[i], i = 0..63
 *
 * (decimated: p[96-i] = e[i] - e[i-33] + 2 e[i-65], without the terms that would lie before e[0]),
 * so jumps are composed as states are moved, and need no arithmetic of polynomials of their own.
 * The arithmetic part of such a state is what N steps take off: N*step mod modulus.
 */
#ifndef RANMAR_CUDA_JUMP_CUH
#define RANMAR_CUDA_JUMP_CUH

#include "gpuranmar_device.cuh"

namespace gpuranmar
{

constexpr unsigned lag = RANMAR_LONG_LAG, jump_reach = 2 * lag - 1;

/* What tells the sequences apart that a kernel moves. */
struct recurrence {
    uint64_t modulus; /* of the arithmetic part, a fraction */
    bool decimated;
};

/* A warp's place to work: a state whose words can be continued. */
struct workspace {
    uint64_t x[jump_reach];
    uint64_t c;
    uint64_t p[lag];
};

__device__ inline void load(workspace &w, const gpuranmar_state &state)
{
    for (unsigned i = lane_number(); i < lag; i += warp_size)
        w.x[i] = state.x[i];
    if (lane_number() == 0)
        w.c = state.c;
    __syncwarp();
}

__device__ inline void store(const workspace &w, gpuranmar_state &state)
{
    for (unsigned i = lane_number(); i < lag; i += warp_size)
        state.x[i] = w.x[i];
    if (lane_number() == 0)
        state.c = w.c;
}

/* Words 97 .. end-1 from those before, 32 at a time. */
__device__ inline void extend(workspace &w, unsigned end, bool decimated)
{
    for (unsigned i = lag + lane_number(); i - lane_number() < end; i += warp_size) {
        if (i < end)
            w.x[i] = ranmar_lagged(w.x[i - RANMAR_LONG_LAG], w.x[i - RANMAR_MIDDLE_LAG],
                                   w.x[i - RANMAR_SHORT_LAG], decimated);
        __syncwarp();
    }
}

/* Moves the state in w on by the jump e. */
__device__ inline void jump(workspace &w, const gpuranmar_state &e, recurrence r)
{
    const unsigned lane = lane_number();
    for (unsigned i = lane; i < lag; i += warp_size) {
        uint64_t p = e.x[i];
        if (i >= 33)
            p += r.decimated ? 0 - e.x[i - 33] : e.x[i - 33];
        if (i >= 65 && r.decimated)
            p += 2 * e.x[i - 65];
        w.p[96 - i] = p;
    }
    extend(w, jump_reach, r.decimated);

    /* Lane l makes words 3l, 3l+1 and 3l+2: of the words that they need, one is new each turn. */
    uint64_t y0 = 0, y1 = 0, y2 = 0;
    uint64_t x0 = w.x[3 * lane], x1 = w.x[3 * lane + 1];
#pragma unroll 4
    for (unsigned j = 0; j < lag; ++j) {
        const uint64_t p = w.p[j], x2 = w.x[3 * lane + 2 + j];
        y0 += p * x0;
        y1 += p * x1;
        y2 += p * x2;
        x0 = x1;
        x1 = x2;
    }
    /* All lanes make the last word together. */
    uint64_t last = 0;
    for (unsigned j = lane; j < lag; j += warp_size)
        last += w.p[j] * w.x[lag - 1 + j];
    for (unsigned half = warp_size / 2; half > 0; half /= 2)
        last += __shfl_xor_sync(all_lanes, last, half);

    __syncwarp();
    w.x[3 * lane] = y0;
    w.x[3 * lane + 1] = y1;
    w.x[3 * lane + 2] = y2;
    if (lane == 0) {
        w.x[lag - 1] = last;
        w.c = ranmar_arithmetic(w.c, e.c, r.modulus);
    }
    __syncwarp();
}

} // namespace gpuranmar

#endif
