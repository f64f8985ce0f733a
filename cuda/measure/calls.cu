/* What a call costs besides the numbers: short fills in a queue, sizes not seen before, graphs, and
 * a new generator, beside cuRAND's. */
#include "gpuranmar_cuda.h"
#include "measure.h"

#include "random.h"

constexpr size_t most = 9000000;
enum { QUICK_PEERS = 3 }; /* XORWOW, Philox and MRG32k3a; the others start slowly */

static gpuranmar_cuda_generator *new_generator()
{
    gpuranmar_cuda_generator *g;
    MUST(gpuranmar_cuda_create(&g, GPURANMAR_DOUBLE));
    return g;
}

static curandGenerator_t new_peer(curandRngType_t type)
{
    curandGenerator_t c;
    MUST(curandCreateGenerator(&c, type));
    MUST(curandSetPseudoRandomGeneratorSeed(c, 42));
    return c;
}

/* A time is that of a call, so that run() makes as many "numbers" as calls. */
static void queues(double *memory)
{
    std::vector<size_t> random(300);
    for (size_t &size : random)
        size = random_in(100000, most) / 2 * 2;
    std::vector<contender> all;
    gpuranmar_cuda_generator *const g = new_generator();
    const auto contend = [&](const std::string &name, const std::function<void(size_t)> &fill) {
        for (size_t size : {10000, 100000, 1000000})
            all.push_back({"fills of " + std::to_string(size), name, 1, [=] { fill(size); }});
        all.push_back({"fills of 10^5 to 9 10^6", name, (double)random.size(), [=] {
                           for (size_t size : random)
                               fill(size);
                       }});
    };
    contend("ours", [=](size_t size) { MUST(gpuranmar_cuda_generate_double(g, memory, size)); });
    for (int k = 0; k < QUICK_PEERS; ++k) {
        const curandGenerator_t c = new_peer(peers[k].type);
        contend(peers[k].name,
                [=](size_t size) { MUST(curandGenerateUniformDouble(c, memory, size)); });
    }
    take_turns(all, by_clock);
}

static void graphs(double *memory)
{
    std::vector<contender> all;
    cudaStream_t stream;
    MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (size_t size : {10000, 100000, 1000000}) {
        cudaGraph_t graph;
        cudaGraphExec_t replay;
        gpuranmar_cuda_generator *const g = new_generator();
        MUST(gpuranmar_cuda_set_stream(g, stream));
        MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        for (int i = 0; i < 10; ++i)
            MUST(gpuranmar_cuda_generate_double(g, memory, size));
        MUST(cudaStreamEndCapture(stream, &graph));
        MUST(cudaGraphInstantiate(&replay, graph, 0));
        all.push_back({"graph of ten fills of " + std::to_string(size), "ours", 10,
                       [=] { MUST(cudaGraphLaunch(replay, stream)); }});
    }
    take_turns(all, by_clock);
}

static void first_numbers(double *memory)
{
    const size_t n = 1 << 20;
    std::vector<contender> all = {{"a new generator's first 2^20", "ours", 1, [=] {
                                       gpuranmar_cuda_generator *const g = new_generator();
                                       MUST(gpuranmar_cuda_set_seed(g, 42));
                                       MUST(gpuranmar_cuda_generate_double(g, memory, n));
                                       MUST(cudaDeviceSynchronize());
                                       gpuranmar_cuda_destroy(g);
                                   }}};
    for (int k = 0; k < QUICK_PEERS; ++k)
        all.push_back({"a new generator's first 2^20", peers[k].name, 1, [=] {
                           const curandGenerator_t c = new_peer(peers[k].type);
                           MUST(curandGenerateUniformDouble(c, memory, n));
                           MUST(cudaDeviceSynchronize());
                           MUST(curandDestroyGenerator(c));
                       }});
    take_turns(all, by_clock);
}

int main()
{
    tap_need_gpu("measure");
    random_start();
    double *memory;
    MUST(cudaMalloc(&memory, most * sizeof *memory));
    queues(memory);
    graphs(memory);
    first_numbers(memory);
    return 0;
}
