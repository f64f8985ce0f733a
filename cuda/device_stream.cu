#include "device_stream.h"

#include <algorithm>

#include "devices/segments.h"
#include "fill.cuh"
#include "gpuranmar.h"
#include "state_kernels.cuh"
extern "C" {
#include "fill/fill.h"
}

namespace gpuranmar
{

/* A multiprocessor with this many warps writes as fast as memory allows. More warps would need more
 * jumps, and memory takes few long pieces better than many short ones. Filling 2^30 numbers on an
 * H200 (measure-cuda) takes so many ps a number of the flavours double, single and keyed:
 *
 *    4 warps   1.87  1.38  3.76
 *    6         2.03  1.02  3.40
 *    8         1.86  0.95  2.56
 *   12         2.30  1.21  2.35
 *   16         2.14  1.12  2.30 */
constexpr size_t warps_a_multiprocessor = 8;

constexpr uint64_t shortest_segment = uint64_t(1) << RANMAR_SHORT_DIGIT_BITS;

/* The states begin this many bytes behind the beginning of the struct progress. */
constexpr size_t states_begin = 64;
static_assert(sizeof(progress) <= states_begin, "");

bool device_stream::open(int device, int flavour, ranmar_interleave interleave, cudaStream_t stream)
{
    *this = device_stream();
    device_ = device;
    flavour_ = flavour;
    words_ = ranmar_flavour(flavour);
    interleave_ = interleave;
    stream_ = stream;

    ON_DEVICE(device);
    int multiprocessors, capability;
    CUDA_TRY(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CUDA_TRY(cudaDeviceGetAttribute(&capability, cudaDevAttrComputeCapabilityMajor, device));
    warps_ = multiprocessors * warps_a_multiprocessor;
    early_ = capability >= 9;
    if (!find_jump_table(words_->every, &jumps_))
        return false;
    /* Two sets of states are double buffers (sequence.cuh). The third set receives the states of
     * several instances from the host; with one instance it is the base. */
    CUDA_TRY(cudaMalloc(&memory_, states_begin + 3 * interleave.instances * sizeof(ranmar_state)));
    CUDA_TRY(cudaMemsetAsync(memory_, 0, sizeof(progress), stream));
    return true;
}

void device_stream::close()
{
    if (memory_) {
        const beside_capture allowed;
        const on_device here(device_);
        cudaFree(memory_);
    }
    *this = device_stream();
}

sequence device_stream::on_device_() const
{
    return {(progress *)memory_, (ranmar_state *)((char *)memory_ + states_begin),
            interleave_.instances};
}

recurrence device_stream::recurrence_() const
{
    const unsigned shift = (unsigned)__builtin_ctzll(words_->modulus), bits = 64 - shift;
    return {words_->step >> shift, bits,
            (unsigned)((UINT64_C(1) << bits) - (words_->modulus >> shift)), words_->every};
}

/* How every kernel here is launched, on `warps` warps or a few more. */
launching device_stream::how(size_t warps, bool replays) const
{
    return {(unsigned)((warps + warps_a_block - 1) / warps_a_block), block_threads, stream_,
            early_ && !replays && !late_};
}

/* Notes that a kernel has been launched on `warps` warps, and that it takes the stream to a
 * position. */
void device_stream::launched(size_t warps, bool replays, uint64_t position)
{
    if (replays) {
        replays_ = true;
    } else {
        arrivals_ += (uint32_t)warps;
        late_ = false;
    }
    position_ = position;
}

bool device_stream::move_to(cudaStream_t stream)
{
    ON_DEVICE(device_); /* if it is the default stream, this device's is meant */
    if (stream == stream_)
        return true;
    if (!wait_for_value(stream, &on_device_().at->awaited, arrivals_))
        return false;
    stream_ = stream;
    late_ = true;
    return true;
}

bool device_stream::begin(const beginning &from)
{
    CUDA_LAUNCH(how(interleave_.instances, false), start, on_device_(), jumps_, from, interleave_,
                recurrence_(), false);
    launched(interleave_.instances, false, from.position);
    /* A fill may read the base while the kernel ahead of it still runs, unless that kernel is this
     * one, which writes the base. */
    base_position_ = from.position;
    late_ = true;
    return true;
}

bool device_stream::seed(int64_t seed, uint64_t position)
{
    ON_DEVICE(device_);
    beginning from = {};
    from.seed = seed;
    from.flavour = *words_;
    from.skipped = from.position = position;
    if (interleave_.instances == 1) /* the host seeds a single one faster */
        ranmar_start(&from.first, words_, seed, 0);
    return begin(from);
}

bool device_stream::set(const ranmar_state *states, uint64_t position)
{
    ON_DEVICE(device_);
    beginning from = {};
    from.position = position;
    if (interleave_.instances == 1) {
        from.first = *states;
    } else {
        ranmar_state *const given = on_device_().states + 2 * interleave_.instances;
        CUDA_TRY(cudaMemcpyAsync(given, states, interleave_.instances * sizeof *states,
                                 cudaMemcpyHostToDevice, stream_));
        from.given = given;
    }
    return begin(from);
}

bool device_stream::skip_to(uint64_t position)
{
    if (position == position_)
        return true;
    ON_DEVICE(device_);
    launching one = how(1, false);
    one.threads = warp_size;
    CUDA_LAUNCH(one, skip_numbers, on_device_(), jumps_, position - position_, recurrence_(),
                false);
    launched(1, false, position);
    return true;
}

template <class Flavour>
bool device_stream::fill_as(typename Flavour::number *out, size_t n, bool replays)
{
    size_t warps;
    if (interleave_.instances == 1) {
        constexpr size_t row = warp_size * sizeof *out;
        const size_t past = (uintptr_t)out % row;
        const size_t head = std::min(n, (row - past) % row / sizeof *out);
        const ranmar_cut c = ranmar_cut_among(warps_, n - head, shortest_segment);
        warps = c.segments;
        /* A fill can jump from the state at the end of the last fill, and has to wait for it; or
         * from the base, an earlier state that is known already. The base takes more jumps and no
         * waiting, which is faster for few numbers. */
        const bool known =
            !replays && !replays_ && ranmar_are_few(warps_, n - head, shortest_segment);
        CUDA_LAUNCH(how(warps, replays), fill_sequence<Flavour>, on_device_(), jumps_, out,
                    (unsigned)head, c.segment, (unsigned)c.segments, (uint64_t)n,
                    known ? position_ - base_position_ : position_unknown, replays);
    } else {
        /* The most that an instance contributes, from whatever position. */
        const uint64_t part = ranmar_part_of(interleave_, 0).length;
        const uint64_t most =
            n / interleave_.block * part + std::min<uint64_t>(n % interleave_.block, part);
        const ranmar_cut c = ranmar_cut_among(std::max<size_t>(1, warps_ / interleave_.instances),
                                              most, shortest_segment);
        warps = c.segments * interleave_.instances;
        CUDA_LAUNCH(how(warps, replays), fill_interleaved<Flavour>, on_device_(), jumps_, out,
                    interleave_, c.segment, (unsigned)c.segments, (uint64_t)n, replays);
    }
    launched(warps, replays, position_ + n);
    return true;
}

bool device_stream::fill(void *out, size_t n, bool replays)
{
    if (n == 0)
        return true;
    ON_DEVICE(device_);
    switch (flavour_) {
#define FLAVOUR(CODE, name) \
    case GPURANMAR_##CODE:  \
        return fill_as<name##_precision>((name##_precision::number *)out, n, replays);
#include "definition/flavours.def"
#undef FLAVOUR
    }
    return false; /* no other flavour is opened */
}

bool device_stream::write_states(ranmar_state *out, unsigned count, uint64_t distance, bool replays)
{
    ON_DEVICE(device_);
    CUDA_LAUNCH(how((size_t)count + 1, replays), write_strided_states, on_device_(), jumps_, out,
                count, distance, recurrence_(), replays);
    launched((size_t)count + 1, replays, position_ + count * distance);
    return true;
}

bool device_stream::position(uint64_t *position)
{
    *position = position_;
    if (replays_) {
        ON_DEVICE(device_);
        progress now;
        CUDA_TRY(cudaMemcpyAsync(&now, memory_, sizeof now, cudaMemcpyDeviceToHost, stream_));
        CUDA_TRY(cudaStreamSynchronize(stream_));
        *position = now.sets[current_set(now)].position;
    }
    return true;
}

} // namespace gpuranmar
