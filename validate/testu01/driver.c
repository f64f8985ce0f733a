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
    "       crush-driver --pipe words|doubles [generator] | another battery\n"
    "Runs test K, or all of them one after the other, of SmallCrush, Crush or BigCrush.\n"
    "\n"
    "  --list              only prints, a line for each test, the arguments that run it alone\n"
    "\n"
    "  --flavour NAME      double, single, extended, ... of libgpuranmar; or one of TestU01's own\n"
    "                      generators: ranmar (24 bits, the baseline), mrg32k3a (a good one)\n"
    "  --seed IJKL         0..942438977\n"
    "  --position N        where each test starts; without it test K starts at K * 2^40\n"
    "  --backend NAME      auto, cpu (default) or cuda: who makes the numbers, which are the same\n"
    "  --instances P       independent sequences, interleaved in blocks ...\n"
    "  --prefetch B        ... of B numbers\n"
    "  --bits FIRST-LAST   of a number, 0 its highest, which the test sees as a number of its "
    "own:\n"
    "                      0-47 all of a double's, 16-47 the lowest 32, 47-0 all of them reversed\n"
    "  --pair              two numbers of 24 bits make one of 48\n"
    "  --keep K/L          only the first K of every L numbers\n"
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

static const char *const backends[] = {
    [GPURANMAR_AUTO] = "auto", [GPURANMAR_CPU] = "cpu", [GPURANMAR_CUDA] = "cuda"};

enum { TESTS_MAX = 106, BATTERIES = sizeof batteries / sizeof *batteries };

static _Noreturn void refuse(const char *option, const char *value, const char *allowed)
{
    fprintf(stderr, "crush-driver: --%s: '%s' is not %s\n", option, value, allowed);
    exit(2);
}

static int64_t number(const char *option, const char *text, char stop, int64_t low, int64_t high,
                      const char **rest)
{
    char allowed[64], *end;
    snprintf(allowed, sizeof allowed, "a number in %" PRId64 "..%" PRId64, low, high);
    errno = 0;
    const long long n = strtoll(text, &end, 10);
    if (errno || end == text || *end != stop || n < low || n > high)
        refuse(option, text, allowed);
    if (rest)
        *rest = end + 1;
    return n;
}

/* Everything that fixes the p-values, in the words of the command line. */
static void print_command(FILE *out, const char *battery, int test, const struct source *s)
{
    fprintf(out, "--battery %s --test %d --flavour %s --seed %" PRId64 " --position %" PRIu64,
            battery, test, s->flavour, s->seed, s->position);
    if (s->instances > 1)
        fprintf(out, " --instances %" PRId64 " --prefetch %" PRId64, s->instances, s->prefetch);
    if (s->first_bit != 0 || s->last_bit != 47)
        fprintf(out, " --bits %d-%d", s->first_bit, s->last_bit);
    if (s->pair)
        fputs(" --pair", out);
    if (s->keep)
        fprintf(out, " --keep %d/%d", s->keep, s->period);
    if (s->substreams)
        fprintf(out, " --substreams %d/%" PRId64, s->substreams, s->spacing);
    if (s->first)
        fprintf(out, " --first %d", s->first);
}

/* What a program is asked to do. */
struct request {
    int battery, test; /* 0: all tests */
    int list;
    int pipe; /* bytes of a number, 0 for none */
    struct source source;
};

static double seconds_between(const struct timespec *a, const struct timespec *b)
{
    return (double)(b->tv_sec - a->tv_sec) + 1e-9 * (double)(b->tv_nsec - a->tv_nsec);
}

/* Tests start far apart, so that no two see the same numbers, and where a test starts does not
 * depend on what ran before it. */
static struct source placed(struct source s, int test)
{
    if (s.position == SOURCE_ANYWHERE)
        s.position = source_can_jump(&s) && !s.first ? (uint64_t)test << 40 : 0;
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
    fprintf(out, "], \"seconds\": %.1f, \"gpuranmar\": \"%s\", \"testu01\": \"%s\"}\n",
            seconds_between(&start, &end), gpuranmar_version(), TESTU01_VERSION);
    fflush(out);
}

static struct request parse(int argc, char **argv)
{
    static const struct option options[] = {{"battery", required_argument, NULL, 'b'},
                                            {"test", required_argument, NULL, 't'},
                                            {"flavour", required_argument, NULL, 'f'},
                                            {"seed", required_argument, NULL, 's'},
                                            {"position", required_argument, NULL, 'p'},
                                            {"backend", required_argument, NULL, 'B'},
                                            {"instances", required_argument, NULL, 'i'},
                                            {"prefetch", required_argument, NULL, 'c'},
                                            {"bits", required_argument, NULL, 'w'},
                                            {"pair", no_argument, NULL, '2'},
                                            {"keep", required_argument, NULL, 'k'},
                                            {"substreams", required_argument, NULL, 'n'},
                                            {"first", required_argument, NULL, 'l'},
                                            {"list", no_argument, NULL, 'L'},
                                            {"pipe", required_argument, NULL, 'P'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    struct request r = {-1, 0, 0, 0, SOURCE_INIT};
    struct source *const s = &r.source;
    int choice, index;
    const char *rest;
    while ((choice = getopt_long(argc, argv, "", options, &index)) != -1) {
        const char *const name = choice == '?' ? "" : options[index].name;
        switch (choice) {
        case 'b':
            for (r.battery = BATTERIES - 1; r.battery >= 0; --r.battery)
                if (strcmp(optarg, batteries[r.battery].name) == 0)
                    break;
            if (r.battery < 0)
                refuse(name, optarg, "small, medium or big");
            break;
        case 't':
            r.test = (int)number(name, optarg, '\0', 1, TESTS_MAX, NULL);
            break;
        case 'f':
            s->flavour = optarg;
            break;
        case 's':
            s->seed = number(name, optarg, '\0', 0, 942438977, NULL);
            break;
        case 'p':
            s->position = (uint64_t)number(name, optarg, '\0', 0, INT64_MAX, NULL);
            break;
        case 'B':
            for (s->backend = GPURANMAR_CUDA; s->backend >= 0; --s->backend)
                if (strcmp(optarg, backends[s->backend]) == 0)
                    break;
            if (s->backend < 0)
                refuse(name, optarg, "auto, cpu or cuda");
            break;
        case 'i':
            s->instances = number(name, optarg, '\0', 1, 30082, NULL);
            break;
        case 'c':
            s->prefetch = number(name, optarg, '\0', 1, 1000000000, NULL);
            break;
        case 'w':
            s->first_bit = (int)number(name, optarg, '-', 0, 47, &rest);
            s->last_bit = (int)number(name, rest, '\0', 0, 47, NULL);
            break;
        case '2':
            s->pair = 1;
            break;
        case 'k':
            s->keep = (int)number(name, optarg, '/', 1, 1000000, &rest);
            s->period = (int)number(name, rest, '\0', s->keep, 1000000, NULL);
            break;
        case 'n':
            s->substreams = (int)number(name, optarg, '/', 1, 100000, &rest);
            s->spacing = number(name, rest, '\0', 1, INT64_MAX / s->substreams, NULL);
            break;
        case 'l':
            s->first = (int)number(name, optarg, '\0', 1, 1000000, NULL);
            break;
        case 'L':
            r.list = 1;
            break;
        case 'P':
            r.pipe = strcmp(optarg, "words") == 0 ? 4 : strcmp(optarg, "doubles") == 0 ? 8 : 0;
            if (!r.pipe)
                refuse(name, optarg, "words or doubles");
            break;
        case 'h':
            fputs(usage, stdout);
            exit(0);
        default:
            exit(2);
        }
    }
    if (optind < argc || (r.battery < 0) == !r.pipe) {
        fputs(usage, stderr);
        exit(2);
    }
    if (r.battery >= 0 && r.test > batteries[r.battery].tests) {
        fprintf(stderr, "crush-driver: --test: %d is not in 1..%d\n", r.test,
                batteries[r.battery].tests);
        exit(2);
    }
    return r;
}

/* Numbers without end, as the highest 32 bits of each or as doubles, until the reader has enough.
 */
static int feed(const struct source *s, int bytes)
{
    const struct source at = placed(*s, 0);
    unif01_Gen *const generator = source_open(&at);
    for (;;) {
        const double u = generator->GetU01(generator->param, generator->state);
        const uint32_t word = (uint32_t)(u * 0x1p32);
        if (fwrite(bytes == 4 ? (const void *)&word : &u, (size_t)bytes, 1, stdout) != 1)
            return 1;
    }
}

int main(int argc, char **argv)
{
    const struct request r = parse(argc, argv);
    source_check(&r.source);
    if (r.pipe)
        return feed(&r.source, r.pipe);

    /* The batteries write to stdout: keep that for our lines. */
    FILE *const out = fdopen(dup(STDOUT_FILENO), "w");
    if (!out || !freopen("/dev/null", "w", stdout)) {
        perror("crush-driver");
        return 1;
    }
    swrite_Basic = FALSE;
    const int last = r.test ? r.test : batteries[r.battery].tests;
    for (int k = r.test ? r.test : 1; k <= last; ++k) {
        const struct source at = placed(r.source, k);
        if (r.list) {
            print_command(out, batteries[r.battery].name, k, &at);
            fputc('\n', out);
        } else {
            run(r.battery, k, &at, out);
        }
    }
    return ferror(out) || fclose(out) ? 1 : 0;
}
