/* U = RANMAR(), a DOUBLE PRECISION FUNCTION: the next number. */
#include "gpuranmar_engine.h"

GPURANMAR_API double ranmar_(void);
#include "../two_seeds.h"

double ranmar_(void)
{
    return next();
}
