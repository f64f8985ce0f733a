/* One stream of numbers, made on all GPUs of the host and delivered to host memory.
 *
 * The stream is cut into pieces, which the devices make in turn; each device skips what the
 * others make. A device makes its next piece while the last one is being copied. */
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
    /* Of two slots for pieces, one is being made and one is being copied. Of three groups of
     * blocks, one is in use, one is on its way, and one is being made. */
    enum { SLOTS = 2, BLOCKS = 3 };

    /* Memory for a piece of so many numbers in each slot. */
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
        room on_gpu, staging;
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
    int devices; /* how many may be used, from first_device on */
    int first_device;
    std::vector<lane> lanes;          /* of the devices, opened as they are needed */
    std::vector<ranmar_state> states; /* of the last set() */
    uint64_t states_position, position;
    size_t pieces, piece_length; /* of the request at hand */
    size_t first_slot;           /* of each lane, for the request's first piece */
    size_t group;                /* how many numbers a group has: a whole number of blocks */
    int blocks;                  /* how many groups take turns: BLOCKS, or 1 */
    void *block_memory[BLOCKS];  /* the groups, in pinned memory */
    int next_block;              /* which group is delivered next; -1 before the first */
    const char *next;            /* the block to be delivered next */
    size_t left;                 /* numbers of its group from there on */
    std::string description;
};

} // namespace gpuranmar

#endif
