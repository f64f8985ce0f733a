/* Which devices a process takes, and memory that it has pinned itself. Each test has a process of
 * its own, since a process chooses once. Without a GPU the CPU goes on, and the numbers are the
 * same. */
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

extern "C" {
#include "stream/stream.h"
}
#include "tap.h"

#include "devices/tests/pair.h"
#include "random.h"

enum { GOOD, BAD, NO_GPU };

static const size_t most = is_emulated ? 100000 : 20000000; /* pieces for several devices */

/* Runs a test in a process of its own; its answer, or BAD if it died. */
static int in_process(int (*test)())
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        const int answer = test();
        fflush(stdout);
        _exit(answer);
    }
    int status;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)
               ? WEXITSTATUS(status)
               : BAD;
}

/* Whether anything in this process has used a device. */
static bool is_in_use(int device)
{
    int (*state)(int device, unsigned *flags, int *active);
    cudaDriverEntryPointQueryResult found;
    unsigned flags;
    int active = 1;
    MUST(cudaGetDriverEntryPointByVersion("cuDevicePrimaryCtxGetState", (void **)&state, 12000,
                                          cudaEnableDefault, &found));
    MUST(state(device, &flags, &active));
    return active;
}

/* A long request, and the devices in use are `expected`; 0: all. */
static int devices_are(int expected)
{
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    options.threads = 2;
    const pair both = open_pair(options, GPURANMAR_CUDA);
    std::vector<double> got(most), want(most);
    bool good = true;
    for (size_t n : {most, most / 3, most - 1})
        good = draws_agree(both, false, got.data(), want.data(), n) && good;
    const bool by_gpu = made_by_device(both.gpu);
    close_pair(both);
    int all, in_use = 0;
    if (!has_gpu())
        return good ? NO_GPU : BAD;
    MUST(cudaGetDeviceCount(&all));
    for (int device = 0; device < all; ++device)
        in_use += is_in_use(device);
    printf("# %d of %d\n", in_use, all);
    return good && by_gpu && in_use == (expected > 0 ? expected : all) ? GOOD : BAD;
}

static int takes_all()
{
    return devices_are(0);
}

/* A rank that has chosen the last device stays there, and leaves the others alone. */
static int stays_on_chosen()
{
    int devices, current;
    if (!has_gpu())
        return NO_GPU;
    MUST(cudaGetDeviceCount(&devices));
    MUST(cudaSetDevice(devices - 1));
    MUST(cudaFree(nullptr)); /* which makes its context */
    const int answer = devices_are(1);
    MUST(cudaGetDevice(&current));
    return is_in_use(current) && current == devices - 1 ? answer : BAD;
}

/* The program has pinned some pages of an array by cudaHostRegister(): the first, the last, or some
 * between. A GPU must still be in use afterwards. */
static int takes_pinned_in_part()
{
    const size_t page = 4096, pages = most * sizeof(double) / page;
    char *const memory = (char *)aligned_alloc(page, pages * page);
    const pair both = open_pair(GPURANMAR_OPTIONS_INIT, GPURANMAR_CUDA);
    std::vector<double> want(most);
    bool good = true;
    for (int i = 0; i < 6; ++i) {
        const size_t begin = i % 3 == 0 ? 0 : pages / 3, end = i % 3 == 1 ? pages : 3 * pages / 5;
        const bool registered = cudaHostRegister(memory + begin * page, (end - begin) * page,
                                                 cudaHostRegisterDefault) == cudaSuccess;
        const size_t n = i < 3 ? pages * page / sizeof(double) : random_size(1, most / 2);
        good = draws_agree(both, false, memory, want.data(), n) && good;
        if (registered)
            MUST(cudaHostUnregister(memory + begin * page));
    }
    const bool by_gpu = made_by_device(both.gpu);
    close_pair(both);
    free(memory);
    return good && by_gpu ? GOOD : good && !has_gpu() ? NO_GPU : BAD;
}

static void test(int (*run)(), const char *name)
{
    const int answer = in_process(run);
    tap(answer != BAD, (std::string(name) + (answer == NO_GPU ? " # SKIP no GPU" : "")).c_str());
}

int main()
{
    random_start();
    test(takes_all, "a program without CUDA has all devices");
    test(stays_on_chosen, "a program that has chosen a device stays on it");
    test(takes_pinned_in_part, "memory that is pinned in part");
    return tap_done();
}
