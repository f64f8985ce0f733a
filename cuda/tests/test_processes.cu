/* Which devices a process takes, and what becomes of them in a forked one. Each test has a process
 * of its own, since a process chooses once. Without a GPU the CPU goes on, and the numbers are the
 * same. */
#include <sys/wait.h>
#include <unistd.h>

#include <string>

extern "C" {
#include "stream/stream.h"
}
#include "test_requests.h"

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

/* A long request, and the devices in use are `expected`; 0: all. */
static int devices_are(int expected)
{
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    options.threads = 2;
    const pair both = open_pair(options, GPURANMAR_CUDA);
    std::vector<double> got(most), want(most);
    bool good = true;
    for (size_t n : {most, most / 3, most - 1})
        good = draws_agree(both, false, false, got.data(), want.data(), n) && good;
    const char *const devices = ranmar_gpu_maker_devices(both.gpu->makers[0]);
    const std::string in_use = devices ? devices : "";
    close_pair(both);
    int all;
    if (!has_gpu())
        return good ? NO_GPU : BAD;
    MUST(cudaGetDeviceCount(&all));
    printf("# %s of %d\n", in_use.c_str(), all);
    const std::string wanted = std::to_string(expected > 0 ? expected : all) + " x ";
    return good && in_use.compare(0, wanted.size(), wanted) == 0 ? GOOD : BAD;
}

static int takes_all()
{
    return devices_are(0);
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
    bool alone = true;
    for (int device = 0; device < devices - 1; ++device)
        alone = alone && !is_in_use(device);
    MUST(cudaGetDevice(&current));
    return alone && current == devices - 1 ? answer : BAD;
}

/* Parent and child both go on with the numbers of a cache in pinned memory: the child, which has no
 * GPU, makes them again. */
static int survives_fork()
{
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    options.prefetch = 10000;
    options.threads = 2;
    const pair both = open_pair(options, GPURANMAR_CUDA);
    std::vector<double> got(most), want(most);
    const auto goes_on = [&] {
        bool good = true;
        for (size_t n : {(size_t)777, most, (size_t)1, (size_t)9999})
            good = draws_agree(both, false, n < most, got.data(), want.data(), n) && good;
        return good;
    };
    bool good = draws_agree(both, false, true, got.data(), want.data(), 1234);
    const bool pinned =
        ranmar_gpu_maker_devices(both.gpu->makers[0]) && !both.gpu->own_cache && both.gpu->pos != 0;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0)
        _exit(!goes_on());
    good = goes_on() && good;
    int status;
    good = waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0 &&
           goes_on() && good;
    close_pair(both);
    return !good ? BAD : pinned ? GOOD : has_gpu() ? BAD : NO_GPU;
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
    test(survives_fork, "a forked process goes on");
    return tap_done();
}
