/* RANMAR, RMARIN, RMARUT in the text that James published in Comput. Phys. Commun. 60 (1990) 329,
 * which TAUOLA and others have: one sequence in single precision. It differs from CERNLIB's when a
 * sequence is restarted. The loop that skips runs to NTOT each time, so it leaves out
 * (NTOT2+1)*NTOT numbers and not NTOT2*10^9 + NTOT. The counters go on from NTOT and NTOT2.
 *
 * RANMAR(RVEC,LENV)             RVEC(1:LENV), REAL, becomes the next LENV numbers. The first call
 *                               starts from seed 54217137 unless RMARIN came before.
 * RMARIN(IJKLIN,NTOTIN,NTOT2N)  Starts from seed IJKLIN, 0..942377567; negative counts are taken
 *                               for 0.
 * RMARUT(IJKLUT,NTOTUT,NTOT2T)  Sets its arguments to the seed and the counters; to (0,-1,0) before
 *                               any use. */
#include "../counted.h"

/* Writes the original's lines about a start to unit 6 (say.f90). */
void ranmar_cpc_say(int32_t ijkl, int32_t ntot, int32_t ntot2);

static struct ranmar_counted sequence = {.origin = {.ntot = -1}};

static void start(const char *routine, int32_t ijkl, int32_t ntot, int32_t ntot2)
{
    gpuranmar_check_seed(routine, ijkl, RANMAR_IJKL_MAX, ntot, ntot2);
    gpuranmar_stop_on(gpuranmar_engine_start(&sequence.engine, routine, GPURANMAR_SINGLE,
                                             GPURANMAR_ZERO_U2, ijkl,
                                             ((uint64_t)ntot2 + 1) * (uint64_t)ntot));
    sequence.origin = (struct ranmar_origin){.ijkl = ijkl, .ntot = ntot, .ntot2 = ntot2};
    ranmar_cpc_say(ijkl, ntot, ntot2);
}

void rmarin_(const int32_t *ijkl, const int32_t *ntot, const int32_t *ntot2)
{
    CHECK_OURS("RMARIN", ranmar_, "RANMAR");
    start("RMARIN", *ijkl, *ntot < 0 ? 0 : *ntot, *ntot2 < 0 ? 0 : *ntot2);
}
