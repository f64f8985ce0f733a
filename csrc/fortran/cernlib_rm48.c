/* RM48, RM48UT and the part of RM48IN that prints nothing: one sequence in double precision. */
#include "fortran/cernlib.h"

/* The range that CERNLIB documents for RM48IN. */
enum { SEED_MAX = 900000000 };

static struct ranmar_cernlib sequence;

double ranmar_rm48_zero(const struct ranmar_cernlib *s, const struct ranmar_fortran_state *behind)
{
    (void)s;
    (void)behind;
    return 0x1p-49;
}

static void start(const char *routine, int32_t i1, int32_t n1, int32_t n2)
{
    ranmar_cernlib_start(routine, &sequence, GPURANMAR_DOUBLE, i1, SEED_MAX, n1, n2);
}

void ranmar_rm48_start(int32_t i1, int32_t n1, int32_t n2) { start("RM48IN", i1, n1, n2); }

__attribute__((noinline)) static void rm48_slow(double *vec, int32_t len)
{
    if (!sequence.flavour)
        start("RM48", RANMAR_IJKL_DEFAULT, 0, 0);
    ranmar_cernlib_draw("RM48", &sequence, vec, len, ranmar_rm48_zero);
}

void rm48_(double *vec, const int32_t *len)
{
    if (*len != 1 || !ranmar_cernlib_next_double(&sequence, vec))
        rm48_slow(vec, *len);
}

void rm48ut_(int32_t *i1, int32_t *n1, int32_t *n2)
{
    struct ranmar_origin now = {.ntot = -1};
    if (sequence.flavour)
        ranmar_cernlib_report(&sequence, &now);
    *i1 = now.ijkl;
    *n1 = now.ntot;
    *n2 = now.ntot2;
}
