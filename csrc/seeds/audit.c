/* Finds the pairs of segments that share numbers or bits.
 *
 * Segments are sorted by place on the cycles and by position. Those of one seed may overlap: each
 * is compared with the next ones until one begins after its end. Segments of different seeds may be
 * tied if their seeds stand near each other on a cycle: each is compared with the next ones up to
 * ranmar_distance_max(). */
#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/ranges.h"
#include "definition/flavour.h"
#include "gpuranmar_seeds.h"
#include "seeds/ties.h"

static int check_segment(const char *routine, size_t i, const gpuranmar_segment *s)
{
    if (s->seed < 0 || s->seed > RANMAR_SEED_MAX)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT,
                            "%s: segments[%zu].seed = %" PRId64 " is not in 0..%" PRId64, routine,
                            i, s->seed, RANMAR_SEED_MAX);
    if (s->position > RANMAR_POSITION_MAX)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT,
                            "%s: segments[%zu].position = %" PRIu64 " is above 2^63", routine, i,
                            s->position);
    if (s->numbers > RANMAR_POSITION_MAX - s->position)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT,
                            "%s: segments[%zu].numbers = %" PRIu64 " from position %" PRIu64
                            " is past 2^63",
                            routine, i, s->numbers, s->position);
    return GPURANMAR_OK;
}

static int check_flavour(const char *routine, int flavour)
{
    const struct ranmar_flavour *const f = ranmar_flavour(flavour);
    if (!f)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT,
                            "%s: flavour = %d is none of enum gpuranmar_flavour", routine, flavour);
    if (f->keyed)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT,
                            "%s: flavour %s has keys, not seeds: only equal keys share numbers",
                            routine, ranmar_flavour_name(flavour));
    return GPURANMAR_OK;
}

struct audit {
    size_t n;
    const struct ranmar_flavour *flavour;
    struct ranmar_bits *bits; /* NULL: seed each candidate, which is faster for few */
    gpuranmar_tie_function *found;
    void *context;
};

/* Orders segments by place, and segments of one seed by position. */
static int by_place(const void *left, const void *right)
{
    const struct ranmar_candidate *const a = left, *const b = right;
    if (a->place.cycle != b->place.cycle)
        return a->place.cycle < b->place.cycle ? -1 : 1;
    if (a->place.bit != b->place.bit)
        return a->place.bit < b->place.bit ? -1 : 1;
    if (a->place.signs != b->place.signs)
        return a->place.signs < b->place.signs ? -1 : 1;
    return (a->segment->position > b->segment->position) -
           (a->segment->position < b->segment->position);
}

/* Reports the overlapping pairs of each seed. Returns whether to go on. */
static int overlaps(const struct audit *a, const struct ranmar_candidate *c)
{
    for (size_t i = 0; i < a->n; ++i)
        for (size_t j = i + 1; j < a->n && c[j].segment->seed == c[i].segment->seed; ++j) {
            const uint64_t from = c[j].segment->position, end = ranmar_segment_end(c[i].segment),
                           other_end = ranmar_segment_end(c[j].segment),
                           to = end < other_end ? end : other_end;
            if (from >= end)
                break;
            const gpuranmar_tie tie = {.first = c[i].index,
                                       .second = c[j].index,
                                       .kind = GPURANMAR_TIE_OVERLAP,
                                       .tied = to - from,
                                       .position = from,
                                       .last = to - 1,
                                       .first_position = from};
            if (a->found(&tie, a->context))
                return 0;
        }
    return 1;
}

/* Reports the tied pairs on one cycle; c has the cycle's n candidates, sorted by place. Each
 * candidate is compared with those that follow it around the cycle: on a long cycle up to the
 * largest distance that can tie, on the short cycle with all later ones. The search also ends at
 * an earlier candidate with the same place, because that pair has been compared already.
 * Returns whether to go on. */
static int ties_on_a_cycle(const struct audit *a, const struct ranmar_candidate *c, size_t n)
{
    const int whole = c->place.cycle == RANMAR_SHORT_CYCLE;
    for (size_t i = 0, other = 0; i < n; ++i) {
        /* Skips the same seed, which overlaps() has compared: a plan can repeat it 10^9 times. */
        while (other < n && c[other].segment->seed == c[i].segment->seed)
            ++other;
        for (size_t step = other - i; step < (whole ? n - i : n); ++step) {
            const size_t j = (i + step) % n;
            const uint32_t distance = ranmar_distance(&c[i].place, &c[j].place);
            if (!whole &&
                (distance > ranmar_distance_max(a->flavour->bits) || (j < i && distance == 0)))
                break;
            gpuranmar_tie tie;
            ranmar_tie_of(c + i, c + j, a->flavour, a->bits, &tie);
            if (tie.kind != GPURANMAR_TIE_NONE && a->found(&tie, a->context))
                return 0;
        }
    }
    return 1;
}

/* From this many candidates on, making the bits of the cycle is faster than seeding each. */
enum { MANY = 64 };

/* Reports the tied pairs of different seeds. */
static void ties(const struct audit *a, const struct ranmar_candidate *candidates)
{
    for (size_t i = 0, j; i < a->n; i = j) {
        for (j = i + 1; j < a->n && candidates[j].place.cycle == candidates[i].place.cycle; ++j)
            ;
        struct audit one = *a;
        if (j - i < MANY)
            one.bits = NULL;
        if (!ties_on_a_cycle(&one, candidates + i, j - i))
            return;
    }
}

/* Audits segments for the routine of that name. */
static int audit(const char *routine, const gpuranmar_segment *segments, size_t n, int flavour,
                 gpuranmar_tie_function *found, void *context)
{
    int error = check_flavour(routine, flavour);
    for (size_t i = 0; i < n && !error; ++i)
        error = check_segment(routine, i, segments + i);
    if (error || n == 0)
        return error;

    struct ranmar_bits *const bits = malloc(sizeof *bits);
    struct ranmar_candidate *const candidates = calloc(n, sizeof *candidates);
    if (!bits || !candidates) {
        error = ranmar_error(GPURANMAR_NO_MEMORY, "%s: no memory for n = %zu segments", routine, n);
    } else {
        bits->cycle = UINT32_MAX; /* no cycle yet */
        for (size_t i = 0; i < n; ++i)
            candidates[i] =
                (struct ranmar_candidate){ranmar_place_of(segments[i].seed), segments + i, i};
        qsort(candidates, n, sizeof *candidates, by_place);
        const struct audit a = {n, ranmar_flavour(flavour), bits, found, context};
        if (overlaps(&a, candidates))
            ties(&a, candidates);
    }
    free(bits);
    free(candidates);
    return error;
}

int gpuranmar_seeds_audit(const gpuranmar_segment *segments, size_t n, int flavour,
                          gpuranmar_tie_function *found, void *context)
{
    if ((!segments && n > 0) || !found)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: %s is a null pointer", __func__,
                            found ? "segments" : "found");
    return audit(__func__, segments, n, flavour, found, context);
}

static int keep_tie(const gpuranmar_tie *tie, void *kept)
{
    *(gpuranmar_tie *)kept = *tie;
    return 0;
}

int gpuranmar_seeds_compare(const gpuranmar_segment *first, const gpuranmar_segment *second,
                            int flavour, gpuranmar_tie *tie)
{
    if (!first || !second || !tie)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: %s is a null pointer", __func__,
                            !first    ? "first"
                            : !second ? "second"
                                      : "tie");
    const gpuranmar_segment both[] = {*first, *second};
    *tie = (gpuranmar_tie){.kind = GPURANMAR_TIE_NONE};
    return audit(__func__, both, 2, flavour, keep_tie, tie);
}
