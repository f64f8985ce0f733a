/* What it takes to start a generator and draw from it.
 *
 *     starts GENERATOR POSITION NUMBERS  prints microseconds a start for each of some chunks
 *     starts peers                       prints the names of the peers
 *
 * GENERATOR is stream, engine, class or a peer. */
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>
#if __has_include(<Random123/philox.h>)
#include <Random123/philox.h>
#endif

#include "gpuranmar.hpp"

static void by_stream(std::int64_t seed, std::uint64_t position, double *out, std::size_t n)
{
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    gpuranmar_stream *stream;
    options.seed = seed;
    options.position = position;
    gpuranmar::check(gpuranmar_stream_initialise(&stream, &options));
    gpuranmar::check(gpuranmar_stream_fill(stream, out, n));
    gpuranmar_stream_close(stream);
}

static void by_engine(std::int64_t seed, std::uint64_t position, double *out, std::size_t n)
{
    gpuranmar_engine engine;
    gpuranmar::check(gpuranmar_engine_start(&engine, "starts", GPURANMAR_DOUBLE,
                                            GPURANMAR_ZERO_SMALLEST, seed, position));
    gpuranmar_engine_fill(&engine, out, n);
}

static void by_class(std::int64_t seed, std::uint64_t position, double *out, std::size_t n)
{
    gpuranmar::engine<> random(seed, position);
    for (std::size_t i = 0; i < n; ++i)
        out[i] = random.flat();
}

static void by_mt19937(std::int64_t seed, std::uint64_t position, double *out, std::size_t n)
{
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    random.discard(position);
    for (std::size_t i = 0; i < n; ++i)
        out[i] = double(random() >> 11) * 0x1p-53;
}

#ifdef PHILOX4x32_DEFAULT_ROUNDS
#ifdef __x86_64__ /* the library picks from the same instruction sets */
__attribute__((target_clones("avx512f", "avx2", "default")))
#endif
static void
by_philox(std::int64_t seed, std::uint64_t position, double *out, std::size_t n)
{
    const philox4x32_key_t key = {{std::uint32_t(seed), 0}};
    for (std::size_t i = 0; i + 2 <= n; i += 2) { /* positions and lengths are even */
        const philox4x32_ctr_t counter = {{std::uint32_t((position + i) / 2), 0, 0, 0}};
        const philox4x32_ctr_t r = philox4x32(counter, key);
        for (std::size_t k = 0; k < 2; ++k) {
            const std::uint64_t bits = std::uint64_t(r.v[2 * k + 1]) << 32 | r.v[2 * k];
            out[i + k] = double(bits >> 11) * 0x1p-53;
        }
    }
}
#endif

static const struct generator {
    const char *name;
    bool is_peer;
    void (*start)(std::int64_t seed, std::uint64_t position, double *out, std::size_t n);
} generators[] = {
    {"stream", false, by_stream},     {"engine", false, by_engine}, {"class", false, by_class},
#ifdef PHILOX4x32_DEFAULT_ROUNDS
    {"philox", true, by_philox},
#endif
    {"mt19937_64", true, by_mt19937},
};

static void print_starts(const generator &g, std::uint64_t position, std::size_t n)
{
    std::vector<double> numbers(n);
    const int chunks = 11, per_chunk = int(40000 / (n + 1000));
    for (int chunk = 1; chunk <= chunks; ++chunk) {
        const auto from = std::chrono::steady_clock::now();
        for (int i = 0; i < per_chunk; ++i) {
            g.start(1000000 * chunk + i, position, numbers.data(), n);
            __asm__ volatile("" ::"r"(numbers.data()) : "memory");
        }
        const std::chrono::duration<double, std::micro> took =
            std::chrono::steady_clock::now() - from;
        std::printf("%.4f ", took.count() / per_chunk);
    }
    std::puts("");
}

int main(int argc, char **argv)
{
    bool is_known = false;
    for (const generator &g : generators) {
        if (argc == 2 && std::strcmp(argv[1], "peers") == 0 && (is_known = true) && g.is_peer)
            std::puts(g.name);
        if (argc == 4 && std::strcmp(argv[1], g.name) == 0 && (is_known = true))
            print_starts(g, std::strtoull(argv[2], nullptr, 10),
                         std::strtoull(argv[3], nullptr, 10));
    }
    if (!is_known)
        std::fputs("starts: see the head of validate/bench/starts.cc\n", stderr);
    return is_known ? 0 : 2;
}
