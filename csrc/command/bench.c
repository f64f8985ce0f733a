/* gpuranmar bench: measures what a number costs on this machine, by level and by flavour, and what
 * a call costs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "definition/clock.h"
#include "definition/flavour.h"
#include "definition/ranges.h"
#include "fill/fill.h"
#include "fortran/fortran.h"
#include "gpuranmar_engine.h"
#include "stream/settings.h"

static const char usage[] =
    "usage: gpuranmar bench\n"
    "Prints what a number costs on this machine, in nanoseconds, on one thread: by every level "
    "that\n"
    "this CPU has, in refills of a cache and in arrays, and by every flavour; and what the calls\n"
    "cost that deliver one number. Each figure is the lowest of several. It takes a few seconds.\n"
    "\n"
    "What a program gains is another matter: scripts/compare-profiles measures that.\n";

enum { REFILL = 1024, ARRAY = RANMAR_ARRAY, ONE_BY_ONE = 1 << 16, TIMES = 9 };
static const double shortest = 2e6; /* nanoseconds: a timing lasts at least as long */

/* What is timed: a function that makes n numbers, and what it needs. */
struct work {
    void (*make)(struct work *work);
    size_t n;
    double *out;
    struct ranmar_state state;
    const struct ranmar_flavour *flavour;
    ranmar_fill_function *fill;
    gpuranmar_engine *engine;
    gpuranmar_stream *stream;
};

/* Measures the nanoseconds a number. Other programs can only make it slower, so the lowest of
 * several times is the best. */
static double cost(struct work *work)
{
    double lowest = 0;
    for (int i = 0; i < TIMES; ++i) {
        const int64_t start = ranmar_nanoseconds();
        double taken;
        size_t made = 0;
        do {
            work->make(work);
            made += work->n;
            taken = (double)(ranmar_nanoseconds() - start);
        } while (taken < shortest);
        if (i == 0 || taken / (double)made < lowest)
            lowest = taken / (double)made;
    }
    return lowest;
}

static void by_fill(struct work *work)
{
    work->fill(&work->state, work->flavour, work->out, work->n);
}

static void by_engine(struct work *work)
{
    for (size_t i = 0; i < work->n; ++i)
        work->out[i] = gpuranmar_engine_next(work->engine);
}

static void by_stream(struct work *work)
{
    for (size_t i = 0; i < work->n; ++i)
        if (gpuranmar_stream_get(work->stream, &work->out[i], 1))
            command_fail("%s", gpuranmar_last_error());
}

static void by_rmmard(struct work *work)
{
    static const int32_t one = 1;
    for (size_t i = 0; i < work->n; ++i)
        rmmard_(&work->out[i], &one, &one);
}

static void print_fill(const char *name, ranmar_fill_function *fill, size_t n, double *out)
{
    printf("%-22s", name);
    for (int code = 0; code < RANMAR_FLAVOURS; ++code) {
        struct work work = {by_fill, n, out, .flavour = ranmar_flavour(code), .fill = fill};
        ranmar_seed(&work.state, work.flavour, RANMAR_IJKL_DEFAULT);
        printf("%16.3f", cost(&work));
        fflush(stdout);
    }
    puts("");
}

static void print_fills(double *out)
{
    static const struct {
        const char *name;
        size_t n;
    } purposes[] = {{"refills of 1024", REFILL}, {"arrays of 131072", ARRAY}};
    for (int i = 0; i < 2; ++i) {
        printf("%-22s", purposes[i].name);
        for (int code = 0; code < RANMAR_FLAVOURS; ++code)
            printf("%16s", ranmar_flavour_name(code));
        puts("");
        for (const struct ranmar_simd *const *level = ranmar_simd_levels; *level; ++level) {
            char name[32];
            ranmar_fill_function *const fill = i == 0 ? (*level)->refill : (*level)->array;
            const int chosen = *level == ranmar_fill_level(purposes[i].n);
            snprintf(name, sizeof name, "  %s%s", (*level)->name, chosen ? ", the default" : "");
            if ((*level)->supported() && fill)
                print_fill(name, fill, purposes[i].n, out);
        }
    }
}

static void print_calls(double *out)
{
    static gpuranmar_engine engine;
    struct work work = {by_engine, ONE_BY_ONE, out, .engine = &engine};
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    options.backend = GPURANMAR_CPU;
    if (gpuranmar_engine_start(&engine, "bench", GPURANMAR_DOUBLE, GPURANMAR_ZERO_SMALLEST, 1802,
                               0) ||
        gpuranmar_stream_initialise(&work.stream, &options) ||
        gpuranmar_initialise(1, 1802, 9373, 1, 0))
        command_fail("%s", gpuranmar_last_error());
    puts("calls for one number");
    static const struct {
        const char *name;
        void (*make)(struct work *work);
    } calls[] = {{"gpuranmar_engine_next", by_engine},
                 {"RMMARD", by_rmmard},
                 {"gpuranmar_stream_get", by_stream}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i) {
        work.make = calls[i].make;
        printf("  %-20s%12.3f\n", calls[i].name, cost(&work));
    }
    gpuranmar_stream_close(work.stream);
    gpuranmar_close(1);
}

int command_bench(int argc, char **argv)
{
    command_name = "gpuranmar bench";
    command_options(argc, argv, &(struct command_option){NULL}, usage);
    if (optind < argc)
        command_refuse("'%s': no arguments are taken", argv[optind]);
    if (*ranmar_settings()->error)
        command_refuse("%s", ranmar_settings()->error);
    double *const out = malloc(ARRAY * sizeof *out);
    if (!out)
        command_fail("no memory for %d numbers", ARRAY);
    memset(out, 0, ARRAY * sizeof *out);
    printf("libgpuranmar %s, nanoseconds a number\n", gpuranmar_version());
    print_fills(out);
    print_calls(out);
    free(out);
    command_close_output();
    return COMMAND_DONE;
}
