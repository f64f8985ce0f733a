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

static int check_segment(const char *routine, const char *name, size_t i,
                         const gpuranmar_segment *s)
{
    if (s->seed < 0 || s->seed > RANMAR_SEED_MAX)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT,
                            "%s: %s[%zu].seed = %" PRId64 " is not in 0..%" PRId64, routine, name,
                            i, s->seed, RANMAR_SEED_MAX);
    if (s->position > RANMAR_POSITION_MAX)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT,
                            "%s: %s[%zu].position = %" PRIu64 " is above 2^63", routine, name, i,
                            s->position);
    if (s->numbers > RANMAR_POSITION_MAX - s->position)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT,
                            "%s: %s[%zu].numbers = %" PRIu64 " from position %" PRIu64
                            " is past 2^63",
                            routine, name, i, s->numbers, s->position);
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

/* Sets *tie to the overlap of two segments of one seed. */
static void overlap_of(const gpuranmar_segment *a, const gpuranmar_segment *b, size_t first,
                       size_t second, gpuranmar_tie *tie)
{
    const uint64_t from = a->position > b->position ? a->position : b->position;
    const uint64_t to = ranmar_segment_end(a) < ranmar_segment_end(b) ? ranmar_segment_end(a)
                                                                      : ranmar_segment_end(b);
    memset(tie, 0, sizeof *tie);
    tie->first = first;
    tie->second = second;
    if (from >= to)
        return;
    tie->kind = GPURANMAR_TIE_OVERLAP;
    tie->tied = to - from;
    tie->position = tie->first_position = from;
    tie->last = to - 1;
}

/* The stronger of two ties: b further on than a, and a further on than b. On the short cycle both
 * may exist. */
static void strongest_tie(const struct ranmar_candidate *a, const struct ranmar_candidate *b,
                          const struct ranmar_flavour *f, struct ranmar_bits *bits,
                          gpuranmar_tie *tie)
{
    gpuranmar_tie other;
    ranmar_tie_of(a, b, f, bits, tie);
    ranmar_tie_of(b, a, f, bits, &other);
    if (ranmar_tie_is_stronger(&other, tie))
        *tie = other;
}

int gpuranmar_seeds_compare(const gpuranmar_segment *first, const gpuranmar_segment *second,
                            int flavour, gpuranmar_tie *tie)
{
    if (!first || !second || !tie)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: %s is a null pointer", __func__,
                            !first    ? "first"
                            : !second ? "second"
                                      : "tie");
    int error = check_segment(__func__, "first", 0, first);
    if (!error)
        error = check_segment(__func__, "second", 0, second);
    if (!error)
        error = check_flavour(__func__, flavour);
    if (error)
        return error;
    if (first->seed == second->seed) {
        overlap_of(first, second, 0, 1, tie);
        return GPURANMAR_OK;
    }
    const struct ranmar_flavour *const f = ranmar_flavour(flavour);
    const struct ranmar_candidate a = {ranmar_place_of(first->seed), first, 0},
                                  b = {ranmar_place_of(second->seed), second, 1};
    strongest_tie(&a, &b, f, NULL, tie);
    return GPURANMAR_OK;
}

/* --- The audit --- */

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
            gpuranmar_tie tie;
            overlap_of(s, t, order[i], order[j], &tie);
            if (tie.kind != GPURANMAR_TIE_NONE && a->found(&tie, a->context))
                return 0;
        }
    }
    return 1;
}

/* Reports a pair of different seeds if it is tied; `second` stands at the place of `first` or
 * further on. Returns whether to go on. */
static int report(const struct audit *a, const struct ranmar_candidate *first,
                  const struct ranmar_candidate *second)
{
    gpuranmar_tie tie;
    if (first->place.cycle == RANMAR_SHORT_CYCLE)
        strongest_tie(first, second, a->flavour, a->bits, &tie);
    else
        ranmar_tie_of(first, second, a->flavour, a->bits, &tie);
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

int gpuranmar_seeds_audit(const gpuranmar_segment *segments, size_t n, int flavour,
                          gpuranmar_tie_function *found, void *context)
{
    if ((!segments && n > 0) || !found)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: %s is a null pointer", __func__,
                            found ? "segments" : "found");
    int error = check_flavour(__func__, flavour);
    for (size_t i = 0; i < n && !error; ++i)
        error = check_segment(__func__, "segments", i, segments + i);
    if (error || n == 0)
        return error;

    const struct ranmar_flavour *const f = ranmar_flavour(flavour);
    struct ranmar_bits *const bits = malloc(sizeof *bits);
    const struct audit a = {segments, n, f, bits, found, context};
    size_t *const order = calloc(n, sizeof *order);
    struct ranmar_candidate *const candidates = calloc(n, sizeof *candidates);
    if (!bits || !order || !candidates) {
        error =
            ranmar_error(GPURANMAR_NO_MEMORY, "%s: no memory for n = %zu segments", __func__, n);
    } else if (overlaps(&a, order)) {
        bits->cycle = UINT32_MAX; /* no cycle yet */
        ties(&a, candidates);
    }
    free(bits);
    free(order);
    free(candidates);
    return error;
}
