/* GRNFIL and GRNVEC, for code patched by corsika-patch, which draws from the windows in COMMON
 * /GRNCOM/ itself. Apart from RMMARD, which such code brings along. */
#include "fortran/fortran.h"
#include "fortran/window.h"

void grnfil_(const int32_t *iseq)
{
    ranmar_check(ranmar_sequence_refill("GRNFIL", *iseq));
}

void grnvec_(double *rvec, const int32_t *lenv, const int32_t *iseq)
{
    if ((uint32_t)*iseq - 1 >= RANMAR_SEQUENCES_MAX || !ranmar_draw_from_window(rvec, *lenv, *iseq))
        ranmar_draw_past_window("GRNVEC", rvec, *lenv, *iseq);
}
