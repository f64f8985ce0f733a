/* gpuranmar seeds plan: prints seeds and positions for a production. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "command/segments.h"
#include "definition/ranges.h"
#include "gpuranmar_definition.h"
#include "gpuranmar_seeds.h"

static const char usage[] =
    "usage: gpuranmar seeds plan --jobs N [OPTION]...\n"
    "Gives each of N jobs, ranks or showers, M sequences that cannot overlap and are not tied.\n"
    "\n"
    "  --jobs N            1..10^9\n"
    "  --sequences M       of each job, default 1 (CORSIKA: 2, with CERENKOV 3)\n"
    "  --numbers N         the most that a sequence draws, default 1e12\n"
    "  --seed IJKL         0..942438977, default 54217137\n"
    "  --position N        where the first starts, 4000 or later, default 1e9 (--by-seed: 4000)\n"
    "  --by-seed           a seed for each sequence, all at that position: for programs that skip "
    "by\n"
    "                      drawing, as the original RMMAQD does (10 s for 1e9 numbers)\n"
    "  --as registry       run, sequence, seed, position, numbers: what `seeds registry` keeps "
    "(default)\n"
    "  --as cards          CORSIKA's SEED lines: seed N1 N2, which skip N1 + 10^9 N2 numbers\n"
    "  --as slurm          a job array's script\n"
    "  --as mpi            a line for each rank: seed N1 N2 of its sequences\n"
    "  --as ij-kl          with --by-seed: IJ and KL, one pair a line, for programs that cannot "
    "skip\n"
    "                      (EGSnrc, MadGraph): these seeds are not tied from position 0 on either\n"
    "  --job J             only this job, 1..N\n";

enum format { REGISTRY, CARDS, SLURM, MPI, IJ_KL };

static const char *const formats[] = {"registry", "cards", "slurm", "mpi", "ij-kl", NULL};

/* A position as CORSIKA's N1 and N2, that is ISEED(2) and ISEED(3): N1 + 10^9 N2. */
static uint64_t n1(const gpuranmar_segment *s)
{
    return s->position % 1000000000;
}
static uint64_t n2(const gpuranmar_segment *s)
{
    return s->position / 1000000000;
}

static void print_reason(const gpuranmar_plan *plan, const gpuranmar_segment *s, size_t n,
                         enum format format)
{
    const char *const comment = format == CARDS ? "* " : "# ";
    if (plan->by_seed)
        printf("%s%zu seeds, of which none is within 97 words of another on the cycles of the "
               "seeding, nor its twin",
               comment, n);
    if (format == IJ_KL)
        printf(".\n");
    else if (plan->by_seed)
        printf("; all\n%sstart at position %" PRIu64 ".\n", comment, plan->position);
    else
        printf("%sSegments of %" PRIu64
               " numbers, end to end, of %s: they cannot overlap\n%sas long "
               "as none draws more, and positions of one seed have no ties.\n",
               comment, plan->numbers,
               s[n - 1].seed == plan->seed ? "one seed" : "seeds that are no shifts of each other",
               comment);
}

/* Refuses pairs in whose place programs take their default, which two jobs would then share: EGSnrc
 * does so for 0, and egs++ for 31328 and 30081 too. */
static void print_pair(int64_t seed, const char *job)
{
    const int64_t ij = seed / 30082, kl = seed % 30082;
    if (ij < 1 || ij > 31327 || kl < 1 || kl > 30080)
        command_refuse("--as ij-kl: job %s would have %" PRId64 " %" PRId64
                       ", and EGSnrc takes its defaults outside 1..31327 and 1..30080: try another "
                       "--seed",
                       job, ij, kl);
    printf("%" PRId64 " %" PRId64 "\n", ij, kl);
}

static void print_job(enum format format, const gpuranmar_segment *s, uint64_t job,
                      uint64_t sequences)
{
    char job_name[24];
    snprintf(job_name, sizeof job_name, "%" PRIu64, job);
    if (format == CARDS)
        printf("* job %" PRIu64 "\n", job);
    if (format == MPI)
        printf("%" PRIu64, job - 1);
    for (uint64_t m = 0; m < sequences; ++m, ++s)
        if (format == IJ_KL)
            print_pair(s->seed, job_name);
        else if (format == CARDS)
            printf("SEED    %" PRId64 " %" PRIu64 " %" PRIu64 "\n", s->seed, n1(s), n2(s));
        else if (format == MPI)
            printf("  %" PRId64 " %" PRIu64 " %" PRIu64, s->seed, n1(s), n2(s));
        else
            segments_print_entry(stdout, job_name, m + 1, s);
    if (format == MPI)
        putchar('\n');
}

static void print_slurm(const gpuranmar_plan *plan, uint64_t jobs, uint64_t sequences)
{
    printf("#!/bin/bash\n#SBATCH --array=1-%" PRIu64 "\n"
           "# The SEED lines of this task, for its steering cards.\n"
           "gpuranmar seeds plan --jobs %" PRIu64 " --sequences %" PRIu64 " --numbers %" PRIu64
           " --seed %" PRId64 " \\\n    --position %" PRIu64
           "%s --as cards --job \"$SLURM_ARRAY_TASK_ID\" >seeds-\"$SLURM_ARRAY_TASK_ID\"\n",
           jobs, jobs, sequences, plan->numbers, plan->seed, plan->position,
           plan->by_seed ? " --by-seed" : "");
}

int command_seeds_plan(int argc, char **argv)
{
    command_name = "gpuranmar seeds plan";
    gpuranmar_plan plan = GPURANMAR_PLAN_INIT;
    uint64_t jobs = 0, sequences = 1, only = 0, seed = (uint64_t)plan.seed;
    int as = REGISTRY;
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
    if (plan.position == 0)
        plan.position = plan.by_seed ? GPURANMAR_SAFE_POSITION : 1000000000;

    if (format == IJ_KL && !plan.by_seed)
        command_refuse("--as ij-kl: only with --by-seed: pairs have no position");

    const uint64_t count = (only ? 1 : jobs) * sequences;
    plan.skip = only ? (only - 1) * sequences : 0;
    const size_t n = (size_t)count; /* of 32 bits on some machines */
    gpuranmar_segment *const all = n == count ? calloc(n, sizeof *all) : NULL;
    if (!all)
        command_fail("no memory for %" PRIu64 " sequences", count);
    if (gpuranmar_seeds_plan(&plan, all, n))
        command_refuse("%s", gpuranmar_last_error());

    if (format == SLURM) {
        print_slurm(&plan, jobs, sequences);
    } else {
        if (format == REGISTRY || format == MPI)
            puts(format == MPI ? SEGMENTS_RANKS ": rank, and seed N1 N2 of each of its sequences"
                               : SEGMENTS_REGISTRY "\n" SEGMENTS_COLUMNS);
        print_reason(&plan, all, n, format);
        for (uint64_t i = 0; i < count; i += sequences)
            print_job(format, all + i, (plan.skip + i) / sequences + 1, sequences);
    }
    free(all);
    command_close_output();
    return COMMAND_DONE;
}
