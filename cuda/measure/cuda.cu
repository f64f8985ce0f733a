/* Numbers by CUDA, beside cuRAND's generators and plain kernels: filled into memory, drawn in a
 * kernel, from a seed to each thread's first number, and brought to the host. */
#include <curand.h>
#include <curand_kernel.h>

#include "gpuranmar_device.cuh"
#include "measure.h"

constexpr int threads = 256;
typedef gpuranmar::double_precision as_double;
typedef curandStateXORWOW xorwow;
typedef curandStatePhilox4_32_10_t philox;

/* --- Memory --- */

/* Each thread writes 16 bytes in an iteration. */
__global__ void write_in_a_loop(double2 *out, size_t pairs)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < pairs;
         i += (size_t)gridDim.x * blockDim.x)
        out[i] = make_double2((double)i, 0.1);
}

/* A fill by cuRAND, in the ordering that is faster: for a long fill the dynamic one. */
static std::function<void()> peer_fill(curandRngType_t type, bool single, void *memory, size_t n)
{
    curandGenerator_t c;
    MUST(curandCreateGenerator(&c, type));
    if (n == many)
        MUST(curandSetGeneratorOrdering(c, CURAND_ORDERING_PSEUDO_DYNAMIC));
    return [=] {
        MUST(single ? curandGenerateUniform(c, (float *)memory, n)
                    : curandGenerateUniformDouble(c, (double *)memory, n));
    };
}

/* Fills of n numbers. cuRAND is measured beside the flavours double and single only. */
static void fills(void *memory, size_t n)
{
    static const struct {
        const char *name;
        curandRngType_t type;
    } peers[] = {{"cuRAND XORWOW", CURAND_RNG_PSEUDO_XORWOW},
                 {"cuRAND Philox", CURAND_RNG_PSEUDO_PHILOX4_32_10},
                 {"cuRAND MRG32k3a", CURAND_RNG_PSEUDO_MRG32K3A}};
    std::vector<contender> all;
    for (int flavour = 0; flavour < (int)(sizeof flavours / sizeof *flavours); ++flavour) {
        const bool single = flavour == GPURANMAR_SINGLE;
        const size_t pairs = n * (single ? sizeof(float) : sizeof(double)) / sizeof(double2);
        const std::string what = "filled " + std::to_string(n) + ", " + flavours[flavour];
        gpuranmar_cuda_generator *const g = new_cuda_generator(flavour);
        all.push_back({what, "ours", (double)n, [=] { fill_by_cuda(g, flavour, memory, n); }});
        all.push_back({what, "limit a kernel that writes", (double)n,
                       [=] { write_in_a_loop<<<16 * 132, 256>>>((double2 *)memory, pairs); }});
        for (const auto &peer : peers)
            if (flavour == GPURANMAR_DOUBLE || single)
                all.push_back(
                    {what, peer.name, (double)n, peer_fill(peer.type, single, memory, n)});
    }
    take_turns(all);
}

/* --- Kernels. A sum is never negative; comparing it keeps the compiler from dropping it --- */

template <class State> __global__ void set_up(State *states)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(1234, i, 0, &states[i]);
}

/* All lanes want a number each turn, or, in a kernel that branches, the first `wanting`. */
template <class State, bool branches>
__global__ void draw_peer(const State *states, double *out, int turns, unsigned wanting)
{
    State state = states[blockIdx.x * blockDim.x + threadIdx.x];
    const bool want = !branches || threadIdx.x % 32 < wanting;
    double sum = 0;
#pragma unroll 6
    for (int i = 0; i < turns; ++i)
        if (want)
            sum += curand_uniform_double(&state);
    if (sum < 0)
        *out = sum;
}

template <class Flavour> __global__ void draw(const gpuranmar_state *states, double *out, int turns)
{
    gpuranmar::generator<Flavour> g;
    g.load(states[(blockIdx.x * blockDim.x + threadIdx.x) / 32]);
    typename Flavour::number sum = 0;
#pragma unroll 6
    for (int i = 0; i < turns; ++i)
        sum += g.next();
    if (sum < 0)
        *out = sum;
}

__global__ void branch(const gpuranmar_state *states, double *out, int turns, unsigned wanting)
{
    gpuranmar::source<as_double> s;
    s.load(states[(blockIdx.x * blockDim.x + threadIdx.x) / 32]);
    const bool want = threadIdx.x % 32 < wanting;
    double sum = 0;
    for (int i = 0; i < turns; ++i) {
        const double u = s.draw(want);
        if (want)
            sum += u;
    }
    if (sum < 0)
        *out = sum;
}

template <class State> static State *peer_states(int blocks)
{
    State *states;
    MUST(cudaMalloc(&states, (size_t)blocks * threads * sizeof *states));
    set_up<<<blocks, threads>>>(states);
    MUST(cudaGetLastError());
    return states;
}

static gpuranmar_state *our_states(int flavour, int blocks, uint64_t distance)
{
    const size_t warps = (size_t)blocks * threads / 32;
    gpuranmar_state *states;
    gpuranmar_cuda_generator *const g = new_cuda_generator(flavour);
    MUST(cudaMalloc(&states, warps * sizeof *states));
    MUST(gpuranmar_cuda_states(g, states, warps, distance));
    gpuranmar_cuda_destroy(g);
    return states;
}

static void draws(int blocks, double *out)
{
    const int turns = 20000;
    const double numbers = (double)blocks * threads * turns;
    const auto *const of_xorwow = peer_states<xorwow>(blocks);
    const auto *const of_philox = peer_states<philox>(blocks);
    std::vector<contender> all;
#define FLAVOUR(CODE, name)                                                                       \
    {                                                                                             \
        const auto *const s = our_states(GPURANMAR_##CODE, blocks, turns * 32);                   \
        all.push_back({"drawn, " #name, "ours", numbers, [=] {                                    \
                           draw<gpuranmar::name##_precision><<<blocks, threads>>>(s, out, turns); \
                       }});                                                                       \
    }
#include "definition/flavours.def"
#undef FLAVOUR
    all.push_back({"drawn, double", "cuRAND XORWOW", numbers, [=] {
                       draw_peer<xorwow, false><<<blocks, threads>>>(of_xorwow, out, turns, 32);
                   }});
    all.push_back({"drawn, double", "cuRAND Philox", numbers, [=] {
                       draw_peer<philox, false><<<blocks, threads>>>(of_philox, out, turns, 32);
                   }});
    const auto *const s = our_states(GPURANMAR_DOUBLE, blocks, turns * 64);
    for (unsigned want : {32u, 16u, 1u}) {
        const std::string what = "drawn by " + std::to_string(want) + " of 32 lanes";
        const double drawn = numbers / 32 * want;
        all.push_back({what, "ours source", drawn,
                       [=] { branch<<<blocks, threads>>>(s, out, turns, want); }});
        all.push_back({what, "cuRAND XORWOW", drawn, [=] {
                           draw_peer<xorwow, true>
                               <<<blocks, threads>>>(of_xorwow, out, turns, want);
                       }});
        all.push_back({what, "cuRAND Philox", drawn, [=] {
                           draw_peer<philox, true>
                               <<<blocks, threads>>>(of_philox, out, turns, want);
                       }});
    }
    take_turns(all, 7);
}

/* From a seed to the first number of every thread. */
template <class State>
static contender peer_set_up(const std::string &what, const char *name, int count, double *out)
{
    const int blocks = (count + threads - 1) / threads;
    State *const states = peer_states<State>(blocks);
    return {what, name, (double)count, [=] {
                set_up<<<blocks, threads>>>(states);
                draw_peer<State, false><<<blocks, threads>>>(states, out, 1, 32);
            }};
}

static void set_ups(double *out)
{
    const int count = 100000;
    const std::string what = "set-up of " + std::to_string(count) + " threads";
    const int blocks = (count + threads - 1) / threads;
    gpuranmar_state *const states = our_states(GPURANMAR_DOUBLE, blocks, 1 << 30);
    gpuranmar_cuda_generator *const g = new_cuda_generator(GPURANMAR_DOUBLE);
    take_turns({{what, "ours", (double)count,
                 [=] {
                     MUST(gpuranmar_cuda_set_seed(g, 1234));
                     MUST(gpuranmar_cuda_states(g, states, (size_t)blocks * threads / 32, 1 << 30));
                     draw<as_double><<<blocks, threads>>>(states, out, 1);
                 }},
                peer_set_up<xorwow>(what, "cuRAND XORWOW", count, out),
                peer_set_up<philox>(what, "cuRAND Philox", count, out)});
}

static void deliveries(double *memory)
{
    const size_t most = 100000000;
    double *pinned;
    MUST(cudaMallocHost(&pinned, most * sizeof *pinned));
    std::vector<contender> all;
    for (size_t n = 100; n <= most; n *= 100) {
        const std::string what = "to pinned memory, " + std::to_string(n);
        add_deliveries(all, what, GPURANMAR_CUDA, n, pinned);
        all.push_back(
            {what, "limit a copy", (double)n, [=] {
                 MUST(cudaMemcpy(pinned, memory, n * sizeof *pinned, cudaMemcpyDeviceToHost));
             }});
    }
    take_turns(all, 5);
}

int main()
{
    tap_need_gpu("measure");
    int multiprocessors;
    double *memory;
    MUST(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    MUST(cudaMalloc(&memory, many * sizeof *memory));
    for (size_t n : {many, size_t(10000)})
        fills(memory, n);
    draws(8 * multiprocessors, memory);
    set_ups(memory);
    deliveries(memory);
    return 0;
}
