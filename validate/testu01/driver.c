/* Runs tests of TestU01's batteries (L'Ecuyer, Simard, ACM Trans. Math. Softw. 33 (2007) 22) on any
 * flavour of the generator, and prints a line of JSON for each test, from which alone the test can
 * be run again. `crush-driver --help` tells the arguments. */
#include <TestU01.h>

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "gpuranmar.h"
#include "source.h"

static const char usage[] =
    "usage: crush-driver --battery small|medium|big [--test K] [--list] [generator]\n"
    "       crush-driver --definition --flavour NAME\n"
    "Runs test K, or all of them one after the other, of SmallCrush, Crush or BigCrush.\n"
    "\n"
    "  --definition        only prints which numbers a flavour has: the first 1000, as a sum\n"
    "  --list              only prints, a line for each test, the arguments that run it alone\n"
    "\n"
    "  --flavour NAME      double, single, extended, ... of libgpuranmar; or one of TestU01's own\n"
    "                      generators: ranmar (24 bits, the baseline), mrg32k3a (a good one)\n"
    "  --seed IJKL         0..942438977\n"
    "  --position N        where each test starts; without it test K starts at K * 2^40\n"
    "  --instances P       sequences of different seeds, interleaved in blocks ...\n"
    "  --prefetch B        ... of B numbers\n"
    "  --bits FIRST-LAST   of a number, 0 its highest, which the test sees as a number of its "
    "own:\n"
    "                      0-47 all of a double's, 16-47 the lowest 32, 47-0 all of them reversed\n"
    "  --pair              two numbers of 24 bits make one of 48\n"
    "  --substreams N/S    one number of each of N segments in turn, S apart in the sequence\n"
    "  --first L           the first L numbers from --position of this seed, the next seed, ...\n";

static const struct {
    const char *name;
    int tests;
    void (*run)(unif01_Gen *generator, int repetitions[]);
} batteries[] = {
    {"small", 10, bbattery_RepeatSmallCrush},
    {"medium", 96, bbattery_RepeatCrush},
    {"big", 106, bbattery_RepeatBigCrush},
};

enum { TESTS_MAX = 106 };

/* What the program is asked to do. */
static struct {
    int64_t battery, test; /* 0: all tests */
    int64_t list, definition;
    struct source source;
} request = {-1, 0, 0, 0, SOURCE_INIT};

/* Prints all that the p-values depend on, as arguments of the command line. */
static void print_command(FILE *out, const char *battery, int test, const struct source *s)
{
    fprintf(out, "--battery %s --test %d --flavour %s --seed %" PRId64 " --position %" PRId64,
            battery, test, s->flavour, s->seed, s->position);
    if (s->instances > 1)
        fprintf(out, " --instances %" PRId64 " --prefetch %" PRId64, s->instances, s->prefetch);
    if (s->first_bit != 0 || s->last_bit != 47)
        fprintf(out, " --bits %" PRId64 "-%" PRId64, s->first_bit, s->last_bit);
    if (s->pair)
        fputs(" --pair", out);
    if (s->substreams)
        fprintf(out, " --substreams %" PRId64 "/%" PRId64, s->substreams, s->spacing);
    if (s->first)
        fprintf(out, " --first %" PRId64, s->first);
}

static double seconds_between(const struct timespec *a, const struct timespec *b)
{
    return (double)(b->tv_sec - a->tv_sec) + 1e-9 * (double)(b->tv_nsec - a->tv_nsec);
}

/* Each test starts at a position of its own, far from the others', so that no two see the same
 * numbers, and what a test sees does not depend on what ran before it. Generators that cannot jump,
 * and series of seeds (--first), start at 0. */
static struct source placed(struct source s, int test)
{
    if (s.position == SOURCE_ANYWHERE)
        s.position = source_can_jump(&s) && !s.first ? (int64_t)test << 40 : 0;
    return s;
}

static void run(int battery, int test, const struct source *s, FILE *out)
{
    unif01_Gen *generator = source_open(s);

    int repetitions[TESTS_MAX + 1] = {0};
    repetitions[test] = 1;
    struct timespec start, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    batteries[battery].run(generator, repetitions);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);

    fputs("{\"command\": \"", out);
    print_command(out, batteries[battery].name, test, s);
    fputs("\", \"p\": [", out);
    for (int i = 0; i < bbattery_NTests; ++i)
        fprintf(out, "%s[\"%s\", %.17g]", i ? ", " : "", bbattery_TestNames[i], bbattery_pVal[i]);
    char date[sizeof "2026-11-21"];
    const time_t now = time(NULL);
    strftime(date, sizeof date, "%F", gmtime(&now));
    fprintf(out,
            "], \"seconds\": %.1f, \"gpuranmar\": \"%s\", \"testu01\": \"%s\", \"date\": \"%s\", "
            "\"commit\": \"%s\", \"definition\": \"%s\"}\n",
            seconds_between(&start, &end), gpuranmar_version(), TESTU01_VERSION, date, COMMIT,
            source_definition(s));
    fflush(out);
}

/* --- Arguments: one table entry for each option --- */

static const char *const battery_names[] = {"small", "medium", "big", NULL};
static const char *const any_name[] = {NULL};

static const struct argument {
    const char *name;
    const char *const
        *names;        /* the value is the index of one of these; or, if there are none, text */
    char between;      /* of two numbers; 0: one */
    int64_t low, high; /* numbers; both 0 without names: a flag */
    int64_t *value, *second;
    const char **text;
} arguments[] = {
    {"battery", battery_names, 0, 0, 0, &request.battery, NULL, NULL},
    {"test", NULL, 0, 1, TESTS_MAX, &request.test, NULL, NULL},
    {"list", NULL, 0, 0, 0, &request.list, NULL, NULL},
    {"definition", NULL, 0, 0, 0, &request.definition, NULL, NULL},
    {"flavour", any_name, 0, 0, 0, NULL, NULL, &request.source.flavour},
    {"seed", NULL, 0, 0, 942438977, &request.source.seed, NULL, NULL},
    {"position", NULL, 0, 0, INT64_MAX, &request.source.position, NULL, NULL},
    {"instances", NULL, 0, 1, 30082, &request.source.instances, NULL, NULL},
    {"prefetch", NULL, 0, 1, 1000000000, &request.source.prefetch, NULL, NULL},
    {"bits", NULL, '-', 0, 47, &request.source.first_bit, &request.source.last_bit, NULL},
    {"pair", NULL, 0, 0, 0, &request.source.pair, NULL, NULL},
    {"substreams", NULL, '/', 1, INT64_MAX, &request.source.substreams, &request.source.spacing,
     NULL},
    {"first", NULL, 0, 1, 1000000, &request.source.first, NULL, NULL},
};

enum { ARGUMENTS = sizeof arguments / sizeof *arguments };

static _Noreturn void refuse(const char *option, const char *value, const char *allowed)
{
    fprintf(stderr, "crush-driver: --%s: '%s' is not %s\n", option, value, allowed);
    exit(2);
}

static int is_flag(const struct argument *a)
{
    return !a->names && a->high == 0;
}

static int64_t number(const struct argument *a, const char *text, char stop, const char **rest)
{
    char allowed[64], *end;
    snprintf(allowed, sizeof allowed, "a number in %" PRId64 "..%" PRId64, a->low, a->high);
    errno = 0;
    const long long n = strtoll(text, &end, 10);
    if (errno || end == text || *end != stop || n < a->low || n > a->high)
        refuse(a->name, text, allowed);
    *rest = end + 1;
    return n;
}

static void set(const struct argument *a, const char *text)
{
    const char *rest;
    if (a->text) {
        *a->text = text;
    } else if (a->names) {
        for (*a->value = 0; a->names[*a->value] && strcmp(text, a->names[*a->value]) != 0;)
            ++*a->value;
        if (!a->names[*a->value]) {
            char allowed[64];
            snprintf(allowed, sizeof allowed, "%s, %s or %s", a->names[0], a->names[1],
                     a->names[2]);
            refuse(a->name, text, allowed);
        }
    } else if (is_flag(a)) {
        *a->value = 1;
    } else {
        *a->value = number(a, text, a->between, &rest);
        if (a->between)
            *a->second = number(a, rest, '\0', &rest);
    }
}

static void parse(int argc, char **argv)
{
    struct option options[ARGUMENTS + 2] = {{NULL, 0, NULL, 0}};
    for (int i = 0; i < ARGUMENTS; ++i)
        options[i] = (struct option){
            arguments[i].name, is_flag(arguments + i) ? no_argument : required_argument, NULL, i};
    options[ARGUMENTS] = (struct option){"help", no_argument, NULL, ARGUMENTS};
    for (int choice; (choice = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (choice == '?')
            exit(2);
        if (choice == ARGUMENTS) {
            fputs(usage, stdout);
            exit(0);
        }
        set(arguments + choice, optarg);
    }
    const struct source *const s = &request.source;
    if (optind < argc || (request.battery < 0) == !request.definition) {
        fputs(usage, stderr);
        exit(2);
    }
    const int tests = request.definition ? TESTS_MAX : batteries[request.battery].tests;
    if (request.test > tests) {
        fprintf(stderr, "crush-driver: --test: %" PRId64 " is not in 1..%d\n", request.test, tests);
        exit(2);
    }
    if (s->substreams > 100000 || (s->substreams && s->spacing > INT64_MAX / s->substreams)) {
        fprintf(stderr,
                "crush-driver: --substreams: %" PRId64 "/%" PRId64 ": too many, or too far\n",
                s->substreams, s->spacing);
        exit(2);
    }
}

int main(int argc, char **argv)
{
    parse(argc, argv);
    source_check(&request.source);
    if (request.definition) {
        puts(source_definition(&request.source));
        return ferror(stdout) || fclose(stdout) ? 1 : 0;
    }

    /* The batteries write to stdout: keep that for our lines. */
    FILE *const out = fdopen(dup(STDOUT_FILENO), "w");
    if (!out || !freopen("/dev/null", "w", stdout)) {
        perror("crush-driver");
        return 1;
    }
    swrite_Basic = FALSE;
    const int battery = (int)request.battery;
    const int last = request.test ? (int)request.test : batteries[battery].tests;
    for (int k = request.test ? last : 1; k <= last; ++k) {
        const struct source at = placed(request.source, k);
        if (request.list) {
            print_command(out, batteries[battery].name, k, &at);
            fputc('\n', out);
        } else {
            run(battery, k, &at, out);
        }
    }
    return ferror(out) || fclose(out) ? 1 : 0;
}
