/* gpuranmar seeds plan: prints seeds and positions for a production. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ranges.h"
#include "command/command.h"
#include "command/listed_sequences.h"
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
    "  --seed IJKL         0..942438977, default 16777213\n"
    "  --position N        the first position, 4000 or more, default 1e9+1 (--by-seed: 4000)\n"
    "  --by-seed           a seed for each sequence, all at --position: for programs that skip by\n"
    "                      drawing, as the original RMMAQD does (10 s for 1e9 numbers)\n"
    "  --as plan           default: lines with run, sequence, seed, position, numbers\n"
    "  --as cards          CORSIKA's SEED lines: seed N1 N2, which skip N1 + 10^9 N2 numbers\n"
    "  --as env            lines for a shell: export SEED=... POSITION=... NUMBERS=... IJ=... "
    "KL=...\n"
    "                      (SEED = 30082 IJ + KL); with several sequences SEED_1=..., SEED_2=...\n"
    "  --job J             only this job, 1..N\n"
    "\n"
    "Says on standard error if CORSIKA's event headers cannot hold a seed or a position exactly.\n";

enum format { PLAN, CARDS, ENVIRONMENT };

static const char *const formats[] = {"plan", "cards", "env", NULL};

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

/* Says what of the whole plan a header's words of 24 bits do not hold: the seed, calls modulo 10^6,
 * and millions of calls. */
static void warn_of_headers(const gpuranmar_plan *plan, uint64_t sequences)
{
    enum { EXACT = 1 << 24 };
    const uint64_t positions = EXACT * UINT64_C(1000000), distance = plan->numbers | 1;
    static const char without[] = "keep cards and logs: without them no audit and no replay knows "
                                  "where a shower began";
    if (plan->by_seed || plan->seed > EXACT)
        command_complain("CORSIKA's headers round seeds above %d; %s", EXACT, without);
    const uint64_t room = plan->position < positions ? (positions - plan->position) / sequences : 0;
    if (plan->by_seed ? plan->position < positions : distance <= room)
        return;
    const uint64_t fits = room - (room % 2 == 0 && room > 0);
    if (fits && !plan->by_seed)
        command_complain("CORSIKA's headers round positions above %" PRIu64
                         "; up to --numbers %" PRIu64 " all are below it. Or %s",
                         positions, fits, without);
    else
        command_complain("CORSIKA's headers round positions above %" PRIu64 "; %s", positions,
                         without);
}

static void print_job(enum format format, const gpuranmar_segment *s, uint64_t job,
                      uint64_t sequences)
{
    enum { BILLION = 1000000000 };
    if (format == CARDS)
        printf("* job %" PRIu64 "\n", job);
    for (uint64_t m = 0; m < sequences; ++m, ++s) {
        char end[24] = "";
        if (sequences > 1)
            snprintf(end, sizeof end, "_%" PRIu64, m + 1);
        if (format == ENVIRONMENT)
            printf("export SEED%s=%" PRId64 " POSITION%s=%" PRIu64 " NUMBERS%s=%" PRIu64
                   " IJ%s=%" PRId64 " KL%s=%" PRId64 "\n",
                   end, s->seed, end, s->position, end, s->numbers, end,
                   s->seed / RANMAR_SECOND_SEEDS, end, s->seed % RANMAR_SECOND_SEEDS);
        else if (format == CARDS)
            printf("SEED    %" PRId64 " %" PRIu64 " %" PRIu64 "\n", s->seed, s->position % BILLION,
                   s->position / BILLION);
        else
            printf("%" PRIu64 " %" PRIu64 " %" PRId64 " %" PRIu64 " %" PRIu64 "\n", job, m + 1,
                   s->seed, s->position, s->numbers);
    }
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
    if (format == ENVIRONMENT && !only && jobs > 1)
        command_refuse("--as env: --job is needed");
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
    if (as != ENVIRONMENT)
        warn_of_headers(&plan, jobs * sequences);

    if (format == PLAN)
        puts(PLAN_BEGINS "\n# run sequence seed position numbers");
    print_reason(&plan, all, n, format);
    for (uint64_t i = 0; i < count; i += sequences)
        print_job(format, all + i, (plan.skip + i) / sequences + 1, sequences);
    free(all);
    command_close_output();
    return COMMAND_DONE;
}
