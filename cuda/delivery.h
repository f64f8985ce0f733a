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
    const char *describe() const
    {
        return description.c_str();
    }

  private:
    /* Of the groups of blocks one is used, one is on its way, and one is being made. */
    enum { SLOTS = 2, BLOCKS = 3 };

    /* Memory for two pieces of so many numbers. */
    struct room {
        void *memory[SLOTS];
        size_t numbers;
    };

    /* A device with memory for pieces, on it and, pinned, on the host. */
    struct lane {
        int device;
        device_stream numbers;
        cudaStream_t making, copying;
        cudaEvent_t made[SLOTS], copied[SLOTS], delivered[BLOCKS];
        room chunks, staging;
    };

    /* A piece of a request: who makes it, and where. */
    struct piece {
        lane *by;
        int slot;
        size_t begin, length;
    };

    bool open_lane();
    bool reserve(room &r, size_t numbers, bool (*allocate)(void **, size_t));
    bool prepare(size_t n, bool staged);
    piece piece_of(size_t index, size_t n);
    void end_request(size_t n);
    bool queue(const piece &p, void *to);
    bool queue_all(void *out, size_t n);
    bool wait();
    bool fill_pageable(char *out, size_t n);
    bool make_straight(void *out, size_t n);
    bool queue_block(int b);
    bool next_group();

    ranmar_gpu_maker_options options;
    size_t size; /* bytes of a number */
    int devices; /* to be had, from ... on; the lanes are opened as they are needed */
    int first_device;
    std::vector<lane> lanes;
    std::vector<ranmar_state> states; /* of the last set() */
    uint64_t states_position, position;
    size_t pieces, piece_length; /* of the request at hand, which begins ... */
    size_t first_slot;           /* ... with this slot of each lane */
    size_t group;                /* numbers of a whole number of blocks */
    int blocks;                  /* groups in turns: BLOCKS, or 1 */
    void *block_memory[BLOCKS];  /* pinned */
    int next_block;              /* the group to be delivered; -1 before the first */
    const char *next;            /* block to be delivered, of ... */
    size_t left;                 /* ... so many numbers */
    std::string description;
};

} // namespace gpuranmar

#endif
