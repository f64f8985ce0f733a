/* gpuranmar seeds audit: lists every pair of seeds that has numbers in common. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "command/segments.h"
#include "definition/ranges.h"

static const char usage[] =
    "usage: gpuranmar seeds audit [OPTION]... SEEDS...\n"
    "Lists every pair of sequences that has numbers in common, or tied to each other: those with "
    "the\n"
    "most first. Exit status 0 if there is none, 1 if there is one, 2 for bad input.\n"
    "\n"
    "%s"
    "\n"
    "  --position N        where sequences start that name no position, default 0\n"
    "  --numbers N         how many each may draw that names none; default: without end\n"
    "  --flavour NAME      double (default), single, extended or luxury\n"
    "  --instances P       each is a stream of P instances, second seed raised by 0, 1, ... P - 1 "
    "...\n"
    "  --prefetch B        ... in blocks of B numbers, default 1024\n"
    "  --most N            list at most N pairs, default 20\n"
    "  --all               list all of them\n";

struct found {
    gpuranmar_tie *ties;
    size_t n, room;
};

static int keep(const gpuranmar_tie *tie, void *context)
{
    struct found *const f = context;
    if (f->n == f->room) {
        f->room = f->room ? 2 * f->room : 1024;
        f->ties = realloc(f->ties, f->room * sizeof *f->ties);
        if (!f->ties)
            command_fail("no memory for %zu pairs", f->room);
    }
    f->ties[f->n++] = *tie;
    return 0;
}

static int by_tied(const void *left, const void *right)
{
    const gpuranmar_tie *const a = left, *const b = right;
    if (a->tied != b->tied)
        return a->tied > b->tied ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind - b->kind;
    return a->first != b->first ? (a->first > b->first) - (a->first < b->first)
                                : (a->second > b->second) - (a->second < b->second);
}

static const char *kind_of(const gpuranmar_tie *t, char *text, size_t size)
{
    switch (t->kind) {
    case GPURANMAR_TIE_OVERLAP:
        snprintf(text, size, "overlap");
        break;
    case GPURANMAR_TIE_WORDS:
        snprintf(text, size, "words %d", t->words);
        break;
    case GPURANMAR_TIE_BITS:
        if (t->words)
            snprintf(text, size, "words %d, bits %+d", t->words, t->bits);
        else
            snprintf(text, size, "bits %d", t->bits);
        break;
    default:
        snprintf(text, size, t->words ? "twins, words %d" : "twins", t->words);
    }
    return text;
}

static void print_pairs(const struct segments *s, const struct found *f, size_t most)
{
    printf("%-14s %-14s %-20s %10s %12s %12s\n", "first", "second", "kind", "tied", "from", "to");
    for (size_t i = 0; i < f->n && i < most; ++i) {
        const gpuranmar_tie *const t = f->ties + i;
        char first[300], second[300], kind[64];
        printf("%-14s %-14s %-20s %10" PRIu64 " %12" PRIu64 " %12" PRIu64 "\n",
               segments_show(s, t->first, first, sizeof first),
               segments_show(s, t->second, second, sizeof second), kind_of(t, kind, sizeof kind),
               t->tied, t->position, t->last);
    }
    if (f->n > most)
        printf("... and %zu pairs more: --all lists them\n", f->n - most);
    puts("from, to: positions in the second sequence. words w, bits b: its words are those of the\n"
         "first, moved on by w words and b bits. twins: three bits of four are.");
}

static void print_sum(const struct segments *s, const struct found *f)
{
    size_t of_kind[GPURANMAR_TIE_TWINS + 1] = {0};
    for (size_t i = 0; i < f->n; ++i)
        ++of_kind[f->ties[i].kind];
    printf("%zu sequences: %zu pairs overlap, %zu are word shifts, %zu bit shifts, %zu twins\n",
           s->n, of_kind[GPURANMAR_TIE_OVERLAP], of_kind[GPURANMAR_TIE_WORDS],
           of_kind[GPURANMAR_TIE_BITS], of_kind[GPURANMAR_TIE_TWINS]);
    if (f->n > of_kind[GPURANMAR_TIE_OVERLAP])
        puts(
            "Nothing is tied from position 4000 on (CORSIKA: N1 = 4000); or take one seed and far\n"
            "positions: gpuranmar seeds plan.");
}

int command_seeds_audit(int argc, char **argv)
{
    command_name = "gpuranmar seeds audit";
    struct segments s = {0};
    int flavour = GPURANMAR_DOUBLE, all = 0;
    uint64_t instances = 1, block = 1024, most = 20;
    const struct command_option options[] = {
        {"position", .number = &s.position, .high = RANMAR_POSITION_MAX},
        {"numbers", .number = &s.numbers, .low = 1, .high = RANMAR_POSITION_MAX},
        {"flavour", .flavour = &flavour},
        {"instances", .number = &instances, .low = 1, .high = RANMAR_INSTANCES_MAX},
        {"prefetch", .number = &block, .low = 1, .high = RANMAR_PREFETCH_MAX},
        {"most", .number = &most, .high = SIZE_MAX},
        {"all", .flag = &all},
        {NULL},
    };
    char help[4096];
    snprintf(help, sizeof help, usage, segments_help);
    command_options(argc, argv, options, help);
    if (optind == argc)
        command_refuse("no seeds: see --help");
    for (int i = optind; i < argc; ++i)
        segments_add(&s, argv[i]);
    if (instances > 1)
        segments_interleave(&s, instances, block);

    struct found f = {0};
    if (gpuranmar_seeds_audit(s.all, s.n, flavour, keep, &f))
        command_fail("%s", gpuranmar_last_error());
    if (f.n > 0) {
        qsort(f.ties, f.n, sizeof *f.ties, by_tied);
        print_pairs(&s, &f, all ? SIZE_MAX : (size_t)most);
    }
    print_sum(&s, &f);
    const int status = f.n ? COMMAND_FOUND : COMMAND_DONE;
    free(f.ties);
    segments_free(&s);
    command_close_output();
    return status;
}
