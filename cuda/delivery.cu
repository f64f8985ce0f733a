#include "delivery.h"

#include <algorithm>
#include <cstring>

#include "gpuranmar.h"

namespace gpuranmar
{

/* 32 MB in double precision: long enough that starting a copy costs nothing beside it. */
constexpr size_t largest_piece = size_t(1) << 22;
/* Up to here a kernel that writes straight to host memory is faster than a kernel and a copy, and
 * further devices would not help. */
constexpr size_t straight_up_to = size_t(1) << 17;

bool delivery::open(const ranmar_gpu_maker_options &given)
{
    options = given;
    size = ranmar_number_size(ranmar_flavour(options.flavour));
    next_block = -1;
    CUDA_TRY(cudaGetDeviceCount(&devices));
    cudaDeviceProp properties;
    CUDA_TRY(cudaGetDeviceProperties(&properties, 0));
    description = std::to_string(devices) + " x " + properties.name;
    /* The parts of interleaved instances move on unevenly: one device makes them all. */
    if (options.interleave.instances > 1)
        devices = 1;
    lanes.reserve(devices);
    return open_lane();
}

bool delivery::open_lane()
{
    const int device = (int)lanes.size();
    on_device here(device);
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

/* After an error too: what was not made is null. */
void delivery::close()
{
    for (lane &l : lanes) {
        on_device here(l.device);
        cudaDeviceSynchronize(); /* nothing may be written to host memory any more */
        l.numbers.close();
        for (int slot = 0; slot < SLOTS; ++slot) {
            cudaFree(l.chunk[slot]);
            cudaFreeHost(l.staging[slot]);
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
    for (void *&b : blocks) {
        cudaFreeHost(b);
        b = nullptr;
    }
    cudaGetLastError(); /* what failed has been reported; the program shall not meet it */
}

bool delivery::set(const ranmar_state *given, uint64_t at)
{
    if (next_block >= 0 && !wait())
        return false;
    next_block = -1;
    states.assign(given, given + options.interleave.instances);
    states_position = position = at;
    for (lane &l : lanes)
        if (!l.numbers.set(given, at))
            return false;
    return true;
}

/* Room for pieces of that many numbers on a device, or in the pinned memory beside it. */
bool delivery::reserve(lane &l, size_t numbers, bool staging)
{
    size_t &have = staging ? l.staging_size : l.chunk_size;
    if (have >= numbers)
        return true;
    have = 0;
    for (int slot = 0; slot < SLOTS; ++slot) {
        void *&memory = staging ? l.staging[slot] : l.chunk[slot];
        CUDA_TRY(staging ? cudaFreeHost(memory) : cudaFree(memory));
        memory = nullptr;
        CUDA_TRY(staging ? cudaMallocHost(&memory, numbers * size)
                         : cudaMalloc(&memory, numbers * size));
    }
    have = numbers;
    return true;
}

/* Cuts a request of n numbers into pieces and makes room for them. */
bool delivery::prepare(size_t n, bool staging)
{
    const size_t even = (n + devices - 1) / devices;
    piece_length = std::min(largest_piece, std::max(straight_up_to, even));
    pieces = (n + piece_length - 1) / piece_length;
    while (lanes.size() < std::min<size_t>(devices, pieces))
        if (!open_lane())
            return false;
    for (size_t i = 0; i < std::min(lanes.size(), pieces); ++i) {
        on_device here(lanes[i].device);
        if (!reserve(lanes[i], piece_length, false) ||
            (staging && !reserve(lanes[i], piece_length, true)))
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

/* The next request goes on with the slots that this one has not used last. */
void delivery::end_request(size_t n)
{
    first_slot += (pieces + lanes.size() - 1) / lanes.size();
    position += n;
}

/* Queues the making of a piece and its copy to pinned memory. */
bool delivery::queue(const piece &p, void *to)
{
    lane &l = *p.by;
    on_device here(l.device);
    CUDA_TRY(cudaStreamWaitEvent(l.making, l.copied[p.slot]));
    if (!l.numbers.skip_to(position + p.begin) || !l.numbers.fill(l.chunk[p.slot], p.length))
        return false;
    CUDA_TRY(cudaEventRecord(l.made[p.slot], l.making));
    CUDA_TRY(cudaStreamWaitEvent(l.copying, l.made[p.slot]));
    CUDA_TRY(
        cudaMemcpyAsync(to, l.chunk[p.slot], p.length * size, cudaMemcpyDeviceToHost, l.copying));
    CUDA_TRY(cudaEventRecord(l.copied[p.slot], l.copying));
    return true;
}

/* Few numbers: the kernel writes them to pinned memory itself. */
bool delivery::make_straight(void *out, size_t n)
{
    return lanes[0].numbers.skip_to(position) && lanes[0].numbers.fill(out, n);
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

/* Until all that is queued is there. */
bool delivery::wait()
{
    for (lane &l : lanes) {
        on_device here(l.device);
        CUDA_TRY(cudaStreamSynchronize(l.making));
        CUDA_TRY(cudaStreamSynchronize(l.copying));
    }
    return true;
}

static void copy(char *to, const char *from, size_t bytes, int threads)
{
    constexpr size_t share = size_t(1) << 20; /* bytes that are worth a thread */
    const long parts = (long)std::max<size_t>(1, bytes / share);
#pragma omp parallel for num_threads(threads) if (parts > 1 && threads > 1) schedule(static)
    for (long i = 0; i < parts; ++i) {
        const size_t begin = (size_t)i * share;
        memcpy(to + begin, from + begin, i < parts - 1 ? share : bytes - begin);
    }
}

/* To memory that the devices cannot copy to: by way of pinned memory, which is emptied while
 * the next pieces are on their way. */
bool delivery::fill_pageable(char *out, size_t n)
{
    if (n <= straight_up_to) {
        if (!reserve(lanes[0], straight_up_to, true) || !make_straight(lanes[0].staging[0], n))
            return false;
        CUDA_TRY(cudaStreamSynchronize(lanes[0].making));
        memcpy(out, lanes[0].staging[0], n * size);
        position += n;
    } else {
        if (!prepare(n, true))
            return false;
        const size_t ahead = SLOTS * lanes.size();
        for (size_t i = 0; i < pieces + ahead; ++i) {
            if (i >= ahead) {
                const piece p = piece_of(i - ahead, n);
                on_device here(p.by->device);
                CUDA_TRY(cudaEventSynchronize(p.by->copied[p.slot]));
                copy(out + p.begin * size, (const char *)p.by->staging[p.slot], p.length * size,
                     options.threads);
            }
            if (i < pieces) {
                const piece p = piece_of(i, n);
                if (!queue(p, p.by->staging[p.slot]))
                    return false;
            }
        }
        end_request(n);
    }
    return true;
}

bool delivery::fill(void *out, size_t n)
{
    cudaPointerAttributes attributes;
    CUDA_TRY(cudaPointerGetAttributes(&attributes, out));
    if (attributes.type == cudaMemoryTypeHost)
        return queue_all(out, n) && wait();
    return fill_pageable((char *)out, n);
}

/* Queues the making of a block. */
bool delivery::queue_block(int b)
{
    if (!blocks[b])
        CUDA_TRY(cudaMallocHost(&blocks[b], options.prefetch * size));
    if (!queue_all(blocks[b], options.prefetch))
        return false;
    for (lane &l : lanes) {
        on_device here(l.device);
        CUDA_TRY(cudaEventRecord(l.made[0], l.making));
        CUDA_TRY(cudaStreamWaitEvent(l.copying, l.made[0]));
        CUDA_TRY(cudaEventRecord(l.delivered[b], l.copying));
    }
    return true;
}

const void *delivery::block()
{
    if (next_block < 0) {
        next_block = 0;
        for (int b = 0; b < BLOCKS - 1; ++b)
            if (!queue_block(b))
                return nullptr;
    }
    const int ready = next_block;
    for (lane &l : lanes)
        if (!succeeded(CUDA_RESULT(cudaEventSynchronize(l.delivered[ready])),
                       "cudaEventSynchronize"))
            return nullptr;
    /* The one that the caller has just used up. */
    if (!queue_block((ready + BLOCKS - 1) % BLOCKS))
        return nullptr;
    next_block = (ready + 1) % BLOCKS;
    return blocks[ready];
}

} // namespace gpuranmar
