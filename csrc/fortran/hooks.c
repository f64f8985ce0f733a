/* GRNFIL and GRNVEC, for code patched by corsika-patch, which draws from the windows in COMMON
 * /GRNCOM/ itself. They are not beside RMMARD, because such code has an RMMARD of its own. */
#include "fortran/draw.h"
#include "fortran/fortran.h"

/* COMMON /CRRANMA3/ of CORSIKA: CD, CINT, CM, TWOM24, TWOM48 and MODCNS. Hooked routines draw and
 * count without them, but the original does otherwise once they have other values. */
extern const struct {
    double constant[5];
    ranmar_integer modcns;
} crranma3_ __attribute__((weak));

void ranmar_check_constants(const char *routine)
{
    static const char *const name[] = {"CD", "CINT", "CM", "TWOM24", "TWOM48", "MODCNS"};
    static const double value[] = {RANMAR_STEP_24 / 0x1p24,
                                   RANMAR_START_24 / 0x1p24,
                                   RANMAR_MODULUS_24 / 0x1p24,
                                   0x1p-24,
                                   0x1p-48,
                                   1e9};
    for (int i = 0; &crranma3_ && i < 6; ++i) {
        const double now = i < 5 ? crranma3_.constant[i] : (double)crranma3_.modcns;
        if (now != value[i])
            gpuranmar_stop("%s: %s = %.17g in COMMON /CRRANMA3/ is not RANMAR's: something has "
                           "written over it, and the original would draw other numbers",
                           routine, name[i], now);
    }
}

void grnfil_(const ranmar_integer *iseq, const int32_t *grnpos)
{
    const int32_t id = ranmar_argument("GRNFIL", "ISEQ", *iseq);
    if (grnpos != grncom_.pos)
        gpuranmar_stop("GRNFIL: COMMON /GRNCOM/ of this program is not the library's, so that no "
                       "number gets there: do not hide its symbol grncom_ (-fwhole-program)");
    ranmar_check_constants("GRNFIL");
    gpuranmar_stop_on(ranmar_sequence_refill("GRNFIL", id));
}

void grnvec_(double *rvec, const ranmar_integer *lenv, const ranmar_integer *iseq)
{
    const int32_t n = ranmar_argument("GRNVEC", "LENV", *lenv);
    const int32_t id = ranmar_argument("GRNVEC", "ISEQ", *iseq);
    if ((uint32_t)id - 1 < RANMAR_SEQUENCES_MAX && ranmar_draw_from_window(rvec, n, id))
        return;
    ranmar_check_constants("GRNVEC");
    ranmar_draw_past_window("GRNVEC", rvec, n, id);
}
