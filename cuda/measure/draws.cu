/* Measures numbers that are drawn inside a kernel and not written. The loops of all generators are
 * unrolled alike, and each generator has as many threads as suit it best. Set-up is left out, and
 * has a table of its own. */
#include "draws.h"

#include <curand_kernel.h>
#include <curand_mtgp32_host.h>
#include <curand_mtgp32dc_p_11213.h>

#include <cstring>
#include <type_traits>

#include "gpuranmar_cuda.h"
#include "gpuranmar_shared.cuh"
#include "report.h"

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
struct two_doubles {
    typedef double number;
    static constexpr int each = 2;
    template <class State> static __device__ double take(State *s)
    {
        const double2 u = curand_uniform2_double(s);
        return u.x + u.y;
    }
};

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

/* The threads of a block share a state of MTGP32's, which is in global memory. */
__global__ void draw_mtgp32(curandStateMtgp32 *states, void *out, int turns)
{
    double sum = 0;
#pragma unroll 6
    for (int i = 0; i < turns; ++i)
        sum += curand_uniform_double(&states[blockIdx.x]);
    if (sum < 0)
        *(double *)out = sum;
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
template <class Source>
__device__ __forceinline__ void draw_in_turns(Source &s, void *out, int turns, unsigned wanting)
{
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

__global__ void branch(const gpuranmar_state *states, void *out, int turns, unsigned wanting)
{
    gpuranmar::source<as_double> s;
    s.load(states[(blockIdx.x * blockDim.x + threadIdx.x) / 32]);
    draw_in_turns(s, out, turns, wanting);
}

__global__ void branch_shared(const gpuranmar_state *states, void *out, int turns, unsigned wanting)
{
    typedef gpuranmar::shared_source<as_double> source;
    __shared__ source::place places[threads / 32];
    source s(places[threadIdx.x / 32]);
    s.load(states[(blockIdx.x * blockDim.x + threadIdx.x) / 32]);
    draw_in_turns(s, out, turns, wanting);
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

/* --- Tables --- */

static int multiprocessors;

template <class State> struct peer_states {
    State *states;
    explicit peer_states(int blocks)
    {
        MUST(cudaMalloc(&states, (size_t)blocks * threads * sizeof *states));
        set_up<<<blocks, threads>>>(states);
        MUST(cudaGetLastError());
    }
    ~peer_states()
    {
        MUST(cudaFree(states));
    }
};

struct our_states {
    gpuranmar_state *states;
    our_states(int flavour, int blocks, uint64_t distance)
    {
        const size_t warps = (size_t)blocks * threads / 32;
        gpuranmar_cuda_generator *g;
        MUST(cudaMalloc(&states, warps * sizeof *states));
        MUST(gpuranmar_cuda_create(&g, flavour));
        MUST(gpuranmar_cuda_states(g, states, warps, distance));
        gpuranmar_cuda_destroy(g);
    }
    ~our_states()
    {
        MUST(cudaFree(states));
    }
};

/* The best of several numbers of blocks a multiprocessor; `run(blocks)` draws `each` a thread. */
static void best_row(const char *section, const char *name, double each,
                     const std::function<work(int)> &prepare)
{
    spread best = {};
    int best_blocks = 0;
    double best_rate = 0;
    for (int a_multiprocessor : {2, 4, 8}) {
        const int blocks = a_multiprocessor * multiprocessors;
        const spread seconds = device_seconds(prepare(blocks), 5);
        const double rate = blocks / seconds.median;
        if (rate > best_rate) {
            best_rate = rate;
            best = seconds;
            best_blocks = blocks;
        }
    }
    printf("| %s | %.0f | %d |\n", name,
           note(section, name, (double)best_blocks * threads * each, best),
           best_blocks / multiprocessors * threads);
    fflush(stdout);
}

template <class Flavour> static void our_row(const char *name, int flavour, void *memory)
{
    const int turns = 30000;
    const our_states s(flavour, 8 * multiprocessors, turns * 32);
    best_row(std::is_same<typename Flavour::number, double>::value ? "draw" : "draw single", name,
             turns, [&](int blocks) {
                 return
                     [&, blocks] { draw<Flavour><<<blocks, threads>>>(s.states, memory, turns); };
             });
}

template <class State, class Draw> static void their_row(const char *name, void *memory)
{
    const int turns = 8000 / Draw::each;
    const peer_states<State> s(8 * multiprocessors);
    best_row(std::is_same<typename Draw::number, double>::value ? "draw" : "draw single", name,
             turns * Draw::each, [&](int blocks) {
                 return [&, blocks] {
                     draw_peer<State, Draw><<<blocks, threads>>>(s.states, memory, turns);
                 };
             });
}

static void mtgp32_row(const char *name, void *memory)
{
    const int most = 8 * multiprocessors, turns = 4000;
    mtgp32_kernel_params *parameters;
    curandStateMtgp32 *states;
    MUST(cudaMalloc(&parameters, sizeof *parameters));
    MUST(cudaMalloc(&states, most * sizeof *states));
    MUST(curandMakeMTGP32Constants(mtgp32dc_params_fast_11213, parameters));
    for (int from = 0; from < most; from += CURAND_NUM_MTGP32_PARAMS) /* the most in one call */
        MUST(curandMakeMTGP32KernelState(states + from, mtgp32dc_params_fast_11213, parameters,
                                         std::min(CURAND_NUM_MTGP32_PARAMS, most - from),
                                         1234 + from));
    best_row("draw", name, turns, [&](int blocks) {
        return [=] { draw_mtgp32<<<blocks, threads>>>(states, memory, turns); };
    });
    MUST(cudaFree(parameters));
    MUST(cudaFree(states));
}

static void branch_rates(void *memory)
{
    const int turns = 4000, blocks = 4 * multiprocessors;
    const our_states ours(GPURANMAR_DOUBLE, blocks, turns * 64);
    const peer_states<curandStatePhilox4_32_10_t> philox(blocks);
    const peer_states<curandStateXORWOW> xorwow(blocks);
    printf(
        "\n## Drawing where lanes branch, double precision\n\n"
        "| lanes that want a number | source | shared_source | buffered_source | XORWOW | Philox "
        "|\n|---:|---:|---:|---:|---:|---:|\n");
    for (unsigned wanting : {32u, 16u, 1u}) {
        const double numbers = (double)blocks * threads / 32 * wanting * turns;
        const auto rate = [&](const char *name, const work &run) {
            return note("branch", name + (", " + std::to_string(wanting) + " lanes"), numbers,
                        device_seconds(run));
        };
        printf(
            "| %u | %.0f | %.0f | %.0f | %.0f | %.0f |\n", wanting,
            rate("source",
                 [&] { branch<<<blocks, threads>>>(ours.states, memory, turns, wanting); }),
            rate("shared_source",
                 [&] { branch_shared<<<blocks, threads>>>(ours.states, memory, turns, wanting); }),
            rate(
                "buffered_source",
                [&] { branch_buffered<<<blocks, threads>>>(ours.states, memory, turns, wanting); }),
            rate("cuRAND XORWOW",
                 [&] { branch_peer<<<blocks, threads>>>(xorwow.states, memory, turns, wanting); }),
            rate("cuRAND Philox",
                 [&] { branch_peer<<<blocks, threads>>>(philox.states, memory, turns, wanting); }));
    }
}

/* From a seed to the first number of every thread. */
static void set_up_times(void *memory)
{
    printf("\n## Set-up: microseconds to the first number of every thread\n\n"
           "| threads | RANMAR | XORWOW | Philox | MRG32k3a |\n|---:|---:|---:|---:|---:|\n");
    for (int count : {10000, 100000, 1000000}) {
        const int blocks = (count + threads - 1) / threads;
        const size_t warps = (size_t)blocks * threads / 32;
        gpuranmar_state *states;
        gpuranmar_cuda_generator *g;
        MUST(cudaMalloc(&states, warps * sizeof *states));
        MUST(gpuranmar_cuda_create(&g, GPURANMAR_DOUBLE));
        const auto time = [&](const char *name, const work &run) {
            const double microseconds = 1e6 * device_seconds(run, 5).median;
            note("set-up", name + (", " + std::to_string(count)), "microseconds", microseconds);
            return microseconds;
        };
        const double ours = time("RANMAR", [&] {
            MUST(gpuranmar_cuda_set_seed(g, 1234));
            MUST(gpuranmar_cuda_states(g, states, warps, 1 << 30));
            draw<as_double><<<blocks, threads>>>(states, memory, 1);
        });
        gpuranmar_cuda_destroy(g);
        MUST(cudaFree(states));
        const auto peer = [&](auto state, const char *name) {
            typedef decltype(state) State;
            State *peers;
            MUST(cudaMalloc(&peers, (size_t)blocks * threads * sizeof *peers));
            const double microseconds = time(name, [&] {
                set_up<<<blocks, threads>>>(peers);
                draw_peer<State, one_double><<<blocks, threads>>>(peers, memory, 1);
            });
            MUST(cudaFree(peers));
            return microseconds;
        };
        printf("| %d | %.0f | %.0f | %.0f | %.0f |\n", count, ours,
               peer(curandStateXORWOW(), "XORWOW"), peer(curandStatePhilox4_32_10_t(), "Philox"),
               peer(curandStateMRG32k3a(), "MRG32k3a"));
        fflush(stdout);
    }
}

void draw_rates(void *memory, int count)
{
    multiprocessors = count;
    printf("\n## Drawing inside a kernel, nothing written, set-up left out\n\n"
           "| | rate | threads a multiprocessor |\n|---|---:|---:|\n");
    our_row<as_double>("RANMAR, double", GPURANMAR_DOUBLE, memory);
    our_row<gpuranmar::extended_precision>("RANMAR, extended", GPURANMAR_EXTENDED, memory);
    our_row<gpuranmar::luxury_precision>("RANMAR, luxury", GPURANMAR_LUXURY, memory);
    their_row<curandStateXORWOW, one_double>("cuRAND XORWOW, double", memory);
    their_row<curandStatePhilox4_32_10_t, one_double>("cuRAND Philox, double", memory);
    their_row<curandStatePhilox4_32_10_t, two_doubles>("cuRAND Philox, two doubles a call", memory);
    their_row<curandStateMRG32k3a, one_double>("cuRAND MRG32k3a, double", memory);
    mtgp32_row("cuRAND MTGP32, double", memory);
    our_row<gpuranmar::single_precision>("RANMAR, single", GPURANMAR_SINGLE, memory);
    their_row<curandStateXORWOW, one_float>("cuRAND XORWOW, float", memory);
    their_row<curandStatePhilox4_32_10_t, one_float>("cuRAND Philox, float", memory);
    their_row<curandStatePhilox4_32_10_t, four_floats>("cuRAND Philox, four floats a call", memory);
    const int turns = 60000;
    best_row("draw", "limit: shuffle and sum, double", turns, [&](int blocks) {
        return [=] { draw_nothing<double, uint64_t><<<blocks, threads>>>(memory, turns); };
    });
    best_row("draw single", "limit: shuffle and sum, float", turns, [&](int blocks) {
        return [=] { draw_nothing<float, uint32_t><<<blocks, threads>>>(memory, turns); };
    });
    branch_rates(memory);
    set_up_times(memory);
}
