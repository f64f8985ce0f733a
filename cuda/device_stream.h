/* A stream of numbers on one device: the states of its instances, and numbers from there on. All
 * work is queued on the CUDA stream given at the start; functions return when it is queued, and
 * false with error_line() when it could not be. */
#ifndef RANMAR_CUDA_DEVICE_STREAM_H
#define RANMAR_CUDA_DEVICE_STREAM_H

#include <cstddef>

#include "call.h"
extern "C" {
#include "definition/flavour.h"
#include "definition/interleave.h"
#include "definition/jump.h"
}

namespace gpuranmar
{

class device_stream
{
  public:
    /* flavour is one of enum gpuranmar_flavour. */
    bool open(int device, int flavour, ranmar_interleave interleave, cudaStream_t stream);
    void close();

    /* Work queued from now on goes to another CUDA stream, after what was queued before. */
    bool move_to(cudaStream_t stream);

    /* Goes on from these states of the instances, in host memory. */
    bool set(const ranmar_state *states, uint64_t position);

    /* Moves on, of one instance only; the target is not behind. */
    bool skip_to(uint64_t position);

    /* The next n numbers to memory that the device can write. */
    bool fill(void *out, size_t n);

    /* The states `distance` numbers apart from here on, of one instance only, to device memory;
     * and moves on by count * distance. */
    bool spread(ranmar_state *out, size_t count, uint64_t distance);

    uint64_t position() const { return position_; }
    int device() const { return device_; }

  private:
    /* Jumps by 0, 1, 2 ... distances, as in jump.cuh, on the device. */
    struct jumps {
        uint64_t distance;
        size_t count, capacity;
        uint64_t last_use;
        ranmar_state *table;
    };
    enum { TABLES = 4 };

    template <class Flavour> bool fill_as(typename Flavour::number *out, size_t n);
    const ranmar_state *find_jumps(uint64_t distance, size_t count);
    bool make_jumps(jumps &slot, uint64_t distance, size_t count);
    ranmar_state unit_jump(uint64_t distance);

    int device_, flavour_;
    struct ranmar_flavour words_;
    ranmar_interleave interleave_;
    cudaStream_t stream_;
    size_t warps_;           /* as many as are worth running */
    ranmar_state *state_[2]; /* of each instance, on the device: now, and after the next call */
    uint64_t position_;
    jumps jumps_[TABLES];
    uint64_t uses_;
    ranmar_jump memo_;
};

} // namespace gpuranmar

#endif
