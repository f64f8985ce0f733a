/* Drawing from Fortran: RMMARD, and GRNFIL and GRNVEC for code patched by corsika-patch, which
 * draws from the windows in COMMON /GRNCOM/ itself. */
#include <string.h>

#include "error.h"
#include "fortran.h"
#include "settings.h"

#define LIKELY(condition) __builtin_expect(condition, 1)

enum { COPY_INLINE = 3 };

int ranmar_current = 1;

static void check_length(const char *routine, int32_t lenv)
{
    if (lenv < 0) {
        ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: LENV = %d is negative", routine, lenv);
        ranmar_stop();
    }
}

/* n numbers from a window that has them; 0 if it has not. A negative n is one it has not. */
static inline int draw_from_window(double *out, int32_t n, int id)
{
    int32_t *const pos = &grncom_.pos[id - 1];
    if ((uint32_t)n > (uint32_t)-*pos)
        return 0;
    const double *const from = ranmar_window_next(id);
    *pos += n;
    if (n <= COPY_INLINE) /* memcpy is a call too */
        for (int32_t i = 0; i < n; ++i)
            out[i] = from[i];
    else
        memcpy(out, from, (size_t)n * sizeof *out);
    return 1;
}

void grnvec_(double *rvec, const int32_t *lenv, const int32_t *iseq)
{
    if ((uint32_t)*iseq - 1 < RANMAR_SEQUENCES_MAX && draw_from_window(rvec, *lenv, *iseq))
        return;
    check_length("GRNVEC", *lenv);
    ranmar_check(ranmar_sequence_get("GRNVEC", *iseq, rvec, (size_t)*lenv));
}

/* Away from the fast path: the window has not enough, or no sequence is set yet. */
__attribute__((noinline)) static void rmmard_slow(double *rvec, int32_t lenv, int32_t iseq)
{
    if (iseq >= 1 && iseq <= ranmar_settings()->sequences)
        ranmar_current = iseq;
    check_length("RMMARD", lenv);
    ranmar_check(ranmar_sequence_get("RMMARD", ranmar_current, rvec, (size_t)lenv));
}

/* RVEC(1:LENV) becomes the next LENV numbers of sequence ISEQ, 1..KSEQ, which becomes the current
 * one; any other ISEQ means the current one. */
/* Nine calls in ten ask for one number of a sequence that is set: that path has no jump taken. */
void rmmard_(double *rvec, const int32_t *lenv, const int32_t *iseq)
{
    const int32_t n = *lenv;
    int id = *iseq;
    if (LIKELY((uint32_t)id - 1 < (uint32_t)ranmar_sequences))
        ranmar_current = id;
    else
        id = ranmar_current;
    int32_t *const pos = &grncom_.pos[id - 1];
    if (LIKELY(n == 1 && *pos != 0)) {
        *rvec = *ranmar_window_next(id);
        ++*pos;
    } else if (!draw_from_window(rvec, n, id)) {
        rmmard_slow(rvec, n, *iseq);
    }
}

void grnfil_(const int32_t *iseq)
{
    ranmar_check(ranmar_sequence_refill("GRNFIL", *iseq));
}
