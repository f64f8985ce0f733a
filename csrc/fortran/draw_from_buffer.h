/* Drawing from a buffer, as RMMARD and GRNVEC do. */
#ifndef RANMAR_DRAW_FROM_BUFFER_H
#define RANMAR_DRAW_FROM_BUFFER_H

#include <string.h>

#include "fortran/fortran.h"
#include "gpuranmar_engine.h"

/* Copies n numbers, where n is between `size` and twice that, as two pieces that may overlap. A
 * piece has a fixed size, so that its copy is a few instructions. */
__attribute__((always_inline)) static inline void
ranmar_copy_by_pieces(double *out, const double *from, int32_t n, int size)
{
    memcpy(out, from, (size_t)size * sizeof *out);
    memcpy(out + n - size, from + n - size, (size_t)size * sizeof *out);
}

/* Copies n numbers. For a few of them a loop or a call would take longer than the copy itself. */
static inline void ranmar_copy(double *out, const double *from, int32_t n)
{
    if (n < 4) {
        if (n >= 2)
            ranmar_copy_by_pieces(out, from, n, 2);
        else if (n == 1)
            *out = *from;
    } else if (n > 16) {
        memcpy(out, from, (size_t)n * sizeof *out);
    } else if (n >= 8) {
        ranmar_copy_by_pieces(out, from, n, 8);
    } else {
        ranmar_copy_by_pieces(out, from, n, 4);
    }
}

/* Takes n numbers from a buffer and returns 1, or returns 0 if the buffer has fewer, n is negative,
 * or the position lies before the beginning of the buffer. (RMMARD for one number does not check
 * the position: its code would no longer fit into a cache line, see rmmard.c.) */
static inline int ranmar_draw_from_buffer(double *out, int32_t n, int id)
{
    int32_t *const pos = &grncom_.pos[id - 1];
    const uint32_t left = -(uint32_t)*pos;
    if ((uint32_t)n > left || left > RANMAR_BUFFER)
        return 0;
    const double *const from = ranmar_grncom_next(id);
    *pos += n;
    ranmar_copy(out, from, n);
    return 1;
}

/* Delivers LENV numbers when the buffer does not have as many. Stops the program if LENV is
 * negative. */
static inline void ranmar_draw_past_buffer(const char *routine, double *out, int32_t lenv, int id)
{
    if (lenv < 0)
        gpuranmar_stop("%s: LENV = %d is negative", routine, lenv);
    gpuranmar_stop_on(ranmar_sequence_get(routine, id, out, (size_t)lenv));
}

#endif
