/* RANMAR, RMARIN and RMARUT: one sequence with a seed and counters.
 *
 * FAMILY_cernlib  CERNLIB: the counters start from 0 after the skip.
 * FAMILY_cpc      The text that James published in Comput. Phys. Commun. 60 (1990) 329. Its skip
 *                 loop runs to NTOT in each round, so that it skips (NTOT2+1)*NTOT numbers instead
 *                 of NTOT2*10^9 + NTOT. The counters start from NTOT and NTOT2, where negative
 *                 values become 0, and lines are written to unit 6 (say.F90).
 * FAMILY_cpcnow   Copies of FAMILY_cpc with a corrected loop.
 * FAMILY_rm48     CERNLIB's RM48 (rm48.c): as FAMILY_cpcnow, in double precision.
 * FAMILY_kkmc     KKMC, which skips as FAMILY_cpc does.
 *
 * The first call of RANMAR starts from seed 54217137 unless RMARIN came before. RMARUT before the
 * start gives (0,0,0) in FAMILY_cernlib and (0,-1,0) in the others. */
#include "family.h"

GPURANMAR_API void DRAW(NUMBER *vec, const int32_t *len);
GPURANMAR_API void START(const int32_t *ijkl, const int32_t *ntot, const int32_t *ntot2);
GPURANMAR_API void STATUS(int32_t *ijkl, int32_t *ntot, int32_t *ntot2);
SAVE_OWN_ADDRESS(DRAW);

#ifdef FAMILY_cernlib
static struct ranmar_counted sequence;
#else
static struct ranmar_counted sequence = {.counters = {.ntot = -1}};
#define REPORT_START JOINED(DRAW, say)
void REPORT_START(int32_t ijkl, int32_t ntot, int32_t ntot2);
#endif

static void start_from_ijkl(const char *routine, int32_t ijkl, int32_t ntot, int32_t ntot2)
{
#if defined FAMILY_cpc || defined FAMILY_kkmc
    const uint64_t skip = ((uint64_t)ntot2 + 1) * (uint64_t)ntot;
#else
    const uint64_t skip = ranmar_count_of(ntot, ntot2);
#endif
    ranmar_check_states(routine);
    gpuranmar_check_seed(routine, ijkl, ntot, ntot2);
    gpuranmar_stop_on(gpuranmar_engine_start(&sequence.engine, routine, FLAVOUR, ZERO,
                                             ranmar_reduced_seed(ijkl), skip));
#ifdef FAMILY_cernlib
    sequence.counters = (struct ranmar_counters){.ijkl = ijkl};
#else
    sequence.counters = (struct ranmar_counters){.ijkl = ijkl, .ntot = ntot, .ntot2 = ntot2};
#endif
}

void START(const int32_t *ijkl, const int32_t *ntot, const int32_t *ntot2)
{
    CHECK_OURS(START_TEXT);
    gpuranmar_check_address(START_TEXT, "NTOT", ntot, sizeof *ntot, 0);
    gpuranmar_check_address(START_TEXT, "NTOT2", ntot2, sizeof *ntot2, 0);
#ifdef FAMILY_cernlib
    start_from_ijkl(START_TEXT, *ijkl, *ntot, *ntot2);
#else
    const int32_t n = *ntot < 0 ? 0 : *ntot, n2 = *ntot2 < 0 ? 0 : *ntot2;
    start_from_ijkl(START_TEXT, *ijkl, n, n2);
    REPORT_START(*ijkl, n, n2);
#endif
}

__attribute__((noinline)) static void draw_vector(NUMBER *vec, const int32_t *len)
{
    if (!gpuranmar_engine_is_started(&sequence.engine)) {
        start_from_ijkl(DRAW_TEXT, RANMAR_IJKL_DEFAULT, 0, 0);
#ifdef REPORT_START
        REPORT_START(RANMAR_IJKL_DEFAULT, 0, 0);
#endif
    }
    const size_t n = ranmar_counted_length(DRAW_TEXT, &sequence.engine, vec, sizeof *vec, len);
    FILL(&sequence.engine, vec, n);
}

void DRAW(NUMBER *vec, const int32_t *len)
{
    if (UNLIKELY(sequence.engine.left == 0 || *len != 1))
        draw_vector(vec, len);
    else
        *vec = NEXT(&sequence.engine);
}

void STATUS(int32_t *ijkl, int32_t *ntot, int32_t *ntot2)
{
    ranmar_counted_report(&sequence, ijkl, ntot, ntot2);
}
