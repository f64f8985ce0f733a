/* Each CUDA call is made to fail in turn, alone (as in an error that passes) and with all that
 * follow (as in a device that is lost). The numbers must stay right. */
#include "call.h"
#include "test_requests.h"

/* An emulated GPU has small pieces and takes long. There each 20th call fails, from a random one
 * on, unless the argument is `all`. */
#ifdef RANMAR_EMULATED
enum { PIECE = 2000, EACH = 20 };
#else
enum { PIECE = 150000, EACH = 1 };
#endif

/* Requests that take every path: more than a piece, blocks, small ones, pinned and pageable
 * memory, interleaved instances. */
static bool all_agree()
{
    static const uint64_t seed = random_word();
    random_state = seed; /* the same requests each time, so that the calls are the same */
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    options.prefetch = PIECE;
    const pair both = open_pair(options, GPURANMAR_CUDA);
    const size_t most = 30 * PIECE;
    static std::vector<double> got(most), want(most);
    double *const fixed = (double *)pinned(2 * PIECE * sizeof(double));
    bool good = draws_agree(both, false, false, got.data(), want.data(), 1000) &&
                draws_agree(both, false, false, got.data(), want.data(), most) &&
                (!fixed || draws_agree(both, false, false, fixed, want.data(), 2 * PIECE));
    for (int i = 0; i < 5; ++i)
        good = good && draws_agree(both, false, true, got.data(), want.data(), PIECE / 2);
    close_pair(both);
    cudaFreeHost(fixed);
    return good && requests_agree(GPURANMAR_SINGLE, true, 3, PIECE + PIECE / 3);
}

int main(int argc, char **)
{
    const long each = argc > 1 ? 1 : EACH;
    random_start();
    ranmar_device_fail_calls(0, 0);
    bool good = all_agree();
    const long calls = ranmar_device_fail_calls(0, 0);
    printf("# %ld CUDA calls\n", calls);
    tap(good, "no call fails");
    if (has_gpu())
        tap(calls > 20, "a GPU is used");
    good = true;
    for (long call = 1 + random_word() % each; call <= calls; call += each) {
        ranmar_device_fail_calls(call, call);
        good = all_agree() && good;
    }
    tap(good, "one call fails");
    good = true;
    for (long call = 1 + random_word() % each; call <= calls; call += each) {
        ranmar_device_fail_calls(call, 1000000);
        good = all_agree() && good;
    }
    tap(good, "all calls fail from one on");
    return tap_done();
}
