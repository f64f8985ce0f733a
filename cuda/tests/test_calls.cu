/* Tests the host calls together with the program's own use of CUDA: graphs, streams, devices,
 * errors. */
#include <memory>

#include "on_gpu.h"

constexpr size_t most = 40000;
static_assert(sizeof(struct ranmar_state) == GPURANMAR_CUDA_STATE_SIZE, "");

/* A captured fill goes on at each replay, on any stream, with plain calls of other sizes between,
 * and the position is known. */
static bool replays_go_on(int64_t instances, int rounds)
{
    const int64_t seed = (int64_t)random_in(0, RANMAR_SEED_MAX);
    const int64_t block = (int64_t)random_size(1, most);
    twin cpu(seed, instances, block);
    const queue stream, other_stream;
    const array<double> memory(2 * most);
    const generator g(GPURANMAR_DOUBLE, stream);
    if (instances > 1)
        MUST(gpuranmar_cuda_set_instances(g, instances, block));
    MUST(gpuranmar_cuda_set_seed(g, seed));
    /* A size that has not been met before the capture, and two fills in one graph. */
    const size_t n = random_size(1, most), m = random_size(1, most);
    begin_capture(stream);
    MUST(gpuranmar_cuda_generate_double(g, memory, n));
    MUST(gpuranmar_cuda_generate_double(g, memory + n, m));
    const graph captured(stream);
    bool good = g.position() == 0;
    for (int round = 0; round < rounds; ++round) {
        for (uint64_t replay = random_in(0, 2); replay > 0; --replay) {
            captured.replay(random_in(0, 1) ? stream : other_stream);
            good = good && cpu.agrees(memory, n + m);
        }
        const size_t plain = random_size(0, most);
        MUST(gpuranmar_cuda_generate_double(g, memory, plain));
        MUST(cudaStreamSynchronize(stream));
        good = good && cpu.agrees(memory, plain) && g.position() == cpu.position();
    }
    /* A new seed, and the graph goes on from there. */
    MUST(gpuranmar_cuda_set_seed(g, seed / 2));
    twin other(seed / 2, instances, block);
    captured.replay(stream);
    return good && other.agrees(memory, n + m) && g.position() == n + m;
}

/* Queues calls of many kinds without waiting for any. A kernel may begin before the one ahead has
 * ended; the numbers must be right all the same. Before each fill another generator writes to the
 * same memory and beyond. */
static bool queues_agree(int calls)
{
    const size_t longest = is_emulated ? most : size_t(1) << 21;
    const int64_t seeds[2] = {(int64_t)random_in(0, RANMAR_SEED_MAX),
                              (int64_t)random_in(0, RANMAR_SEED_MAX)};
    const queue stream;
    const array<double> memory(calls * longest);
    const generator g(GPURANMAR_DOUBLE, stream), other(GPURANMAR_DOUBLE, stream);
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
    bool good = g.position() == position;
    MUST(cudaStreamSynchronize(stream));
    for (int half = 0; half < 2; ++half) {
        twin cpu(seeds[half]);
        for (int i = half * (calls / 2); i < (half + 1) * (calls / 2); ++i) {
            MUST(gpuranmar_stream_skip(cpu.stream, fills[i].position - cpu.position()));
            good = cpu.agrees(memory + fills[i].begin, fills[i].length) && good;
        }
    }
    return good;
}

/* A generator on a device, whose graph of n and m numbers is replayed on changing streams, with
 * events between. */
struct wanderer {
    const int64_t seed;
    const queue stream;
    const array<double> memory, kept;
    const generator g;
    cudaEvent_t done; /* its last work */
    std::unique_ptr<graph> captured;

    wanderer(size_t n, size_t m, int rounds)
        : seed((int64_t)random_in(0, RANMAR_SEED_MAX)), memory(n + m), kept(rounds * (n + m)),
          g(GPURANMAR_DOUBLE, stream)
    {
        MUST(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
        MUST(gpuranmar_cuda_set_seed(g, seed));
        MUST(cudaEventRecord(done, stream));
        begin_capture(stream);
        MUST(gpuranmar_cuda_generate_double(g, memory, n));
        MUST(gpuranmar_cuda_generate_double(g, memory + n, m));
        captured.reset(new graph(stream));
    }
    ~wanderer()
    {
        MUST(cudaEventDestroy(done));
    }
};

/* Each GPU runs graphs of several generators at the same time. Their replays wander from stream to
 * stream, with plain calls between. */
static bool graphs_wander(int rounds)
{
    constexpr size_t a_device = 3;
    int devices;
    MUST(cudaGetDeviceCount(&devices));
    std::vector<std::unique_ptr<wanderer>> all;
    const size_t n = random_size(1, most), m = random_size(1, most);
    for (size_t i = 0; i < devices * a_device; ++i) {
        MUST(cudaSetDevice((int)(i / a_device)));
        all.emplace_back(new wanderer(n, m, rounds));
    }
    for (int round = 0; round < rounds; ++round) {
        for (size_t i = 0; i < all.size(); ++i) {
            const wanderer &w = *all[i];
            const bool plain = round % 3 == 2;
            const size_t first = i / a_device * a_device;
            const queue &stream = all[plain ? i : first + (i + round) % a_device]->stream;
            MUST(cudaSetDevice((int)(i / a_device)));
            MUST(cudaStreamWaitEvent(stream, w.done, 0));
            if (plain)
                MUST(gpuranmar_cuda_generate_double(w.g, w.memory, n + m));
            else
                MUST(cudaGraphLaunch(w.captured->executable, stream));
            MUST(cudaMemcpyAsync(w.kept + round * (n + m), w.memory, (n + m) * sizeof(double),
                                 cudaMemcpyDeviceToDevice, stream));
            MUST(cudaEventRecord(w.done, stream));
        }
    }
    bool good = true;
    for (size_t i = 0; i < all.size(); ++i) {
        const wanderer &w = *all[i];
        MUST(cudaSetDevice((int)(i / a_device)));
        MUST(cudaDeviceSynchronize());
        twin cpu(w.seed);
        good = cpu.agrees(w.kept, rounds * (n + m)) && w.g.position() == cpu.position() && good;
    }
    all.clear();
    MUST(cudaSetDevice(0));
    return good;
}

/* A graph that makes states makes those of new segments at each replay. */
static bool captured_states_go_on()
{
    const size_t count = 10;
    const queue stream;
    const array<struct ranmar_state> states(2 * count);
    const generator g(GPURANMAR_DOUBLE, stream);
    begin_capture(stream);
    MUST(gpuranmar_cuda_states(g, states, count, 12345));
    const graph captured(stream);
    MUST(cudaGraphLaunch(captured.executable, stream));
    MUST(cudaGraphLaunch(captured.executable, stream));
    MUST(gpuranmar_cuda_set_position(g, count * 12345));
    MUST(gpuranmar_cuda_states(g, states + count, count, 12345));
    MUST(cudaStreamSynchronize(stream));
    const std::vector<struct ranmar_state> got = states.get();
    return memcmp(&got[0], &got[count], count * sizeof got[0]) == 0;
}

static bool refused(int error, const char *routine)
{
    return error == GPURANMAR_NO_BACKEND && strstr(gpuranmar_cuda_last_error(), routine) &&
           strstr(gpuranmar_cuda_last_error(), "captur");
}

/* A call that cannot be captured is refused by name. The capture and the generator go on. */
static bool captures_are_refused()
{
    twin cpu(54217137);
    const queue stream(cudaStreamDefault); /* which the default stream waits for */
    const array<double> memory(most);
    const generator g(GPURANMAR_DOUBLE, stream), on_default;
    gpuranmar_cuda_generator *fresh = nullptr;
    uint64_t position;
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
    const graph captured(stream);
    captured.replay(stream);
    return good && cpu.agrees(memory, 1000);
}

/* A generator may be made and changed while another stream is being captured, even if it needs a
 * new table of jumps: making it is no part of the graph, and the capture goes on. */
static bool is_made_beside_capture()
{
    const queue stream;
    const array<double> memory(2 * most);
    const generator other(GPURANMAR_DOUBLE, stream);
    begin_capture(stream);
    MUST(gpuranmar_cuda_generate_double(other, memory, most));
    const generator g(GPURANMAR_KEYED);
    MUST(gpuranmar_cuda_set_instances(g, 3, 1000));
    const uint64_t begin = g.position();
    const graph captured(stream);
    MUST(gpuranmar_cuda_generate_double(g, memory + most, most));
    captured.replay(stream);
    MUST(cudaDeviceSynchronize());
    twin cpu(54217137), keyed(54217137, 3, 1000, GPURANMAR_KEYED);
    return cpu.agrees(memory, most) && keyed.agrees(memory + most, most) && begin == 0;
}

/* A generator leaves a stream in the middle of its capture: the work captured stays in the graph,
 * and the generator goes on at once on another stream. */
static bool leaves_a_capture(int64_t instances)
{
    twin cpu(54217137, instances, 1000);
    const queue stream, other;
    const size_t n = random_size(1, most), m = random_size(1, most);
    const array<double> memory(n + m);
    const generator g(GPURANMAR_DOUBLE, stream);
    MUST(gpuranmar_cuda_set_instances(g, instances, 1000));
    MUST(gpuranmar_cuda_generate_double(g, memory, n));
    MUST(cudaStreamSynchronize(stream));
    bool good = cpu.agrees(memory, n);
    begin_capture(stream);
    MUST(gpuranmar_cuda_generate_double(g, memory, n));
    good = gpuranmar_cuda_set_stream(g, other) == GPURANMAR_OK && good;
    MUST(gpuranmar_cuda_generate_double(g, memory + n, m));
    const graph captured(stream);
    MUST(cudaStreamSynchronize(other)); /* CUDA refuses it as long as any stream is in capture */
    good = cpu.agrees(memory + n, m) && g.position() == n + m && good;
    captured.replay(stream);
    return cpu.agrees(memory, n) && g.position() == cpu.position() && good;
}

/* A generator moves from stream to stream. Each old stream is destroyed before the generator is
 * told of the new one, with long work still queued. */
static bool streams_come_and_go(int rounds)
{
    const size_t n = 4 * most;
    twin cpu(54217137);
    const array<double> memory(n * rounds);
    std::unique_ptr<queue> last;
    const generator g;
    for (int i = 0; i < rounds; ++i) {
        std::unique_ptr<queue> stream(new queue);
        last.swap(stream);
        stream.reset();
        MUST(gpuranmar_cuda_set_stream(g, *last));
        MUST(gpuranmar_cuda_generate_double(g, memory + n * i, n));
    }
    MUST(cudaDeviceSynchronize());
    bool good = true;
    for (int i = 0; i < rounds; ++i)
        good = cpu.agrees(memory + n * i, n) && good;
    return good;
}

/* An error that the program left in cudaGetLastError() is neither taken for one of ours nor
 * cleared, and one of ours is not left there. */
static bool errors_keep_apart()
{
    const array<double> memory(100);
    const generator g;
    cudaGetLastError();
    cudaSetDevice(12345);
    const cudaError_t left = cudaPeekAtLastError();
    bool good = left != cudaSuccess &&
                gpuranmar_cuda_generate_double(g, memory, 100) == GPURANMAR_OK &&
                gpuranmar_cuda_set_seed(g, 1) == GPURANMAR_OK && cudaGetLastError() == left;
    /* A call that fails: the default stream waits for one that is being captured. */
    const queue stream(cudaStreamDefault);
    begin_capture(stream);
    good = good && gpuranmar_cuda_set_seed(g, 1) == GPURANMAR_NO_BACKEND &&
           cudaPeekAtLastError() == cudaSuccess;
    const graph captured(stream);
    return good;
}

/* A generator works on its own device, whichever is current, and leaves that current. */
static bool device_is_kept()
{
    int devices, device;
    MUST(cudaGetDeviceCount(&devices));
    twin cpu(54217137);
    MUST(cudaSetDevice(devices - 1));
    const array<double> memory(most);
    const generator g;
    MUST(cudaSetDevice(0));
    MUST(gpuranmar_cuda_generate_double(g, memory, most));
    MUST(cudaGetDevice(&device));
    MUST(cudaSetDevice(devices - 1));
    MUST(cudaDeviceSynchronize());
    const bool good = cpu.agrees(memory, most) && device == 0;
    MUST(cudaSetDevice(0));
    return good;
}

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
    return run_tests("calls", argc, test);
}
