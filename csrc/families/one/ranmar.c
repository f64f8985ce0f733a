/* RANMAR(X): X, DOUBLE PRECISION, becomes the next number. Programs with this form may have RMASET
 * and RMASAVE beside RMARIN(IJ,KL), which keep the state in a file (rmaset.f90). */
#include "gpuranmar_engine.h"

GPURANMAR_API void ranmar_(double *x);
#include "../two_seeds.h"

void ranmar_one_report(gpuranmar_engine_state *state);
void ranmar_one_adopt(const gpuranmar_engine_state *state);

void ranmar_(double *x)
{
    *x = next();
}

void ranmar_one_report(gpuranmar_engine_state *state)
{
    if (!gpuranmar_engine_is_started(&engine))
        gpuranmar_stop("RMASAVE: RMASET or RMARIN must be called before it");
    gpuranmar_engine_report(&engine, state);
}

void ranmar_one_adopt(const gpuranmar_engine_state *state)
{
    CHECK_OURS("RMASET", ranmar_, "RANMAR");
    gpuranmar_stop_on(
        gpuranmar_engine_adopt(&engine, "RMASET", GPURANMAR_SINGLE, GPURANMAR_ZERO_KEEP, state));
}
