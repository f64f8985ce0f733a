/* Drawing from a window: what RMMARD and GRNVEC share. */
#ifndef RANMAR_WINDOW_H
#define RANMAR_WINDOW_H

#include <string.h>

#include "definition/error.h"
#include "fortran/fortran.h"

/* Copies n numbers, `size` to twice that, by two pieces that overlap. Of a fixed size each is a few
 * instructions. */
__attribute__((always_inline)) static inline void
ranmar_copy_by_pieces(double *out, const double *from, int32_t n, int size)
{
    memcpy(out, from, (size_t)size * sizeof *out);
    memcpy(out + n - size, from + n - size, (size_t)size * sizeof *out);
}

/* Copies n numbers: few of them so that no loop and no call takes longer than the copy. */
static inline void ranmar_copy(double *out, const double *from, int32_t n)
{
    if (n > 16)
        memcpy(out, from, (size_t)n * sizeof *out);
    else if (n >= 8)
        ranmar_copy_by_pieces(out, from, n, 8);
    else if (n >= 4)
        ranmar_copy_by_pieces(out, from, n, 4);
    else if (n >= 2)
        ranmar_copy_by_pieces(out, from, n, 2);
    else if (n == 1)
        *out = *from;
}

/* n numbers from a window that has them; 0 if it has not. A negative n is one it has not. */
static inline int ranmar_draw_from_window(double *out, int32_t n, int id)
{
    int32_t *const pos = &grncom_.pos[id - 1];
    if ((uint32_t)n > (uint32_t) - *pos)
        return 0;
    const double *const from = ranmar_window_next(id);
    *pos += n;
    ranmar_copy(out, from, n);
    return 1;
}

/* LENV numbers, when the window has not that many. Stops if LENV is negative. */
static inline void ranmar_draw_past_window(const char *routine, double *out, int32_t lenv, int id)
{
    if (lenv < 0)
        ranmar_check(
            ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: LENV = %d is negative", routine, lenv));
    ranmar_check(ranmar_sequence_get(routine, id, out, (size_t)lenv));
}

#endif
