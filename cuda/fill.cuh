/* The kernels that write a sequence to memory. Each warp makes a segment of the sequence. The warp
 * finds the segment's first state by jump-ahead from a state of the sequence. All lanes of a warp
 * call a function marked (warp) together. */
#ifndef RANMAR_CUDA_FILL_CUH
#define RANMAR_CUDA_FILL_CUH

#include "sequence.cuh"

namespace gpuranmar
{

/* How many rows of 32 numbers a warp makes before it stores them. Few long bursts of stores are
 * faster than many short ones. Filling 2^30 numbers on an H200 (measure-cuda) takes so many ps a
 * number of the flavours double, single and keyed:
 *
 *    1 row    1.90  1.12  3.94
 *    2        1.86  0.96  2.95
 *    4        1.86  0.95  2.54
 *    6        1.86  0.95  2.56
 *   12        1.87  0.95  2.46 */
constexpr unsigned burst = 6;

/* Makes the next n = 1..32 numbers of the state in w, calls put(i, number) for i = 0..n-1, and
 * moves the state on by n. (warp) */
template <class Flavour, class Put>
__device__ inline void fill_short(workspace &w, unsigned n, Put put)
{
    typedef typename Flavour::arithmetic arithmetic;
    constexpr uint64_t modulus = arithmetic::modulus << arithmetic::shift;
    const auto taken_by = [](uint64_t steps) {
        return steps * arithmetic::step % arithmetic::modulus << arithmetic::shift;
    };
    const unsigned lane = lane_number();
    extend(w, lag + n, Flavour::words::every);
    if (lane < n) {
        const uint64_t c = ranmar_arithmetic(w.c, taken_by(lane + 1), modulus);
        const uint64_t *const x = w.x + lag + lane;
        put(lane, Flavour::combine(Flavour::words::narrow(*x), arithmetic::from_fraction(c),
                                   ranmar_mask_of(x[-RANMAR_MASK_LAG_1], x[-RANMAR_MASK_LAG_2])));
    }
    /* Each round moves 32 words to places that no later round reads. */
    for (unsigned i = lane; i - lane < lag; i += warp_size) {
        const uint64_t x = i < lag ? w.x[i + n] : 0;
        sync_warp();
        if (i < lag)
            w.x[i] = x;
    }
    if (lane == 0)
        w.c = ranmar_arithmetic(w.c, taken_by(n), modulus);
    sync_warp();
}

/* Writes `rows` rows of 32 numbers. `row` is where this lane's first number goes. (warp) */
template <class Flavour>
__device__ __forceinline__ void fill_rows(generator<Flavour> &g, typename Flavour::number *row,
                                          uint64_t rows)
{
#pragma unroll 1
    for (; rows >= burst; rows -= burst) {
        typename Flavour::number u[burst];
#pragma unroll
        for (unsigned i = 0; i < burst; ++i)
            u[i] = g.next();
#pragma unroll
        for (unsigned i = 0; i < burst; ++i)
            __stcs(row + i * warp_size, u[i]);
        row += burst * warp_size;
    }
    for (; rows > 0; --rows) {
        __stcs(row, g.next());
        row += warp_size;
    }
}

/* Makes the last `rest` = 0..31 numbers of a segment by fill_short(), and leaves the state after
 * them in w. (warp) */
template <class Flavour, class Put>
__device__ __forceinline__ void end_segment(workspace &w, const generator<Flavour> &g,
                                            unsigned rest, Put put)
{
    sync_warp(untestable);
    g.store(w.x, w.c);
    sync_warp();
    if (rest > 0)
        fill_short<Flavour>(w, rest, put);
}

/* Writes the next n numbers of one sequence to out. Warp s of `segments` makes `longest` numbers (a
 * multiple of 32) from head + s * longest on; the last warp makes what is left. The first warp also
 * makes the `head` numbers (0..31) before its segment, so that all warps write aligned rows of 32.
 *
 * A fill of few numbers jumps from the sequence's base, the state at which the sequence was last
 * started or set. The base is `from_base` numbers back. No fill changes the base, so the fill can
 * jump while earlier fills still run. In large fills, and in all fills once a CUDA graph has
 * captured work of the sequence, `from_base` is position_unknown. Then the kernel waits for the
 * state in device memory, and its warps s > 0 jump by s * longest and discard `head` numbers. */
template <class Flavour>
__global__ void __launch_bounds__(block_threads)
    fill_sequence(sequence q, const uint64_t *jumps, typename Flavour::number *out, unsigned head,
                  uint64_t longest, unsigned segments, uint64_t n, uint64_t from_base, bool replays)
{
    __shared__ workspace workspaces[warps_a_block];
    workspace &w = workspaces[threadIdx.x / warp_size];
    const unsigned s = blockIdx.x * warps_a_block + threadIdx.x / warp_size;
    if (s >= segments)
        return;
    const bool last = s == segments - 1;
    const uint64_t begin = head + s * longest;
    const uint64_t length = last ? n - begin : longest;

    const bool known = from_base != position_unknown;
    const uint64_t distance = known ? from_base + (s > 0 ? begin : 0) : s * longest;

    skipping to_segment;
    to_segment.begin(w, jumps, distance, recurrence_of<Flavour>());
    if (!known)
        wait_for_previous_kernel();
    let_next_kernel_start();
    kernel_states here = {};
    if (!known)
        here = current_states(q);
    load(w, known ? *base_of(q) : here.from[0]);
    to_segment.end(w);
    if (known) {
        wait_for_previous_kernel();
        here = current_states(q);
    }
    if (!last)
        count_arrival(q, false, replays);
    if (head > 0 && (s == 0 || !known))
        fill_short<Flavour>(w, head, [&](unsigned i, typename Flavour::number u) {
            if (s == 0)
                out[i] = u;
        });

    generator<Flavour> g;
    g.load(w.x, w.c);
    fill_rows(g, out + begin + lane_number(), length / warp_size);
    if (last) {
        const unsigned rest = length % warp_size;
        end_segment(w, g, rest,
                    [&](unsigned i, typename Flavour::number u) { out[n - rest + i] = u; });
        store(w, here.to[0]);
        set_position(q, here, here.position + n, segments);
        count_arrival(q, true, replays);
    }
}

/* Writes the next n numbers of a stream of interleaved instances to out. Each instance is cut into
 * up to `segments` segments of `longest` numbers, a multiple of 32. One warp makes one segment. */
template <class Flavour>
__global__ void __launch_bounds__(block_threads)
    fill_interleaved(sequence q, const uint64_t *jumps, typename Flavour::number *out,
                     struct ranmar_interleave interleave, uint64_t longest, unsigned segments,
                     uint64_t n, bool replays)
{
    __shared__ workspace workspaces[warps_a_block];
    workspace &w = workspaces[threadIdx.x / warp_size];
    const unsigned warp = blockIdx.x * warps_a_block + threadIdx.x / warp_size;
    const unsigned warps = (unsigned)interleave.instances * segments;
    if (warp >= warps)
        return;
    const unsigned p = warp / segments, s = warp % segments;

    skipping to_segment;
    to_segment.begin(w, jumps, s * longest, recurrence_of<Flavour>());
    wait_for_previous_kernel();
    let_next_kernel_start();
    const kernel_states here = current_states(q);
    const uint64_t made = here.position;
    if (warp == 0)
        set_position(q, here, made + n, warps);
    const uint64_t first = ranmar_made_of(interleave, p, made);
    const uint64_t total = ranmar_made_of(interleave, p, made + n) - first;
    const uint64_t begin = s * longest;
    if (s > 0 && begin >= total) {
        count_arrival(q, false, replays);
        return;
    }
    const bool last = total - begin <= longest;
    const uint64_t length = last ? total - begin : longest;

    load(w, here.from[p]);
    if (!last)
        count_arrival(q, warp == 0, replays);
    to_segment.end(w);
    generator<Flavour> g;
    g.load(w.x, w.c);

    const struct ranmar_part part = ranmar_part_of(interleave, p);
    ranmar_block_offsets at =
        ranmar_block_offsets_of(interleave, part, first + begin + lane_number(), made);
    for (uint64_t rows = length / warp_size; rows > 0; --rows) {
        __stcs(out + at.index, g.next());
        at = ranmar_block_offsets_after(at, warp_size, interleave, part);
    }
    if (last) {
        end_segment(w, g, length % warp_size,
                    [&](unsigned, typename Flavour::number u) { out[at.index] = u; });
        store(w, here.to[p]);
        count_arrival(q, true, replays);
    }
}

} // namespace gpuranmar

#endif
