/* The CPU plays a GPU: the lanes of a warp, CUDA's run-time library, and its driver. */
#undef _FORTIFY_SOURCE /* it takes a jump to another stack for a mistake */
#include <setjmp.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "cuda.h"

/* --- The lanes --- */

emulated::index threadIdx, blockIdx, blockDim;

namespace emulated
{

bool descending;
long missed_meetings;

constexpr unsigned lanes = 32;
constexpr size_t stack_bytes = 128 << 10;

struct lane_of_warp {
    jmp_buf context;
    bool started, ended;
    const char *at; /* the site at which it waits */
    unsigned meetings;
    char stack[stack_bytes];
};

static lane_of_warp warp[lanes];
static uint64_t given[2][lanes]; /* at alternate meetings, since some lanes are one ahead */
static jmp_buf scheduler;
static unsigned current;
static const std::function<void()> *kernel_at_work;

static std::deque<std::string> sites; /* a deque: what c_str() returns stays valid */
static std::string left_out;

unsigned lane() { return current; }

/* Not swapcontext(): it makes a system call for the mask of signals each time, which would double
 * the time of a test. */
static void change(jmp_buf from, jmp_buf to)
{
    if (_setjmp(from) == 0)
        _longjmp(to, 1);
}

const uint64_t *meet(const char *site, uint64_t value)
{
    lane_of_warp &l = warp[current];
    uint64_t *const values = given[l.meetings++ % 2];
    values[current] = value;
    l.at = site;
    change(l.context, scheduler);
    return values;
}

void sync(const char *file, int line)
{
    const char *const slash = strrchr(file, '/');
    const std::string site = std::string(slash ? slash + 1 : file) + ":" + std::to_string(line);
    if (site == left_out)
        return;
    for (const std::string &known : sites)
        if (known == site)
            return (void)meet(known.c_str(), 0);
    sites.push_back(site);
    meet("a new site", 0);
}

size_t sync_sites() { return sites.size(); }
const char *sync_site(size_t number) { return sites[number].c_str(); }
void leave_out(size_t number) { left_out = number == none ? "" : sites[number]; }

/* A lane runs its part of one warp after the other, for ever. */
static void run_lane()
{
    for (;;) {
        (*kernel_at_work)();
        warp[current].ended = true;
        change(warp[current].context, scheduler);
    }
}

static void go_on(lane_of_warp &l)
{
    ucontext_t context;
    if (l.started)
        return change(scheduler, l.context);
    l.started = true;
    getcontext(&context);
    context.uc_stack.ss_sp = l.stack;
    context.uc_stack.ss_size = stack_bytes;
    makecontext(&context, run_lane, 0);
    if (_setjmp(scheduler) == 0)
        setcontext(&context);
}

/* Runs each lane to its next meeting, or its end. Returns how many have not ended. */
static unsigned run_to_next_meeting()
{
    unsigned waiting = 0;
    const char *site = nullptr;
    bool together = true;
    for (unsigned i = 0; i < lanes; ++i) {
        const unsigned l = descending ? lanes - 1 - i : i;
        if (warp[l].ended)
            continue;
        current = l;
        threadIdx.x = threadIdx.x / lanes * lanes + l;
        go_on(warp[l]);
        if (!warp[l].ended) {
            ++waiting;
            together = together && (!site || strcmp(site, warp[l].at) == 0);
            site = warp[l].at;
        }
    }
    if (waiting > 0 && (waiting < lanes || !together))
        ++missed_meetings;
    return waiting;
}

static void run_warp(unsigned number)
{
    threadIdx.x = number * lanes;
    for (lane_of_warp &l : warp) {
        l.ended = false;
        l.meetings = 0;
    }
    while (run_to_next_meeting() > 0)
        ;
}

static void run_kernel(unsigned blocks, unsigned threads, const std::function<void()> &kernel)
{
    kernel_at_work = &kernel;
    blockDim.x = threads;
    const unsigned warps = (threads + lanes - 1) / lanes;
    for (unsigned i = 0; i < blocks * warps; ++i) {
        const unsigned w = descending ? blocks * warps - 1 - i : i;
        blockIdx.x = w / warps;
        run_warp(w % warps);
    }
}

} // namespace emulated

/* --- The run-time library --- */

struct emulated_stream {
    struct emulated_graph *capturing;
    bool blocking; /* the default stream waits for it */
};
struct emulated_graph {
    std::vector<std::function<void()>> work;
};

static cudaError_t last_error;
static thread_local int current_device;
static bool contexts[2]; /* whether the devices have one */
static unsigned long long context_id;
static int capturing, blocking_capturing; /* streams in capture, and those of them that block */
static cudaStreamCaptureMode capture_mode = cudaStreamCaptureModeGlobal;
static std::map<const char *, std::pair<size_t, cudaMemoryType>> blocks;

static cudaError_t result(cudaError_t error)
{
    if (error != cudaSuccess)
        last_error = error;
    return error;
}

/* A call that sets one value, and succeeds. */
template <class Value> static cudaError_t set(Value *out, Value value)
{
    *out = value;
    return cudaSuccess;
}

/* Does some work of a stream, or keeps it for the graph that the stream is captured into. */
static cudaError_t queue(cudaStream_t stream, const std::function<void()> &work)
{
    if (!stream && blocking_capturing > 0)
        return result(cudaErrorStreamCaptureImplicit);
    if (stream && stream->capturing)
        stream->capturing->work.push_back(work);
    else
        work();
    return cudaSuccess;
}

const char *cudaGetErrorString(cudaError_t error) { return error ? "an error" : "no error"; }

cudaError_t cudaGetLastError()
{
    const cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError() { return last_error; }

cudaError_t cudaDriverGetVersion(int *version) { return set(version, CUDART_VERSION); }
cudaError_t cudaGetDeviceCount(int *count) { return set(count, 2); }
cudaError_t cudaGetDevice(int *device) { return set(device, current_device); }

cudaError_t cudaSetDevice(int device)
{
    if (device < 0 || device > 1)
        return result(cudaErrorInvalidValue);
    current_device = device;
    contexts[device] = true;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int)
{
    strcpy(properties->name, "the CPU as a GPU");
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int)
{
    return set(value, attribute == cudaDevAttrMultiProcessorCount ? 2 : 9);
}

void emulated_reset()
{
    ++context_id;
    for (auto block = blocks.begin(); block != blocks.end();)
        if (block->second.second == cudaMemoryTypeDevice) {
            free((void *)block->first);
            block = blocks.erase(block);
        } else {
            ++block;
        }
}

cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }

cudaError_t cudaMemGetInfo(size_t *unused, size_t *total)
{
    *total = *unused = size_t(1) << 40;
    for (const auto &block : blocks)
        *unused -= block.second.first;
    return cudaSuccess;
}

/* New memory is aligned as CUDA's is, and filled with bytes that nobody should read. A forked
 * process does not have the pinned memory. */
constexpr size_t page = 4096;
static size_t whole_pages(size_t bytes) { return (bytes / page + 1) * page; }

cudaError_t emulated_malloc(void **memory, size_t bytes, cudaMemoryType type)
{
    if (capturing > 0 && capture_mode == cudaStreamCaptureModeGlobal)
        return result(cudaErrorStreamCaptureUnsupported);
    *memory = aligned_alloc(page, whole_pages(bytes));
    if (!*memory)
        return result(cudaErrorMemoryAllocation);
    memset(*memory, 0xc5, bytes);
    if (type == cudaMemoryTypeHost)
        madvise(*memory, whole_pages(bytes), MADV_DONTFORK);
    blocks[(char *)*memory] = {bytes, type};
    contexts[current_device] = true;
    return cudaSuccess;
}

cudaError_t cudaFree(void *memory)
{
    const auto block = blocks.find((char *)memory);
    if (!memory)
        return cudaSuccess;
    if (block == blocks.end())
        return result(cudaErrorInvalidValue);
    madvise(memory, whole_pages(block->second.first), MADV_DOFORK);
    blocks.erase(block);
    free(memory);
    return cudaSuccess;
}

cudaError_t cudaMallocHost(void **memory, size_t bytes)
{
    return emulated_malloc(memory, bytes, cudaMemoryTypeHost);
}

cudaError_t cudaFreeHost(void *memory) { return cudaFree(memory); }

cudaError_t cudaHostRegister(void *memory, size_t bytes, unsigned)
{
    blocks[(char *)memory] = {bytes, cudaMemoryTypeHost};
    return cudaSuccess;
}

cudaError_t cudaHostUnregister(void *memory)
{
    return blocks.erase((char *)memory) ? cudaSuccess : result(cudaErrorInvalidValue);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *memory)
{
    const char *const address = (const char *)memory;
    auto block = blocks.upper_bound(address);
    *attributes = {cudaMemoryTypeUnregistered, current_device};
    if (block != blocks.begin() && address < (--block)->first + block->second.first)
        attributes->type = block->second.second;
    return cudaSuccess;
}

/* As with CUDA, a copy from or to memory of which only a part is pinned fails. */
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind,
                            cudaStream_t stream)
{
    cudaPointerAttributes begin, end;
    for (const void *memory : {(const void *)to, from}) {
        cudaPointerGetAttributes(&begin, memory);
        cudaPointerGetAttributes(&end, (const char *)memory + bytes - 1);
        if (begin.type != end.type)
            return result(cudaErrorInvalidValue);
    }
    return queue(stream, [=] { memcpy(to, from, bytes); });
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind)
{
    memcpy(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemset(void *memory, int value, size_t bytes)
{
    memset(memory, value, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t stream)
{
    return queue(stream, [=] { memset(memory, value, bytes); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    return set(stream, new emulated_stream{nullptr, flags != cudaStreamNonBlocking});
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    delete stream;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return stream && stream->capturing ? result(cudaErrorStreamCaptureUnsupported) : cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned)
{
    static char any; /* all work is done when it is queued, and so are events */
    *event = (cudaEvent_t)&any;
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status)
{
    if (!stream && blocking_capturing > 0)
        return result(cudaErrorStreamCaptureImplicit);
    *status =
        stream && stream->capturing ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode)
{
    std::swap(*mode, capture_mode);
    contexts[current_device] = true; /* as CUDA does */
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode)
{
    stream->capturing = new emulated_graph();
    ++capturing;
    blocking_capturing += stream->blocking;
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    *graph = stream->capturing;
    stream->capturing = nullptr;
    --capturing;
    blocking_capturing -= stream->blocking;
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long)
{
    return set(executable, new emulated_graph(*graph));
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream)
{
    for (const auto &work : executable->work)
        queue(stream, work);
    return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable)
{
    delete executable;
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) { return cudaGraphExecDestroy(graph); }

cudaError_t emulated_launch(const cudaLaunchConfig_t *how, std::function<void()> kernel)
{
    const unsigned grid = how->gridDim.x, threads = how->blockDim.x;
    return queue(how->stream, [=] { emulated::run_kernel(grid, threads, kernel); });
}

/* --- The driver --- */

/* All work is done already: a value that has not been reached never would be. */
static CUresult wait_for_value(CUstream, CUdeviceptr address, cuuint32_t value, unsigned)
{
    if ((int32_t)(*(const uint32_t *)address - value) < 0) {
        printf("Bail out! a wait for a value that never comes\n");
        exit(1);
    }
    return CUDA_SUCCESS;
}

static CUresult current_context(CUcontext *current)
{
    static char any;
    *current = contexts[current_device] ? (CUcontext)&any : nullptr;
    return CUDA_SUCCESS;
}

static CUresult state_of_context(int device, unsigned *, int *active)
{
    *active = contexts[device];
    return CUDA_SUCCESS;
}

static CUresult id_of_context(CUcontext, unsigned long long *id)
{
    *id = 2 * context_id + (unsigned)current_device;
    return CUDA_SUCCESS;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned,
                                             unsigned long long,
                                             cudaDriverEntryPointQueryResult *found)
{
    *found = cudaDriverEntryPointSuccess;
    static const std::map<std::string, void *> functions = {
        {"cuCtxGetCurrent", (void *)current_context},
        {"cuCtxGetId", (void *)id_of_context},
        {"cuDevicePrimaryCtxGetState", (void *)state_of_context},
        {"cuStreamWaitValue32", (void *)wait_for_value}};
    *function = functions.at(name);
    return cudaSuccess;
}
