/* A stream of numbers on one device, which keeps the states of its instances. Functions queue work
 * on a CUDA stream and do not wait for its end. They return false, with ranmar_device_error(), if
 * work could not be queued; then the stream's position is unchanged. */
#ifndef RANMAR_CUDA_DEVICE_STREAM_H
#define RANMAR_CUDA_DEVICE_STREAM_H

#include <cstddef>
#include <cstdint>

#include "call.h"
extern "C" {
#include "definition/flavour.h"
#include "definition/interleave.h"
}

namespace gpuranmar
{

struct sequence;
struct recurrence;
struct beginning;

/* Finds the table of jumps for the flavours that keep one of `every` words, on the current device.
 * The first call makes it (about 14 MB, well under a millisecond). All that use the device share
 * it, in any thread, until the process ends or calls cudaDeviceReset(). */
bool find_jump_table(unsigned every, const uint64_t **table);

class device_stream
{
  public:
    /* flavour is one of enum gpuranmar_flavour. */
    bool open(int device, int flavour, ranmar_interleave interleave, cudaStream_t stream);
    void close();

    /* Work queued from now on goes to another CUDA stream, and begins when all work queued before
     * is done with the states. The old stream may be gone already. */
    bool move_to(cudaStream_t stream);

    /* Goes on from a position of a seed's sequence, or from states of the instances in host memory,
     * which are those at the position. */
    bool seed(int64_t seed, uint64_t position);
    bool set(const ranmar_state *states, uint64_t position);

    /* Moves on to a position, which must not be before the present one. Only for one instance. */
    bool skip_to(uint64_t position);

    /* The next n numbers to memory that the device can write. `replays`: the work is captured, and
     * may be done any number of times. */
    bool fill(void *out, size_t n, bool replays);

    /* Writes `count` states, `distance` numbers apart from here on, to device memory, and moves on
     * by count * distance. Only for one instance. */
    bool write_states(ranmar_state *out, unsigned count, uint64_t distance, bool replays);

    /* The position after the work queued so far. Only the device knows how often captured work has
     * been replayed: once there is some, this waits for the CUDA stream. */
    bool position(uint64_t *position);

    int device() const
    {
        return device_;
    }
    cudaStream_t cuda_stream() const
    {
        return stream_;
    }
    const uint64_t *jumps() const
    {
        return jumps_;
    }

  private:
    template <class Flavour> bool fill_as(typename Flavour::number *out, size_t n, bool replays);
    bool begin(const beginning &from);
    launching how(size_t warps, bool replays) const;
    void launched(size_t warps, bool replays, uint64_t position);
    sequence on_device_() const;
    recurrence recurrence_() const;

    int device_, flavour_;
    const struct ranmar_flavour *words_;
    ranmar_interleave interleave_;
    cudaStream_t stream_;
    size_t warps_;          /* as many as are worth running */
    bool early_;            /* the device can start a kernel before the last has ended */
    void *memory_;          /* progress, and the states behind it */
    const uint64_t *jumps_; /* gpuranmar_skip.cuh's table */
    uint32_t arrivals_;     /* of warps of the launches that do not replay, modulo 2^32 */
    bool late_;             /* the next launch must wait for the previous kernel */
    uint64_t base_position_;
    uint64_t position_; /* without what graphs have replayed */
    bool replays_;      /* work has been captured, so that graphs may move the stream */
};

} // namespace gpuranmar

#endif
