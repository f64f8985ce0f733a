/* AMRSET(ISEED) and AMRAND(Y) of Amber. Amber's GAUSS draws from the state that Amber's own AMRSET
 * sets, which this library does not have: a program that uses GAUSS must be changed to call AMRAND
 * there, or not be relinked. */
#include "draw_routine.h"

GPURANMAR_API void START(const int32_t *iseed);

/* The seeds are ISEED / 30081 + 1 and the remainder + 1. Seeds out of range become the nearest in
 * range. */
void START(const int32_t *iseed)
{
    enum { IJ_MAX = 31328, KL_MAX = 30081 };
    const int ij = *iseed / KL_MAX + 1, kl = *iseed % KL_MAX + 1;
    const int ij_from_1 = ij < 1 ? 1 : ij;
    CHECK_OURS(START_TEXT);
    gpuranmar_stop_on(gpuranmar_engine_start_pair(&engine, START_TEXT, FLAVOUR, ZERO,
                                                  ij_from_1 > IJ_MAX ? IJ_MAX : ij_from_1,
                                                  kl < 1 ? 1 : kl, 0));
}
