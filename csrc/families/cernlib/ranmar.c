/* CERNLIB's RANMAR, RMARIN, RMARUT: one sequence in single precision.
 *
 * RANMAR(VEC,LEN)          VEC(1:LEN), REAL, becomes the next LEN numbers. The first call starts
 *                          from seed 54217137 unless RMARIN came before.
 * RMARIN(IJKL,NTOT,NTOT2)  Starts from seed IJKL, 0..942377567, skips NTOT2*10^9 + NTOT numbers,
 *                          and counts from there.
 * RMARUT(IJKL,NTOT,NTOT2)  Sets its arguments to the seed and the number of numbers delivered,
 *                          NTOT2*10^9 + NTOT; to (0,0,0) before any use. */
#include "../counted.h"

static void start(const char *routine, int32_t ijkl, int32_t ntot, int32_t ntot2)
{
    gpuranmar_check_seed(routine, ijkl, RANMAR_IJKL_MAX, ntot, ntot2);
    gpuranmar_stop_on(gpuranmar_engine_start(&sequence.engine, routine, GPURANMAR_SINGLE,
                                             GPURANMAR_ZERO_U2, ijkl,
                                             ranmar_count_of(ntot, ntot2)));
    sequence.origin = (struct ranmar_origin){.ijkl = ijkl};
}

void rmarin_(const int32_t *ijkl, const int32_t *ntot, const int32_t *ntot2)
{
    CHECK_OURS("RMARIN", ranmar_, "RANMAR");
    start("RMARIN", *ijkl, *ntot, *ntot2);
}
