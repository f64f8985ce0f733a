/* U = DUNI() of DL_POLY Classic, a DOUBLE PRECISION FUNCTION: 24 bits, zeros are kept. The first
 * call only starts the sequence, from i, j, k, l = 12, 34, 56, 78 (seed 54217137). It returns 0;
 * what the original returns there is undefined, and programs do not use it. */
#include "family.h"

GPURANMAR_API double duni_(void);

static gpuranmar_engine engine;

__attribute__((noinline)) static double start_or_refill(void)
{
    if (!gpuranmar_engine_is_started(&engine)) {
        gpuranmar_stop_on(
            gpuranmar_engine_start(&engine, "DUNI", FLAVOUR, ZERO, RANMAR_IJKL_DEFAULT, 0));
        return 0;
    }
    return gpuranmar_engine_next_single(&engine);
}

double duni_(void)
{
    if (UNLIKELY(engine.left == 0))
        return start_or_refill();
    return gpuranmar_engine_next_single(&engine);
}
