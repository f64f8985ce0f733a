/* The options of a stream: options.h describes the calls. */
#include "stream/options.h"

#include <inttypes.h>

#include "definition/error.h"
#include "definition/flavour.h"
#include "definition/ranges.h"

int ranmar_check_size(const char *routine, const gpuranmar_options *options)
{
    if (options->size == sizeof *options)
        return GPURANMAR_OK;
    return ranmar_error(GPURANMAR_BAD_ARGUMENT,
                        "%s: options.size = %zu is that of no version; this one has %zu bytes",
                        routine, options->size, sizeof *options);
}

int ranmar_check_seed(const char *routine, const struct ranmar_flavour *f, int64_t seed)
{
    if (f->keyed || (seed >= 0 && seed <= RANMAR_SEED_MAX))
        return GPURANMAR_OK;
    return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: seed = %" PRId64 " is not in 0..%" PRId64,
                        routine, seed, RANMAR_SEED_MAX);
}

int ranmar_check_options(const gpuranmar_options *o, const char *routine)
{
#define CHECK(condition, ...) \
    if (!(condition))         \
    return ranmar_error(GPURANMAR_BAD_ARGUMENT, __VA_ARGS__)
    int error = ranmar_check_size(routine, o);
    if (!error)
        error = ranmar_check_position(routine, "position", o->position);
    if (error)
        return error;
    CHECK(ranmar_flavour(o->flavour), "%s: flavour = %d is none of enum gpuranmar_flavour", routine,
          o->flavour);
    error = ranmar_check_seed(routine, ranmar_flavour(o->flavour), o->seed);
    if (error)
        return error;
    CHECK(o->backend >= GPURANMAR_CPU && o->backend <= GPURANMAR_OPENCL,
          "%s: backend = %d is none of enum gpuranmar_backend", routine, o->backend);
    CHECK(o->instances >= 1 && o->instances <= RANMAR_INSTANCES_MAX,
          "%s: instances = %" PRId64 " is not in 1..%d", routine, o->instances,
          RANMAR_INSTANCES_MAX);
    CHECK(o->prefetch >= 0 && o->prefetch <= RANMAR_PREFETCH_MAX,
          "%s: prefetch = %" PRId64 " is not in 0..%" PRId64, routine, o->prefetch,
          RANMAR_PREFETCH_MAX);
    CHECK(o->threads >= 0 && o->threads <= RANMAR_THREADS_MAX, "%s: threads = %d is not in 0..%d",
          routine, o->threads, RANMAR_THREADS_MAX);
    CHECK(o->reserved == 0, "%s: reserved = %d is not 0", routine, o->reserved);
#undef CHECK
    return GPURANMAR_OK;
}
