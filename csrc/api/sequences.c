/* The public calls on numbered sequences. They check their arguments, and fortran/registry.c does
 * the work. */
#include "definition/error.h"
#include "fortran/fortran.h"
#include "stream/options.h"

int gpuranmar_initialise(int id, int ij, int kl, int instances, int64_t prefetch)
{
    int error = ranmar_sequence_check(__func__, id);
    if (error)
        return error;
    if (ij < 0 || ij > 31328)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: ij = %d is not in 0..31328", __func__, ij);
    if (kl < 0 || kl >= RANMAR_SECOND_SEEDS)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: kl = %d is not in 0..30081", __func__, kl);
    gpuranmar_options options = ranmar_sequence_options();
    options.seed = (int64_t)ij * RANMAR_SECOND_SEEDS + kl;
    options.instances = instances;
    if (prefetch != 0)
        options.prefetch = prefetch;
    const struct ranmar_origin origin = {(int32_t)options.seed, 0, 0, RANMAR_LONG_LAG};
    error = ranmar_check_options(&options, __func__);
    if (!error)
        error = ranmar_alone(__func__);
    return error ? error : ranmar_sequence_start(__func__, id, &options, &origin);
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
