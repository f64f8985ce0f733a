/* Just enough of TAP, the tests' output format, for programs on machines without cmocka. */
#ifndef RANMAR_CUDA_TAP_H
#define RANMAR_CUDA_TAP_H

#include <cstdio>
#include <cstdlib>

#include "call.h"

static int tap_number, tap_failures;

/* One test: prints its line. */
static inline void tap(bool good, const char *name)
{
    tap_failures += !good;
    printf("%sok %d - %s\n", good ? "" : "not ", ++tap_number, name);
    fflush(stdout);
}

/* Prints how many tests there were, and returns the program's exit status. */
static inline int tap_done()
{
    printf("1..%d\n", tap_number);
    return tap_failures != 0;
}

static inline bool has_gpu()
{
    int devices = 0;
    return cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
}

/* Without a GPU all tests of the program are skipped. */
static inline void tap_need_gpu(const char *name)
{
    if (has_gpu())
        return;
    printf("ok 1 - %s # SKIP no GPU (%s)\n1..1\n", name, cudaGetErrorString(cudaGetLastError()));
    exit(0);
}

/* For calls whose failure is no result of the test. */
#define MUST(call)                                                                               \
    do {                                                                                         \
        const int must_result = (int)(call);                                                     \
        if (must_result != 0) {                                                                  \
            printf("Bail out! %s:%d: %s returned %d\n", __FILE__, __LINE__, #call, must_result); \
            exit(1);                                                                             \
        }                                                                                        \
    } while (0)

/* If the CPU plays a GPU (cuda/tests/emulated/), tests are small and done twice: the second time
 * the lanes take their turns in descending order. */
#ifdef RANMAR_EMULATED
constexpr bool is_emulated = true;
static inline bool in_other_order()
{
    emulated::descending = !emulated::descending;
    return emulated::descending;
}
#else
constexpr bool is_emulated = false;
static inline bool in_other_order()
{
    return false;
}
#endif

/* Launches a kernel on the default stream. */
#define LAUNCH(kernel, blocks, threads, ...) \
    MUST(gpuranmar::launch({(unsigned)(blocks), threads, nullptr, false}, kernel, __VA_ARGS__))

#endif
