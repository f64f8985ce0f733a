/* RMMARD: how CORSIKA draws its numbers. */
#include "definition/error.h"
#include "fortran/fortran.h"
#include "fortran/window.h"
#include "stream/settings.h"

#define UNLIKELY(condition) __builtin_expect(condition, 0)

int ranmar_current = 1;

/* For when the window does not have enough numbers, or no sequence is set yet. */
__attribute__((noinline)) static void draw_past_window(double *rvec, int32_t lenv, int32_t iseq)
{
    if (iseq >= 1 && iseq <= ranmar_settings()->sequences)
        ranmar_current = iseq;
    ranmar_draw_past_window("RMMARD", rvec, lenv, ranmar_current);
}

/* RMMARD for any LENV and ISEQ. */
__attribute__((noinline)) static void draw(double *rvec, int32_t lenv, int32_t iseq)
{
    if ((uint32_t)iseq - 1 < (uint32_t)ranmar_sequences)
        ranmar_current = iseq;
    if (!ranmar_draw_from_window(rvec, lenv, ranmar_current))
        draw_past_window(rvec, lenv, iseq);
}

/* RMMARD: fortran.h describes the arguments.
 *
 * Nine calls in ten ask for one number of a numbered sequence that is set. On that path no branch
 * is taken and there are as few instructions as possible, so that most of its time is the call
 * itself. The function starts a cache line: elsewhere it may take one cycle more than its nine. */
__attribute__((aligned(64))) void rmmard_(double *rvec, const ranmar_integer *lenv,
                                          const ranmar_integer *iseq)
{
    const ranmar_unsigned k = (ranmar_unsigned)*iseq - 1;
    if (UNLIKELY(k >= (ranmar_unsigned)ranmar_sequences || *lenv != 1)) {
        draw(rvec, ranmar_argument("RMMARD", "LENV", *lenv), ranmar_int(*iseq));
        return;
    }
    ranmar_current = (int)*iseq;
    struct ranmar_windows *const windows = &grncom_;
    const int64_t pos = windows->pos[k];
    if (UNLIKELY(pos == 0)) {
        draw(rvec, 1, (int)*iseq);
        return;
    }
    *rvec = windows->buffer[k][RANMAR_WINDOW + pos];
    windows->pos[k] = (int32_t)pos + 1;
}

/* A second name for rmmard_. It stands for this library's function even if the program has an
 * rmmard_ of its own. */
__attribute__((used, alias("rmmard_"))) static __typeof__(rmmard_) ours;

/* These are here and not in hooks.c, because a patched program has an RMMARD of its own and links
 * no other. */
int ranmar_rmmaqd_current(void)
{
    return ranmar_current;
}

void ranmar_rmmaqd_select(int iseq)
{
    ranmar_current = iseq;
}

void ranmar_check_rmmard(void)
{
    if ((uintptr_t)rmmard_ != (uintptr_t)ours)
        ranmar_stop_with("RMMAQD: this program's RMMARD is not this library's: take the original's "
                         "source off the link line");
}
