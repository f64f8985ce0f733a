/* An engine's numbers as the bits that NumPy's distributions use. */
#include "definition/flavour.h"
#include "gpuranmar_engine.h"

double gpuranmar_engine_double(gpuranmar_engine *engine)
{
    return gpuranmar_engine_next(engine);
}

uint64_t gpuranmar_engine_raw(gpuranmar_engine *engine)
{
    const unsigned bits = ranmar_flavour(engine->flavour)->bits;
    return (uint64_t)(gpuranmar_engine_next(engine) * (double)(UINT64_C(1) << bits));
}

uint32_t gpuranmar_engine_uint32(gpuranmar_engine *engine)
{
    if (engine->flavour != GPURANMAR_SINGLE)
        return (uint32_t)(gpuranmar_engine_raw(engine) >> 16);
    const uint32_t high = (uint32_t)gpuranmar_engine_raw(engine) >> 8;
    return high << 16 | (uint32_t)gpuranmar_engine_raw(engine) >> 8;
}

uint64_t gpuranmar_engine_uint64(gpuranmar_engine *engine)
{
    const uint64_t high = gpuranmar_engine_uint32(engine);
    return high << 32 | gpuranmar_engine_uint32(engine);
}
