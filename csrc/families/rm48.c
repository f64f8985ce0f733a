/* CERNLIB's RM48, RM48UT and RM48IN without its output (rm48in.f90): one sequence in double
 * precision.
 *
 * RM48(VEC,LEN)     VEC(1:LEN), DOUBLE PRECISION, becomes the next LEN numbers. The first call
 *                   starts from seed 54217137 unless RM48IN came before.
 * RM48UT(I1,N1,N2)  Sets its arguments to the seed and how many numbers were delivered and skipped,
 *                   N2*10^9 + N1; to (0,-1,0) before any use. */
#include "family.h"

GPURANMAR_API void rm48_(double *vec, const int32_t *len);
GPURANMAR_API void rm48ut_(int32_t *i1, int32_t *n1, int32_t *n2);
void ranmar_rm48_start(int32_t i1, int32_t n1, int32_t n2);
REMEMBER_OURS(rm48_);

/* The range that CERNLIB documents for RM48IN. */
enum { SEED_MAX = 900000000 };

static struct ranmar_counted sequence = {.origin = {.ntot = -1}};

static void start(const char *routine, int32_t i1, int32_t n1, int32_t n2)
{
    gpuranmar_check_seed(routine, i1, SEED_MAX, n1, n2);
    gpuranmar_stop_on(gpuranmar_engine_start(&sequence.engine, routine, GPURANMAR_DOUBLE,
                                             GPURANMAR_ZERO_HALF, i1, ranmar_count_of(n1, n2)));
    sequence.origin = (struct ranmar_origin){.ijkl = i1, .ntot = n1, .ntot2 = n2};
}

void ranmar_rm48_start(int32_t i1, int32_t n1, int32_t n2)
{
    CHECK_OURS_OF("RM48IN", rm48_, "RM48");
    start("RM48IN", i1, n1, n2);
}

__attribute__((noinline)) static void draw(double *vec, const int32_t *len)
{
    if (!gpuranmar_engine_is_started(&sequence.engine))
        start("RM48", RANMAR_IJKL_DEFAULT, 0, 0);
    const size_t n = ranmar_length("RM48", &sequence.engine, vec, sizeof *vec, len);
    gpuranmar_engine_fill(&sequence.engine, vec, n);
}

void rm48_(double *vec, const int32_t *len)
{
    if (UNLIKELY(sequence.engine.left == 0 || *len != 1))
        draw(vec, len);
    else
        *vec = sequence.engine.window.wide[GPURANMAR_ENGINE_WINDOW - sequence.engine.left--];
}

void rm48ut_(int32_t *i1, int32_t *n1, int32_t *n2)
{
    ranmar_counted_report(&sequence, i1, n1, n2);
}
