/* Makes the segments for a production: end to end on one seed, or one seed for each. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/ranges.h"
#include "definition/fortran_state.h"
#include "gpuranmar_definition.h"
#include "gpuranmar_seeds.h"
#include "seeds/cycles.h"

/* No segment goes beyond this position, because RMMAQD must skip to the start of each: it skips
 * NTOT + 10^9 NTOT2 numbers, and NTOT2 is limited. */
#define POSITION_END ((uint64_t)RANMAR_NTOT2_MAX * RANMAR_BILLION)

/* Seeds that stand within 97 words of 48 bits of each other share bits of their first words, or are
 * twins. */
enum { REACH = 97 * 48, WORD = 64 };

static const uint64_t PLACES = (uint64_t)RANMAR_CYCLES * RANMAR_CYCLE_LENGTH;

/* The places on the cycles that are too near to a seed in use, a bit for each. */
struct taken {
    uint64_t *bits;
    uint64_t free; /* how many places are not too near */
    int64_t next;  /* the seed to be tried next */
};

static uint64_t place_at(struct ranmar_place p, uint32_t ahead)
{
    return (uint64_t)p.cycle * RANMAR_CYCLE_LENGTH + (p.bit + ahead) % RANMAR_CYCLE_LENGTH;
}

/* Takes the next seed that is neither a shift nor a twin of those taken before, or returns -1 if
 * there is none. The search starts at t->next and wraps around from the largest seed to 0. It ends,
 * because each free place belongs to some seed. (No seed has i = 1 or j = 1. A seed with i = 178 or
 * j = 178 stands at that place.) */
static int64_t take_seed(struct taken *t)
{
    while (t->free > 0) {
        const int64_t seed = t->next;
        t->next = seed < RANMAR_SEED_MAX ? seed + 1 : 0;
        const struct ranmar_place p = ranmar_place_of(seed);
        if (p.cycle == RANMAR_SHORT_CYCLE)
            continue;
        const uint64_t here = place_at(p, 0);
        if (t->bits[here / WORD] >> here % WORD & 1)
            continue;
        for (uint32_t d = 1; d < 2 * REACH; ++d) {
            const uint64_t near = place_at(p, RANMAR_CYCLE_LENGTH - REACH + d);
            const uint64_t bit = UINT64_C(1) << near % WORD;
            t->free -= !(t->bits[near / WORD] & bit);
            t->bits[near / WORD] |= bit;
        }
        return seed;
    }
    return -1;
}

static int check_plan(const char *routine, const gpuranmar_plan *p)
{
    if (p->size != sizeof *p)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT,
                            "%s: plan->size = %zu: start from GPURANMAR_PLAN_INIT", routine,
                            p->size);
    if (p->seed < 0 || p->seed > RANMAR_SEED_MAX)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT,
                            "%s: plan->seed = %" PRId64 " is not in 0..%" PRId64, routine, p->seed,
                            RANMAR_SEED_MAX);
    if (p->position < GPURANMAR_SAFE_POSITION || p->position >= POSITION_END)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT,
                            "%s: plan->position = %" PRIu64 " is not in %d..%" PRIu64, routine,
                            p->position, GPURANMAR_SAFE_POSITION, POSITION_END - 1);
    if (p->numbers < 1 || p->numbers > POSITION_END - p->position)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT,
                            "%s: plan->numbers = %" PRIu64 " is not in 1..%" PRIu64, routine,
                            p->numbers, POSITION_END - p->position);
    return GPURANMAR_OK;
}

int gpuranmar_seeds_plan(const gpuranmar_plan *plan, gpuranmar_segment *segments, size_t n)
{
    if (!plan || (!segments && n > 0))
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: %s is a null pointer", __func__,
                            plan ? "segments" : "plan");
    int error = check_plan(__func__, plan);
    if (error || n == 0)
        return error;

    struct taken taken = {calloc(PLACES / WORD + 1, sizeof *taken.bits), PLACES, plan->seed};
    if (!taken.bits)
        return ranmar_error(GPURANMAR_NO_MEMORY, "%s: no memory", __func__);
    /* Successive segments start an odd distance apart. The lowest bits x mod 2 of the words obey
     * the three-term recurrence, and so does every 2^k-th of them. If the distance were 2^k, the
     * lowest bits of the segments j, j + 64 and j + 97 would add up to 0. At an odd distance such a
     * relation needs many more segments. */
    const uint64_t distance = plan->numbers | 1;
    const uint64_t a_seed =
        plan->by_seed ? 1 : (POSITION_END - plan->position - plan->numbers) / distance + 1;
    /* The seeds of the skipped segments are taken too. */
    uint64_t seeds = 0, at = plan->skip % a_seed;
    int64_t seed = 0;
    while (seeds <= plan->skip / a_seed && (seed = take_seed(&taken)) >= 0)
        ++seeds;
    size_t done = 0;
    for (; seed >= 0 && done < n; ++done) {
        segments[done] = (gpuranmar_segment){seed, plan->position + at * distance, plan->numbers};
        at = (at + 1) % a_seed;
        if (at == 0 && (seed = take_seed(&taken)) >= 0)
            ++seeds;
    }
    free(taken.bits);
    if (done < n)
        error = ranmar_error(GPURANMAR_BAD_ARGUMENT,
                             "%s: skip = %" PRIu64 ", n = %zu: there are no more than %" PRIu64
                             " segments",
                             __func__, plan->skip, n, seeds * a_seed);
    return error;
}
