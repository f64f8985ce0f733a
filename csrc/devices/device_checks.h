/* The checks of arguments that gpuranmar_cuda.h and gpuranmar_opencl.h share. If an argument is
 * bad, a check ends the function that it stands in with GPURANMAR_BAD_ARGUMENT, and leaves a line
 * that names the function, the argument and the value. */
#ifndef RANMAR_DEVICE_CHECKS_H
#define RANMAR_DEVICE_CHECKS_H

#include <inttypes.h>

#include "base/ranges.h"
#include "definition/flavour.h"
#include "devices/device_error.h"

enum { RANMAR_STATES_MAX = 1000000000 }; /* in one call: 784 GB */

#define CHECK(condition, ...)                                               \
    do {                                                                    \
        if (!(condition))                                                   \
            return ranmar_device_fail(__VA_ARGS__), GPURANMAR_BAD_ARGUMENT; \
    } while (0)

#define CHECK_POINTER(pointer, name) CHECK(pointer, "%s: %s is a null pointer", __func__, name)

#define CHECK_FLAVOUR(flavour)                                                                     \
    CHECK(ranmar_flavour(flavour), "%s: flavour = %d is none of enum gpuranmar_flavour", __func__, \
          flavour)

#define CHECK_SEED(flavour, seed)                                                       \
    CHECK(ranmar_flavour(flavour)->keyed || ((seed) >= 0 && (seed) <= RANMAR_SEED_MAX), \
          "%s: seed = %" PRId64 " is not in 0..%" PRId64, __func__, (int64_t)(seed),    \
          (int64_t)RANMAR_SEED_MAX)

#define CHECK_POSITION(position)                                                             \
    CHECK((position) <= RANMAR_POSITION_MAX, "%s: position = %" PRId64 " is not in 0..2^63", \
          __func__, (int64_t)(position)) /* Fortran's may be negative */

#define CHECK_INSTANCES(instances, block)                                                    \
    do {                                                                                     \
        CHECK((instances) >= 1 && (instances) <= RANMAR_INSTANCES_MAX,                       \
              "%s: instances = %" PRId64 " is not in 1..%d", __func__, (int64_t)(instances), \
              RANMAR_INSTANCES_MAX);                                                         \
        CHECK((block) >= 1 && (block) <= RANMAR_PREFETCH_MAX,                                \
              "%s: block = %" PRId64 " is not in 1..%" PRId64, __func__, (int64_t)(block),   \
              (int64_t)RANMAR_PREFETCH_MAX);                                                 \
    } while (0)

/* `count` states, `distance` numbers apart from a position on. */
#define CHECK_STATES(count, distance, instances, position)                                     \
    do {                                                                                       \
        CHECK((count) >= 1 && (count) <= RANMAR_STATES_MAX, "%s: count = %zu is not in 1..%d", \
              __func__, (size_t)(count), RANMAR_STATES_MAX);                                   \
        CHECK((instances) == 1, "%s: instances = %" PRIu64 " is not 1", __func__,              \
              (uint64_t)(instances));                                                          \
        CHECK((distance) >= 1 && (distance) <= RANMAR_POSITION_MAX,                            \
              "%s: distance = %" PRId64 " is not in 1..2^63", __func__, (int64_t)(distance));  \
        CHECK((distance) <= (RANMAR_POSITION_MAX - (position)) / (count),                      \
              "%s: %zu times distance = %" PRIu64 " from position %" PRIu64 " is past 2^63",   \
              __func__, (size_t)(count), (uint64_t)(distance), (uint64_t)(position));          \
    } while (0)

#endif
