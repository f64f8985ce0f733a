/* GRNFIL and GRNVEC, for code patched by corsika-patch, which draws from the windows in COMMON
 * /GRNCOM/ itself. They are not beside RMMARD, because such code has an RMMARD of its own. */
#include "fortran/draw.h"
#include "fortran/fortran.h"

void grnfil_(const ranmar_integer *iseq)
{
    gpuranmar_stop_on(ranmar_sequence_refill("GRNFIL", ranmar_argument("GRNFIL", "ISEQ", *iseq)));
}

void grnvec_(double *rvec, const ranmar_integer *lenv, const ranmar_integer *iseq)
{
    const int32_t n = ranmar_argument("GRNVEC", "LENV", *lenv);
    const int32_t id = ranmar_argument("GRNVEC", "ISEQ", *iseq);
    if ((uint32_t)id - 1 >= RANMAR_SEQUENCES_MAX || !ranmar_draw_from_window(rvec, n, id))
        ranmar_draw_past_window("GRNVEC", rvec, n, id);
}
