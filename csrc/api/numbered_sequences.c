/* The public calls on numbered sequences: the calls check their arguments, and fortran/registry.c
 * does the work. */
#include "base/error.h"
#include "base/ranges.h"
#include "fortran/fortran.h"

int gpuranmar_initialise(int id, int ij, int kl, int instances, int64_t prefetch)
{
    gpuranmar_options options = ranmar_sequence_options();
    int error = ranmar_sequence_check(__func__, id);
    if (!error)
        error = ranmar_seed_of_pair(__func__, ij, kl, &options.seed);
    if (!error)
        error = ranmar_check_only_library(__func__);
    if (error)
        return error;
    options.instances = instances;
    if (prefetch != 0)
        options.prefetch = prefetch;
    const struct ranmar_counters counters = {(int32_t)options.seed, 0, 0, RANMAR_LONG_LAG};
    return ranmar_sequence_start(__func__, id, &options, &counters);
}

int gpuranmar_get(int id, double *out, size_t n)
{
    const int error = ranmar_sequence_check(__func__, id);
    return error ? error : ranmar_sequence_get(__func__, id, out, n);
}

int gpuranmar_get_unbuffered(int id, double *out, size_t n)
{
    const int error = ranmar_sequence_check(__func__, id);
    return error ? error : ranmar_sequence_fill(__func__, id, out, n);
}

int gpuranmar_close(int id)
{
    const int error = ranmar_sequence_check(__func__, id);
    return error ? error : ranmar_sequence_close(__func__, id);
}
