/* The widely copied text of FSU-SCRI-87-50: RMARIN(IJ,KL) and a RANMAR that must not be called
 * before it; 24 bits, zeros are kept. Its four forms differ in how RANMAR hands its numbers over,
 * and clash in its name. */
#include "family.h"

GPURANMAR_API void rmarin_(const int32_t *ij, const int32_t *kl);
REMEMBER_OURS(ranmar_);

static gpuranmar_engine engine;

void rmarin_(const int32_t *ij, const int32_t *kl)
{
    CHECK_OURS("RMARIN", ranmar_, "RANMAR");
    gpuranmar_stop_on(gpuranmar_engine_start(&engine, "RMARIN", GPURANMAR_SINGLE,
                                             GPURANMAR_ZERO_KEEP,
                                             ranmar_seed_of_two("RMARIN", *ij, *kl), 0));
}

/* When the window is empty. */
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
