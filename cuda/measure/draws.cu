/* Measures numbers that are drawn inside a kernel and not written. The loops of all generators are
 * unrolled alike. Set-up is left out, and measured by itself. */
#include <curand_kernel.h>

#include <cstring>

#include "gpuranmar_cuda.h"
#include "gpuranmar_device.cuh"
#include "measure.h"

constexpr int threads = 256;
typedef gpuranmar::double_precision as_double;

/* --- What is drawn: a sum of `each` numbers a turn --- */

struct one_double {
    typedef double number;
    static constexpr int each = 1;
    template <class State> static __device__ double take(State *s)
    {
        return curand_uniform_double(s);
    }
};

struct one_float {
    typedef float number;
    static constexpr int each = 1;
    template <class State> static __device__ float take(State *s)
    {
        return curand_uniform(s);
    }
};

/* Philox makes 128 bits at a time. */
struct four_floats {
    typedef float number;
    static constexpr int each = 4;
    template <class State> static __device__ float take(State *s)
    {
        const float4 u = curand_uniform4(s);
        return u.x + u.y + u.z + u.w;
    }
};

/* --- Kernels. A sum is never negative; comparing it keeps the compiler from dropping it --- */

template <class State> __global__ void set_up(State *states)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(1234, i, 0, &states[i]);
}

template <class State, class Draw>
__global__ void draw_peer(const State *states, void *out, int turns)
{
    State state = states[blockIdx.x * blockDim.x + threadIdx.x];
    typename Draw::number sum = 0;
#pragma unroll 6
    for (int i = 0; i < turns; ++i)
        sum += Draw::take(&state);
    if (sum < 0)
        *(typename Draw::number *)out = sum;
}

template <class Flavour> __global__ void draw(const gpuranmar_state *states, void *out, int turns)
{
    gpuranmar::generator<Flavour> g;
    g.load(states[(blockIdx.x * blockDim.x + threadIdx.x) / 32]);
    typename Flavour::number sum = 0;
#pragma unroll 6
    for (int i = 0; i < turns; ++i)
        sum += g.next();
    if (sum < 0)
        *(typename Flavour::number *)out = sum;
}

/* The least that a generator of this kind has to do: get a word from another lane, and add it. */
template <class Number, class Word> __global__ void draw_nothing(void *out, int turns)
{
    const unsigned from = (threadIdx.x + 31) % 32;
    Word x = (Word)threadIdx.x;
    Number sum = 0;
#pragma unroll 6
    for (int i = 0; i < turns; ++i) {
        x = __shfl_sync(0xffffffffu, x, from);
        Number number;
        memcpy(&number, &x, sizeof number);
        sum += number;
    }
    if (sum == 1)
        *(Number *)out = sum;
}

/* The first `wanting` lanes want a number each turn. */
__global__ void branch(const gpuranmar_state *states, void *out, int turns, unsigned wanting)
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
        *(double *)out = sum;
}

__global__ void branch_buffered(const gpuranmar_state *states, void *out, int turns,
                                unsigned wanting)
{
    gpuranmar::buffered_source<as_double> s;
    s.load(states[(blockIdx.x * blockDim.x + threadIdx.x) / 32]);
    const bool want = threadIdx.x % 32 < wanting;
    double sum = 0;
    for (int i = 0; i < turns; i += 4) {
        if (want)
            for (int k = 0; k < 4; ++k)
                sum += s.draw();
        s.refill();
    }
    if (sum < 0)
        *(double *)out = sum;
}

template <class State>
__global__ void branch_peer(const State *states, void *out, int turns, unsigned wanting)
{
    State state = states[blockIdx.x * blockDim.x + threadIdx.x];
    const bool want = threadIdx.x % 32 < wanting;
    double sum = 0;
    for (int i = 0; i < turns; ++i)
        if (want)
            sum += curand_uniform_double(&state);
    if (sum < 0)
        *(double *)out = sum;
}

/* --- Contenders --- */

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
    gpuranmar_cuda_generator *g;
    MUST(cudaMalloc(&states, warps * sizeof *states));
    MUST(gpuranmar_cuda_create(&g, flavour));
    MUST(gpuranmar_cuda_states(g, states, warps, distance));
    gpuranmar_cuda_destroy(g);
    return states;
}

static const std::string in_double = "double precision", in_single = "single precision";

template <class Flavour> static contender ours(int flavour, int blocks, void *memory)
{
    const int turns = 30000;
    gpuranmar_state *const states = our_states(flavour, blocks, turns * 32);
    return {flavour == GPURANMAR_SINGLE ? in_single : in_double,
            std::string("ours ") + flavours[flavour], (double)blocks * threads * turns,
            [=] { draw<Flavour><<<blocks, threads>>>(states, memory, turns); }};
}

template <class State, class Draw> static contender peer(const char *name, int blocks, void *memory)
{
    const int turns = 8000 / Draw::each;
    State *const states = peer_states<State>(blocks);
    return {sizeof(typename Draw::number) == sizeof(float) ? in_single : in_double, name,
            (double)blocks * threads * turns * Draw::each,
            [=] { draw_peer<State, Draw><<<blocks, threads>>>(states, memory, turns); }};
}

template <class Number, class Word> static contender limit(int blocks, void *memory)
{
    const int turns = 60000;
    return {sizeof(Number) == sizeof(float) ? in_single : in_double, "limit a shuffle and a sum",
            (double)blocks * threads * turns,
            [=] { draw_nothing<Number, Word><<<blocks, threads>>>(memory, turns); }};
}

static void draw_in_all_lanes(int blocks, void *memory)
{
    take_turns({ours<as_double>(GPURANMAR_DOUBLE, blocks, memory),
                ours<gpuranmar::single_precision>(GPURANMAR_SINGLE, blocks, memory),
                ours<gpuranmar::extended_precision>(GPURANMAR_EXTENDED, blocks, memory),
                ours<gpuranmar::keyed_precision>(GPURANMAR_KEYED, blocks, memory),
                peer<curandStateXORWOW, one_double>("cuRAND XORWOW", blocks, memory),
                peer<curandStatePhilox4_32_10_t, one_double>("cuRAND Philox", blocks, memory),
                peer<curandStateMRG32k3a, one_double>("cuRAND MRG32k3a", blocks, memory),
                peer<curandStateXORWOW, one_float>("cuRAND XORWOW", blocks, memory),
                peer<curandStatePhilox4_32_10_t, four_floats>("cuRAND Philox", blocks, memory),
                limit<double, uint64_t>(blocks, memory), limit<float, uint32_t>(blocks, memory)},
               on_device, 7);
}

static void draw_in_some_lanes(int blocks, void *memory)
{
    const int turns = 4000;
    gpuranmar_state *const states = our_states(GPURANMAR_DOUBLE, blocks, turns * 64);
    auto *const philox = peer_states<curandStatePhilox4_32_10_t>(blocks);
    auto *const xorwow = peer_states<curandStateXORWOW>(blocks);
    std::vector<contender> all;
    for (unsigned want : {32u, 16u, 1u}) {
        const auto add = [&](const char *who, const std::function<void()> &run) {
            all.push_back({std::to_string(want) + " of 32 lanes", who,
                           (double)blocks * threads / 32 * want * turns, run});
        };
        add("ours source", [=] { branch<<<blocks, threads>>>(states, memory, turns, want); });
        add("ours buffered_source",
            [=] { branch_buffered<<<blocks, threads>>>(states, memory, turns, want); });
        add("cuRAND XORWOW",
            [=] { branch_peer<<<blocks, threads>>>(xorwow, memory, turns, want); });
        add("cuRAND Philox",
            [=] { branch_peer<<<blocks, threads>>>(philox, memory, turns, want); });
    }
    take_turns(all, on_device, 7);
}

/* From a seed to the first number of every thread. */
template <class State> static contender peer_set_up(const char *name, int count, void *memory)
{
    const int blocks = (count + threads - 1) / threads;
    State *const states = peer_states<State>(blocks);
    return {"set-up of " + std::to_string(count), name, (double)count, [=] {
                set_up<<<blocks, threads>>>(states);
                draw_peer<State, one_double><<<blocks, threads>>>(states, memory, 1);
            }};
}

static void set_ups(int count, void *memory)
{
    const int blocks = (count + threads - 1) / threads;
    gpuranmar_state *const states = our_states(GPURANMAR_DOUBLE, blocks, 1 << 30);
    gpuranmar_cuda_generator *g;
    MUST(gpuranmar_cuda_create(&g, GPURANMAR_DOUBLE));
    take_turns({{"set-up of " + std::to_string(count), "ours", (double)count,
                 [=] {
                     MUST(gpuranmar_cuda_set_seed(g, 1234));
                     MUST(gpuranmar_cuda_states(g, states, (size_t)blocks * threads / 32, 1 << 30));
                     draw<as_double><<<blocks, threads>>>(states, memory, 1);
                 }},
                peer_set_up<curandStateXORWOW>("cuRAND XORWOW", count, memory),
                peer_set_up<curandStatePhilox4_32_10_t>("cuRAND Philox", count, memory),
                peer_set_up<curandStateMRG32k3a>("cuRAND MRG32k3a", count, memory)},
               by_clock);
}

int main()
{
    tap_need_gpu("measure");
    int multiprocessors;
    void *memory;
    MUST(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    MUST(cudaMalloc(&memory, 64));
    draw_in_all_lanes(8 * multiprocessors, memory);
    draw_in_some_lanes(4 * multiprocessors, memory);
    for (int count : {10000, 100000, 1000000})
        set_ups(count, memory);
    return 0;
}
