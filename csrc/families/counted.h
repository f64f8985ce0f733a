/* What CERNLIB's RANMAR, RMARIN, RMARUT and those of the journal's text have in common: one
 * sequence in single precision with counters. Who includes this defines start() and RMARIN. */
#ifndef RANMAR_COUNTED_H
#define RANMAR_COUNTED_H

#include "family.h"

GPURANMAR_API void ranmar_(float *vec, const int32_t *len);
GPURANMAR_API void rmarin_(const int32_t *ijkl, const int32_t *ntot, const int32_t *ntot2);
GPURANMAR_API void rmarut_(int32_t *ijkl, int32_t *ntot, int32_t *ntot2);
REMEMBER_OURS(ranmar_);

static struct ranmar_counted sequence;

/* Starts the sequence, or ends the program in the name of the routine. */
static void start(const char *routine, int32_t ijkl, int32_t ntot, int32_t ntot2);

__attribute__((noinline)) static void draw(float *vec, int32_t len)
{
    if (!gpuranmar_engine_is_started(&sequence.engine))
        start("RANMAR", RANMAR_IJKL_DEFAULT, 0, 0);
    gpuranmar_engine_fill_single(&sequence.engine, vec, ranmar_length("RANMAR", len));
}

void ranmar_(float *vec, const int32_t *len)
{
    if (UNLIKELY(*len != 1 || sequence.engine.left == 0))
        draw(vec, *len);
    else
        *vec = gpuranmar_engine_next_single(&sequence.engine);
}

void rmarut_(int32_t *ijkl, int32_t *ntot, int32_t *ntot2)
{
    ranmar_counted_report(&sequence, ijkl, ntot, ntot2);
}

#endif
