/* How fast numbers come to host memory, by how many at a time: a copy over the bus alone, blocks
 * that a GPU makes ahead, requests straight to pinned and to pageable memory, and the CPU's own on
 * one core and on all. With several GPUs, also one sequence in the memory of all. */
#include "gpuranmar_cuda.h"
#include "measure.h"

static void in_the_memory_of_all(int devices)
{
    const size_t each = size_t(1) << 30;
    std::vector<contender> all;
    std::vector<double *> memory(devices);
    for (int d = 0; d < devices; ++d) {
        MUST(cudaSetDevice(d));
        MUST(cudaMalloc(&memory[d], each * sizeof(double)));
    }
    for (int count = 1; count <= devices; count *= 2) {
        std::vector<gpuranmar_cuda_generator *> generators(count);
        const auto on_all = [=](const std::function<void(int)> &run) {
            for (int d = 0; d < count; ++d) {
                MUST(cudaSetDevice(d));
                run(d);
            }
        };
        on_all([&](int d) {
            MUST(gpuranmar_cuda_create(&generators[d], GPURANMAR_DOUBLE));
            MUST(gpuranmar_cuda_set_position(generators[d], (uint64_t)d << 40));
        });
        const std::string name = std::to_string(count);
        all.push_back(
            {"memory of GPUs", count > 1 ? "ours " + name : name, (double)each * count, [=] {
                 on_all([&](int d) {
                     MUST(gpuranmar_cuda_generate_double(generators[d], memory[d], each));
                 });
                 on_all([](int) { MUST(cudaDeviceSynchronize()); });
             }});
    }
    take_turns(all, by_clock);
    for (int d = 0; d < devices; ++d)
        MUST(cudaFree(memory[d]));
    MUST(cudaSetDevice(0));
}

int main()
{
    tap_need_gpu("measure");
    const size_t most = 100000000;
    int devices;
    double *memory, *pinned;
    MUST(cudaGetDeviceCount(&devices));
    in_the_memory_of_all(devices);
    MUST(cudaMalloc(&memory, most * sizeof *memory));
    MUST(cudaMallocHost(&pinned, most * sizeof *pinned));
    std::vector<double> pageable(most);
    for (size_t n = 100; n <= most; n *= 10) {
        const auto by = [=](const std::string &name, gpuranmar_stream *stream, double *to) {
            return contender{std::to_string(n), name, (double)n,
                             [=] { MUST(gpuranmar_stream_fill(stream, to, n)); }};
        };
        gpuranmar_stream *const streams[] = {
            open_stream(GPURANMAR_CUDA, n, 1), open_stream(GPURANMAR_CUDA),
            open_stream(GPURANMAR_CUDA), open_stream(GPURANMAR_CPU, 0, 1),
            open_stream(GPURANMAR_CPU)};
        take_turns(
            {{std::to_string(n), "limit a copy", (double)n,
              [=] {
                  MUST(cudaMemcpyAsync(pinned, memory, n * sizeof *pinned, cudaMemcpyDeviceToHost));
                  MUST(cudaStreamSynchronize(0));
              }},
             {std::to_string(n), "ours ahead", (double)n,
              [=] {
                  const double *numbers;
                  MUST(gpuranmar_stream_draw(streams[0], &numbers, n));
              }},
             by("ours pinned", streams[1], pinned),
             by("ours pageable", streams[2], pageable.data()),
             by("one core", streams[3], pinned),
             by("all cores", streams[4], pinned)},
            by_clock, 5);
        for (gpuranmar_stream *stream : streams)
            gpuranmar_stream_close(stream);
    }
    return 0;
}
