#include "delivery.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "gpuranmar.h"

namespace gpuranmar
{

#ifndef RANMAR_PIECE_BITS /* the tests on the CPU make small pieces */
#define RANMAR_PIECE_BITS 22
#endif
/* 32 MB in double precision: long enough that starting a copy costs nothing beside it. */
constexpr size_t largest_piece = size_t(1) << RANMAR_PIECE_BITS;
/* Up to so many numbers, 2^17, a kernel that writes straight to host memory is faster than a kernel
 * and a copy, and further devices would not help. */
constexpr size_t straight_up_to = largest_piece >> 5;
/* Blocks are made in groups of about so many numbers, 2^20: shorter copies would be slower. */
constexpr size_t group_of_blocks = largest_piece >> 2;
/* Groups above 2^24 numbers, 128 MB in double precision, are made one at a time, when they are
 * asked for: three of them would be more pinned memory than the program can expect. */
constexpr size_t longest_ahead = largest_piece << 2;

/* Whether the program uses CUDA itself, and so has chosen the device that is current. That must be
 * asked before this library's own use of CUDA. */
static bool program_has_chosen(bool *has)
{
    static std::atomic<int> chosen(-1);
    if (chosen < 0) {
        bool uses;
        if (!program_uses_cuda(&uses))
            return false;
        chosen = uses;
    }
    *has = chosen;
    return true;
}

bool delivery::open(const ranmar_gpu_maker_options &given)
{
    options = given;
    size = ranmar_number_size(ranmar_flavour(options.flavour));
    group = options.prefetch * std::max<size_t>(1, group_of_blocks / options.prefetch);
    blocks = group <= longest_ahead ? BLOCKS : 1;
    next_block = -1;
    bool chosen;
    CUDA_TRY(cudaGetDeviceCount(&devices));
    if (!program_has_chosen(&chosen))
        return false;
    first_device = 0;
    if (chosen) {
        CUDA_TRY(cudaGetDevice(&first_device));
        devices = 1;
    }
    cudaDeviceProp properties;
    CUDA_TRY(cudaGetDeviceProperties(&properties, first_device));
    description = std::to_string(devices) + " x " + properties.name;
    /* Interleaved instances do not move on evenly, so that no device could skip what others make:
     * one device makes them all. */
    if (options.interleave.instances > 1)
        devices = 1;
    lanes.reserve(devices);
    return open_lane();
}

bool delivery::open_lane()
{
    const int device = first_device + (int)lanes.size();
    ON_DEVICE(device);
    lanes.push_back(lane());
    lane &l = lanes.back();
    l.device = device;
    CUDA_TRY(cudaStreamCreateWithFlags(&l.making, cudaStreamNonBlocking));
    CUDA_TRY(cudaStreamCreateWithFlags(&l.copying, cudaStreamNonBlocking));
    for (int slot = 0; slot < SLOTS; ++slot) {
        CUDA_TRY(cudaEventCreateWithFlags(&l.made[slot], cudaEventDisableTiming));
        CUDA_TRY(cudaEventCreateWithFlags(&l.copied[slot], cudaEventDisableTiming));
    }
    for (cudaEvent_t &event : l.delivered)
        CUDA_TRY(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    if (!l.numbers.open(device, options.flavour, options.interleave, l.making))
        return false;
    return states.empty() || l.numbers.set(states.data(), states_position);
}

/* This is called after an error too: what was not made is then null. */
void delivery::close()
{
    for (lane &l : lanes) {
        const on_device here(l.device);
        cudaDeviceSynchronize(); /* nothing may be written to host memory any more */
        l.numbers.close();
        for (int slot = 0; slot < SLOTS; ++slot) {
            cudaFree(l.on_gpu.memory[slot]);
            cudaFreeHost(l.staging.memory[slot]);
            if (l.made[slot])
                cudaEventDestroy(l.made[slot]);
            if (l.copied[slot])
                cudaEventDestroy(l.copied[slot]);
        }
        for (cudaEvent_t event : l.delivered)
            if (event)
                cudaEventDestroy(event);
        if (l.making)
            cudaStreamDestroy(l.making);
        if (l.copying)
            cudaStreamDestroy(l.copying);
    }
    lanes.clear();
    for (void *&memory : block_memory) {
        cudaFreeHost(memory);
        memory = nullptr;
    }
}

bool delivery::set(const ranmar_state *given, uint64_t at)
{
    if (next_block >= 0 && !wait())
        return false;
    next_block = -1;
    left = 0;
    states.assign(given, given + options.interleave.instances);
    states_position = position = at;
    for (lane &l : lanes)
        if (!l.numbers.set(given, at))
            return false;
    return true;
}

static bool allocate_on_device(void **memory, size_t bytes)
{
    CUDA_TRY(cudaFree(*memory));
    *memory = nullptr;
    CUDA_TRY(cudaMalloc(memory, bytes));
    return true;
}

static bool allocate_pinned(void **memory, size_t bytes)
{
    CUDA_TRY(cudaFreeHost(*memory));
    *memory = nullptr;
    CUDA_TRY(cudaMallocHost(memory, bytes));
    return true;
}

/* Makes room for pieces of that many numbers. */
bool delivery::reserve(room &r, size_t numbers, bool (*allocate)(void **, size_t))
{
    if (r.numbers >= numbers)
        return true;
    r.numbers = 0;
    for (void *&memory : r.memory)
        if (!allocate(&memory, numbers * size))
            return false;
    r.numbers = numbers;
    return true;
}

/* Cuts a request of n numbers into pieces and makes room for them, in pinned memory too if they are
 * to be staged there. */
bool delivery::prepare(size_t n, bool staged)
{
    const size_t even = (n + devices - 1) / devices;
    piece_length = std::min(largest_piece, std::max(straight_up_to, even));
    pieces = (n + piece_length - 1) / piece_length;
    while (lanes.size() < std::min<size_t>(devices, pieces))
        if (!open_lane())
            return false;
    for (size_t i = 0; i < std::min(lanes.size(), pieces); ++i) {
        ON_DEVICE(lanes[i].device);
        if (!reserve(lanes[i].on_gpu, piece_length, allocate_on_device) ||
            (staged && !reserve(lanes[i].staging, piece_length, allocate_pinned)))
            return false;
    }
    return true;
}

delivery::piece delivery::piece_of(size_t index, size_t n)
{
    const size_t begin = index * piece_length;
    return {&lanes[index % lanes.size()], (int)((first_slot + index / lanes.size()) % SLOTS), begin,
            std::min(piece_length, n - begin)};
}

/* The next request begins with the slot after the last one that this request used. */
void delivery::end_request(size_t n)
{
    first_slot += (pieces + lanes.size() - 1) / lanes.size();
    position += n;
}

/* Queues the making of a piece and its copy to pinned memory. */
bool delivery::queue(const piece &p, void *to)
{
    lane &l = *p.by;
    ON_DEVICE(l.device);
    void *const memory = l.on_gpu.memory[p.slot];
    CUDA_TRY(cudaStreamWaitEvent(l.making, l.copied[p.slot]));
    if (!l.numbers.skip_to(position + p.begin) || !l.numbers.fill(memory, p.length, false))
        return false;
    CUDA_TRY(cudaEventRecord(l.made[p.slot], l.making));
    CUDA_TRY(cudaStreamWaitEvent(l.copying, l.made[p.slot]));
    CUDA_TRY(cudaMemcpyAsync(to, memory, p.length * size, cudaMemcpyDeviceToHost, l.copying));
    CUDA_TRY(cudaEventRecord(l.copied[p.slot], l.copying));
    return true;
}

/* Few numbers: the kernel writes them to pinned memory itself. */
bool delivery::make_straight(void *out, size_t n)
{
    return lanes[0].numbers.skip_to(position) && lanes[0].numbers.fill(out, n, false);
}

/* Queues the making of n numbers in pinned memory. */
bool delivery::queue_all(void *out, size_t n)
{
    if (n <= straight_up_to) {
        if (!make_straight(out, n))
            return false;
        position += n;
    } else {
        if (!prepare(n, false))
            return false;
        for (size_t i = 0; i < pieces; ++i) {
            const piece p = piece_of(i, n);
            if (!queue(p, (char *)out + p.begin * size))
                return false;
        }
        end_request(n);
    }
    return true;
}

/* Waits until all that is queued has arrived. */
bool delivery::wait()
{
    for (lane &l : lanes) {
        ON_DEVICE(l.device);
        CUDA_TRY(cudaStreamSynchronize(l.making));
        CUDA_TRY(cudaStreamSynchronize(l.copying));
    }
    return true;
}

/* Fills memory that the devices cannot copy to, by way of pinned memory, which is emptied while the
 * next pieces are on their way. */
bool delivery::fill_pageable(char *out, size_t n)
{
    if (n <= straight_up_to) {
        void *const &staging = lanes[0].staging.memory[0];
        ON_DEVICE(lanes[0].device);
        if (!reserve(lanes[0].staging, straight_up_to, allocate_pinned) ||
            !make_straight(staging, n))
            return false;
        CUDA_TRY(cudaStreamSynchronize(lanes[0].making));
        memcpy(out, staging, n * size);
        position += n;
    } else {
        if (!prepare(n, true))
            return false;
        const size_t ahead = SLOTS * lanes.size();
        for (size_t i = 0; i < pieces + ahead; ++i) {
            if (i >= ahead) {
                const piece p = piece_of(i - ahead, n);
                ON_DEVICE(p.by->device);
                CUDA_TRY(cudaEventSynchronize(p.by->copied[p.slot]));
                options.copy(out + p.begin * size, p.by->staging.memory[p.slot], p.length * size,
                             options.threads);
            }
            if (i < pieces) {
                const piece p = piece_of(i, n);
                if (!queue(p, p.by->staging.memory[p.slot]))
                    return false;
            }
        }
        end_request(n);
    }
    return true;
}

static bool is_pinned(const void *memory, bool *is)
{
    cudaPointerAttributes attributes;
    CUDA_TRY(cudaPointerGetAttributes(&attributes, memory));
    *is = attributes.type == cudaMemoryTypeHost;
    return true;
}

bool delivery::fill(void *out, size_t n)
{
    if (n == 0)
        return true;
    /* The devices may write to all of it only if it is pinned at both ends. */
    bool begin, end;
    if (!is_pinned(out, &begin) || !is_pinned((const char *)out + n * size - 1, &end))
        return false;
    return begin && end ? queue_all(out, n) && wait() : fill_pageable((char *)out, n);
}

/* Queues the making of a group of blocks. */
bool delivery::queue_block(int b)
{
    if (!block_memory[b])
        CUDA_TRY(cudaMallocHost(&block_memory[b], group * size));
    if (!queue_all(block_memory[b], group))
        return false;
    for (lane &l : lanes) {
        ON_DEVICE(l.device);
        CUDA_TRY(cudaEventRecord(l.made[0], l.making));
        CUDA_TRY(cudaStreamWaitEvent(l.copying, l.made[0]));
        CUDA_TRY(cudaEventRecord(l.delivered[b], l.copying));
    }
    return true;
}

/* Goes on to the next group, and queues the making of another in the memory of the group that the
 * caller has just used up. */
bool delivery::next_group()
{
    if (next_block < 0) {
        next_block = 0;
        for (int b = 0; b < blocks - 1; ++b)
            if (!queue_block(b))
                return false;
    }
    if (!queue_block((next_block + blocks - 1) % blocks))
        return false;
    for (lane &l : lanes)
        CUDA_TRY(cudaEventSynchronize(l.delivered[next_block]));
    next = (const char *)block_memory[next_block];
    left = group;
    next_block = (next_block + 1) % blocks;
    return true;
}

const void *delivery::block()
{
    if (left == 0 && !next_group())
        return nullptr;
    const void *const numbers = next;
    next += options.prefetch * size;
    left -= options.prefetch;
    return numbers;
}

} // namespace gpuranmar
