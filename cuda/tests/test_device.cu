/* The host calls and the device header: the same bits as the CPU's streams. */
#include <string>

#include "gpuranmar_device.cuh"
#include "gpuranmar_skip.cuh"
#include "on_gpu.h"

extern "C" {
#include "backends/plugin.h"
#include "definition/flavour.h"
#include "definition/jump.h"
#include "fill/fill.h"
#include "fill/thread_pool.h"
}

static void generate(gpuranmar_cuda_generator *g, int flavour, void *out, size_t n)
{
    if (flavour == GPURANMAR_SINGLE)
        MUST(gpuranmar_cuda_generate_single(g, (float *)out, n));
    else
        MUST(gpuranmar_cuda_generate_double(g, (double *)out, n));
}

/* A fill from a random place, in random pieces; the rest of the memory must stay as it was. */
static bool fill_agrees(bool interleaved, size_t most, size_t pieces)
{
    const int flavour = (int)random_in(0, RANMAR_FLAVOURS - 1);
    const size_t size = flavour == GPURANMAR_SINGLE ? sizeof(float) : sizeof(double);
    const int64_t seed = (int64_t)random_in(0, RANMAR_SEED_MAX);
    const uint64_t position = random_size(0, UINT64_C(1) << 62);
    const int64_t instances = interleaved ? (int64_t)random_size(2, 30082) : 1;
    const int64_t block = interleaved ? (int64_t)random_size(1, 2 * most) : 1024;
    const size_t n = random_size(0, most), before = random_in(0, 100), guard = 64;

    const std::vector<char> want = twin(seed, instances, block, flavour, position).next(n);
    const array<char> memory((before + n + guard) * size);
    const generator g(flavour);
    if (interleaved)
        MUST(gpuranmar_cuda_set_instances(g, instances, block));
    MUST(gpuranmar_cuda_set_seed(g, seed));
    MUST(gpuranmar_cuda_set_position(g, position));
    for (size_t made = 0; made < n;) {
        const size_t piece = pieces > 1 ? random_size(0, 2 * (n / pieces) + 1) : n;
        const size_t count = piece < n - made ? piece : n - made;
        generate(g, flavour, memory + (before + made) * size, count);
        made += count;
    }
    const std::vector<char> got = memory.get();
    bool good = memcmp(got.data() + before * size, want.data(), want.size()) == 0;
    for (size_t i = 0; i < got.size(); ++i)
        if (i < before * size || i >= (before + n) * size)
            good = good && got[i] == (char)0xff;
    if (!good)
        printf("# flavour %d, seed %lld, position %llu, instances %lld, block %lld, n %zu\n",
               flavour, (long long)seed, (unsigned long long)position, (long long)instances,
               (long long)block, n);
    return good;
}

static bool fills_agree(int times, bool interleaved, size_t most, size_t pieces)
{
    bool good = true;
    for (int i = 0; i < times; ++i)
        good = fill_agrees(interleaved, most, pieces) && good;
    return good;
}

/* Every warp draws `rows` rows of numbers from its own segment. */
template <class Flavour>
__global__ void draw_rows(gpuranmar_state *states, typename Flavour::number *out, size_t rows)
{
    const size_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    gpuranmar::generator<Flavour> g;
    g.load(states[warp]);
    for (size_t r = 0; r < rows; ++r)
        out[(warp * rows + r) * 32 + threadIdx.x % 32] = g.next();
    g.store(states[warp]);
}

template <class Flavour> static bool kernel_agrees(int flavour)
{
    typedef typename Flavour::number number;
    const size_t warps = 4 * random_in(1, 50), rows = random_in(1, 40), n = rows * 32;
    const int64_t seed = (int64_t)random_in(0, RANMAR_SEED_MAX);
    const uint64_t position = random_size(0, UINT64_C(1) << 40);
    const array<gpuranmar_state> states(warps);
    const array<number> memory(2 * warps * n);
    const generator g(flavour);
    MUST(gpuranmar_cuda_set_seed(g, seed));
    MUST(gpuranmar_cuda_set_position(g, position));
    MUST(gpuranmar_cuda_states(g, states, warps, 2 * n));
    for (size_t half : {0, 1}) /* the second launch goes on from the stored states */
        LAUNCH(draw_rows<Flavour>, warps / 4, 128, states.at, memory.at + half * warps * n, rows);
    const std::vector<number> got = memory.get();
    const std::vector<char> want = twin(seed, 1, 1, flavour, position).next(2 * warps * n);
    const number *const numbers = (const number *)want.data();
    bool good = true;
    for (size_t i = 0; i < 2 * warps; ++i)
        good = good &&
               memcmp(&got[(i % 2 * warps + i / 2) * n], numbers + i * n, n * sizeof(number)) == 0;
    return good;
}

/* A state is made up for what sequences come to too rarely for a test: four numbers would be
 * exactly zero, and the arithmetic part comes near an end of its range. The numbers are drawn in a
 * kernel, and filled in rows of 32 and a rest. */
template <class Flavour> static bool zeros_are_avoided(int flavour)
{
    const struct ranmar_flavour &f = *ranmar_flavour(flavour);
    typedef typename Flavour::number number;
    constexpr size_t n = 96 + 7;
    ranmar_state state;
    for (uint64_t &x : state.x)
        x = random_word() << (64 - f.bits);
    /* Some steps on, the arithmetic part is where it just wraps, or just does not. */
    const int shift = __builtin_ctzll(f.modulus);
    const uint64_t modulus = f.modulus >> shift, step = f.step >> shift;
    const uint64_t near = (random_in(0, 1) ? 32 * step : modulus) + random_in(0, 120) - 60;
    state.c = (near + random_in(1, 64) * step) % modulus << shift;
    for (size_t zero : {32, 31, 5, 0})
        state.x[zero] = ranmar_arithmetic_jump(state.c, zero + 1, &f) +
                        ranmar_mask(state.x + RANMAR_LONG_LAG + zero, &f) -
                        ranmar_lagged_terms(state.x + zero, f.every);
    ranmar_state moved = state;
    number want[n];
    ranmar_fill_scalar(&moved, &f, want, n);
    bool good = want[0] == want[5] && want[0] == want[31] && want[0] == want[32] && want[0] > 0;

    const array<gpuranmar_state> states(std::vector<gpuranmar_state>{state});
    const array<number> memory(n / 32 * 32);
    LAUNCH(draw_rows<Flavour>, 1, 32, states.at, memory.at, n / 32);
    good = good && memcmp(memory.get().data(), want, n / 32 * 32 * sizeof *want) == 0;

    int devices, first;
    char name[RANMAR_PLUGIN_ERROR];
    const ranmar_plugin *const plugin = ranmar_cuda_plugin(RANMAR_PLUGIN_ABI);
    MUST(!plugin->count("", &devices, &first, name, sizeof name));
    for (size_t count : {n, n - 96 + 33}) {
        ranmar_device *const d = plugin->open(0, flavour, {1, n});
        void *const got = plugin->allocate(d, n * sizeof(number));
        MUST(!plugin->set(d, &state, 0) || !plugin->make(d, 0, 0, count, got) ||
             !plugin->record(d, RANMAR_EVENT_OF_ALL) || !plugin->wait(d, RANMAR_EVENT_OF_ALL));
        good = good && memcmp(got, want, count * sizeof(number)) == 0;
        plugin->release(d, got);
        plugin->close(d);
    }
    return good;
}

/* --- Code that branches --- */

/* A state of the sequence with the seed 54217137 at a position. */
static gpuranmar_state state_at(int flavour, uint64_t position)
{
    const struct ranmar_flavour &f = *ranmar_flavour(flavour);
    gpuranmar_state state;
    ranmar_jump last_jump = {};
    ranmar_seed(&state, &f, 54217137);
    ranmar_jump_by(&last_jump, position, &f, &state);
    return state;
}

/* Who wants a number is in `wants`, a mask for each turn. */
template <class Flavour>
__global__ void draw_wanted(gpuranmar_state *state, const unsigned *wants,
                            typename Flavour::number *out, unsigned turns)
{
    gpuranmar::source<Flavour> source;
    source.load(*state);
    for (unsigned t = 0; t < turns; ++t) {
        const bool want = wants[t] >> threadIdx.x & 1;
        const typename Flavour::number u = source.draw(want);
        out[t * 32 + threadIdx.x] = want ? u : 0;
    }
    source.store(*state);
}

/* The turns are cut into several launches, with the state stored between. The last one stored must
 * be the state at the position reached. */
template <class Flavour> static bool source_agrees(int flavour)
{
    typedef typename Flavour::number number;
    const unsigned turns = 300;
    std::vector<unsigned> wants(turns);
    for (unsigned &mask : wants)
        mask =
            (unsigned)(random_word() & random_word() & (random_in(0, 1) ? ~0ull : random_word()));
    wants[1] = wants[2] = ~0u;
    wants[3] = 0;
    const uint64_t position = random_size(0, UINT64_C(1) << 50);
    const array<gpuranmar_state> state({state_at(flavour, position)});
    const array<unsigned> masks(wants);
    const array<number> memory(turns * 32);
    for (unsigned t = 0; t < turns;) {
        const unsigned now = (unsigned)random_in(0, random_in(0, 1) ? 9 : 99),
                       more = now < turns - t ? now : turns - t;
        LAUNCH(draw_wanted<Flavour>, 1, 32, state.at, masks.at + t, memory.at + t * 32, more);
        t += more;
    }
    const std::vector<number> got = memory.get();
    const std::vector<char> want = twin(54217137, 1, 1, flavour, position).next(turns * 32);
    const number *next = (const number *)want.data();
    bool good = true;
    for (unsigned t = 0; t < turns; ++t)
        for (int lane = 0; lane < 32; ++lane)
            if (wants[t] >> lane & 1)
                good = got[t * 32 + lane] == *next++ && good;
    const gpuranmar_state there =
        state_at(flavour, position + (uint64_t)(next - (const number *)want.data()));
    return good && memcmp(&there, state.get().data(), sizeof there) == 0;
}

/* --- Jumps inside a kernel --- */

template <class Flavour>
__global__ void skip_by(gpuranmar_state *state, const uint64_t *jumps, uint64_t distance)
{
    __shared__ gpuranmar::workspace w;
    gpuranmar::load(w, *state);
    gpuranmar::skip<Flavour>(w, jumps, distance);
    gpuranmar::store(w, *state);
}

template <class Flavour> static bool skips_agree(int flavour, int times)
{
    const uint64_t *jumps;
    MUST(gpuranmar_cuda_jumps(generator(flavour), &jumps));
    bool good = true;
    for (int i = 0; i < times; ++i) {
        const uint64_t from = random_size(0, UINT64_C(1) << 60);
        const uint64_t distance = i < 64 ? UINT64_C(1) << i >> 1 : random_size(0, ~UINT64_C(0) / 2);
        const gpuranmar_state begin = state_at(flavour, from);
        gpuranmar_state want = begin;
        ranmar_jump last_jump = {};
        ranmar_jump_by(&last_jump, distance, ranmar_flavour(flavour), &want);
        const array<gpuranmar_state> state({begin});
        LAUNCH(skip_by<Flavour>, 1, 32, state.at, jumps, distance);
        good = good && memcmp(state.get().data(), &want, sizeof want) == 0;
    }
    return good;
}

/* States any distance apart. */
static bool states_agree(int times)
{
    bool good = true;
    for (int i = 0; i < times; ++i) {
        const int flavour = (int)random_in(0, RANMAR_FLAVOURS - 1);
        const size_t count = random_size(1, 100);
        const uint64_t distance = random_size(1, UINT64_C(1) << 55);
        const uint64_t position = random_size(0, UINT64_C(1) << 40);
        const generator g(flavour);
        const array<gpuranmar_state> states(count + 1);
        MUST(gpuranmar_cuda_set_position(g, position));
        MUST(gpuranmar_cuda_states(g, states, count, distance));
        good = g.position() == position + count * distance && good;
        MUST(gpuranmar_cuda_states(g, states + count, 1, 1));
        const std::vector<gpuranmar_state> got = states.get();
        for (size_t s = 0; s <= count; ++s) {
            const gpuranmar_state want = state_at(flavour, position + s * distance);
            good = good && memcmp(&got[s], &want, sizeof want) == 0;
        }
    }
    return good;
}

static bool bad_arguments_are_named()
{
    gpuranmar_cuda_generator *none = nullptr;
    double *out = nullptr;
    bool good = gpuranmar_cuda_create(&none, 99) == GPURANMAR_BAD_ARGUMENT && !none &&
                strstr(gpuranmar_cuda_last_error(), "flavour = 99");
    const generator g;
    good = good && gpuranmar_cuda_set_seed(g, -1) == GPURANMAR_BAD_ARGUMENT &&
           strstr(gpuranmar_cuda_last_error(), "seed = -1") &&
           gpuranmar_cuda_set_position(g, UINT64_MAX) == GPURANMAR_BAD_ARGUMENT &&
           gpuranmar_cuda_set_instances(g, 0, 10) == GPURANMAR_BAD_ARGUMENT &&
           gpuranmar_cuda_generate_double(g, out, 1) == GPURANMAR_BAD_ARGUMENT &&
           gpuranmar_cuda_generate_single(g, (float *)out, 1) == GPURANMAR_BAD_ARGUMENT &&
           gpuranmar_cuda_generate_double(g, out, 0) == GPURANMAR_OK;
    return good && g.position() == 0;
}

static size_t free_memory()
{
    size_t unused, total;
    MUST(cudaDeviceSynchronize());
    MUST(cudaMemGetInfo(&unused, &total));
    return unused;
}

/* GPU memory stays flat over many requests of many sizes, and over opening and closing. */
static bool memory_is_flat(size_t requests, size_t openings)
{
    const array<double> out(100000);
    const generator g;
    size_t before = 0;
    for (size_t i = 0; i < requests; ++i) {
        if (i == 1000)
            before = free_memory();
        MUST(gpuranmar_cuda_generate_double(g, out, random_size(0, i < 1000 ? 100000 : 3000)));
    }
    bool good = free_memory() == before;
    before = free_memory();
    for (size_t i = 0; i < openings; ++i)
        MUST(gpuranmar_cuda_generate_double(generator(), out, 5000));
    return good && free_memory() == before;
}

template <class Flavour> static void test_kernels(int flavour, bool small)
{
    const auto tap_here = [&](bool good, const char *name) {
        tap(good, (std::string(ranmar_flavour_name(flavour)) + ": " + name).c_str());
    };
    tap_here(kernel_agrees<Flavour>(flavour), "in a kernel");
    bool good = true;
    for (int i = 0; i < 8; ++i)
        good = zeros_are_avoided<Flavour>(flavour) && good;
    tap_here(good, "a zero becomes the smallest number, and the arithmetic part wraps");
    good = true;
    for (int i = 0; i < 3; ++i) /* launches are cut differently each time */
        good = source_agrees<Flavour>(flavour) && good;
    tap_here(good, "in a kernel that branches, stored and loaded between launches");
    tap_here(skips_agree<Flavour>(flavour, small ? 70 : 500), "skips in a kernel, of any distance");
}

static void test(bool small)
{
    tap(fills_agree(small ? 10 : 300, false, small ? 50000 : 3000000, 1),
        "one sequence: any seed, position, length, alignment");
    tap(fills_agree(small ? 1 : 3, false, small ? 200000 : 100000000, 1), "one sequence, long");
    tap(fills_agree(small ? 10 : 100, true, small ? 20000 : 1000000, 1), "interleaved instances");
    tap(fills_agree(small ? 3 : 30, false, small ? 20000 : 1000000, 50), "many requests as one");
    tap(fills_agree(small ? 3 : 30, true, small ? 20000 : 1000000, 50),
        "many requests as one, interleaved");
#define FLAVOUR(CODE, name) test_kernels<gpuranmar::name##_precision>(GPURANMAR_##CODE, small);
#include "definition/flavours.def"
#undef FLAVOUR
    tap(states_agree(small ? 5 : 50), "states any distance apart");
    tap(bad_arguments_are_named(), "bad arguments");
    tap(memory_is_flat(small ? 1500 : 1000000, small ? 10 : 10000),
        "GPU memory over a million requests and 10^4 openings");
}

int main(int argc, char **)
{
    return run_tests("device", argc, test);
}
