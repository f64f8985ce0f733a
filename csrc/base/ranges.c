/* Checks that arguments are in their ranges: ranges.h describes the calls. */
#include "base/ranges.h"

#include <inttypes.h>

#include "base/error.h"
#include "gpuranmar.h"

int ranmar_check_id(const char *routine, int id, int most)
{
    if (id >= 1 && id <= most)
        return GPURANMAR_OK;
    return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: sequence = %d is not in 1..%d%s", routine, id,
                        most, most < RANMAR_SEQUENCES_MAX ? " (GPURANMAR_SEQUENCES)" : "");
}

int ranmar_seed_of_pair(const char *routine, int ij, int kl, int64_t *seed)
{
    enum { IJ_MAX = 31328, KL_MAX = RANMAR_SECOND_SEEDS - 1 };
    if (ij < 0 || ij > IJ_MAX)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: seed IJ = %d is not in 0..%d", routine, ij,
                            IJ_MAX);
    if (kl < 0 || kl > KL_MAX)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: seed KL = %d is not in 0..%d", routine, kl,
                            KL_MAX);
    *seed = (int64_t)ij * RANMAR_SECOND_SEEDS + kl;
    return GPURANMAR_OK;
}

int ranmar_check_seed(const char *routine, const struct ranmar_flavour *f, int64_t seed)
{
    if (f->keyed || (seed >= 0 && seed <= RANMAR_SEED_MAX))
        return GPURANMAR_OK;
    return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: seed = %" PRId64 " is not in 0..%" PRId64,
                        routine, seed, RANMAR_SEED_MAX);
}

int ranmar_check_position(const char *routine, const char *argument, uint64_t position)
{
    if (position <= RANMAR_POSITION_MAX)
        return GPURANMAR_OK;
    return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: %s = %" PRId64 " is not in 0..2^63", routine,
                        argument, (int64_t)position);
}

int ranmar_past_last_position(const char *routine, uint64_t position, uint64_t n)
{
    const int error = ranmar_check_position(routine, "n", n);
    if (error)
        return error;
    return ranmar_error(GPURANMAR_BAD_ARGUMENT,
                        "%s: n = %" PRIu64 " from position %" PRIu64 " is past 2^63", routine, n,
                        position);
}
