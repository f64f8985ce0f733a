/* RANMAR, RMARIN, RMARUT in the text that James published in Comput. Phys. Commun. 60 (1990) 329,
 * which TAUOLA and others have: one sequence in single precision. It differs from CERNLIB's in
 * restarts: the skip's loop runs to NTOT, so that (NTOT2+1)*NTOT numbers are left out and not
 * NTOT2*10^9 + NTOT, and the counters go on from NTOT and NTOT2.
 *
 * RANMAR(RVEC,LENV)  RVEC(1:LENV), REAL, becomes the next LENV numbers; starts from seed 54217137
 *                    unless RMARIN came before
 * RMARIN(IJKLIN,NTOTIN,NTOT2N)  starts from seed IJKLIN, 0..942377567; negative counts are taken
 *                               for 0
 * RMARUT(IJKLUT,NTOTUT,NTOT2T)  the seed and the counters; (0,-1,0) before any use */
#include "../counted.h"

/* Says so on unit 6 as the original does (say.f90). */
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
