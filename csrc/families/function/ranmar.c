/* U = RANMAR(), a REAL FUNCTION: the next number. */
#include "gpuranmar_engine.h"

GPURANMAR_API float ranmar_(void);
#include "../two_seeds.h"

float ranmar_(void)
{
    return next();
}
