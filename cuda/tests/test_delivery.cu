/* Streams whose numbers a GPU makes deliver what the CPU's streams deliver, whatever is asked of
 * them. Without a GPU the CPU goes on, and the same must hold. */
extern "C" {
#include "stream/stream.h"
}
#include "test_requests.h"

/* Where there is a GPU: the numbers that agree are its numbers. */
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

/* Long enough that AUTO tries the GPU. */
static bool automatic_agrees()
{
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    options.threads = 1;
    const pair both = open_pair(options, GPURANMAR_AUTO);
    const size_t n = 1 << 24;
    std::vector<double> got(n), want(n);
    bool good = true;
    for (int i = 0; i < 72 && good; ++i)
        good = draws_agree(both, false, false, got.data(), want.data(), n + (size_t)i % 3 - 2);
    close_pair(both);
    return good;
}

/* An argument leaves it at one round, for the tests of what happens without a GPU. */
int main(int argc, char **)
{
    random_start();
    const int rounds = argc > 1 ? 1 : 4;
    bool good = true;
    for (int flavour = GPURANMAR_DOUBLE; flavour <= GPURANMAR_DECIMATED; ++flavour)
        for (int round = 0; round < rounds; ++round)
            good = requests_agree(flavour, false, 20, 5000000) && good;
    tap(good, "one sequence, requests of every kind");
    good = true;
    for (int round = 0; round < rounds; ++round)
        good = requests_agree((int)random_in(0, 3), true, 20, 500000) && good;
    tap(good, "interleaved instances, requests of every kind");
    tap(small_requests_agree(1000 * rounds), "small requests");
    if (rounds > 1)
        tap(automatic_agrees(), "automatic choice");
    if (rounds > 1 && has_gpu())
        tap(gpu_delivers(), "a GPU delivers");
    return tap_done();
}
