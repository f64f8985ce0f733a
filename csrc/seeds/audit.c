/* Finds the pairs of segments that share numbers or bits.
 *
 * Segments of one seed may overlap. Sorted by position, each segment is compared with the next ones
 * until one begins after its end. Segments of different seeds are tied if their seeds stand near
 * each other on a cycle. Sorted by place on the cycles, each seed is compared with the next ones up
 * to ranmar_distance_max(). */
#define _GNU_SOURCE /* qsort_r */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "definition/error.h"
#include "definition/flavour.h"
#include "definition/ranges.h"
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
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: flavour = %d is unknown", routine,
                            flavour);
    if (f->keyed)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT,
                            "%s: flavour %s has keys, not seeds: only equal keys share numbers",
                            routine, ranmar_flavour_name(flavour));
    return GPURANMAR_OK;
}

struct audit {
    const gpuranmar_segment *segments;
    size_t n;
    const struct ranmar_flavour *flavour;
    struct ranmar_bits *bits; /* NULL: seed each candidate, which is faster for few */
    gpuranmar_tie_function *found;
    void *context;
};

static int by_seed(const void *left, const void *right, void *context)
{
    const gpuranmar_segment *const s = context;
    const gpuranmar_segment *const a = s + *(const size_t *)left, *const b =
                                                                      s + *(const size_t *)right;
    if (a->seed != b->seed)
        return a->seed < b->seed ? -1 : 1;
    return a->position < b->position ? -1 : a->position > b->position;
}

static int by_place(const void *left, const void *right)
{
    const struct ranmar_place a = ((const struct ranmar_candidate *)left)->place,
                              b = ((const struct ranmar_candidate *)right)->place;
    if (a.cycle != b.cycle)
        return a.cycle < b.cycle ? -1 : 1;
    if (a.bit != b.bit)
        return a.bit < b.bit ? -1 : 1;
    return (int)a.signs - (int)b.signs; /* so that segments of one seed are neighbours */
}

/* Reports the overlap of two segments of one seed, of which the second does not start before the
 * first. Returns whether to go on. */
static int report_overlap(const struct audit *a, size_t first, size_t second)
{
    const gpuranmar_segment *const s = a->segments + first, *const t = a->segments + second;
    const uint64_t from = t->position, to = ranmar_segment_end(s) < ranmar_segment_end(t)
                                                ? ranmar_segment_end(s)
                                                : ranmar_segment_end(t);
    const gpuranmar_tie tie = {.first = first,
                               .second = second,
                               .kind = GPURANMAR_TIE_OVERLAP,
                               .tied = to - from,
                               .position = from,
                               .last = to - 1,
                               .first_position = from};
    return from == to || a->found(&tie, a->context) == 0;
}

/* Reports the overlapping pairs of each seed. `order` has room for n indices. Returns whether to go
 * on. */
static int overlaps(const struct audit *a, size_t *order)
{
    for (size_t i = 0; i < a->n; ++i)
        order[i] = i;
    qsort_r(order, a->n, sizeof *order, by_seed, (void *)a->segments);
    for (size_t i = 0; i < a->n; ++i) {
        const gpuranmar_segment *const s = a->segments + order[i];
        for (size_t j = i + 1; j < a->n; ++j) {
            const gpuranmar_segment *const t = a->segments + order[j];
            if (t->seed != s->seed || t->position >= ranmar_segment_end(s))
                break;
            if (!report_overlap(a, order[i], order[j]))
                return 0;
        }
    }
    return 1;
}

/* Reports a pair of different seeds if it is tied; `second` stands at the place of `first` or
 * further on. On the short cycle `first` is also further on than `second`, and the stronger of both
 * ties counts. Returns whether to go on. */
static int report(const struct audit *a, const struct ranmar_candidate *first,
                  const struct ranmar_candidate *second)
{
    gpuranmar_tie tie, other;
    ranmar_tie_of(first, second, a->flavour, a->bits, &tie);
    if (first->place.cycle == RANMAR_SHORT_CYCLE) {
        ranmar_tie_of(second, first, a->flavour, a->bits, &other);
        if (ranmar_tie_is_stronger(&other, &tie))
            tie = other;
    }
    return tie.kind == GPURANMAR_TIE_NONE || a->found(&tie, a->context) == 0;
}

/* Reports the tied pairs on one cycle; c has its n candidates, sorted by place. Each candidate is
 * compared with those that follow it around the cycle: on a long cycle up to the largest distance
 * that can tie, on the short cycle all of them. The search also ends where it comes round to an
 * earlier candidate at the same place, because that pair has been compared. Returns whether to go
 * on. */
static int ties_on_a_cycle(const struct audit *a, const struct ranmar_candidate *c, size_t n)
{
    const int whole = c->place.cycle == RANMAR_SHORT_CYCLE;
    for (size_t i = 0, other = 0; i < n; ++i) {
        /* Skips its own seed, which overlaps() has compared: a plan can repeat it 10^9 times. */
        while (other < n && c[other].segment->seed == c[i].segment->seed)
            ++other;
        for (size_t step = other - i; step < (whole ? n - i : n); ++step) {
            const size_t j = (i + step) % n;
            const uint32_t distance = ranmar_distance(&c[i].place, &c[j].place);
            if (!whole &&
                (distance > ranmar_distance_max(a->flavour->bits) || (j < i && distance == 0)))
                break;
            if (!report(a, c + i, c + j))
                return 0;
        }
    }
    return 1;
}

/* From this many candidates on, making the bits of the cycle is faster than seeding each. */
enum { MANY = 64 };

/* Reports the tied pairs of different seeds. `candidates` has room for n of them. */
static void ties(const struct audit *a, struct ranmar_candidate *candidates)
{
    for (size_t i = 0; i < a->n; ++i)
        candidates[i] =
            (struct ranmar_candidate){ranmar_place_of(a->segments[i].seed), a->segments + i, i};
    qsort(candidates, a->n, sizeof *candidates, by_place);
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
    const struct audit a = {segments, n, ranmar_flavour(flavour), bits, found, context};
    size_t *const order = calloc(n, sizeof *order);
    struct ranmar_candidate *const candidates = calloc(n, sizeof *candidates);
    if (!bits || !order || !candidates) {
        error = ranmar_error(GPURANMAR_NO_MEMORY, "%s: no memory for n = %zu segments", routine, n);
    } else if (overlaps(&a, order)) {
        bits->cycle = UINT32_MAX; /* no cycle yet */
        ties(&a, candidates);
    }
    free(bits);
    free(order);
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

static int keep(const gpuranmar_tie *tie, void *kept)
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
    return audit(__func__, both, 2, flavour, keep, tie);
}
