/* RANMAR, RMARIN, RMARUT: one sequence in single precision. */
#include "fortran/cernlib.h"

static struct ranmar_cernlib sequence;

static double zero(const struct ranmar_cernlib *s, const struct ranmar_fortran_state *behind)
{
    (void)s;
    return ranmar_single_zero(behind->u[1]);
}

static void start(const char *routine, int32_t ijkl, int32_t ntot, int32_t ntot2)
{
    ranmar_cernlib_start(routine, &sequence, GPURANMAR_SINGLE, ijkl, RANMAR_IJKL_MAX, ntot, ntot2);
}

__attribute__((noinline)) static void ranmar_slow(float *vec, int32_t len)
{
    if (!sequence.flavour)
        start("RANMAR", RANMAR_IJKL_DEFAULT, 0, 0);
    ranmar_cernlib_draw("RANMAR", &sequence, vec, len, zero);
}

void ranmar_(float *vec, const int32_t *len)
{
    if (*len != 1 || !ranmar_cernlib_next_single(&sequence, vec))
        ranmar_slow(vec, *len);
}

void rmarin_(const int32_t *ijkl, const int32_t *ntot, const int32_t *ntot2)
{
    start("RMARIN", *ijkl, *ntot, *ntot2);
    sequence.origin.ntot = sequence.origin.ntot2 = 0;
}

void rmarut_(int32_t *ijkl, int32_t *ntot, int32_t *ntot2)
{
    struct ranmar_origin now;
    ranmar_cernlib_report(&sequence, &now);
    *ijkl = now.ijkl;
    *ntot = now.ntot;
    *ntot2 = now.ntot2;
}
