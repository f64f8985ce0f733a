/* Tests how the host calls behave beside what the program does itself with CUDA: graphs, streams,
 * devices, errors. */
#include <cstring>
#include <vector>

#include "gpuranmar_cuda.h"
#include "gpuranmar_definition.h"
#include "tap.h"

#include "random.h"
constexpr size_t most = 40000;
static_assert(sizeof(struct ranmar_state) == GPURANMAR_CUDA_STATE_SIZE, "");

/* The stream on the CPU that a generator is compared with, number by number. */
struct twin {
    gpuranmar_stream *stream;

    explicit twin(int64_t seed, int64_t instances = 1, int64_t block = 1,
                  int flavour = GPURANMAR_DOUBLE)
    {
        gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
        options.flavour = flavour;
        options.seed = seed;
        options.instances = instances;
        options.prefetch = block;
        options.backend = GPURANMAR_CPU;
        MUST(gpuranmar_stream_initialise(&stream, &options));
    }
    ~twin()
    {
        gpuranmar_stream_close(stream);
    }

    /* Whether its next n numbers are those in device memory, which is then overwritten. */
    bool agrees(double *memory, size_t n)
    {
        std::vector<double> want(n), got(n);
        MUST(gpuranmar_stream_fill(stream, want.data(), n));
        MUST(cudaMemcpy(got.data(), memory, n * sizeof(double), cudaMemcpyDeviceToHost));
        MUST(cudaMemset(memory, 0xff, n * sizeof(double)));
        return memcmp(got.data(), want.data(), n * sizeof(double)) == 0;
    }

    uint64_t position() const
    {
        uint64_t at;
        MUST(gpuranmar_stream_position(stream, &at));
        return at;
    }
};

/* Between begin_capture() and end_capture(), what is queued on a stream goes into a graph. */
static void begin_capture(cudaStream_t stream)
{
    MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
}

static cudaGraphExec_t end_capture(cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    MUST(cudaStreamEndCapture(stream, &graph));
    MUST(cudaGraphInstantiate(&executable, graph, 0));
    MUST(cudaGraphDestroy(graph));
    return executable;
}

static uint64_t position_of(gpuranmar_cuda_generator *g)
{
    uint64_t position;
    MUST(gpuranmar_cuda_position(g, &position));
    return position;
}

static double *device_memory(size_t numbers)
{
    double *memory;
    MUST(cudaMalloc(&memory, numbers * sizeof *memory));
    MUST(cudaMemset(memory, 0xff, numbers * sizeof *memory));
    return memory;
}

/* A captured fill goes on at each replay, with plain calls of other sizes between, and the position
 * is known. */
static bool replays_go_on(int64_t instances, int rounds)
{
    const int64_t seed = (int64_t)random_in(0, RANMAR_SEED_MAX);
    const int64_t block = (int64_t)random_size(1, most);
    twin cpu(seed, instances, block);
    cudaStream_t stream;
    MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    double *const memory = device_memory(2 * most);
    gpuranmar_cuda_generator *g;
    MUST(gpuranmar_cuda_create(&g, GPURANMAR_DOUBLE));
    if (instances > 1)
        MUST(gpuranmar_cuda_set_instances(g, instances, block));
    MUST(gpuranmar_cuda_set_stream(g, stream));
    MUST(gpuranmar_cuda_set_seed(g, seed));
    /* A size that has not been met before the capture, and two fills in one graph. */
    const size_t n = random_size(1, most), m = random_size(1, most);
    begin_capture(stream);
    MUST(gpuranmar_cuda_generate_double(g, memory, n));
    MUST(gpuranmar_cuda_generate_double(g, memory + n, m));
    const cudaGraphExec_t graph = end_capture(stream);
    bool good = position_of(g) == 0;
    for (int round = 0; round < rounds; ++round) {
        for (uint64_t replay = random_in(0, 2); replay > 0; --replay) {
            MUST(cudaGraphLaunch(graph, stream));
            MUST(cudaStreamSynchronize(stream));
            good = good && cpu.agrees(memory, n + m);
        }
        const size_t plain = random_size(0, most);
        MUST(gpuranmar_cuda_generate_double(g, memory, plain));
        MUST(cudaStreamSynchronize(stream));
        good = good && cpu.agrees(memory, plain) && position_of(g) == cpu.position();
    }
    /* A new seed, and the graph goes on from there. */
    MUST(gpuranmar_cuda_set_seed(g, seed / 2));
    twin other(seed / 2, instances, block);
    MUST(cudaGraphLaunch(graph, stream));
    MUST(cudaStreamSynchronize(stream));
    good = good && other.agrees(memory, n + m) && position_of(g) == n + m;
    MUST(cudaGraphExecDestroy(graph));
    gpuranmar_cuda_destroy(g);
    MUST(cudaStreamDestroy(stream));
    MUST(cudaFree(memory));
    return good;
}

/* Calls of many kinds in a queue, none waited for: each begins before the one ahead has ended, and
 * the numbers must not show it. Before each fill another generator writes to the same place and
 * beyond. */
static bool queues_agree(int calls)
{
    const size_t longest = is_emulated ? most : size_t(1) << 21;
    const int64_t seeds[2] = {(int64_t)random_in(0, RANMAR_SEED_MAX),
                              (int64_t)random_in(0, RANMAR_SEED_MAX)};
    cudaStream_t stream;
    gpuranmar_cuda_generator *g, *other;
    double *const memory = device_memory(calls * longest);
    MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    MUST(gpuranmar_cuda_create(&g, GPURANMAR_DOUBLE));
    MUST(gpuranmar_cuda_create(&other, GPURANMAR_DOUBLE));
    MUST(gpuranmar_cuda_set_stream(g, stream));
    MUST(gpuranmar_cuda_set_stream(other, stream));
    struct fill {
        size_t begin, length;
        uint64_t position;
    };
    std::vector<fill> fills;
    size_t used = 0;
    uint64_t position = 0;
    for (int i = 0; i < calls; ++i) {
        if (i % (calls / 2) == 0) { /* at the beginning and in the middle */
            MUST(gpuranmar_cuda_set_seed(g, seeds[fills.empty() ? 0 : 1]));
            position = 0;
        }
        if (random_in(0, 9) == 0) {
            position += random_size(0, UINT64_C(1) << 50);
            MUST(gpuranmar_cuda_set_position(g, position));
        }
        const size_t n = random_size(1, random_in(0, 9) == 0 ? longest : longest / 100);
        MUST(gpuranmar_cuda_generate_double(other, memory + used, random_size(1, longest)));
        MUST(gpuranmar_cuda_generate_double(g, memory + used, n));
        fills.push_back({used, n, position});
        used += n;
        position += n;
    }
    bool good = position_of(g) == position;
    MUST(cudaStreamSynchronize(stream));
    for (int half = 0; half < 2; ++half) {
        twin cpu(seeds[half]);
        for (int i = half * (calls / 2); i < (half + 1) * (calls / 2); ++i) {
            MUST(gpuranmar_stream_skip(cpu.stream, fills[i].position - cpu.position()));
            good = cpu.agrees(memory + fills[i].begin, fills[i].length) && good;
        }
    }
    gpuranmar_cuda_destroy(g);
    gpuranmar_cuda_destroy(other);
    MUST(cudaStreamDestroy(stream));
    MUST(cudaFree(memory));
    return good;
}

/* A generator whose graph is replayed on changing streams, with events between. */
struct wanderer {
    int device;
    int64_t seed;
    gpuranmar_cuda_generator *g;
    cudaGraphExec_t graph;
    cudaEvent_t done; /* its last work */
    double *memory, *kept;
};

/* Each GPU runs graphs of several generators at the same time. Their replays wander from stream to
 * stream, with plain calls between. */
static bool graphs_wander(int rounds)
{
    constexpr int a_device = 3;
    int devices;
    MUST(cudaGetDeviceCount(&devices));
    std::vector<cudaStream_t> streams(devices * a_device);
    std::vector<wanderer> all(devices * a_device);
    const size_t n = random_size(1, most), m = random_size(1, most);
    for (size_t i = 0; i < all.size(); ++i) {
        wanderer &w = all[i];
        w.device = (int)i / a_device;
        w.seed = (int64_t)random_in(0, RANMAR_SEED_MAX);
        MUST(cudaSetDevice(w.device));
        MUST(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
        MUST(cudaEventCreateWithFlags(&w.done, cudaEventDisableTiming));
        w.memory = device_memory(n + m);
        w.kept = device_memory(rounds * (n + m));
        MUST(gpuranmar_cuda_create(&w.g, GPURANMAR_DOUBLE));
        MUST(gpuranmar_cuda_set_stream(w.g, streams[i]));
        MUST(gpuranmar_cuda_set_seed(w.g, w.seed));
        MUST(cudaEventRecord(w.done, streams[i]));
        begin_capture(streams[i]);
        MUST(gpuranmar_cuda_generate_double(w.g, w.memory, n));
        MUST(gpuranmar_cuda_generate_double(w.g, w.memory + n, m));
        w.graph = end_capture(streams[i]);
    }
    for (int round = 0; round < rounds; ++round) {
        for (size_t i = 0; i < all.size(); ++i) {
            const wanderer &w = all[i];
            const bool plain = round % 3 == 2;
            const size_t stream = plain ? i : w.device * a_device + (i + round) % a_device;
            MUST(cudaSetDevice(w.device));
            MUST(cudaStreamWaitEvent(streams[stream], w.done, 0));
            if (plain)
                MUST(gpuranmar_cuda_generate_double(w.g, w.memory, n + m));
            else
                MUST(cudaGraphLaunch(w.graph, streams[stream]));
            MUST(cudaMemcpyAsync(w.kept + round * (n + m), w.memory, (n + m) * sizeof(double),
                                 cudaMemcpyDeviceToDevice, streams[stream]));
            MUST(cudaEventRecord(w.done, streams[stream]));
        }
    }
    bool good = true;
    for (size_t i = 0; i < all.size(); ++i) {
        const wanderer &w = all[i];
        MUST(cudaSetDevice(w.device));
        MUST(cudaDeviceSynchronize());
        twin cpu(w.seed);
        good = cpu.agrees(w.kept, rounds * (n + m)) && position_of(w.g) == cpu.position() && good;
        MUST(cudaGraphExecDestroy(w.graph));
        gpuranmar_cuda_destroy(w.g);
        MUST(cudaEventDestroy(w.done));
        MUST(cudaFree(w.memory));
        MUST(cudaFree(w.kept));
    }
    for (size_t i = 0; i < streams.size(); ++i)
        MUST(cudaStreamDestroy(streams[i]));
    MUST(cudaSetDevice(0));
    return good;
}

/* A graph that makes states makes those of new segments at each replay. */
static bool captured_states_go_on()
{
    struct ranmar_state *states;
    const size_t count = 10;
    cudaStream_t stream;
    MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    MUST(cudaMalloc(&states, 2 * count * sizeof *states));
    gpuranmar_cuda_generator *g;
    MUST(gpuranmar_cuda_create(&g, GPURANMAR_DOUBLE));
    MUST(gpuranmar_cuda_set_stream(g, stream));
    begin_capture(stream);
    MUST(gpuranmar_cuda_states(g, states, count, 12345));
    const cudaGraphExec_t graph = end_capture(stream);
    MUST(cudaGraphLaunch(graph, stream));
    MUST(cudaGraphLaunch(graph, stream));
    MUST(gpuranmar_cuda_set_position(g, count * 12345));
    MUST(gpuranmar_cuda_states(g, states + count, count, 12345));
    std::vector<struct ranmar_state> got(2 * count);
    MUST(cudaStreamSynchronize(stream));
    MUST(cudaMemcpy(got.data(), states, got.size() * sizeof got[0], cudaMemcpyDeviceToHost));
    MUST(cudaGraphExecDestroy(graph));
    gpuranmar_cuda_destroy(g);
    MUST(cudaStreamDestroy(stream));
    MUST(cudaFree(states));
    return memcmp(&got[0], &got[count], count * sizeof got[0]) == 0;
}

static bool refused(int error, const char *routine)
{
    return error == GPURANMAR_NO_BACKEND && strstr(gpuranmar_cuda_last_error(), routine) &&
           strstr(gpuranmar_cuda_last_error(), "captur");
}

/* What cannot be captured is refused by name, and neither the capture nor the generator is hurt. */
static bool captures_are_refused()
{
    twin cpu(54217137);
    cudaStream_t stream, other;
    MUST(cudaStreamCreate(&stream)); /* which the default stream waits for */
    MUST(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    double *const memory = device_memory(most);
    gpuranmar_cuda_generator *g, *on_default, *fresh = nullptr;
    uint64_t position;
    MUST(gpuranmar_cuda_create(&g, GPURANMAR_DOUBLE));
    MUST(gpuranmar_cuda_create(&on_default, GPURANMAR_DOUBLE));
    MUST(gpuranmar_cuda_set_stream(g, stream));
    begin_capture(stream);
    const bool good =
        refused(gpuranmar_cuda_set_seed(g, 1), "gpuranmar_cuda_set_seed") &&
        refused(gpuranmar_cuda_set_position(g, 1), "gpuranmar_cuda_set_position") &&
        refused(gpuranmar_cuda_set_instances(g, 2, 2), "gpuranmar_cuda_set_instances") &&
        refused(gpuranmar_cuda_position(g, &position), "gpuranmar_cuda_position") &&
        refused(gpuranmar_cuda_set_stream(on_default, stream), "gpuranmar_cuda_set_stream") &&
        refused(gpuranmar_cuda_create(&fresh, GPURANMAR_DOUBLE), "default stream") && !fresh &&
        refused(gpuranmar_cuda_generate_double(on_default, memory, 1), "default stream");
    MUST(gpuranmar_cuda_generate_double(g, memory, 1000));
    const cudaGraphExec_t graph = end_capture(stream);
    MUST(cudaGraphLaunch(graph, stream));
    MUST(cudaStreamSynchronize(stream));
    const bool whole = cpu.agrees(memory, 1000);
    MUST(cudaGraphExecDestroy(graph));
    gpuranmar_cuda_destroy(g);
    gpuranmar_cuda_destroy(on_default);
    MUST(cudaStreamDestroy(stream));
    MUST(cudaStreamDestroy(other));
    MUST(cudaFree(memory));
    return good && whole;
}

/* A generator may be made and changed while another stream is being captured, even if it needs a
 * new table of jumps: making it is no part of the graph, and the capture goes on. */
static bool is_made_beside_capture()
{
    cudaStream_t stream;
    MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    double *const memory = device_memory(2 * most);
    gpuranmar_cuda_generator *captured, *g;
    MUST(gpuranmar_cuda_create(&captured, GPURANMAR_DOUBLE));
    MUST(gpuranmar_cuda_set_stream(captured, stream));
    begin_capture(stream);
    MUST(gpuranmar_cuda_generate_double(captured, memory, most));
    MUST(gpuranmar_cuda_create(&g, GPURANMAR_KEYED));
    MUST(gpuranmar_cuda_set_instances(g, 3, 1000));
    const uint64_t begin = position_of(g);
    const cudaGraphExec_t graph = end_capture(stream);
    MUST(gpuranmar_cuda_generate_double(g, memory + most, most));
    MUST(cudaGraphLaunch(graph, stream));
    MUST(cudaDeviceSynchronize());
    twin cpu(54217137), keyed(54217137, 3, 1000, GPURANMAR_KEYED);
    const bool good = cpu.agrees(memory, most) && keyed.agrees(memory + most, most) && begin == 0;
    MUST(cudaGraphExecDestroy(graph));
    gpuranmar_cuda_destroy(captured);
    gpuranmar_cuda_destroy(g);
    MUST(cudaStreamDestroy(stream));
    MUST(cudaFree(memory));
    return good;
}

/* A generator leaves a stream in the middle of its capture: the work captured stays in the graph,
 * and the generator goes on at once on another stream. */
static bool leaves_a_capture(int64_t instances)
{
    twin cpu(54217137, instances, 1000);
    cudaStream_t stream, other;
    MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    MUST(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    const size_t n = random_size(1, most), m = random_size(1, most);
    double *const memory = device_memory(n + m);
    gpuranmar_cuda_generator *g;
    MUST(gpuranmar_cuda_create(&g, GPURANMAR_DOUBLE));
    MUST(gpuranmar_cuda_set_instances(g, instances, 1000));
    MUST(gpuranmar_cuda_set_stream(g, stream));
    MUST(gpuranmar_cuda_generate_double(g, memory, n));
    MUST(cudaStreamSynchronize(stream));
    bool good = cpu.agrees(memory, n);
    begin_capture(stream);
    MUST(gpuranmar_cuda_generate_double(g, memory, n));
    good = gpuranmar_cuda_set_stream(g, other) == GPURANMAR_OK && good;
    MUST(gpuranmar_cuda_generate_double(g, memory + n, m));
    const cudaGraphExec_t graph = end_capture(stream);
    MUST(cudaStreamSynchronize(other)); /* CUDA refuses it as long as any stream is in capture */
    good = cpu.agrees(memory + n, m) && position_of(g) == n + m && good;
    MUST(cudaGraphLaunch(graph, stream));
    MUST(cudaStreamSynchronize(stream));
    good = cpu.agrees(memory, n) && position_of(g) == cpu.position() && good;
    MUST(cudaGraphExecDestroy(graph));
    gpuranmar_cuda_destroy(g);
    MUST(cudaStreamDestroy(stream));
    MUST(cudaStreamDestroy(other));
    MUST(cudaFree(memory));
    return good;
}

/* A generator moves from stream to stream. Each old stream is destroyed before the generator is
 * told of the new one, with long work still queued. */
static bool streams_come_and_go(int rounds)
{
    const size_t n = 4 * most;
    twin cpu(54217137);
    double *const memory = device_memory(n * rounds);
    gpuranmar_cuda_generator *g;
    MUST(gpuranmar_cuda_create(&g, GPURANMAR_DOUBLE));
    cudaStream_t stream = nullptr;
    for (int i = 0; i < rounds; ++i) {
        cudaStream_t old = stream;
        MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        if (old)
            MUST(cudaStreamDestroy(old));
        MUST(gpuranmar_cuda_set_stream(g, stream));
        MUST(gpuranmar_cuda_generate_double(g, memory + n * i, n));
    }
    MUST(cudaDeviceSynchronize());
    bool good = true;
    for (int i = 0; i < rounds; ++i)
        good = cpu.agrees(memory + n * i, n) && good;
    gpuranmar_cuda_destroy(g);
    MUST(cudaStreamDestroy(stream));
    MUST(cudaFree(memory));
    return good;
}

/* An error that the program left in cudaGetLastError() is neither taken for one of ours nor
 * cleared, and one of ours is not left there. */
static bool errors_keep_apart()
{
    double *const memory = device_memory(100);
    gpuranmar_cuda_generator *g;
    MUST(gpuranmar_cuda_create(&g, GPURANMAR_DOUBLE));
    cudaGetLastError();
    cudaSetDevice(12345);
    const cudaError_t left = cudaPeekAtLastError();
    bool good = left != cudaSuccess &&
                gpuranmar_cuda_generate_double(g, memory, 100) == GPURANMAR_OK &&
                gpuranmar_cuda_set_seed(g, 1) == GPURANMAR_OK && cudaGetLastError() == left;
    /* A call that fails: the default stream waits for one that is being captured. */
    cudaStream_t stream;
    MUST(cudaStreamCreate(&stream));
    begin_capture(stream);
    good = good && gpuranmar_cuda_set_seed(g, 1) == GPURANMAR_NO_BACKEND &&
           cudaPeekAtLastError() == cudaSuccess;
    MUST(cudaGraphExecDestroy(end_capture(stream)));
    MUST(cudaStreamDestroy(stream));
    gpuranmar_cuda_destroy(g);
    MUST(cudaFree(memory));
    return good;
}

/* A generator works on its own device, whichever is current, and leaves that current. */
static bool device_is_kept()
{
    int devices, device;
    MUST(cudaGetDeviceCount(&devices));
    twin cpu(54217137);
    MUST(cudaSetDevice(devices - 1));
    double *const memory = device_memory(most);
    gpuranmar_cuda_generator *g;
    MUST(gpuranmar_cuda_create(&g, GPURANMAR_DOUBLE));
    MUST(cudaSetDevice(0));
    MUST(gpuranmar_cuda_generate_double(g, memory, most));
    MUST(cudaGetDevice(&device));
    MUST(cudaSetDevice(devices - 1));
    MUST(cudaDeviceSynchronize());
    const bool good = cpu.agrees(memory, most) && device == 0;
    gpuranmar_cuda_destroy(g);
    MUST(cudaFree(memory));
    MUST(cudaSetDevice(0));
    return good;
}

/* An argument makes the test smaller. */
static void test(bool small)
{
    const int rounds = small ? 3 : 50;
    tap(replays_go_on(1, rounds), "a captured graph goes on with the sequence");
    tap(replays_go_on((int64_t)random_size(2, 100), rounds), "the same, interleaved instances");
    tap(graphs_wander(rounds), "graphs on several streams and all GPUs");
    tap(captured_states_go_on(), "captured states");
    tap(captures_are_refused(), "what cannot be captured is refused by name");
    tap(is_made_beside_capture(), "a generator made beside a capture");
    tap(leaves_a_capture(1), "a stream is left in the middle of its capture");
    tap(leaves_a_capture(5), "the same, interleaved instances");
    tap(queues_agree(small ? 20 : 300), "calls in a queue");
    tap(streams_come_and_go(small ? 3 : 20), "streams come and go");
    tap(errors_keep_apart(), "the program's errors and ours are kept apart");
    tap(device_is_kept(), "a generator's device and the current one");
}

int main(int argc, char **)
{
    tap_need_gpu("calls");
    random_start();
    do
        test(argc > 1 || is_emulated);
    while (in_other_order());
    return tap_done();
}
