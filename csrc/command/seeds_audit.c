/* gpuranmar seeds audit: lists every pair of seeds that has numbers in common. */
#define _GNU_SOURCE /* qsort_r */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "command/segments.h"
#include "definition/flavour.h"
#include "definition/ranges.h"
#include "seeds/cycles.h"

static const char usage[] =
    "usage: gpuranmar seeds audit [OPTION]... SEEDS...\n"
    "Lists every pair of sequences that has equal numbers, numbers tied by a shift of the "
    "seeding's\n"
    "bits, or the same lowest bits; and says how many seeds have one i, j and k. It does not look "
    "at\n"
    "sums of several numbers. Exit status 0 if no pair has numbers in common or tied, 1 if one "
    "has, 2\n"
    "for bad input.\n"
    "\n"
    "%s"
    "\n"
    "  --position N        audit as if each sequence started at position N\n"
    "  --numbers N         how many numbers a sequence may draw if its line does not say it;\n"
    "                      default: no end\n"
    "  --flavour NAME      double (default), single, extended\n"
    "  --most N            list at most N pairs, default 20\n"
    "  --all               list all pairs\n"
    "\n"
    "Identical sequences are a group: each is listed with the first, and only the first with "
    "other\n"
    "sequences. All pairs are counted.\n";

/* The kind of a pair is one of enum gpuranmar_tie_kind. TIE_NONE, which no pair has, stands for two
 * equal segments. */
enum { IDENTICAL = GPURANMAR_TIE_NONE, KINDS = GPURANMAR_TIE_LOW_BITS + 1 };

/* Duplicates first, shared lowest bits last, and between them those with the most numbers first. */
static int by_weight(const void *left, const void *right)
{
    static const char weight[KINDS] = {
        [IDENTICAL] = 0,          [GPURANMAR_TIE_OVERLAP] = 1, [GPURANMAR_TIE_WORDS] = 2,
        [GPURANMAR_TIE_BITS] = 2, [GPURANMAR_TIE_TWINS] = 2,   [GPURANMAR_TIE_LOW_BITS] = 3};
    const gpuranmar_tie *const a = left, *const b = right;
    const int difference = weight[a->kind] - weight[b->kind];
    if (difference != 0)
        return difference;
    if (a->tied != b->tied)
        return a->tied > b->tied ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind - b->kind;
    return a->first != b->first ? (a->first > b->first) - (a->first < b->first)
                                : (a->second > b->second) - (a->second < b->second);
}

/* The pairs of a kind. A run's byte is 1 if one of its sequences is in such a pair. */
struct count {
    size_t pairs;
    unsigned char *runs;
};

/* What was found: the number of pairs, and the `most` pairs that come first in a list. Memory
 * cannot hold all pairs if all runs have one seed. */
struct found {
    const struct segments *segments;
    gpuranmar_segment *different; /* one of each group of equal segments */
    size_t *order;                /* the indices in `segments`, group after group */
    size_t *begin;                /* where each group begins in `order`; one more, for the end */
    gpuranmar_tie *ties;
    size_t n, room, most, pairs;
    int is_cut; /* whether lighter pairs were dropped; then the first `most` are sorted */
    struct count of[KINDS], all; /* by kind; of all kinds but shared lowest bits */
};

/* Sorts the pairs, and forgets all but the heaviest. */
static void keep_heaviest(struct found *f)
{
    if (f->n > 0)
        qsort(f->ties, f->n, sizeof *f->ties, by_weight);
    f->n = f->n < f->most ? f->n : f->most;
    f->is_cut = 1;
}

/* Keeps a pair for the list. The caller counts pairs by kind. */
static void keep(struct found *f, const gpuranmar_tie *tie)
{
    ++f->pairs;
    if (f->is_cut && (f->most == 0 || by_weight(tie, f->ties + f->most - 1) > 0))
        return;
    if (f->n == f->room && f->n / 2 > f->most)
        keep_heaviest(f);
    if (f->n == f->room) {
        f->room = f->room ? 2 * f->room : 1024;
        f->ties = realloc(f->ties, f->room * sizeof *f->ties);
        if (!f->ties)
            command_fail("no memory for %zu pairs", f->room);
    }
    f->ties[f->n++] = *tie;
}

/* Marks the runs of a group that is tied to another one. */
static void mark_group(struct count *c, const struct found *f, size_t group)
{
    for (size_t i = f->begin[group]; i < f->begin[group + 1]; ++i)
        c->runs[f->segments->sources[f->order[i]].run] = 1;
}

/* Keeps the pair of the first of two groups, and counts all pairs of their sequences. */
static int keep_different(const gpuranmar_tie *tie, void *context)
{
    struct found *const f = context;
    const size_t a = tie->first, b = tie->second;
    struct count *const counts[] = {f->of + tie->kind, &f->all};
    gpuranmar_tie named = *tie;
    named.first = f->order[f->begin[a]];
    named.second = f->order[f->begin[b]];
    keep(f, &named);
    const size_t pairs = (f->begin[a + 1] - f->begin[a]) * (f->begin[b + 1] - f->begin[b]);
    for (int i = 0; i < (tie->kind == GPURANMAR_TIE_LOW_BITS ? 1 : 2); ++i) {
        counts[i]->pairs += pairs;
        mark_group(counts[i], f, a);
        mark_group(counts[i], f, b);
    }
    return 0;
}

/* The order of segments, and of equal ones as they were given. */
static int by_segment(const void *left, const void *right, void *context)
{
    const struct segments *const s = context;
    const size_t i = *(const size_t *)left, j = *(const size_t *)right;
    const gpuranmar_segment *const a = s->all + i, *const b = s->all + j;
    if (a->seed != b->seed)
        return a->seed < b->seed ? -1 : 1;
    if (a->position != b->position)
        return a->position < b->position ? -1 : 1;
    if (a->numbers != b->numbers)
        return a->numbers < b->numbers ? -1 : 1;
    return i < j ? -1 : 1;
}

/* Keeps the pairs of the first of n equal segments with each other one, and counts all n(n - 1)/2
 * pairs, which are 5*10^11 for a million equal lines. */
static void keep_equal(struct found *f, const size_t *order, size_t n)
{
    const struct segments *const s = f->segments;
    gpuranmar_tie tie;
    gpuranmar_seeds_compare(s->all + order[0], s->all + order[0], GPURANMAR_DOUBLE, &tie);
    if (n < 2 || tie.kind == GPURANMAR_TIE_NONE) /* which have no numbers */
        return;
    tie.kind = IDENTICAL;
    tie.first = order[0];
    f->of[IDENTICAL].pairs += n * (n - 1) / 2;
    f->all.pairs += n * (n - 1) / 2;
    for (size_t i = 0; i < n; ++i) {
        tie.second = order[i];
        if (i > 0)
            keep(f, &tie);
        f->of[IDENTICAL].runs[s->sources[order[i]].run] = 1;
        f->all.runs[s->sources[order[i]].run] = 1;
    }
}

/* Takes the equal segments out. Returns how many different ones there are. */
static size_t find_equal(struct found *f)
{
    const struct segments *const s = f->segments;
    size_t *const order = f->order, different = 0;
    for (size_t i = 0; i < s->n; ++i)
        order[i] = i;
    qsort_r(order, s->n, sizeof *order, by_segment, (void *)s);
    for (size_t i = 0, j; i < s->n; i = j) {
        const gpuranmar_segment *const a = s->all + order[i];
        for (j = i + 1; j < s->n && memcmp(a, s->all + order[j], sizeof *a) == 0; ++j)
            ;
        keep_equal(f, order + i, j - i);
        f->begin[different] = i;
        f->different[different++] = *a;
        f->begin[different] = j;
    }
    return different;
}

static const char *show_kind(int kind, const gpuranmar_tie *t, char *text, size_t size)
{
    if (kind == IDENTICAL || kind == GPURANMAR_TIE_OVERLAP)
        snprintf(text, size, kind == IDENTICAL ? "identical" : "overlap");
    else if (kind == GPURANMAR_TIE_TWINS)
        snprintf(text, size, t->words ? "twins, words %d" : "twins", t->words);
    else if (t->bits == 0)
        snprintf(text, size, kind == GPURANMAR_TIE_WORDS ? "words %d" : "low bits, words %d",
                 t->words);
    else if (t->words)
        snprintf(text, size, "words %d, bits %+d", t->words, t->bits);
    else
        snprintf(text, size, "bits %d", t->bits);
    return text;
}

static void print_pairs(const struct segments *s, const struct found *f)
{
    printf("%-14s %-14s %-20s %10s %12s %12s %4s\n", "first", "second", "kind", "tied", "from",
           "to", "low");
    for (size_t i = 0; i < f->n; ++i) {
        const gpuranmar_tie *const t = f->ties + i;
        char first[300], second[300], kind[64];
        printf("%-14s %-14s %-20s %10" PRIu64 " %12" PRIu64 " %12" PRIu64 " %4d\n",
               segments_show(s, t->first, first, sizeof first),
               segments_show(s, t->second, second, sizeof second),
               show_kind(t->kind, t, kind, sizeof kind), t->tied, t->position, t->last,
               t->low_bits);
    }
    if (f->pairs > f->n)
        printf("... and %zu pairs more: --all lists them\n", f->pairs - f->n);
    puts("from, to: positions in the second sequence. words w, bits b: its words are those of the\n"
         "first, shifted by w words and b bits. twins: three of four bits are. low: how many of "
         "the\n"
         "lowest bits of its words equal those of the first for ever.");
}

static void print_count(const struct count *c, size_t runs, const char *what)
{
    size_t any = 0;
    for (size_t i = 0; i < runs; ++i)
        any += c->runs[i];
    printf("%10zu %10zu  %s\n", c->pairs, any, what);
}

static int by_number(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* Counts siblings among the seeds whose first numbers are drawn: seeds with the i, j and k of
 * another one, that is with the same seed / 169. */
static void print_siblings(const struct segments *s)
{
    enum { FIRST = 97 }; /* numbers whose sums show it */
    int64_t *const seeds = calloc(s->n, sizeof *seeds);
    size_t n = 0, siblings = 0, groups = 0;
    if (!seeds)
        command_fail("no memory for %zu seeds", s->n);
    for (size_t i = 0; i < s->n; ++i)
        if (s->all[i].position < FIRST)
            seeds[n++] = s->all[i].seed;
    qsort(seeds, n, sizeof *seeds, by_number);
    for (size_t i = 0, j; i < n; i = j) {
        size_t different = 1;
        for (j = i + 1; j < n && seeds[j] / 169 == seeds[i] / 169; ++j)
            different += seeds[j] != seeds[j - 1];
        siblings += different > 1 ? different : 0;
        groups += different > 1;
    }
    free(seeds);
    if (groups)
        printf(
            "%zu seeds are siblings, in %zu groups of one i, j and k: single numbers do not show "
            "it, but sums\nof two of their first 97 numbers are correlated.\n",
            siblings, groups);
}

static void print_advice(const struct segments *s, const struct found *f)
{
    size_t on_short_cycle = 0, one = 0;
    for (size_t i = 0; i < s->n; ++i)
        if (ranmar_place_of(s->all[i].seed).cycle == RANMAR_SHORT_CYCLE) {
            ++on_short_cycle;
            one = i;
        }
    print_siblings(s);
    const double n = (double)s->n;
    puts("of runs: runs that have a sequence in such a pair.");
    printf("Among %zu seeds drawn at random from 9*10^8, %.3g pairs are identical on average.\n",
           s->n, n * fmax(n - 1, 0) / 2 / 9e8);
    if (on_short_cycle) {
        char text[300];
        printf(
            "Warning: seeds with i = j = 178 and k = 1 or 178: %zu, as %s. Their first bits repeat "
            "after 169 or 676. Take others.\n",
            on_short_cycle, segments_show(s, one, text, sizeof text));
    }
    if (f->of[IDENTICAL].pairs || f->of[GPURANMAR_TIE_OVERLAP].pairs)
        puts("The same numbers are drawn twice, whatever the position: take seeds and positions "
             "from\n"
             "gpuranmar seeds plan.");
    else if (f->all.pairs)
        printf("Take seeds and positions from gpuranmar seeds plan; or start at position %d "
               "(CORSIKA: N1),\nwhere single numbers are as near each other as by chance.\n",
               GPURANMAR_SAFE_POSITION);
}

static void print_sum(const struct segments *s, const struct found *f, int flavour)
{
    static const char *const what[KINDS] = {
        [IDENTICAL] = "identical: the same numbers throughout",
        [GPURANMAR_TIE_OVERLAP] = "overlaps: partly the same numbers",
        [GPURANMAR_TIE_WORDS] = "word shifts",
        [GPURANMAR_TIE_BITS] = "bit shifts",
        [GPURANMAR_TIE_TWINS] = "twins",
        [GPURANMAR_TIE_LOW_BITS] = "share their lowest bits alone, which harms no physics"};
    printf("%zu sequence%s of %zu run%s, flavour %s\n", s->n, &"s"[s->n == 1], s -> runs,
           &"s"[s->runs == 1], ranmar_flavour_name(flavour));
    if (s->passed_over)
        printf("%zu files of directories were passed over: they are neither plans nor cards\n",
               s->passed_over);
    printf("%10s %10s\n", "pairs", "of runs");
    for (int k = 0; k < KINDS; ++k)
        if (k == IDENTICAL || f->of[k].pairs)
            print_count(f->of + k, s->runs, what[k]);
    print_count(&f->all, s->runs, "all but those of lowest bits alone");
    print_advice(s, f);
}

/* Prints what sequences have in common; returns how many pairs are more than lowest bits. */
static size_t audit(const struct segments *s, int flavour, size_t most)
{
    struct found f = {.segments = s,
                      .different = calloc(s->n, sizeof *f.different),
                      .order = calloc(s->n, sizeof *f.order),
                      .begin = calloc(s->n + 1, sizeof *f.begin),
                      .most = most};
    unsigned char *const runs = calloc(KINDS + 1, s->runs + 1);
    if (!runs || !f.different || !f.order || !f.begin)
        command_fail("no memory for %zu runs", s->runs);
    for (size_t k = 0; k < KINDS; ++k)
        f.of[k].runs = runs + k * (s->runs + 1);
    f.all.runs = runs + KINDS * (s->runs + 1);
    const int error =
        gpuranmar_seeds_audit(f.different, find_equal(&f), flavour, keep_different, &f);
    if (error)
        (error == GPURANMAR_NO_MEMORY ? command_fail : command_refuse)("%s",
                                                                       gpuranmar_last_error());
    keep_heaviest(&f);
    if (f.pairs > 0)
        print_pairs(s, &f);
    print_sum(s, &f, flavour);
    free(f.ties);
    free(f.different);
    free(f.order);
    free(f.begin);
    free(runs);
    return f.all.pairs;
}

int command_seeds_audit(int argc, char **argv)
{
    command_name = "gpuranmar seeds audit";
    struct segments s = {0};
    int flavour = GPURANMAR_DOUBLE, all = 0;
    uint64_t most = 20, position = UINT64_MAX;
    const struct command_option options[] = {
        {"position", .number = &position, .high = RANMAR_POSITION_MAX},
        {"numbers", .number = &s.numbers, .low = 1, .high = RANMAR_POSITION_MAX},
        {"flavour", .word = &flavour, .words = ranmar_flavour_names},
        {"most", .number = &most, .high = SIZE_MAX},
        {"all", .flag = &all},
        {NULL},
    };
    char help[4096];
    const int written = snprintf(help, sizeof help, usage, segments_help);
    command_options(argc, argv, options, written < (int)sizeof help ? help : usage);
    if (optind == argc)
        command_refuse("no seeds: see --help");
    for (int i = optind; i < argc; ++i)
        segments_add(&s, argv[i]);
    if (position != UINT64_MAX)
        segments_move(&s, position);

    const size_t pairs = audit(&s, flavour, all ? SIZE_MAX : (size_t)most);
    segments_free(&s);
    command_close_output();
    return pairs ? COMMAND_FOUND : COMMAND_DONE;
}
