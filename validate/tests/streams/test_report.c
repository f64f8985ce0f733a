/* GPURANMAR_REPORT, part by part: the file's name, its JSON text, and what is counted. report.t
 * looks at whole reports of whole processes. */
#define _GNU_SOURCE /* environ, feenableexcept */
#include <fenv.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "child.h"
#include "definition/flavour.h"
#include "gpuranmar_engine.h"
#include "stream/report_parts.h"
#include "stream/settings.h"
#include "temporary.h"
#include "tests.h"

/* --- Names --- */

/* Each test runs in an empty folder of its own. */
static int enter(void **folder)
{
    char name[PATH_MAX];
    temporary_name(name);
    *folder = mkdtemp(name) ? strdup(name) : NULL;
    return *folder ? chdir(*folder) : -1;
}

static int leave(void **folder)
{
    char command[PATH_MAX + 20];
    snprintf(command, sizeof command, "rm -r '%s'", (char *)*folder);
    free(*folder);
    return chdir("/") || system(command);
}

#define IN_A_FOLDER(test) TEST_BETWEEN(test, enter, leave)

IN_A_FOLDER(names)
{
    static const char *const good[] = {"r",      "r.json", "./r", "here/r",   "%p",
                                       "r.%h.r", "%%",     "%pp", "here/%p%h"},
                             *const bad[] = {"",   "%",     "r%",        "%d",    "%P",  "r.%p%",
                                             ".",  "here",  "no/r",      "here/", "./",  "r/r",
                                             "..", "%p%x%", "here/no/r", "/",     "%/%p"};
    assert_int_equal(mkdir("here", 0700), 0);
    for (size_t i = 0; i < sizeof good / sizeof *good; ++i)
        if (!ranmar_report_can_be(good[i]))
            fail_msg("'%s' is refused", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
        if (ranmar_report_can_be(bad[i]))
            fail_msg("'%s' is taken", bad[i]);
    /* A file at the root. */
    assert_int_equal(ranmar_report_can_be("/gpuranmar-no-such-file"),
                     access("/", W_OK | X_OK) == 0);
    /* The longest name: behind it there must be room for host and process. */
    char name[PATH_MAX] = "";
    for (int i = 0; i < PATH_MAX - 130; i += 2)
        strcat(name, "./");
    strcat(name, "r"); /* PATH_MAX - 129 */
    assert_int_equal(ranmar_report_can_be(name), 1);
    strcat(name, "r");
    assert_int_equal(ranmar_report_can_be(name), 0);
}

static char *text;

/* Whether the report's text has this in it. */
static void has(const char *part)
{
    if (!strstr(text, part))
        fail_msg("the report has no '%s': '%s'", part, text);
}

static void write_report(const struct ranmar_report *r)
{
    size_t length;
    free(text);
    FILE *const file = open_memstream(&text, &length);
    ranmar_report_write(file, r);
    fclose(file);
}

/* --- What is counted: each in a child, which reads its settings anew and ends --- */

/* Reads a report, and takes it away. */
static void read_report(const char *name)
{
    size_t room = 0;
    free(text);
    text = NULL;
    FILE *const file = fopen(name, "r");
    assert_non_null(file);
    assert_true(getdelim(&text, &room, '\0', file) > 0);
    fclose(file);
    unlink(name);
}

static void report_of(void (*what)(void))
{
    ENDS_WELL(setenv("GPURANMAR_REPORT", "r", 1), what(), exit(0));
    read_report("r");
}

static gpuranmar_stream *stream;

static void draw(size_t n)
{
    double u[100];
    gpuranmar_stream_get(stream, u, n);
}

static void open_stream(void)
{
    gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
    o.prefetch = 10;
    gpuranmar_stream_initialise(&stream, &o);
}

/* A state for each of 300 events, two engines by turns, then one that is refused. */
static void adopt_states(void)
{
    double u[100];
    gpuranmar_engine engine, other;
    gpuranmar_engine_state state = {.u = {0.5}, .c = 0x1p-24, .i97 = 97, .j97 = 33};
    for (int event = 0; event < 300; ++event) {
        gpuranmar_engine_adopt(&engine, "test", GPURANMAR_SINGLE, GPURANMAR_ZERO_KEEP, &state);
        gpuranmar_engine_adopt(&other, "tests", GPURANMAR_SINGLE, GPURANMAR_ZERO_KEEP, &state);
        gpuranmar_engine_fill(&engine, u, 100);
    }
    state.i97 = 0;
    gpuranmar_engine_adopt(&engine, "test", GPURANMAR_SINGLE, GPURANMAR_ZERO_KEEP, &state);
}

/* An engine that goes on from a state counts as started. There is one note however often it does,
 * and it has the time of the first and the last. */
IN_A_FOLDER(adopted_engines)
{
    double first, last;
    report_of(adopt_states);
    has("\"engines\": {\"started\": 600, \"made\": 307200}");
    has("\"times\": 1, \"text\": \"libgpuranmar ");
    has("\"times\": 300, \"text\": \"test: an engine of flavour single goes on from a state\"},\n");
    has("\"times\": 300, \"text\": \"tests: an engine of flavour single goes on from a state\"}\n"
        "  ],\n  \"notes_left_out\": 0,\n");
    const char *const note = strstr(strstr(text, "\"libgpuranmar "), "{\"seconds\"");
    assert_int_equal(
        sscanf(note, "{\"seconds\": %lf, \"last_seconds\": %lf, \"times\": 300", &first, &last), 2);
    assert_true(first < last);
}

/* A program may trap inexact arithmetic: settings, check and report have none. */
static void draw_under_traps(void)
{
#ifdef __GLIBC__
    feenableexcept(FE_ALL_EXCEPT);
#endif
    setenv("GPURANMAR_VERIFY", "0.3", 1);
    open_stream();
}

IN_A_FOLDER(under_traps)
{
    report_of(draw_under_traps);
    has("\"verify\": 0.3,");
}

/* A signal comes in the middle of a change, and its handler calls exit(). */
static void draw_and_hold(void)
{
    open_stream();
    draw(3);
    ranmar_observers_hold();
}

IN_A_FOLDER(held)
{
    report_of(draw_and_hold);
    has("\"last\": 3, \"drawn\": 3,");
}

enum { PAUSE = 20000 }; /* microseconds, after the first seed */

/* Seeds 0 to 4999, then the last that is listed once more. */
static void use_notes(void)
{
    gpuranmar_engine engine;
    for (int i = 0; i <= 5000; ++i) {
        gpuranmar_engine_start(&engine, "test", GPURANMAR_DOUBLE, GPURANMAR_ZERO_SMALLEST,
                               i < 5000 ? i : 198, 0);
        if (i == 0)
            usleep(PAUSE);
    }
}

/* The first 200 are listed, that of the library among them. */
IN_A_FOLDER(notes)
{
    double seconds, last_seconds;
    char line[100];
    report_of(use_notes);
    has("\"notes_left_out\": 4801,");
    has("\"times\": 1, \"text\": \"test: an engine of flavour double starts from seed 197 at "
        "position "
        "0\"},\n");
    has("\"times\": 2, \"text\": \"test: an engine of flavour double starts from seed 198 at "
        "position "
        "0\"}\n  ],\n");
    snprintf(line, sizeof line, "\"text\": \"libgpuranmar %d.%d.%d, ", GPURANMAR_VERSION_MAJOR,
             GPURANMAR_VERSION_MINOR, GPURANMAR_VERSION_PATCH);
    has(line);
    assert_int_equal(sscanf(strstr(text, "{\"seconds\": "), "{\"seconds\": %lf", &seconds), 1);
    assert_true(seconds >= 0 && seconds < 600);
    const char *last = text;
    for (const char *at = text; (at = strstr(at, "{\"seconds\": ")); ++at)
        last = at;
    assert_int_equal(
        sscanf(last, "{\"seconds\": %lf, \"last_seconds\": %lf", &seconds, &last_seconds), 2);
    assert_true(seconds >= 1e-6 * PAUSE && last_seconds >= seconds && last_seconds < 600);
}

/* --- The text --- */

/* Any bytes become JSON: UTF-8 as it is, others by their number. */
TEST(strings)
{
    static const char *const cases[][2] = {
        {"plain text ~\x7f", "plain text ~\x7f"},
        {"\"q\\\n\x1f ", "\\\"q\\\\\\u000a\\u001f "},
        {"\xc2\x80\xdf\xbf", "\xc2\x80\xdf\xbf"},
        {"\x80\xc1\xbf", "\\u0080\\u00c1\\u00bf"},
        {"\xc2 \xc2", "\\u00c2 \\u00c2"},
        {"\xc2\xc0", "\\u00c2\\u00c0"},
        {"\xe0\xa0\x80\xe1\x80\x80", "\xe0\xa0\x80\xe1\x80\x80"},
        {"\xe0\x9f\xbf", "\\u00e0\\u009f\\u00bf"},
        {"\xed\x9f\xbf\xee\x80\x80", "\xed\x9f\xbf\xee\x80\x80"},
        {"\xed\xa0\x80", "\\u00ed\\u00a0\\u0080"},
        {"\xef\xbf\xbf", "\xef\xbf\xbf"},
        {"\xe2\x82", "\\u00e2\\u0082"},
        {"\xe2\x82 ", "\\u00e2\\u0082 "},
        {"\xf0\x90\x80\x80\xf1\x80\x80\x80", "\xf0\x90\x80\x80\xf1\x80\x80\x80"},
        {"\xf0\x8f\xbf\xbf", "\\u00f0\\u008f\\u00bf\\u00bf"},
        {"\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf"},
        {"\xf4\x90\x80\x80", "\\u00f4\\u0090\\u0080\\u0080"},
        {"\xf3\xbf\xbf ", "\\u00f3\\u00bf\\u00bf "},
        {"\xf5\x80\x80\x80", "\\u00f5\\u0080\\u0080\\u0080"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct ranmar_report r = {0};
        char line[200];
        strcpy(r.devices, cases[i][0]);
        write_report(&r);
        snprintf(line, sizeof line, "  \"gpu\": {\"devices\": \"%s\", \"given_up\": null},\n",
                 cases[i][1]);
        has(line);
    }
}

/* Of the turns the first are kept, and nothing is written behind them. */
TEST(turns)
{
    struct {
        struct ranmar_observer observer;
        unsigned char behind[64];
    } r;
    memset(&r, 0, sizeof r);
    memset(r.behind, 0x55, sizeof r.behind);
    for (int k = 0; k < RANMAR_TURNS + 3; ++k)
        ranmar_observer_made(&r.observer, (uint64_t)k, 1, k % 2 ? RANMAR_BY_GPU : RANMAR_BY_CPU);
    assert_int_equal(r.observer.turns, RANMAR_TURNS + 3);
    assert_int_equal(r.observer.turn[RANMAR_TURNS - 1].position, RANMAR_TURNS - 1);
    const struct ranmar_report report = {.streams = &r.observer};
    r.observer.options = (gpuranmar_options)GPURANMAR_OPTIONS_INIT;
    write_report(&report);
    has("{\"from\": 15, \"by\": \"gpu\"}], \"change_overs\": 18}");
    for (size_t i = 0; i < sizeof r.behind; ++i)
        assert_int_equal(r.behind[i], 0x55);
}

TEST(environment)
{
    setenv("GPURANMAR_ONE", "\"", 1);
    setenv("GPURANMAR_TWO", "", 1);
    setenv("GPURANMAN", "no", 1);
    setenv("XGPURANMAR_", "no", 1);
    const struct ranmar_report r = {0};
    write_report(&r);
    has("  \"environment\": {\n    \"GPURANMAR_ONE\": \"\\\"\",\n    \"GPURANMAR_TWO\": \"\"\n  "
        "},\n");
    unsetenv("GPURANMAR_ONE");
    unsetenv("GPURANMAR_TWO");
}

/* Settings of the user's own would stand in the reports. */
__attribute__((constructor)) static void forget_settings(void)
{
    for (char **e = environ; *e;) {
        char name[64] = "";
        sscanf(*e, "%63[^=]", name);
        if (strncmp(name, "GPURANMAR_", 10) == 0)
            unsetenv(name); /* the next one is here then */
        else
            ++e;
    }
}
