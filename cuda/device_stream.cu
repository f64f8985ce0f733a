#include "device_stream.h"

#include <algorithm>
#include <utility>

#include "fill.cuh"
#include "gpuranmar.h"

namespace gpuranmar
{

/* A multiprocessor with this many warps writes as fast as memory takes it; more would cost more
 * jumps, and memory writes few long pieces better than many short ones. */
constexpr size_t warps_a_multiprocessor = 8;
/* Below this length a jump costs more than the numbers. */
constexpr uint64_t shortest_segment = 1024;

constexpr unsigned block_threads = warps_a_block * warp_size;

/* --- Kernels on states --- */

__global__ void put_state(gpuranmar_state *to, gpuranmar_state state)
{
    for (unsigned i = threadIdx.x; i < lag; i += warp_size)
        to->x[i] = state.x[i];
    if (threadIdx.x == 0)
        to->c = state.c;
}

__global__ void skip_state(const gpuranmar_state *from, gpuranmar_state *to, gpuranmar_state e,
                           recurrence r)
{
    __shared__ workspace w;
    load(w, *from);
    jump(w, e, r);
    store(w, *to);
}

/* State s of out is s jumps away from *from. */
__global__ void __launch_bounds__(block_threads)
    spread_states(const gpuranmar_state *from, const gpuranmar_state *jumps, gpuranmar_state *out,
                  size_t count, recurrence r)
{
    __shared__ workspace workspaces[warps_a_block];
    workspace &w = workspaces[threadIdx.x / warp_size];
    const size_t s = (size_t)blockIdx.x * warps_a_block + threadIdx.x / warp_size;
    if (s >= count)
        return;
    load(w, *from);
    if (s > 0)
        jump(w, jumps[s], r);
    store(w, out[s]);
}

/* Of the jumps by 1 .. known distances, makes those by known+1 .. 2*known, below count. */
__global__ void __launch_bounds__(block_threads)
    double_jumps(gpuranmar_state *jumps, size_t known, size_t count, recurrence r)
{
    __shared__ workspace workspaces[warps_a_block];
    workspace &w = workspaces[threadIdx.x / warp_size];
    const size_t i = 1 + (size_t)blockIdx.x * warps_a_block + threadIdx.x / warp_size;
    if (i > known || known + i >= count)
        return;
    load(w, jumps[i]);
    const uint64_t taken = w.c;
    jump(w, jumps[known], r);
    if (lane_number() == 0) /* what both take off, together */
        w.c = ranmar_arithmetic(taken, r.modulus - jumps[known].c, r.modulus);
    store(w, jumps[known + i]);
}

/* --- The stream --- */

static recurrence recurrence_of(const struct ranmar_flavour &f)
{
    return {f.modulus, f.decimated != 0};
}

bool device_stream::open(int device, int flavour, ranmar_interleave interleave, cudaStream_t stream)
{
    *this = device_stream();
    device_ = device;
    flavour_ = flavour;
    words_ = *ranmar_flavour(flavour);
    interleave_ = interleave;
    stream_ = stream;

    on_device here(device);
    int multiprocessors;
    CUDA_TRY(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    warps_ = multiprocessors * warps_a_multiprocessor;
    for (ranmar_state *&state : state_)
        CUDA_TRY(cudaMalloc(&state, interleave.instances * sizeof *state));
    return true;
}

void device_stream::close()
{
    on_device here(device_);
    for (ranmar_state *state : state_)
        cudaFree(state);
    for (const jumps &slot : jumps_)
        cudaFree(slot.table);
    *this = device_stream();
}

bool device_stream::move_to(cudaStream_t stream)
{
    on_device here(device_); /* whose default stream is meant, if it is that */
    CUDA_TRY(cudaStreamSynchronize(stream_));
    stream_ = stream;
    return true;
}

bool device_stream::set(const ranmar_state *states, uint64_t position)
{
    on_device here(device_);
    if (interleave_.instances == 1)
        CUDA_LAUNCH(put_state, 1, warp_size, stream_, state_[0], *states);
    else
        CUDA_TRY(cudaMemcpyAsync(state_[0], states, interleave_.instances * sizeof *states,
                                 cudaMemcpyHostToDevice, stream_));
    position_ = position;
    return true;
}

/* The jump by a distance, in the form of jump.cuh. */
ranmar_state device_stream::unit_jump(uint64_t distance)
{
    ranmar_state e = {};
    e.x[RANMAR_LONG_LAG - 1] = 1;
    ranmar_jump_by(&memo_, distance, &words_, &e);
    e.c = ranmar_arithmetic_stride(distance, &words_);
    return e;
}

bool device_stream::skip_to(uint64_t position)
{
    if (position == position_)
        return true;
    on_device here(device_);
    CUDA_LAUNCH(skip_state, 1, warp_size, stream_, state_[0], state_[1],
                unit_jump(position - position_), recurrence_of(words_));
    std::swap(state_[0], state_[1]);
    position_ = position;
    return true;
}

bool device_stream::make_jumps(jumps &slot, uint64_t distance, size_t count)
{
    slot.count = 0;
    if (slot.capacity < count) {
        CUDA_TRY(cudaFree(slot.table));
        slot.table = nullptr;
        slot.capacity = 0;
        const size_t capacity = std::max(count, warps_ + 1);
        CUDA_TRY(cudaMalloc(&slot.table, capacity * sizeof *slot.table));
        slot.capacity = capacity;
    }
    CUDA_LAUNCH(put_state, 1, warp_size, stream_, slot.table + 1, unit_jump(distance));
    for (size_t known = 1; known + 1 < count; known *= 2)
        CUDA_LAUNCH(double_jumps, (unsigned)((known + warps_a_block - 1) / warps_a_block),
                    block_threads, stream_, slot.table, known, count, recurrence_of(words_));
    slot.distance = distance;
    slot.count = count;
    return true;
}

/* Jumps by 0 .. count-1 distances, those of the last few distances being kept; null on failure. */
const ranmar_state *device_stream::find_jumps(uint64_t distance, size_t count)
{
    jumps *found = jumps_;
    for (jumps &slot : jumps_) {
        if (slot.distance == distance && slot.count > 0) {
            found = &slot;
            break;
        }
        if (slot.last_use < found->last_use)
            found = &slot;
    }
    if (found->distance != distance || found->count < count)
        if (!make_jumps(*found, distance, std::max(count, std::min(warps_, 2 * count))))
            return nullptr;
    found->last_use = ++uses_;
    return found->table;
}

/* A segment length not below `length`, and within a few percent: few different ones, so that their
 * jumps are likely to be there already. An odd multiple of 32, since warps whose places differ by
 * a power of two would often meet in the same part of memory. */
static uint64_t segment_length(uint64_t length)
{
    length = std::max(length, shortest_segment);
    unsigned shift = 0;
    while (length >> shift >= 64)
        ++shift;
    return ((((length - 1) >> shift) + 1) << shift) | warp_size;
}

template <class Flavour> bool device_stream::fill_as(typename Flavour::number *out, size_t n)
{
    if (interleave_.instances == 1) {
        constexpr size_t row = warp_size * sizeof *out;
        const size_t past = (uintptr_t)out % row;
        const size_t head = std::min(n, (row - past) % row / sizeof *out);
        const uint64_t segment = segment_length((n + warps_ - 1) / warps_);
        const size_t segments = std::max<size_t>(1, (n - head + segment - 1) / segment);
        const ranmar_state *table = nullptr;
        if (segments > 1 && !(table = find_jumps(segment, segments)))
            return false;
        CUDA_LAUNCH(fill_sequence<Flavour>,
                    (unsigned)((segments + warps_a_block - 1) / warps_a_block), block_threads,
                    stream_, state_[0], state_[1], table, out, (unsigned)head, segment,
                    (uint64_t)n);
    } else {
        /* The most that an instance contributes. */
        const uint64_t part = ranmar_part_of(interleave_, 0).length;
        const uint64_t most =
            n / interleave_.block * part + std::min<uint64_t>(n % interleave_.block, part);
        const size_t wanted = std::max<size_t>(1, warps_ / interleave_.instances);
        const uint64_t segment = segment_length((most + wanted - 1) / wanted);
        const size_t segments = std::max<size_t>(1, (most + segment - 1) / segment);
        const size_t warps = segments * interleave_.instances;
        const ranmar_state *table = nullptr;
        if (segments > 1 && !(table = find_jumps(segment, segments)))
            return false;
        CUDA_LAUNCH(fill_interleaved<Flavour>,
                    (unsigned)((warps + warps_a_block - 1) / warps_a_block), block_threads, stream_,
                    state_[0], state_[1], table, out, interleave_, position_, (uint64_t)segments,
                    segment, (uint64_t)n);
    }
    std::swap(state_[0], state_[1]);
    position_ += n;
    return true;
}

bool device_stream::fill(void *out, size_t n)
{
    if (n == 0)
        return true;
    on_device here(device_);
    switch (flavour_) {
    case GPURANMAR_SINGLE:
        return fill_as<single_precision>((float *)out, n);
    case GPURANMAR_EXTENDED:
        return fill_as<extended_precision>((double *)out, n);
    case GPURANMAR_DECIMATED:
        return fill_as<decimated_precision>((double *)out, n);
    default:
        return fill_as<double_precision>((double *)out, n);
    }
}

bool device_stream::spread(ranmar_state *out, size_t count, uint64_t distance)
{
    on_device here(device_);
    const ranmar_state *table = nullptr;
    if (count > 1 && !(table = find_jumps(distance, count)))
        return false;
    CUDA_LAUNCH(spread_states, (unsigned)((count + warps_a_block - 1) / warps_a_block),
                block_threads, stream_, state_[0], table, out, count, recurrence_of(words_));
    return skip_to(position_ + count * distance);
}

} // namespace gpuranmar
