/* AMRSET(ISEED) and AMRAND(Y) of Amber: Y, DOUBLE PRECISION, becomes the next number; 24 bits,
 * zeros are kept. Amber's GAUSS draws numbers itself, from the state that Amber's own AMRSET sets.
 * A program that uses GAUSS must be changed so that it calls AMRAND, or stay as it is. */
#include "../family.h"

GPURANMAR_API void amrset_(const int32_t *iseed);
GPURANMAR_API void amrand_(double *y);
REMEMBER_OURS(amrand_);

static gpuranmar_engine engine;

/* The seeds are ISEED / 30081 + 1 and the remainder + 1. Seeds out of range become the nearest in
 * range. */
void amrset_(const int32_t *iseed)
{
    enum { IJ_MAX = 31328, KL_MAX = 30081 };
    const int ij = *iseed / KL_MAX + 1, kl = *iseed % KL_MAX + 1;
    CHECK_OURS("AMRSET", amrand_, "AMRAND");
    gpuranmar_stop_on(gpuranmar_engine_start_pair(&engine, "AMRSET", GPURANMAR_SINGLE,
                                                  GPURANMAR_ZERO_KEEP,
                                                  ij < 1        ? 1
                                                  : ij > IJ_MAX ? IJ_MAX
                                                                : ij,
                                                  kl < 1 ? 1 : kl, 0));
}

__attribute__((noinline)) static void refill(void)
{
    if (!gpuranmar_engine_is_started(&engine))
        gpuranmar_stop("AMRAND: AMRSET must be called before it");
    gpuranmar_engine_refill(&engine);
}

void amrand_(double *y)
{
    if (UNLIKELY(engine.left == 0))
        refill();
    *y = gpuranmar_engine_next_single(&engine);
}
