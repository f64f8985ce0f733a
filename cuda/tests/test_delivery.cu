/* Streams whose numbers a GPU makes deliver what the CPU's streams deliver, whatever is asked of
 * them. Without a GPU the CPU goes on, and the same must hold. */
extern "C" {
#include "definition/flavour.h"
#include "stream/copy.h"
#include "stream/stream.h"
}
#include "test_requests.h"

/* Where there is a GPU, it is the GPU that makes the numbers. */
static bool gpu_delivers()
{
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    options.backend = GPURANMAR_CUDA;
    gpuranmar_stream *stream;
    MUST(gpuranmar_stream_initialise(&stream, &options));
    double numbers[1000];
    MUST(gpuranmar_stream_get(stream, numbers, 1000));
    const bool good = ranmar_gpu_maker_devices(stream->makers[0]) && !stream->own_cache;
    gpuranmar_stream_close(stream);
    return good;
}

/* The program has pinned some pages of an array by cudaHostRegister(): the first, the last, or some
 * between. A GPU that is expected must still be in use afterwards. */
static bool partly_pinned_agrees(size_t most, bool gpu_expected)
{
    const size_t page = 4096, pages = most * sizeof(double) / page;
    char *const memory = (char *)aligned_alloc(page, pages * page);
    const pair both = open_pair(GPURANMAR_OPTIONS_INIT, GPURANMAR_CUDA);
    std::vector<double> want(most);
    bool good = true;
    for (int i = 0; i < 6; ++i) {
        const size_t begin = i % 3 == 0 ? 0 : pages / 3, end = i % 3 == 1 ? pages : 3 * pages / 5;
        const bool is = cudaHostRegister(memory + begin * page, (end - begin) * page,
                                         cudaHostRegisterDefault) == cudaSuccess;
        const size_t n = i < 3 ? pages * page / sizeof(double) : random_size(1, most / 2);
        good = draws_agree(both, false, false, memory, want.data(), n) && good;
        if (is)
            MUST(cudaHostUnregister(memory + begin * page));
    }
    good = good && (!gpu_expected || ranmar_gpu_maker_devices(both.gpu->makers[0]));
    close_pair(both);
    free(memory);
    return good;
}

/* Blocks of any length, in groups or one at a time. */
static bool blocks_agree(int64_t prefetch, int blocks)
{
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    options.prefetch = prefetch;
    const pair both = open_pair(options, GPURANMAR_CUDA);
    std::vector<double> got(prefetch), want(prefetch);
    bool good = true;
    for (int i = 0; i < blocks; ++i)
        good = draws_agree(both, false, true, got.data(), want.data(), (size_t)prefetch - i % 2) &&
               good;
    close_pair(both);
    return good;
}

/* The copy by which the plugin empties its pinned memory, on any number of threads. */
static bool copies_agree(int rounds)
{
    const size_t most = 5 << 20;
    std::vector<char> from(most), to(most + 1), want(most + 1);
    for (char &byte : from)
        byte = (char)random_word();
    bool good = true;
    for (int i = 0; i < rounds; ++i) {
        const size_t bytes = i == 0 ? most : random_size(0, most);
        std::fill(to.begin(), to.end(), 0);
        std::fill(want.begin(), want.end(), 0);
        memcpy(want.data(), from.data(), bytes);
        ranmar_copy_by_threads(to.data(), from.data(), bytes, (int)random_in(1, 6));
        good = good && to == want;
    }
    return good;
}

/* With an argument there is only one round, for the tests of what happens without a GPU. */
int main(int argc, char **)
{
    random_start();
    const int rounds = argc > 1 || is_emulated ? 1 : 4;
    const size_t most = is_emulated ? 100000 : 5000000;
    bool good = true;
    for (int flavour = GPURANMAR_DOUBLE; flavour < RANMAR_FLAVOURS; ++flavour)
        for (int round = 0; round < rounds; ++round)
            good = requests_agree(flavour, false, 20, most) && good;
    tap(good, "one sequence, requests of every kind");
    good = true;
    for (int flavour = GPURANMAR_DOUBLE; flavour < RANMAR_FLAVOURS; ++flavour)
        good = requests_agree(flavour, true, is_emulated ? 5 : 20, most / 10) && good;
    tap(good, "interleaved instances, requests of every kind");
    tap(small_requests_agree(250 * rounds), "small requests");
    tap(copies_agree(20), "copies by several threads");
    tap(partly_pinned_agrees(most / 4, argc == 1 && has_gpu()), "memory that is pinned in part");
    tap(blocks_agree(is_emulated ? 100 : 10000, is_emulated ? 100 : 500), "short blocks");
    tap(blocks_agree(is_emulated ? 70001 : 17000000, 3), "long blocks");
    if (rounds > 1 && has_gpu())
        tap(gpu_delivers(), "a GPU delivers");
    return tap_done();
}
