/* gpuranmar seeds audit: lists every pair of seeds that has numbers in common. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ranges.h"
#include "command/command.h"
#include "command/listed_sequences.h"
#include "definition/flavour.h"
#include "seeds/ties.h"

static const char usage[] =
    "usage: gpuranmar seeds audit [OPTION]... SEEDS...\n"
    "Lists every pair of sequences that has equal numbers, numbers tied by a shift of the bits\n"
    "of the seeding, or the same lowest bits. Then counts siblings: seeds with the same i, j and\n"
    "k. Does not compare sums of several numbers. Exit status 0 if no pair has equal or tied\n"
    "numbers (lowest bits do not count), 1 if one has, 2 for bad input or an error, 3 if none of\n"
    "those that could be read has, and something in a directory could not.\n"
    "\n"
    "SEEDS are any of\n"
    "  169                 a seed IJKL, 0..2147483647; IJKL = 30082 IJ + KL for a pair of seeds\n"
    "  1..1000000          all seeds of this range\n"
    "  FILE                a plan; CORSIKA's cards, whose lines SEED seed N1 N2 and MSEED skip\n"
    "                      N1 + 10^9 N2 numbers; or a list of seeds, one a line, # for comments\n"
    "  DIRECTORY           the plans and the cards in it and in its subdirectories\n"
    "A file that is given twice, also by a link, counts twice.\n"
    "\n"
    "  --position N        audit as if each sequence started at position N\n"
    "  --numbers N         how many numbers a sequence may draw if its line does not say it;\n"
    "                      default: no end\n"
    "  --flavour NAME      double (default), single, extended\n"
    "  --most N            list at most N pairs, default 20\n"
    "  --json FILE         write the listed pairs to FILE too, as a table in JSON\n"
    "\n"
    "In a group of identical sequences each is listed with the first, and only the first is\n"
    "listed with other sequences. All pairs are counted.\n";

/* The kind of a pair is one of enum gpuranmar_tie_kind. TIE_NONE, which no pair has, stands for two
 * equal segments. */
enum { IDENTICAL = GPURANMAR_TIE_NONE, KINDS = GPURANMAR_TIE_LOW_BITS + 1 };

/* Compares two lists of n keys. The first keys that differ decide. */
static int compare_keys(const uint64_t *a, const uint64_t *b, size_t n)
{
    for (size_t i = 0; i < n; ++i)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* The order of pairs: identical, overlaps, tied, lowest bits; the most numbers first in each. */
static int by_weight(const void *left, const void *right)
{
    static const uint64_t weight[KINDS] = {
        [IDENTICAL] = 0,          [GPURANMAR_TIE_OVERLAP] = 1, [GPURANMAR_TIE_WORDS] = 2,
        [GPURANMAR_TIE_BITS] = 2, [GPURANMAR_TIE_TWINS] = 2,   [GPURANMAR_TIE_LOW_BITS] = 3};
    const gpuranmar_tie *const a = left, *const b = right;
    const uint64_t keys[2][5] = {
        {weight[a->kind], ~a->tied, (uint64_t)a->kind, a->first, a->second},
        {weight[b->kind], ~b->tied, (uint64_t)b->kind, b->first, b->second}};
    return compare_keys(keys[0], keys[1], 5);
}

/* By segment. Equal segments stay in the order in which they were given. */
static int by_segment(const void *left, const void *right)
{
    const struct sequence *const a = left, *const b = right;
    const gpuranmar_segment s = a->segment, t = b->segment;
    const uint64_t keys[2][5] = {
        {(uint64_t)s.seed, s.position, s.numbers, a->from.run, a->from.line},
        {(uint64_t)t.seed, t.position, t.numbers, b->from.run, b->from.line}};
    return compare_keys(keys[0], keys[1], 5);
}

/* What was found. Equal segments are a group, and groups are compared. */
struct found {
    const struct sequence *all;   /* sorted, so that groups lie end to end */
    gpuranmar_segment *different; /* the segment of each group */
    size_t *begin;                /* where each group begins in `all`; one more, for the end */
    size_t groups, pairs[KINDS];
    unsigned char *runs;        /* for each run: a bit for each kind of pair that the run is in */
    gpuranmar_tie *ties;        /* the pairs to list; first and second are indices of `all` */
    size_t n, room, most, kept; /* kept: how many pairs were ever in the list */
};

/* Sorts the pairs, and forgets all but the heaviest. */
static void keep_heaviest(struct found *f)
{
    if (f->n > 0)
        qsort(f->ties, f->n, sizeof *f->ties, by_weight);
    f->n = f->n < f->most ? f->n : f->most;
}

/* Keeps a pair for the list. When there are too many, all but the heaviest are forgotten. */
static void keep_pair(struct found *f, gpuranmar_tie tie, size_t first, size_t second)
{
    if (f->n == f->room && f->n / 2 > f->most)
        keep_heaviest(f);
    if (f->n == f->room) {
        f->room = f->room ? 2 * f->room : 1024;
        f->ties = realloc(f->ties, f->room * sizeof *f->ties);
        if (!f->ties)
            command_fail("no memory for %zu pairs", f->room);
    }
    tie.first = first;
    tie.second = second;
    f->ties[f->n++] = tie;
    ++f->kept;
}

/* Marks the runs of a group that has pairs of a kind. Returns the size of the group. */
static size_t mark(struct found *f, size_t group, int kind)
{
    for (size_t i = f->begin[group]; i < f->begin[group + 1]; ++i)
        f->runs[f->all[i].from.run] |= (unsigned char)(1 << kind);
    return f->begin[group + 1] - f->begin[group];
}

/* Keeps one pair for two groups, that of their first sequences, and counts all pairs. */
static int keep_different(const gpuranmar_tie *tie, void *context)
{
    struct found *const f = context;
    keep_pair(f, *tie, f->begin[tie->first], f->begin[tie->second]);
    f->pairs[tie->kind] += mark(f, tie->first, tie->kind) * mark(f, tie->second, tie->kind);
    return 0;
}

/* Keeps only the pairs of a group that have its first segment, and counts all n(n - 1)/2: a million
 * equal lines are 5*10^11 pairs. */
static void keep_equal(struct found *f, size_t group)
{
    const size_t begin = f->begin[group];
    const gpuranmar_segment *const s = f->different + group;
    const uint64_t end = ranmar_segment_end(s);
    if (f->begin[group + 1] - begin < 2 || s->position == end)
        return; /* no pair, or no numbers */
    const gpuranmar_tie tie = {.kind = IDENTICAL,
                               .tied = end - s->position,
                               .position = s->position,
                               .last = end - 1,
                               .first_position = s->position};
    const size_t n = mark(f, group, IDENTICAL);
    for (size_t i = 1; i < n; ++i)
        keep_pair(f, tie, begin, begin + i);
    f->pairs[IDENTICAL] += n * (n - 1) / 2;
}

static void find_pairs(struct found *f, size_t n, int flavour)
{
    for (size_t i = 0; i < n; ++i)
        if (i == 0 || memcmp(&f->all[i - 1].segment, &f->all[i].segment, sizeof *f->different)) {
            f->begin[f->groups] = i;
            f->different[f->groups++] = f->all[i].segment;
        }
    f->begin[f->groups] = n;
    for (size_t group = 0; group < f->groups; ++group)
        keep_equal(f, group);
    const int error = gpuranmar_seeds_audit(f->different, f->groups, flavour, keep_different, f);
    if (error)
        (error == GPURANMAR_NO_MEMORY ? command_fail : command_refuse)("%s",
                                                                       gpuranmar_last_error());
    keep_heaviest(f);
}

/* --- What is printed --- */

static const char *show_kind(const gpuranmar_tie *t, char *text, size_t size)
{
    if (t->kind == IDENTICAL || t->kind == GPURANMAR_TIE_OVERLAP)
        return t->kind == IDENTICAL ? "identical" : "overlap";
    if (t->kind == GPURANMAR_TIE_TWINS)
        snprintf(text, size, t->words ? "twins, words %d" : "twins", t->words);
    else if (t->bits == 0)
        snprintf(text, size, t->kind == GPURANMAR_TIE_WORDS ? "words %d" : "low bits, words %d",
                 t->words);
    else if (t->words)
        snprintf(text, size, "words %d, bits %+d", t->words, t->bits);
    else
        snprintf(text, size, "bits %d", t->bits);
    return text;
}

/* Writes a seed, and file and line if it came from a file, as in "169" and "169 (cards:3)". */
static const char *show_seed(const struct sequence *s, char *text, size_t size)
{
    if (s->from.line > 0)
        snprintf(text, size, "%" PRId64 " (%s:%zu)", s->seed, s->from.file, s->from.line);
    else
        snprintf(text, size, "%" PRId64, s->seed);
    return text;
}

static void print_pairs(const struct found *f)
{
    printf("%-14s %-14s %-20s %10s %12s %12s %4s\n", "first", "second", "kind", "tied", "from",
           "to", "low");
    for (size_t i = 0; i < f->n; ++i) {
        const gpuranmar_tie *const t = f->ties + i;
        char first[300], second[300], kind[64];
        printf("%-14s %-14s %-20s %10" PRIu64 " %12" PRIu64 " %12" PRIu64 " %4d\n",
               show_seed(f->all + t->first, first, sizeof first),
               show_seed(f->all + t->second, second, sizeof second),
               show_kind(t, kind, sizeof kind), t->tied, t->position, t->last, t->low_bits);
    }
    if (f->kept > f->n)
        printf("... and %zu pairs more: --most lists them\n", f->kept - f->n);
    puts("from, to: positions in the second sequence. words w, bits b: its words are those of the\n"
         "first, shifted by w words and b bits. twins: three of four bits agree. low: how many of\n"
         "the lowest bits of its words equal those of the first for ever.");
}

/* Prints the number of pairs, and how many runs are in a pair of the kinds whose bits are set. */
static void print_count(size_t pairs, const struct found *f, size_t runs, int kinds,
                        const char *what)
{
    size_t touched = 0;
    for (size_t i = 0; i < runs; ++i)
        touched += (f->runs[i] & kinds) != 0;
    printf("%10zu %10zu  %s\n", pairs, touched, what);
}

/* Counts siblings among the seeds whose first numbers are drawn. Siblings are seeds with equal i, j
 * and k: the quotient seed / 169 is the same. */
static void print_sibling_groups(const struct found *f)
{
    enum { FIRST = 97 }; /* numbers whose sums are correlated */
    size_t siblings = 0, groups = 0, different = 0;
    int64_t last = -169;
    for (size_t i = 0; i < f->groups; ++i) {
        const int64_t seed = f->different[i].seed;
        if (f->different[i].position >= FIRST || seed == last)
            continue;
        different = seed / 169 == last / 169 ? different + 1 : 1;
        siblings += different == 2 ? 2 : different > 2;
        groups += different == 2;
        last = seed;
    }
    if (groups)
        printf("%zu seeds are siblings, in %zu groups with equal i, j and k: single numbers do not "
               "show it, but sums\nof two of their first 97 numbers are correlated.\n",
               siblings, groups);
}

static void warn_of_short_cycle(const struct sequences *s)
{
    size_t n = 0, one = 0;
    for (size_t i = 0; i < s->n; ++i)
        if (ranmar_place_of(s->all[i].segment.seed).cycle == RANMAR_SHORT_CYCLE) {
            ++n;
            one = i;
        }
    char text[300];
    if (n)
        printf(
            "Warning: seeds with i = j = 178 and k = 1 or 178: %zu, such as %s. Their first bits "
            "repeat after 169 or 676 bits. Use other seeds.\n",
            n, show_seed(s->all + one, text, sizeof text));
}

/* Prints the sum of what was found. Returns how many pairs share more than lowest bits. */
static size_t print_sum(const struct sequences *s, const struct found *f, int flavour)
{
    static const char *const what[KINDS] = {
        [IDENTICAL] = "identical: the same numbers throughout",
        [GPURANMAR_TIE_OVERLAP] = "overlaps: partly the same numbers",
        [GPURANMAR_TIE_WORDS] = "word shifts",
        [GPURANMAR_TIE_BITS] = "bit shifts",
        [GPURANMAR_TIE_TWINS] = "twins",
        [GPURANMAR_TIE_LOW_BITS] = "share their lowest bits alone, which harms no physics"};
    enum { ALL = (1 << GPURANMAR_TIE_LOW_BITS) - 1 }; /* the bits of all kinds but LOW_BITS */
    size_t pairs = 0;
    printf("%zu sequence%s of %zu run%s, flavour %s\n", s->n, &"s"[s->n == 1], s -> runs,
           &"s"[s->runs == 1], ranmar_flavour_name(flavour));
    if (s->refused)
        printf("%zu files or folders could not be read: they are not audited\n", s->refused);
    if (s->skipped)
        printf("%zu files of directories were skipped: they are neither plans nor cards\n",
               s->skipped);
    printf("%10s %10s\n", "pairs", "of runs");
    for (int k = 0; k < KINDS; ++k) {
        if (k == IDENTICAL || f->pairs[k])
            print_count(f->pairs[k], f, s->runs, 1 << k, what[k]);
        pairs += ALL >> k & 1 ? f->pairs[k] : 0;
    }
    print_count(pairs, f, s->runs, ALL, "all but those of lowest bits alone");
    print_sibling_groups(f);
    puts("of runs: runs that have a sequence in such a pair.");
    warn_of_short_cycle(s);
    if (f->pairs[IDENTICAL] || f->pairs[GPURANMAR_TIE_OVERLAP])
        puts("The same numbers are drawn twice, whatever the position: let gpuranmar seeds plan\n"
             "choose; or, if a log repeats its card, let gpuranmar production audit read both.");
    else if (pairs)
        printf("Take seeds and positions from gpuranmar seeds plan; or start at position %d "
               "(CORSIKA: N1),\nwhere single numbers are as near each other as by chance.\n",
               GPURANMAR_SAFE_POSITION);
    return pairs;
}

/* --- JSON --- */

static void print_text(FILE *file, const char *text)
{
    putc('"', file);
    for (; *text; ++text)
        if (*text == '"' || *text == '\\' || (unsigned char)*text < ' ')
            fprintf(file, "\\u%04x", (unsigned)*text);
        else
            putc(*text, file);
    putc('"', file);
}

/* Writes one of the two sequences of a pair. */
static void print_side(FILE *file, const char *side, const struct sequence *s)
{
    fprintf(file, "\"%s_seed\": %" PRId64 ", \"%s_position\": %" PRIu64 ", \"%s_file\": ", side,
            s->seed, side, s->segment.position, side);
    if (s->from.line > 0)
        print_text(file, s->from.file);
    else
        fputs("null", file);
    fprintf(file, ", \"%s_line\": %zu, ", side, s->from.line);
}

/* Writes the listed pairs, how many more would be listed, and how many there are of each kind. */
static void write_json(const char *path, const struct sequences *s, const struct found *f)
{
    static const char *const kinds[KINDS] = {
        [IDENTICAL] = "identical",       [GPURANMAR_TIE_OVERLAP] = "overlap",
        [GPURANMAR_TIE_WORDS] = "words", [GPURANMAR_TIE_BITS] = "bits",
        [GPURANMAR_TIE_TWINS] = "twins", [GPURANMAR_TIE_LOW_BITS] = "low bits"};
    FILE *const file = fopen(path, "w");
    if (!file)
        command_fail("%s: %s", path, strerror(errno));
    fprintf(file,
            "{\"audit\": \"gpuranmar seeds 1\", \"sequences\": %zu, \"runs\": %zu, "
            "\"refused\": %zu, \"more\": %zu,\n \"counts\": {",
            s->n, s->runs, s->refused, f->kept - f->n);
    for (int k = 0; k < KINDS; ++k)
        fprintf(file, "%s\"%s\": %zu", &", "[2 * (k == 0)], kinds[k], f -> pairs[k]);
    fputs("},\n \"pairs\": [", file);
    for (size_t i = 0; i < f->n; ++i) {
        const gpuranmar_tie *const t = f->ties + i;
        char kind[64];
        fputs(i ? ",\n  {" : "\n  {", file);
        print_side(file, "first", f->all + t->first);
        print_side(file, "second", f->all + t->second);
        fprintf(file,
                "\"kind\": \"%s\", \"how\": \"%s\", \"words\": %d, \"tied\": %" PRIu64
                ", \"from\": %" PRIu64 ", \"to\": %" PRIu64 ", \"low_bits\": %d}",
                kinds[t->kind], show_kind(t, kind, sizeof kind), t->words, t->tied, t->position,
                t->last, t->low_bits);
    }
    fputs("]}\n", file);
    if (ferror(file) | fclose(file))
        command_fail("%s: %s", path, strerror(errno));
}

int command_seeds_audit(int argc, char **argv)
{
    command_name = "gpuranmar seeds audit";
    /* These live until the program ends, and so does the memory to which they point. */
    static struct sequences s = {.position = UINT64_MAX};
    static struct found f;
    int flavour = GPURANMAR_DOUBLE;
    uint64_t most = 20;
    const char *json = NULL;
    const struct command_option options[] = {
        {"position", .number = &s.position, .high = RANMAR_POSITION_MAX},
        {"numbers", .number = &s.numbers, .low = 1, .high = RANMAR_POSITION_MAX},
        {"flavour", .word = &flavour, .words = ranmar_flavour_names},
        {"most", .number = &most, .high = SIZE_MAX},
        {"json", .text = &json},
        {NULL},
    };
    command_options(argc, argv, options, usage);
    if (optind == argc)
        command_refuse("no seeds: see --help");
    if (s.position != UINT64_MAX && s.numbers > RANMAR_POSITION_MAX - s.position)
        command_refuse("%" PRIu64 " numbers from position %" PRIu64 " on are past 2^63", s.numbers,
                       s.position);
    for (int i = optind; i < argc; ++i)
        sequences_add(&s, argv[i]);
    qsort(s.all, s.n, sizeof *s.all, by_segment);

    f = (struct found){.all = s.all,
                       .different = calloc(s.n, sizeof *f.different),
                       .begin = calloc(s.n + 1, sizeof *f.begin),
                       .runs = calloc(s.runs, 1),
                       .most = (size_t)most};
    if (!f.different || !f.begin || !f.runs)
        command_fail("no memory for %zu sequences", s.n);
    find_pairs(&f, s.n, flavour);
    if (f.kept > 0)
        print_pairs(&f);
    const size_t pairs = print_sum(&s, &f, flavour);
    command_close_output();
    if (json)
        write_json(json, &s, &f);
    return pairs ? COMMAND_FOUND : s.refused ? COMMAND_OPEN : COMMAND_DONE;
}
