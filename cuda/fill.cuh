/* The kernels that write a sequence to memory. Each warp makes a segment of it, whose state it
 * finds by jump-ahead. */
#ifndef RANMAR_CUDA_FILL_CUH
#define RANMAR_CUDA_FILL_CUH

#include "definition/interleave.h"
#include "jump.cuh"

namespace gpuranmar
{

/* Each makes an instance, or a segment of one. scripts/bench measures what else there could be. */
#ifndef RANMAR_WARPS_A_BLOCK
#define RANMAR_WARPS_A_BLOCK 4
#endif
constexpr unsigned warps_a_block = RANMAR_WARPS_A_BLOCK;

/* Rows of 32 numbers that a warp makes before it writes them: memory takes few long pieces better
 * than many short ones (measured on an H200: 2 % in double precision, 7 % in single). */
constexpr unsigned burst = 6;

template <class Flavour> constexpr __host__ __device__ recurrence recurrence_of()
{
    return {Flavour::arithmetic::modulus << Flavour::arithmetic::shift, Flavour::decimated};
}

/* The next n <= 32 numbers of the state in w, which moves on by n. `put(i, number)` is called for
 * i = 0..n-1. */
template <class Flavour, class Put>
__device__ inline void fill_short(workspace &w, unsigned n, Put put)
{
    typedef typename Flavour::arithmetic arithmetic;
    typedef typename Flavour::word word;
    constexpr recurrence r = recurrence_of<Flavour>();
    const auto taken_by = [](uint64_t steps) {
        return steps * arithmetic::step % arithmetic::modulus << arithmetic::shift;
    };
    const unsigned lane = lane_number();
    extend(w, lag + n, r.decimated);
    if (lane < n) {
        const uint64_t x = w.x[lag + lane];
        const uint64_t c = ranmar_arithmetic(w.c, taken_by(lane + 1), r.modulus);
        put(lane,
            Flavour::combine((word)(x >> (64 - 8 * sizeof(word))), arithmetic::from_fraction(c)));
    }
    /* Each round moves 32 words to where earlier rounds have read, or no round will. */
    for (unsigned i = lane; i - lane < lag; i += warp_size) {
        const uint64_t x = i < lag ? w.x[i + n] : 0;
        __syncwarp();
        if (i < lag)
            w.x[i] = x;
        __syncwarp();
    }
    if (lane == 0)
        w.c = ranmar_arithmetic(w.c, taken_by(n), r.modulus);
    __syncwarp();
}

/* One sequence: numbers 0..n-1 from the state *from to out, and the state after them to *to. Warp
 * s makes `segment` numbers (a multiple of 32) from head + s * segment on, where jumps[s] takes it
 * by s * segment; the first warp makes the `head` before too, so that the rows of 32 that the
 * others write are aligned. */
template <class Flavour>
__global__ void __launch_bounds__(warps_a_block *warp_size)
    fill_sequence(const gpuranmar_state *__restrict__ from, gpuranmar_state *__restrict__ to,
                  const gpuranmar_state *__restrict__ jumps, typename Flavour::number *out,
                  unsigned head, uint64_t segment, uint64_t n)
{
    __shared__ workspace workspaces[warps_a_block];
    workspace &w = workspaces[threadIdx.x / warp_size];
    const uint64_t s = (uint64_t)blockIdx.x * warps_a_block + threadIdx.x / warp_size;
    const uint64_t begin = head + s * segment;
    if (s > 0 && begin >= n)
        return;
    const bool last = n - begin <= segment;
    const uint64_t length = last ? n - begin : segment;

    load(w, *from);
    if (s > 0)
        jump(w, jumps[s], recurrence_of<Flavour>());
    fill_short<Flavour>(w, head, [&](unsigned i, typename Flavour::number u) {
        if (s == 0)
            out[i] = u;
    });

    generator<Flavour> g;
    g.load(w.x, w.c);
    typename Flavour::number *row = out + begin + lane_number();
    uint64_t rows = length / warp_size;
#pragma unroll 1
    for (; rows >= burst; rows -= burst) {
        typename Flavour::number u[burst];
#pragma unroll
        for (unsigned i = 0; i < burst; ++i)
            u[i] = g.next();
        __syncwarp();
#pragma unroll
        for (unsigned i = 0; i < burst; ++i)
            row[i * warp_size] = u[i];
        row += burst * warp_size;
    }
    for (; rows > 0; --rows) {
        *row = g.next();
        row += warp_size;
    }
    if (last) {
        __syncwarp();
        g.store(w.x, w.c);
        __syncwarp();
        const unsigned rest = length % warp_size;
        fill_short<Flavour>(w, rest,
                            [&](unsigned i, typename Flavour::number u) { out[n - rest + i] = u; });
        store(w, *to);
    }
}

/* Interleaved instances: numbers made .. made+n-1 of the stream to out. Instance p goes from the
 * state from[p] to to[p], cut into up to `segments` of `segment` numbers (a multiple of 32) of its
 * own, each made by a warp. */
template <class Flavour>
__global__ void __launch_bounds__(warps_a_block *warp_size)
    fill_interleaved(const gpuranmar_state *__restrict__ from, gpuranmar_state *__restrict__ to,
                     const gpuranmar_state *__restrict__ jumps, typename Flavour::number *out,
                     struct ranmar_interleave interleave, uint64_t made, uint64_t segments,
                     uint64_t segment, uint64_t n)
{
    __shared__ workspace workspaces[warps_a_block];
    workspace &w = workspaces[threadIdx.x / warp_size];
    const uint64_t warp = (uint64_t)blockIdx.x * warps_a_block + threadIdx.x / warp_size;
    const uint64_t p = warp / segments, s = warp % segments;
    if (p >= interleave.instances)
        return;
    const uint64_t first = ranmar_made_of(interleave, p, made);
    const uint64_t total = ranmar_made_of(interleave, p, made + n) - first;
    const uint64_t begin = s * segment;
    if (s > 0 && begin >= total)
        return;
    const bool last = total - begin <= segment;
    const uint64_t length = last ? total - begin : segment;

    load(w, from[p]);
    if (s > 0)
        jump(w, jumps[s], recurrence_of<Flavour>());
    generator<Flavour> g;
    g.load(w.x, w.c);

    /* Where this lane's next number stands: in its part of a block, and in out. */
    const struct ranmar_part part = ranmar_part_of(interleave, p);
    const uint64_t number = first + begin + lane_number();
    uint64_t in_part = 0, index = 0;
    if (length > 0) {
        in_part = number % part.length;
        index = number / part.length * interleave.block + part.start + in_part - made;
    }
    for (uint64_t rows = length / warp_size; rows > 0; --rows) {
        out[index] = g.next();
        in_part += warp_size;
        index += warp_size;
        while (in_part >= part.length) {
            in_part -= part.length;
            index += interleave.block - part.length;
        }
    }
    if (last) {
        __syncwarp();
        g.store(w.x, w.c);
        __syncwarp();
        fill_short<Flavour>(w, length % warp_size,
                            [&](unsigned, typename Flavour::number u) { out[index] = u; });
        store(w, to[p]);
    }
}

} // namespace gpuranmar

#endif
