/* gpuranmar seeds plan: prints seeds and positions for a production. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "command/sequences.h"
#include "definition/ranges.h"
#include "gpuranmar_definition.h"
#include "gpuranmar_seeds.h"

static const char usage[] =
    "usage: gpuranmar seeds plan --jobs N [OPTION]...\n"
    "Gives each of N jobs, ranks or showers M sequences. `seeds audit` finds no pair among these\n"
    "sequences. They cannot overlap as long as none draws more numbers than --numbers says.\n"
    "\n"
    "  --jobs N            1..10^9\n"
    "  --sequences M       sequences of a job, default 1 (CORSIKA: 2, with CERENKOV 3)\n"
    "  --numbers N         the most that a sequence draws, default 1e12\n"
    "  --seed IJKL         0..942438977, default 54217137\n"
    "  --position N        the first position, 4000 or more, default 1e9+1 (--by-seed: 4000)\n"
    "  --by-seed           a seed for each sequence, all at --position: for programs that skip by\n"
    "                      drawing, as the original RMMAQD does (10 s for 1e9 numbers)\n"
    "  --as plan           default: lines with run, sequence, seed, position, numbers\n"
    "  --as cards          CORSIKA's SEED lines: seed N1 N2, which skip N1 + 10^9 N2 numbers\n"
    "  --job J             only this job, 1..N\n";

enum format { PLAN, CARDS };

static const char *const formats[] = {"plan", "cards", NULL};

static void print_reason(const gpuranmar_plan *plan, const gpuranmar_segment *s, size_t n,
                         enum format format)
{
    const char *const comment = format == CARDS ? "* " : "# ";
    if (plan->by_seed)
        printf("%s%zu seeds, no two of which are twins or within 97 words on the cycles of the "
               "seeding; all\n%sstart at position %" PRIu64 ".\n",
               comment, n, comment, plan->position);
    else
        printf("%sSegments of %" PRIu64
               " numbers, end to end, of %s: they cannot overlap\n%sas long "
               "as none draws more.\n",
               comment, plan->numbers,
               s[n - 1].seed == plan->seed ? "one seed" : "seeds that are no shifts of each other",
               comment);
}

static void print_job(enum format format, const gpuranmar_segment *s, uint64_t job,
                      uint64_t sequences)
{
    enum { BILLION = 1000000000 };
    if (format == CARDS)
        printf("* job %" PRIu64 "\n", job);
    for (uint64_t m = 0; m < sequences; ++m, ++s)
        if (format == CARDS)
            printf("SEED    %" PRId64 " %" PRIu64 " %" PRIu64 "\n", s->seed, s->position % BILLION,
                   s->position / BILLION);
        else
            printf("%" PRIu64 " %" PRIu64 " %" PRId64 " %" PRIu64 " %" PRIu64 "\n", job, m + 1,
                   s->seed, s->position, s->numbers);
}

int command_seeds_plan(int argc, char **argv)
{
    command_name = "gpuranmar seeds plan";
    gpuranmar_plan plan = GPURANMAR_PLAN_INIT;
    uint64_t jobs = 0, sequences = 1, only = 0, seed = (uint64_t)plan.seed;
    int as = PLAN;
    plan.position = 0;
    const struct command_option options[] = {
        {"jobs", .number = &jobs, .low = 1, .high = 1000000000},
        {"sequences", .number = &sequences, .low = 1, .high = 64},
        {"numbers", .number = &plan.numbers, .low = 1, .high = RANMAR_POSITION_MAX},
        {"seed", .number = &seed, .high = RANMAR_SEED_MAX},
        {"position", .number = &plan.position, .low = GPURANMAR_SAFE_POSITION,
         .high = RANMAR_POSITION_MAX},
        {"by-seed", .flag = &plan.by_seed},
        {"as", .word = &as, .words = formats},
        {"job", .number = &only, .low = 1, .high = 1000000000},
        {NULL},
    };
    command_options(argc, argv, options, usage);
    const enum format format = (enum format)as;
    plan.seed = (int64_t)seed;
    if (optind < argc)
        command_refuse("'%s': only options are taken", argv[optind]);
    if (jobs == 0)
        command_refuse("--jobs is needed: see --help");
    if (only > jobs)
        command_refuse("--job: %" PRIu64 " is not in 1..%" PRIu64, only, jobs);
    if (plan.position == 0) /* not 10^9, at which RMMAQD's ISEED(2) is 0 and it prints a warning */
        plan.position = plan.by_seed ? GPURANMAR_SAFE_POSITION : 1000000001;

    const uint64_t count = (only ? 1 : jobs) * sequences;
    plan.skip = only ? (only - 1) * sequences : 0;
    const size_t n = (size_t)count; /* a size_t has 32 bits on some machines */
    gpuranmar_segment *const all = n == count ? calloc(n, sizeof *all) : NULL;
    if (!all)
        command_fail("no memory for %" PRIu64 " sequences", count);
    if (gpuranmar_seeds_plan(&plan, all, n))
        command_refuse("%s", gpuranmar_last_error());

    if (format == PLAN)
        puts(PLAN_BEGINS "\n# run sequence seed position numbers");
    print_reason(&plan, all, n, format);
    for (uint64_t i = 0; i < count; i += sequences)
        print_job(format, all + i, (plan.skip + i) / sequences + 1, sequences);
    free(all);
    command_close_output();
    return COMMAND_DONE;
}
