/* The CUDA plugin: csrc/backends/plugin.h describes its calls. */
#include <atomic>
#include <cstdio>
#include <mutex>
#include <new>
#include <vector>

#include "device_stream.h"
extern "C" {
#include "backends/plugin.h"
}
#include "gpuranmar.h"

using namespace gpuranmar;

/* Two CUDA streams: one makes numbers, the other copies them to the host. */
struct ranmar_device {
    int device;
    size_t size; /* bytes of a number */
    device_stream numbers;
    cudaStream_t making, copying;
    cudaEvent_t made, copied[RANMAR_SLOTS], events[RANMAR_EVENTS];
    void *memory[RANMAR_SLOTS]; /* on the device */
    size_t room[RANMAR_SLOTS];  /* how many bytes each memory has */
};

/* Returns the result of a call. std::bad_alloc becomes an error like others, after which the CPU
 * goes on. count() comes here before it has asked whether the program has a CUDA context. So
 * nothing here may make a context, which an object of beside_capture would. */
template <class Call> static int guarded(Call call)
{
    const own_errors reported;
    try {
        return call();
    } catch (const std::bad_alloc &) {
        return ranmar_device_fail("out of memory");
    }
}

/* Whether the program uses CUDA itself, and so has chosen the device that is current. The first
 * call must come before this library's own use of CUDA; later calls repeat the answer. */
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

/* The devices that count() found last. The mutex is for threads that open streams at the same time.
 * No forked process waits for it, because count() refuses such a process. */
static std::vector<int> usable;
static std::mutex usable_mutex;

static bool find_usable(const char *wanted, int *devices, char *name, size_t size)
{
    int all, current;
    bool chosen;
    CUDA_TRY(cudaGetDeviceCount(&all));
    if (!program_has_chosen(&chosen))
        return false;
    if (chosen)
        CUDA_TRY(cudaGetDevice(&current));
    std::vector<int> found;
    for (int device = 0; device < all; ++device) {
        cudaDeviceProp properties;
        CUDA_TRY(cudaGetDeviceProperties(&properties, device));
        if ((chosen && device != current) ||
            !ranmar_device_is_wanted(wanted, device, properties.name))
            continue;
        if (found.empty())
            snprintf(name, size, "%s", properties.name);
        found.push_back(device);
    }
    if (found.empty())
        return ranmar_device_fail("GPURANMAR_DEVICE: no device is '%.60s'", wanted);
    *devices = (int)found.size();
    const std::lock_guard<std::mutex> locked(usable_mutex);
    usable = found;
    return true;
}

static int usable_device(int number)
{
    const std::lock_guard<std::mutex> locked(usable_mutex);
    return usable[number];
}

static int count(const char *wanted, int *devices, int *first, char *name, size_t size)
{
    const int good = ranmar_device_is_ours() &&
                     guarded([&] { return find_usable(wanted, devices, name, size); });
    *first = good ? usable_device(0) : 0;
    return good;
}

static bool create(ranmar_device *d, int flavour, ranmar_interleave interleave)
{
    ON_DEVICE(d->device);
    CUDA_TRY(cudaStreamCreateWithFlags(&d->making, cudaStreamNonBlocking));
    CUDA_TRY(cudaStreamCreateWithFlags(&d->copying, cudaStreamNonBlocking));
    CUDA_TRY(cudaEventCreateWithFlags(&d->made, cudaEventDisableTiming));
    for (cudaEvent_t &event : d->copied)
        CUDA_TRY(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    for (cudaEvent_t &event : d->events)
        CUDA_TRY(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    return d->numbers.open(d->device, flavour, interleave, d->making);
}

static void finish(ranmar_device *d)
{
    const own_errors reported;
    const on_device here(d->device);
    cudaDeviceSynchronize();
}

static void close_device(ranmar_device *d)
{
    const own_errors reported;
    const on_device here(d->device);
    d->numbers.close();
    for (void *memory : d->memory)
        cudaFree(memory);
    const auto destroy = [](cudaEvent_t event) {
        if (event)
            cudaEventDestroy(event);
    };
    destroy(d->made);
    for (cudaEvent_t event : d->copied)
        destroy(event);
    for (cudaEvent_t event : d->events)
        destroy(event);
    if (d->making)
        cudaStreamDestroy(d->making);
    if (d->copying)
        cudaStreamDestroy(d->copying);
    delete d;
}

static ranmar_device *open_device(int number, int flavour, ranmar_interleave interleave)
{
    ranmar_device *const d = new (std::nothrow) ranmar_device();
    if (!d)
        return ranmar_device_fail("out of memory"), nullptr;
    d->device = usable_device(number);
    d->size = ranmar_number_size(ranmar_flavour(flavour));
    if (guarded([&] { return create(d, flavour, interleave); }))
        return d;
    close_device(d);
    return nullptr;
}

static void *allocate(ranmar_device *d, size_t bytes)
{
    void *memory = nullptr;
    guarded([&] {
        ON_DEVICE(d->device);
        CUDA_TRY(cudaMallocHost(&memory, bytes));
        return true;
    });
    return memory;
}

static void release(ranmar_device *, void *memory)
{
    const own_errors reported;
    cudaFreeHost(memory);
}

/* The devices may write to all of the memory only if it is pinned at both ends. */
static int is_writable(ranmar_device *, const void *memory, size_t bytes, int *writable)
{
    cudaPointerAttributes begin, end;
    *writable = false;
    return guarded([&] {
        CUDA_TRY(cudaPointerGetAttributes(&begin, memory));
        CUDA_TRY(cudaPointerGetAttributes(&end, (const char *)memory + bytes - 1));
        *writable = begin.type == cudaMemoryTypeHost && end.type == cudaMemoryTypeHost;
        return true;
    });
}

static int set(ranmar_device *d, const ranmar_state *states, uint64_t position)
{
    return guarded([&] { return d->numbers.set(states, position); });
}

static bool reserve(ranmar_device *d, int slot, size_t bytes)
{
    if (d->room[slot] >= bytes)
        return true;
    CUDA_TRY(cudaFree(d->memory[slot]));
    d->memory[slot] = nullptr;
    CUDA_TRY(cudaMalloc(&d->memory[slot], bytes));
    d->room[slot] = bytes;
    return true;
}

/* The kernel writes a short piece straight to host memory; a longer one is copied there. */
static int make(ranmar_device *d, int slot, uint64_t position, size_t n, void *to)
{
    const size_t bytes = n * d->size;
    return guarded([&] {
        ON_DEVICE(d->device);
        if (n <= RANMAR_SHORT_PIECE(RANMAR_LARGEST_PIECE))
            return d->numbers.skip_to(position) && d->numbers.fill(to, n, false);
        if (!reserve(d, slot, bytes))
            return false;
        CUDA_TRY(cudaStreamWaitEvent(d->making, d->copied[slot]));
        if (!d->numbers.skip_to(position) || !d->numbers.fill(d->memory[slot], n, false))
            return false;
        CUDA_TRY(cudaEventRecord(d->made, d->making));
        CUDA_TRY(cudaStreamWaitEvent(d->copying, d->made));
        CUDA_TRY(cudaMemcpyAsync(to, d->memory[slot], bytes, cudaMemcpyDeviceToHost, d->copying));
        CUDA_TRY(cudaEventRecord(d->copied[slot], d->copying));
        return true;
    });
}

static int record(ranmar_device *d, int event)
{
    return guarded([&] {
        ON_DEVICE(d->device);
        CUDA_TRY(cudaEventRecord(d->made, d->making));
        CUDA_TRY(cudaStreamWaitEvent(d->copying, d->made));
        CUDA_TRY(cudaEventRecord(d->events[event], d->copying));
        return true;
    });
}

static int wait_for(ranmar_device *d, int event)
{
    return guarded([&] {
        ON_DEVICE(d->device);
        CUDA_TRY(cudaEventSynchronize(d->events[event]));
        return true;
    });
}

static int name_device(int number, char *name, size_t size)
{
    const own_errors reported;
    int all = 0, version = 0;
    cudaDeviceProp properties;
    if (!ranmar_device_is_ours())
        return false;
    CUDA_TRY(cudaGetDeviceCount(&all));
    if (number >= all)
        return ranmar_device_fail("%s", ""); /* the error is "" for such a number: plugin.h */
    CUDA_TRY(cudaGetDeviceProperties(&properties, number));
    CUDA_TRY(cudaDriverGetVersion(&version));
    snprintf(name, size, "%s, driver of CUDA %d.%d", properties.name, version / 1000,
             version % 1000 / 10);
    return true;
}

extern "C" GPURANMAR_API ranmar_plugin_entry ranmar_cuda_plugin;

const ranmar_plugin *ranmar_cuda_plugin(int abi)
{
    static const ranmar_plugin plugin = RANMAR_PLUGIN_TABLE;
    return abi == RANMAR_PLUGIN_ABI ? &plugin : nullptr;
}
