/* U = DT_RNDM(VDUMMY) of DPMJET, with the routines that start it, save and restore it.
 *
 * DT_RNDMST(NA1,NA2,NA3,NB1)   starts from Marsaglia's seeds: NA 1..178 and not all 1, NB1 0..168
 * DT_RNDMIN(U,C,CD,CM,I,J)     goes on from a state
 * DT_RNDMOU(U,C,CD,CM,I,J)     returns the state */
#include <string.h>

#include "draw_routine.h"

GPURANMAR_API void START(const int32_t *i, const int32_t *j, const int32_t *k, const int32_t *l);
GPURANMAR_API void dt_rndmin_(const double *u, const double *c, const double *cd, const double *cm,
                              const int32_t *i, const int32_t *j);
GPURANMAR_API void dt_rndmou_(double *u, double *c, double *cd, double *cm, int32_t *i, int32_t *j);

/* Starts from four seeds that no IJKL gives: an IJKL gives i and j of 2 or more. */
static void start_from_one(const int32_t seeds[4])
{
    uint64_t words[RANMAR_LONG_LAG];
    gpuranmar_engine_state state = {.c = RANMAR_START_24 / 0x1p24, .i97 = 97, .j97 = 33};
    ranmar_words_of_four(words, 24, (unsigned)seeds[0], (unsigned)seeds[1], (unsigned)seeds[2],
                         (unsigned)seeds[3]);
    for (int n = 0; n < RANMAR_LONG_LAG; ++n)
        state.u[n] = ranmar_to_double(words[RANMAR_LONG_LAG - 1 - n]);
    gpuranmar_stop_on(gpuranmar_engine_adopt(&engine, START_TEXT, FLAVOUR, ZERO, &state));
}

void START(const int32_t *i, const int32_t *j, const int32_t *k, const int32_t *l)
{
    const int32_t least[4] = {1, 1, 1, 0}, most[4] = {178, 178, 178, 168};
    const int32_t seeds[4] = {*i, *j, *k, *l};
    CHECK_OURS(START_TEXT);
    for (int n = 0; n < 4; ++n)
        if (seeds[n] < least[n] || seeds[n] > most[n])
            gpuranmar_stop(START_TEXT ": seed %d = %d is not in %d..%d", n + 1, seeds[n], least[n],
                           most[n]);
    if (*i == 1 && *j == 1 && *k == 1)
        gpuranmar_stop(START_TEXT ": seeds 1 to 3 are all 1");
    if (*i == 1 || *j == 1)
        start_from_one(seeds);
    else
        gpuranmar_stop_on(gpuranmar_engine_start_pair(
            &engine, START_TEXT, FLAVOUR, ZERO, (*i - 2) * 177 + *j - 2, (*k - 1) * 169 + *l, 0));
}

void dt_rndmin_(const double *u, const double *c, const double *cd, const double *cm,
                const int32_t *i, const int32_t *j)
{
    gpuranmar_engine_state state = {.c = *c, .i97 = *i, .j97 = *j};
    memcpy(state.u, u, sizeof state.u);
    CHECK_OURS("DT_RNDMIN");
    if (*cd != 7654321 / 0x1p24 || *cm != 16777213 / 0x1p24)
        gpuranmar_stop("DT_RNDMIN: CD = %.17g and CM = %.17g are not RANMAR's", *cd, *cm);
    gpuranmar_stop_on(gpuranmar_engine_adopt(&engine, "DT_RNDMIN", FLAVOUR, ZERO, &state));
}

void dt_rndmou_(double *u, double *c, double *cd, double *cm, int32_t *i, int32_t *j)
{
    gpuranmar_engine_state state;
    if (!gpuranmar_engine_is_started(&engine))
        gpuranmar_stop("DT_RNDMOU: " START_TEXT " must be called before it");
    gpuranmar_engine_report(&engine, &state);
    memcpy(u, state.u, sizeof state.u);
    *c = state.c;
    *cd = 7654321 / 0x1p24;
    *cm = 16777213 / 0x1p24;
    *i = state.i97;
    *j = state.j97;
}
