/* A stream of numbers on one device: the states of its instances, and numbers from there on. All
 * work is queued on a CUDA stream; functions return when it is queued, and false with error_line()
 * when it could not be: then the stream is where it was. */
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

class device_stream
{
  public:
    /* flavour is one of enum gpuranmar_flavour. */
    bool open(int device, int flavour, ranmar_interleave interleave, cudaStream_t stream);
    void close();

    /* Work queued from now on goes to another CUDA stream, and begins when what was queued before
     * has left its states. The old stream may be gone already. */
    bool move_to(cudaStream_t stream);

    /* Goes on from the place of a seed, and from states of the instances in host memory. */
    bool seed(int64_t seed, uint64_t position);
    bool set(const ranmar_state *states, uint64_t position);

    /* Moves on, of one instance only; the target is not behind. */
    bool skip_to(uint64_t position);

    /* The next n numbers to memory that the device can write. `replays`: the work is captured, and
     * may be done any number of times. */
    bool fill(void *out, size_t n, bool replays);

    /* The states `distance` numbers apart from here on, of one instance only, to device memory;
     * and moves on by count * distance. */
    bool spread(ranmar_state *out, unsigned count, uint64_t distance, bool replays);

    /* Where the work queued so far takes the stream. After work that replays only the device knows:
     * then this waits for the CUDA stream. */
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
    bool late_;             /* the next launch must not be early */
    uint64_t base_position_;
    uint64_t position_; /* as far as this side knows: a graph may have taken it further ... */
    bool replays_;      /* ... once work has been captured */
};

} // namespace gpuranmar

#endif
