/* RMARIN(IJ,KL) and RANMAR in the widely copied text of FSU-SCRI-87-50: 24 bits, zeros are kept.
 * RMARIN must be called before RANMAR. The text has four forms, which differ in how RANMAR returns
 * its numbers. They all have that name, so a program can have only one of them. */
#include "family.h"

GPURANMAR_API void rmarin_(const int32_t *ij, const int32_t *kl);
REMEMBER_OURS(ranmar_);

static gpuranmar_engine engine;

void rmarin_(const int32_t *ij, const int32_t *kl)
{
    CHECK_OURS("RMARIN", ranmar_, "RANMAR");
    gpuranmar_stop_on(gpuranmar_engine_start_pair(&engine, "RMARIN", GPURANMAR_SINGLE,
                                                  GPURANMAR_ZERO_KEEP, *ij, *kl, 0));
}

/* Refills the empty window. */
__attribute__((noinline)) static void refill(void)
{
    if (!gpuranmar_engine_is_started(&engine))
        gpuranmar_stop("RANMAR: RMARIN must be called before it");
    gpuranmar_engine_refill(&engine);
}

static inline float next(void)
{
    if (UNLIKELY(engine.left == 0))
        refill();
    return gpuranmar_engine_next_single(&engine);
}
