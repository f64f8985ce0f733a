/* RMMARD. */
#include "error.h"
#include "fortran.h"
#include "settings.h"
#include "window.h"

#define LIKELY(condition) __builtin_expect(condition, 1)

int ranmar_current = 1;

/* Away from the fast path: the window has not enough, or no sequence is set yet. */
__attribute__((noinline)) static void rmmard_slow(double *rvec, int32_t lenv, int32_t iseq)
{
    if (iseq >= 1 && iseq <= ranmar_settings()->sequences)
        ranmar_current = iseq;
    ranmar_draw_past_window("RMMARD", rvec, lenv, ranmar_current);
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
    } else if (!ranmar_draw_from_window(rvec, n, id)) {
        rmmard_slow(rvec, n, *iseq);
    }
}
