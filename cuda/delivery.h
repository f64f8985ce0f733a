/* One stream of numbers, made on all GPUs of the host and delivered to host memory.
 *
 * The stream is cut into chunks, which the devices make in turn; each device skips what the
 * others make. A device makes its next chunk while the last one is being copied. */
#ifndef RANMAR_CUDA_DELIVERY_H
#define RANMAR_CUDA_DELIVERY_H

#include <string>
#include <vector>

#include "device_stream.h"
extern "C" {
#include "stream/plugin.h"
}

namespace gpuranmar
{

class delivery
{
  public:
    bool open(const ranmar_gpu_maker_options &options);
    void close();
    bool set(const ranmar_state *states, uint64_t position);
    bool fill(void *out, size_t n);
    const void *block();
    const char *describe() const { return description.c_str(); }

  private:
    /* Of the blocks one is used, one is on its way, and one is being made. */
    enum { SLOTS = 2, BLOCKS = 3 };

    /* A device with two chunks on it, and pinned host memory of the same size. */
    struct lane {
        int device;
        device_stream numbers;
        cudaStream_t making, copying;
        cudaEvent_t made[SLOTS], copied[SLOTS], delivered[BLOCKS];
        void *chunk[SLOTS];
        void *staging[SLOTS];
        size_t chunk_size, staging_size; /* numbers */
    };

    /* A piece of a request: who makes it, and where. */
    struct piece {
        lane *by;
        int slot;
        size_t begin, length;
    };

    bool open_lane();
    bool reserve(lane &l, size_t numbers, bool staging);
    bool prepare(size_t n, bool staging);
    piece piece_of(size_t index, size_t n);
    void end_request(size_t n);
    bool queue(const piece &p, void *to);
    bool queue_all(void *out, size_t n);
    bool wait();
    bool fill_pageable(char *out, size_t n);
    bool make_straight(void *out, size_t n);
    bool queue_block(int b);

    ranmar_gpu_maker_options options;
    size_t size; /* bytes of a number */
    int devices; /* to be had; the lanes are opened as they are needed */
    std::vector<lane> lanes;
    std::vector<ranmar_state> states; /* of the last set() */
    uint64_t states_position, position;
    size_t pieces, piece_length; /* of the request at hand, which begins ... */
    size_t first_slot;           /* ... with this slot of each lane */
    void *blocks[BLOCKS];        /* for block(), pinned */
    int next_block;              /* to be delivered; -1 before the first */
    std::string description;
};

} // namespace gpuranmar

#endif
