/* CERNLIB's RANMAR, RMARIN, RMARUT: one sequence in single precision.
 *
 * RANMAR(VEC,LEN)  VEC(1:LEN), REAL, becomes the next LEN numbers; starts from seed 54217137 unless
 *                  RMARIN came before
 * RMARIN(IJKL,NTOT,NTOT2)  starts from seed IJKL, 0..942377567, skips NTOT2*10^9 + NTOT numbers,
 *                          and counts from there
 * RMARUT(IJKL,NTOT,NTOT2)  the seed and how many numbers were delivered; (0,0,0) before any use */
#include "../family.h"

GPURANMAR_API void ranmar_(float *vec, const int32_t *len);
GPURANMAR_API void rmarin_(const int32_t *ijkl, const int32_t *ntot, const int32_t *ntot2);
GPURANMAR_API void rmarut_(int32_t *ijkl, int32_t *ntot, int32_t *ntot2);
REMEMBER_OURS(ranmar_);

static struct ranmar_counted sequence;

static void start(const char *routine, int32_t ijkl, int32_t ntot, int32_t ntot2)
{
    gpuranmar_check_seed(routine, ijkl, RANMAR_IJKL_MAX, ntot, ntot2);
    gpuranmar_stop_on(gpuranmar_engine_start(&sequence.engine, routine, GPURANMAR_SINGLE,
                                             GPURANMAR_ZERO_U2, ijkl,
                                             ranmar_count_of(ntot, ntot2)));
    sequence.origin = (struct ranmar_origin){.ijkl = ijkl};
}

__attribute__((noinline)) static void draw(float *vec, int32_t len)
{
    if (!gpuranmar_engine_is_started(&sequence.engine))
        start("RANMAR", RANMAR_IJKL_DEFAULT, 0, 0);
    gpuranmar_engine_fill_single(&sequence.engine, vec, ranmar_length("RANMAR", len));
}

void ranmar_(float *vec, const int32_t *len)
{
    if (UNLIKELY(*len != 1 || sequence.engine.left == 0))
        draw(vec, *len);
    else
        *vec = gpuranmar_engine_next_single(&sequence.engine);
}

void rmarin_(const int32_t *ijkl, const int32_t *ntot, const int32_t *ntot2)
{
    CHECK_OURS("RMARIN", ranmar_, "RANMAR");
    start("RMARIN", *ijkl, *ntot, *ntot2);
}

void rmarut_(int32_t *ijkl, int32_t *ntot, int32_t *ntot2)
{
    ranmar_counted_report(&sequence, ijkl, ntot, ntot2);
}
