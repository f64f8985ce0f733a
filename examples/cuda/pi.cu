/* Monte Carlo pi on the GPU: numbers are made in device memory, CUB's block reduction counts the
 * pairs that lie inside the circle, and the count is copied back. Each step is timed by itself, for
 * RANMAR and for two of cuRAND's generators, in double and in single precision.
 *
 *     pi [pairs]      2^28 unless given
 *
 * RANMAR's count is checked against the CPU's stream for the first pairs. */
#include <cub/block/block_reduce.cuh>
#include <curand.h>

#include <cmath>
#include <functional>
#include <vector>

#include "gpuranmar_cuda.h"
#include "tap.h"

constexpr int block_threads = 256;

template <class Pair>
__global__ void count_inside(const Pair *pairs, size_t n, unsigned long long *inside)
{
    typedef cub::BlockReduce<unsigned long long, block_threads> reduce;
    __shared__ typename reduce::TempStorage storage;
    unsigned long long count = 0;
    for (size_t i = blockIdx.x * (size_t)block_threads + threadIdx.x; i < n;
         i += (size_t)gridDim.x * block_threads) {
        const Pair p = pairs[i];
        count += p.x * p.x + p.y * p.y < 1;
    }
    count = reduce(storage).Sum(count);
    if (threadIdx.x == 0)
        atomicAdd(inside, count);
}

/* Makes one estimate, for which `generate` fills memory with 2 * pairs numbers. Prints the times,
 * and returns the count. */
template <class Pair>
static unsigned long long estimate(const char *name, Pair *memory, size_t pairs,
                                   const std::function<void()> &generate)
{
    unsigned long long *inside, count = 0;
    cudaEvent_t begin, generated, reduced, copied;
    for (cudaEvent_t *event : {&begin, &generated, &reduced, &copied})
        MUST(cudaEventCreate(event));
    MUST(cudaMalloc(&inside, sizeof *inside));
    generate(); /* the first call makes tables and the like */
    MUST(cudaMemset(inside, 0, sizeof *inside));
    MUST(cudaEventRecord(begin));
    generate();
    MUST(cudaEventRecord(generated));
    count_inside<<<2048, block_threads>>>(memory, pairs, inside);
    MUST(cudaEventRecord(reduced));
    MUST(cudaMemcpyAsync(&count, inside, sizeof count, cudaMemcpyDeviceToHost));
    MUST(cudaEventRecord(copied));
    MUST(cudaEventSynchronize(copied));
    MUST(cudaGetLastError());

    float milliseconds[3];
    MUST(cudaEventElapsedTime(&milliseconds[0], begin, generated));
    MUST(cudaEventElapsedTime(&milliseconds[1], generated, reduced));
    MUST(cudaEventElapsedTime(&milliseconds[2], reduced, copied));
    const double pi = 4. * (double)count / (double)pairs;
    /* One standard deviation of the estimate is sqrt(pi (4 - pi) / pairs). */
    printf("# %-24s generate %7.3f ms, reduce %7.3f ms, copy %6.3f ms, pi = %.7f (%+.1f sigma)\n",
           name, milliseconds[0], milliseconds[1], milliseconds[2], pi,
           (pi - M_PI) / std::sqrt(M_PI * (4 - M_PI) / (double)pairs));
    for (cudaEvent_t event : {begin, generated, reduced, copied})
        MUST(cudaEventDestroy(event));
    MUST(cudaFree(inside));
    return count;
}

/* How many pairs the CPU counts inside the circle, from a position on. */
template <class Number, class Draw>
static unsigned long long count_on_cpu(int flavour, uint64_t position, size_t pairs, Draw draw)
{
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    options.flavour = flavour;
    options.position = position;
    options.backend = GPURANMAR_CPU;
    gpuranmar_stream *stream;
    MUST(gpuranmar_stream_initialise(&stream, &options));
    std::vector<Number> u(2 * pairs);
    MUST(draw(stream, u.data(), u.size()));
    gpuranmar_stream_close(stream);
    unsigned long long count = 0;
    for (size_t i = 0; i < pairs; ++i)
        count += u[2 * i] * u[2 * i] + u[2 * i + 1] * u[2 * i + 1] < 1;
    return count;
}

int main(int argc, char **argv)
{
    tap_need_gpu("pi");
    const size_t pairs = argc > 1 ? strtoull(argv[1], nullptr, 10) : size_t(1) << 28;
    const size_t few = std::min(pairs, size_t(1) << 22);
    double2 *memory;
    MUST(cudaMalloc(&memory, pairs * sizeof *memory));
    double *const doubles = &memory->x;
    float2 *const singles_memory = (float2 *)memory;
    float *const singles = &singles_memory->x;

    gpuranmar_cuda_generator *g;
    MUST(gpuranmar_cuda_create(&g, GPURANMAR_DOUBLE));
    const unsigned long long counted = estimate("RANMAR, first pairs", memory, few, [&] {
        MUST(gpuranmar_cuda_generate_double(g, doubles, 2 * few));
    });
    tap(counted == count_on_cpu<double>(GPURANMAR_DOUBLE, 2 * few, few, gpuranmar_stream_fill),
        "double: the CPU counts as many");
    estimate("RANMAR, double", memory, pairs,
             [&] { MUST(gpuranmar_cuda_generate_double(g, doubles, 2 * pairs)); });
    gpuranmar_cuda_destroy(g);

    MUST(gpuranmar_cuda_create(&g, GPURANMAR_SINGLE));
    const unsigned long long counted_single =
        estimate("RANMAR, first pairs", singles_memory, few,
                 [&] { MUST(gpuranmar_cuda_generate_single(g, singles, 2 * few)); });
    tap(counted_single ==
            count_on_cpu<float>(GPURANMAR_SINGLE, 2 * few, few, gpuranmar_stream_fill_single),
        "single: the CPU counts as many");
    estimate("RANMAR, single", singles_memory, pairs,
             [&] { MUST(gpuranmar_cuda_generate_single(g, singles, 2 * pairs)); });
    gpuranmar_cuda_destroy(g);

    static const struct {
        const char *name, *name_single;
        curandRngType_t type;
    } peers[] = {
        {"cuRAND MTGP32, double", "cuRAND MTGP32, single", CURAND_RNG_PSEUDO_MTGP32},
        {"cuRAND Philox, double", "cuRAND Philox, single", CURAND_RNG_PSEUDO_PHILOX4_32_10}};
    for (const auto &peer : peers) {
        curandGenerator_t c;
        MUST(curandCreateGenerator(&c, peer.type));
        estimate(peer.name, memory, pairs,
                 [&] { MUST(curandGenerateUniformDouble(c, doubles, 2 * pairs)); });
        estimate(peer.name_single, singles_memory, pairs,
                 [&] { MUST(curandGenerateUniform(c, singles, 2 * pairs)); });
        MUST(curandDestroyGenerator(c));
    }
    MUST(cudaFree(memory));
    return tap_done();
}
