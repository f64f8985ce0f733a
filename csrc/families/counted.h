/* What RANMAR, RMARIN and RMARUT have in common in CERNLIB and in the journal's text: one sequence
 * in single precision, with counters. A file that includes this one defines start() and RMARIN. */
#ifndef RANMAR_COUNTED_H
#define RANMAR_COUNTED_H

#include "family.h"

GPURANMAR_API void ranmar_(float *vec, const int32_t *len);
GPURANMAR_API void rmarin_(const int32_t *ijkl, const int32_t *ntot, const int32_t *ntot2);
GPURANMAR_API void rmarut_(int32_t *ijkl, int32_t *ntot, int32_t *ntot2);
REMEMBER_OURS(ranmar_);

static struct ranmar_counted sequence;

/* Starts the sequence from seed ijkl, with counters ntot and ntot2. A bad argument ends the program
 * with a line that begins with `routine`. */
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
