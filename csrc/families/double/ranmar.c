/* RANMAR(RVEC,LEN) of the public text in DOUBLE PRECISION: RVEC(1:LEN) becomes the next LEN
 * numbers. */
#include "gpuranmar_engine.h"

GPURANMAR_API void ranmar_(double *rvec, const int32_t *len);
#include "../two_seeds.h"

__attribute__((noinline)) static void draw(double *rvec, int32_t len)
{
    const size_t n = ranmar_length("RANMAR", len);
    if (n > 0 && engine.left == 0)
        refill();
    gpuranmar_engine_fill(&engine, rvec, n);
}

void ranmar_(double *rvec, const int32_t *len)
{
    if (*len == 1)
        *rvec = next();
    else
        draw(rvec, *len);
}
