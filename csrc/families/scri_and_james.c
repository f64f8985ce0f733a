/* RMARIN(IJ,KL) of the widely copied text of FSU-SCRI-87-50, or RMARIN(IJKL) of James 1990, with
 * one of the forms of RANMAR in draw_routine.h. Forms that share a name have separate libraries; a
 * program can link only one of them. */
#define STARTS_ITSELF
#include "draw_routine.h"

#if SEEDS == 1
GPURANMAR_API void START(const int32_t *ijkl);
SAVE_OWN_ADDRESS(START);

void START(const int32_t *ijkl)
{
    CHECK_OURS(START_TEXT);
    gpuranmar_check_seed(START_TEXT, *ijkl, 0, 0);
    gpuranmar_stop_on(
        gpuranmar_engine_start(&engine, START_TEXT, FLAVOUR, ZERO, ranmar_reduced_seed(*ijkl), 0));
}
#else
GPURANMAR_API void START(const int32_t *ij, const int32_t *kl);
SAVE_OWN_ADDRESS(START);

void START(const int32_t *ij, const int32_t *kl)
{
    gpuranmar_check_address(START_TEXT, "KL", kl, sizeof *kl, 0);
    CHECK_OURS(START_TEXT);
    gpuranmar_stop_on(gpuranmar_engine_start_pair(&engine, START_TEXT, FLAVOUR, ZERO, *ij, *kl, 0));
}
#endif

static void check_start_is_ours(void)
{
    gpuranmar_check_ours(DRAW_TEXT, START_TEXT, (const void *)(uintptr_t)START,
                         (const void *)(uintptr_t)JOINED(ours_, START));
}

#ifdef FAMILY_one
/* U = RMAFUN(): RANMAR as a function. */
GPURANMAR_API double rmafun_(void);
double rmafun_(void)
{
    double u = 0;
    DRAW(&u);
    return u;
}

/* For RMASET and RMASAVE, which keep the state in a file (rmaset.F90). */
void ranmar_one_report(gpuranmar_engine_state *state);
void ranmar_one_adopt(const gpuranmar_engine_state *state);

void ranmar_one_report(gpuranmar_engine_state *state)
{
    if (!gpuranmar_engine_is_started(&engine))
        gpuranmar_stop("RMASAVE: RMASET or RMARIN must be called before it");
    gpuranmar_engine_report(&engine, state);
}

void ranmar_one_adopt(const gpuranmar_engine_state *state)
{
    CHECK_OURS("RMASET");
    gpuranmar_stop_on(gpuranmar_engine_adopt(&engine, "RMASET", FLAVOUR, ZERO, state));
}
#endif
