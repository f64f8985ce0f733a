/* Runs tests of TestU01's batteries (L'Ecuyer, Simard, ACM Trans. Math. Softw. 33 (2007) 22) on any
 * flavour of the generator, and prints a line of JSON for each test, from which alone the test can
 * be run again. `crush-driver --help` tells the arguments. */
#include <TestU01.h>

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bits.h"
#include "gpuranmar.h"
#include "source.h"

static const char usage[] =
    "usage: crush-driver --battery NAME [--test K] [--list] [generator]\n"
    "       crush-driver --numbers N [generator]\n"
    "Runs test K, or all of them one after the other, of a battery: small, medium, big\n"
    "(SmallCrush, Crush, BigCrush), rabbit, alphabit, or bits (MatrixRank and LinearComp on each\n"
    "bit of a number, and on each XOR of two).\n"
    "\n"
    "  --size N            Rabbit and Alphabit take 2^N bits (default: 30), 32 of each number\n"
    "  --list              only prints, a line for each test, the arguments that run it alone\n"
    "  --numbers N         tests nothing, and prints the first N numbers that a test would see\n"
    "\n"
    "  --flavour NAME      double, single, extended, ... of libgpuranmar; or one of TestU01's own\n"
    "                      generators: ranmar (24 bits, the baseline), mrg32k3a (a good one)\n"
    "  --seed IJKL         0..942438977; the key of keyed, 0..18446744073709551615\n"
    "  --position N        where each test starts; without it test K starts at K * 2^40\n"
    "  --instances P       sequences of different seeds, interleaved in blocks ...\n"
    "  --prefetch B        ... of B numbers\n"
    "  --bits FIRST-LAST   the test sees these bits of each number, 0 the highest, as a number:\n"
    "                      0-47 all of a double's, 16-47 the lowest 32, 47-0 all of them reversed\n"
    "  --pair              two numbers of 24 bits make one of 48\n"
    "  --minus IJKL        subtracts the numbers of another seed, modulo 1\n"
    "  --substreams N/S    one number of each of N segments in turn, S apart in the sequence\n"
    "  --first L           L numbers from --position on of this seed, then of the next, ...\n";

static int64_t size; /* logarithm of how many bits Rabbit and Alphabit take */

static void run_rabbit(unif01_Gen *generator, int repetitions[])
{
    bbattery_RepeatRabbit(generator, ldexp(1, (int)size), repetitions);
}

static void run_alphabit(unif01_Gen *generator, int repetitions[])
{
    bbattery_RepeatAlphabit(generator, ldexp(1, (int)size), 0, 32, repetitions);
}

static const struct battery {
    const char *name;
    int tests;
    void (*run)(unif01_Gen *generator, int repetitions[]);
} batteries[] = {
    {"small", 10, bbattery_RepeatSmallCrush},
    {"medium", 96, bbattery_RepeatCrush},
    {"big", 106, bbattery_RepeatBigCrush},
    {"rabbit", 26, run_rabbit},
    {"alphabit", 9, run_alphabit},
    {"bits", BITS_TESTS, bits_repeat},
};

enum { TESTS_MAX = BITS_TESTS };

/* What the program is asked to do. */
static struct {
    const char *battery;
    int64_t test; /* 0: all tests */
    int64_t list;
    int64_t numbers; /* how many to print; 0: run tests */
    struct source source;
} request = {NULL, 0, 0, 0, SOURCE_INIT};

/* Prints the arguments that repeat a test alone, with the same p-values. */
static void print_command(FILE *out, const char *battery, int test, const struct source *s)
{
    fprintf(out, "--battery %s --test %d --flavour %s --seed %" PRIu64 " --position %" PRId64,
            battery, test, s->flavour, (uint64_t)s->seed, s->position);
    if (s->instances > 1)
        fprintf(out, " --instances %" PRId64 " --prefetch %" PRId64, s->instances, s->prefetch);
    if (s->first_bit != 0 || s->last_bit != 47)
        fprintf(out, " --bits %" PRId64 "-%" PRId64, s->first_bit, s->last_bit);
    if (size)
        fprintf(out, " --size %" PRId64, size);
    if (s->minus != SOURCE_NONE)
        fprintf(out, " --minus %" PRIu64, (uint64_t)s->minus);
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

static void run(const struct battery *battery, int test, const struct source *s, FILE *out)
{
    unif01_Gen *generator = source_open(s);

    int repetitions[TESTS_MAX + 1] = {0};
    repetitions[test] = 1;
    struct timespec start, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    battery->run(generator, repetitions);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);

    fputs("{\"command\": \"", out);
    print_command(out, battery->name, test, s);
    fputs("\", \"p\": [", out);
    const char *separator = "";
    for (int i = 0; i < bbattery_NTests; ++i) {
        if (bbattery_pVal[i] < 0) /* not done: too few bits */
            continue;
        fprintf(out, "%s[\"%s\", %.17g]", separator, bbattery_TestNames[i], bbattery_pVal[i]);
        separator = ", ";
    }
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

static const struct argument {
    const char *name;
    const char **text;  /* the value, if it is no number */
    uint64_t low, high; /* the range of a number; both 0 and no text: a flag */
    int64_t *value, *second;
    char between; /* separates two numbers; 0: there is one */
} arguments[] = {
    {"battery", .text = &request.battery},
    {"test", .low = 1, .high = TESTS_MAX, .value = &request.test},
    {"size", .low = 20, .high = 40, .value = &size},
    {"list", .value = &request.list},
    {"numbers", .low = 1, .high = INT64_MAX, .value = &request.numbers},
    {"flavour", .text = &request.source.flavour},
    {"seed", .high = UINT64_MAX, .value = &request.source.seed},
    {"position", .high = INT64_MAX, .value = &request.source.position},
    {"instances", .low = 1, .high = 30082, .value = &request.source.instances},
    {"prefetch", .low = 1, .high = 1000000000, .value = &request.source.prefetch},
    {"bits", NULL, 0, 47, &request.source.first_bit, &request.source.last_bit, '-'},
    {"minus", .high = UINT64_MAX - 1, .value = &request.source.minus},
    {"pair", .value = &request.source.pair},
    {"substreams", NULL, 1, INT64_MAX, &request.source.substreams, &request.source.spacing, '/'},
    {"first", .low = 1, .high = 1000000, .value = &request.source.first},
};

enum { ARGUMENTS = sizeof arguments / sizeof *arguments };

static _Noreturn void refuse(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fputs("crush-driver: --", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    exit(2);
}

/* Reads a number that `stop` follows, and returns what stands behind that. */
static const char *number(const struct argument *a, const char *text, char stop, int64_t *value)
{
    char *end;
    errno = 0;
    const uint64_t read = strtoull(text, &end, 10);
    if (errno || *text == '-' || end == text || *end != stop || read < a->low || read > a->high)
        refuse("%s: '%s' is not a number in %" PRIu64 "..%" PRIu64, a->name, text, a->low, a->high);
    *value = (int64_t)read;
    return end + 1;
}

static void set(const struct argument *a, const char *text)
{
    if (a->text)
        *a->text = text;
    else if (!text)
        *a->value = 1;
    else if (!a->between)
        number(a, text, '\0', a->value);
    else
        number(a, number(a, text, a->between, a->value), '\0', a->second);
}

static const struct battery *battery_named(const char *name)
{
    for (size_t i = 0; i < sizeof batteries / sizeof *batteries; ++i)
        if (strcmp(name, batteries[i].name) == 0)
            return &batteries[i];
    refuse("battery: '%s' is no battery", name);
}

static const struct battery *parse(int argc, char **argv)
{
    struct option options[ARGUMENTS + 2] = {{NULL, 0, NULL, 0}};
    for (int i = 0; i < ARGUMENTS; ++i) {
        const int is_flag = !arguments[i].text && arguments[i].high == 0;
        options[i] = (struct option){arguments[i].name, !is_flag, NULL, i};
    }
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
    if (optind < argc || !request.battery == !request.numbers) {
        fputs(usage, stderr);
        exit(2);
    }
    if (request.numbers)
        return NULL;
    const struct battery *const battery = battery_named(request.battery);
    if (battery->run == run_rabbit || battery->run == run_alphabit) {
        if (!size)
            size = 30;
    } else if (size) {
        refuse("size: only Rabbit and Alphabit have one");
    }
    if (request.test > battery->tests)
        refuse("test: %" PRId64 " is not in 1..%d", request.test, battery->tests);
    if (s->substreams > 100000 || (s->substreams && s->spacing > INT64_MAX / s->substreams))
        refuse("substreams: %" PRId64 "/%" PRId64 ": too many, or too far", s->substreams,
               s->spacing);
    return battery;
}

int main(int argc, char **argv)
{
    const struct battery *const battery = parse(argc, argv);
    source_check(&request.source);
    if (request.numbers) {
        const struct source at = placed(request.source, 0);
        unif01_Gen *const g = source_open(&at);
        for (int64_t i = 0; i < request.numbers; ++i)
            printf("%.17g\n", g->GetU01(g->param, g->state));
        return ferror(stdout) || fclose(stdout) ? 1 : 0;
    }

    /* The batteries write to stdout: keep that for our lines. */
    FILE *const out = fdopen(dup(STDOUT_FILENO), "w");
    if (!out || !freopen("/dev/null", "w", stdout)) {
        perror("crush-driver");
        return 1;
    }
    swrite_Basic = FALSE;
    const int last = request.test ? (int)request.test : battery->tests;
    for (int k = request.test ? last : 1; k <= last; ++k) {
        const struct source at = placed(request.source, k);
        if (request.list) {
            print_command(out, battery->name, k, &at);
            fputc('\n', out);
        } else {
            run(battery, k, &at, out);
        }
    }
    return ferror(out) || fclose(out) ? 1 : 0;
}
