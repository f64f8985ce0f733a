/* Runs tests of TestU01's batteries (L'Ecuyer, Simard, ACM Trans. Math. Softw. 33 (2007) 22) on any
 * flavour of the generator, and prints a line of JSON for each test, from which alone the test can
 * be run again. `crush-driver --help` tells the arguments. */
#include <TestU01.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bits.h"
#include "command/command.h"
#include "gpuranmar.h"
#include "source.h"

static const char usage[] =
    "usage: crush-driver --battery NAME [--test K] [--list] [generator]\n"
    "       crush-driver --numbers N [generator]\n"
    "Runs test K, or all of them one after the other, of a battery: small, medium, big\n"
    "(SmallCrush, Crush, BigCrush), rabbit, alphabit, bits (MatrixRank and LinearComp on each bit\n"
    "of a number, and on each XOR of two), or lacunary.\n"
    "\n"
    "  --lags LAGS         lacunary is BirthdaySpacings of numbers at these lags, as in "
    "0,33,64,130.\n"
    "  --points N          The sequence is cut into groups of one number more than the last lag. "
    "The\n"
    "  --cells N           numbers at the lags are the coordinates of one of 2^N points, and each\n"
    "                      axis has 2^N cells (L'Ecuyer, Simard, Math. Comput. Simulation 55\n"
    "                      (2001) 131). At the lags of a relation far too many spacings are "
    "equal.\n"
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

/* Birthday spacings at chosen lags. */
static struct {
    const char *text;
    long lags[32];
    int n;
    int64_t points, cells; /* the logarithms */
} lacunary;

static void run_lacunary(unif01_Gen *generator, int repetitions[])
{
    static char name[80];
    sres_Poisson *const res = sres_CreatePoisson();
    (void)repetitions;
    smarsa_BirthdaySpacings(unif01_CreateLacGen(generator, lacunary.n, lacunary.lags), res, 1,
                            1L << lacunary.points, 0, 1L << lacunary.cells, lacunary.n, 1);
    snprintf(name, sizeof name, "BirthdaySpacings, %g equal, %g expected", res->sVal2, res->Mu);
    bbattery_TestNames[0] = name;
    bbattery_pVal[0] = res->pVal2;
    bbattery_NTests = 1;
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
    {"lacunary", 1, run_lacunary},
};

enum { BATTERIES = sizeof batteries / sizeof *batteries };

/* What the program is asked to do. */
static struct {
    int64_t test; /* 0: all tests */
    int list;
    int64_t numbers; /* how many to print; 0: run tests */
    struct source source;
} request = {.source = SOURCE_INIT};

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
    if (lacunary.n)
        fprintf(out, " --lags %s --points %" PRId64 " --cells %" PRId64, lacunary.text,
                lacunary.points, lacunary.cells);
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

    int repetitions[BITS_TESTS + 1] = {0};
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

/* Reads two numbers with a sign between. */
static void read_two(const char *option, const char *text, char between, uint64_t least,
                     uint64_t most, int64_t *first, int64_t *second)
{
    const char *const sign = strchr(text, between);
    uint64_t n[2];
    if (!sign || !command_read_number(text, sign, &n[0]) ||
        !command_read_number(sign + 1, NULL, &n[1]) || n[0] < least || n[1] < least ||
        n[0] > most || n[1] > most)
        command_refuse("--%s: '%s' is not two numbers in %" PRIu64 "..%" PRIu64, option, text,
                       least, most);
    *first = (int64_t)n[0];
    *second = (int64_t)n[1];
}

/* Reads lags, which rise from 0. */
static void read_lags(void)
{
    enum { MOST = sizeof lacunary.lags / sizeof *lacunary.lags };
    const char *text = lacunary.text;
    for (long last = -1; text; text = *text == ',' ? text + 1 : NULL) {
        char *end;
        const long lag = strtol(text, &end, 10);
        if ((lacunary.n ? lag <= last : lag != 0) || lacunary.n == MOST || !strchr(",", *end))
            command_refuse("--lags: '%s' are not 2 to %d lags that rise from 0", lacunary.text,
                           MOST);
        lacunary.lags[lacunary.n++] = last = lag;
        text = end;
    }
    if (lacunary.n < 2 || !lacunary.points || !lacunary.cells || lacunary.n * lacunary.cells > 62)
        command_refuse("--battery lacunary: --lags, --points and --cells are needed, with 62 bits "
                       "of cells at most");
}

/* Reads the arguments into `request`. Returns the battery, or NULL for --numbers. */
static const struct battery *parse(int argc, char **argv)
{
    struct source *const s = &request.source;
    const char *names[BATTERIES + 1] = {NULL}, *bits = NULL, *substreams = NULL;
    int battery = -1;
    for (int i = 0; i < BATTERIES; ++i)
        names[i] = batteries[i].name;
#define NUMBER(of) (uint64_t *)&(of)
    const struct command_option options[] = {
        {"battery", .word = &battery, .words = names},
        {"test", .number = NUMBER(request.test), .low = 1, .high = BITS_TESTS},
        {"size", .number = NUMBER(size), .low = 20, .high = 40},
        {"lags", .text = &lacunary.text},
        {"points", .number = NUMBER(lacunary.points), .low = 1, .high = 26},
        {"cells", .number = NUMBER(lacunary.cells), .low = 1, .high = 31},
        {"list", .flag = &request.list},
        {"numbers", .number = NUMBER(request.numbers), .low = 1, .high = INT64_MAX},
        {"flavour", .text = &s->flavour},
        {"seed", .number = NUMBER(s->seed), .high = UINT64_MAX},
        {"position", .number = NUMBER(s->position), .high = INT64_MAX},
        {"instances", .number = NUMBER(s->instances), .low = 1, .high = 30082},
        {"prefetch", .number = NUMBER(s->prefetch), .low = 1, .high = 1000000000},
        {"bits", .text = &bits},
        {"minus", .number = NUMBER(s->minus), .high = UINT64_MAX - 1},
        {"pair", .flag = &s->pair},
        {"substreams", .text = &substreams},
        {"first", .number = NUMBER(s->first), .low = 1, .high = 1000000},
        {NULL}};
    command_name = "crush-driver";
    command_options(argc, argv, options, usage);
    if (bits)
        read_two("bits", bits, '-', 0, 47, &s->first_bit, &s->last_bit);
    if (substreams)
        read_two("substreams", substreams, '/', 1, INT64_MAX, &s->substreams, &s->spacing);
    if (s->substreams > 100000 || (s->substreams && s->spacing > INT64_MAX / s->substreams))
        command_refuse("--substreams: '%s': too many, or too far", substreams);
    if (optind < argc || (battery < 0) == !request.numbers)
        command_refuse("either --battery or --numbers is needed: see --help");
    if (request.numbers)
        return NULL;
    const struct battery *const b = batteries + battery;
    const int takes_bits = b->run == run_rabbit || b->run == run_alphabit;
    if (b->run == run_lacunary)
        read_lags();
    else if (lacunary.text || lacunary.points || lacunary.cells)
        command_refuse("--lags, --points, --cells: only lacunary has them");
    if (size && !takes_bits)
        command_refuse("--size: only Rabbit and Alphabit have one");
    if (takes_bits && !size)
        size = 30;
    if (request.test > b->tests)
        command_refuse("--test: %" PRId64 " is not in 1..%d", request.test, b->tests);
    return b;
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
