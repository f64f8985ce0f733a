/* Environment variables are read once a process, so each case runs in a child of its own. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "definition/flavour.h"
#include "fill/levels.h"
#include "fortran/registry.h"
#include "stream/settings.h"
#include "tests.h"

/* Whether, with variable=value, `good` holds in a fresh process. */
static int holds(const char *variable, const char *value, int (*good)(void))
{
    const pid_t child = fork();
    if (child == 0) {
        setenv(variable, value, 1);
        _exit(good() ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static const char *bad_variable, *bad_value;

/* Every way to a sequence reports the bad variable. */
static int refused(void)
{
    gpuranmar_stream *s;
    double u[1];
    return gpuranmar_initialise(1, 1, 1, 1, 0) == GPURANMAR_BAD_SETTING &&
           strstr(gpuranmar_last_error(), bad_variable) &&
           strstr(gpuranmar_last_error(), bad_value) &&
           gpuranmar_get(1, u, 1) == GPURANMAR_BAD_SETTING &&
           gpuranmar_stream_initialise(&s, NULL) == GPURANMAR_BAD_SETTING;
}

TEST(bad_values)
{
    static const char *const bad[][2] = {
        {"GPURANMAR_BACKEND", "gpu"},   {"GPURANMAR_BACKEND", "auto"},
        {"GPURANMAR_PREFETCH", "12x"},  {"GPURANMAR_PREFETCH", "99999999999999999999"},
        {"GPURANMAR_FLAVOUR", ""},      {"GPURANMAR_FLAVOUR", "single"},
        {"GPURANMAR_FLAVOUR", "plain"}, {"GPURANMAR_THREADS", "8x"},
        {"GPURANMAR_SIMD", "neon"},     {"GPURANMAR_PREFETCH", ""},
        {"GPURANMAR_VERIFY", "1.01"},   {"GPURANMAR_VERIFY", "-0.1"},
        {"GPURANMAR_VERIFY", "0,1"},    {"GPURANMAR_VERIFY", "0:"},
        {"GPURANMAR_VERIFY", "0.:"},    {"GPURANMAR_VERIFY", "0/"},
        {"GPURANMAR_VERIFY", "0./"},    {"GPURANMAR_VERIFY", "."},
        {"GPURANMAR_VERIFY", "1e-2"},   {"GPURANMAR_REPORT", "no/such/"},
        {"GPURANMAR_REPORT", "r%q"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        bad_variable = bad[i][0];
        bad_value = bad[i][1];
        if (!holds(bad_variable, bad_value, refused))
            fail_msg("%s=%s was not refused", bad_variable, bad_value);
    }
}

static int accepted(void)
{
    return !*ranmar_settings()->error;
}

/* Of each number the last value that is allowed and the first that is not, at both ends. */
TEST(ranges)
{
    for (const struct ranmar_setting *s = ranmar_setting_rows; s->name; ++s)
        for (int beyond = 0; beyond <= 1 && s->high; ++beyond)
            for (int end = 0; end <= 1; ++end) {
                char value[16];
                snprintf(value, sizeof value, "%d", end ? s->high + beyond : s->low - beyond);
                bad_variable = s->name;
                bad_value = value;
                if (!holds(s->name, value, beyond ? refused : accepted))
                    fail_msg("%s=%s was %s", s->name, value, beyond ? "taken" : "refused");
            }
}

/* A name must leave room for its end, also if it is short once each %% stands for one %. */
TEST(long_report_name)
{
    static char name[sizeof ranmar_settings()->report + 1];
    memset(name, '%', sizeof name - 1);
    bad_variable = "GPURANMAR_REPORT";
    bad_value = "%%%";
    assert_true(holds(bad_variable, name, refused));
    strcpy(name + sizeof name - 3, "x"); /* the longest that fits: %% and in the end x */
    assert_int_equal(strlen(name), sizeof ranmar_settings()->report - 1);
    assert_true(holds(bad_variable, name, accepted));
}

/* The whole line; what is quoted is cut. */
static const char *line;

static int says_so(void)
{
    return strcmp(ranmar_settings()->error, line) == 0;
}

TEST(lines_of_errors)
{
    char name[201], expected[300];
    strcpy(expected, "environment variable GPURANMAR_FLAVOUR: 'none' is not double");
    for (int code = GPURANMAR_EXTENDED; ranmar_flavour_name(code); ++code)
        strcat(strcat(expected, ", "), ranmar_flavour_name(code));
    line = expected;
    assert_true(holds("GPURANMAR_FLAVOUR", "none", says_so));
    line = "environment variable GPURANMAR_VERBOSE: '2' is not 0 or 1";
    assert_true(holds("GPURANMAR_VERBOSE", "2", says_so));
    memset(name, 'X', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    snprintf(expected, sizeof expected,
             "environment variable GPURANMAR_VERBOSE: '%.60s' is not 0 or 1", name);
    line = expected;
    assert_true(holds("GPURANMAR_VERBOSE", name, says_so));
    memcpy(name, "GPURANMAR_", 10);
    snprintf(expected, sizeof expected,
             "environment variable GPURANMAR_%.60s: there is no such setting", name + 10);
    assert_true(holds(name, "", says_so));
}

TEST(unknown_settings)
{
    static const char *const unknown[] = {"GPURANMAR_CACHE", "GPURANMAR_", "GPURANMAR_ROOTS",
                                          "GPURANMAR_THREAD"};
    bad_value = "no such setting";
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; ++i) {
        bad_variable = unknown[i];
        if (!holds(bad_variable, "1", refused))
            fail_msg("%s was not refused", bad_variable);
    }
}

static int prefetch_is_77(void)
{
    return ranmar_sequence_options().prefetch == 77;
}
static int instances_are_5(void)
{
    return ranmar_sequence_options().instances == 5;
}
static int is_extended(void)
{
    return ranmar_sequence_options().flavour == GPURANMAR_EXTENDED;
}
static int is_keyed(void)
{
    return ranmar_sequence_options().flavour == GPURANMAR_KEYED;
}
static int threads_are_3(void)
{
    return ranmar_sequence_options().threads == 3;
}
static int a_quarter_is_verified(void)
{
    return ranmar_settings()->verify >= 0.25 && ranmar_settings()->verify <= 0.25;
}
static int nearly_all_is_verified(void)
{
    return ranmar_settings()->verify > 0.98999 && ranmar_settings()->verify < 0.99001;
}
static int all_is_verified(void)
{
    return ranmar_settings()->verify >= 1;
}
/* What the program asks for takes precedence over the setting. */
static int threads_of_streams(void)
{
    for (int threads = 0; threads <= 2; ++threads) {
        gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
        gpuranmar_stream *s;
        o.threads = threads;
        if (gpuranmar_stream_initialise(&s, &o) || gpuranmar_stream_options(s, &o) ||
            o.threads != (threads ? threads : 3))
            return 0;
        gpuranmar_stream_close(s);
    }
    return 1;
}
static int backend_is_cpu(void)
{
    return ranmar_sequence_options().backend == GPURANMAR_CPU;
}
static int backend_is_cuda(void)
{
    return ranmar_sequence_options().backend == GPURANMAR_CUDA;
}
static int sixteen_sequences(void)
{
    return gpuranmar_initialise(16, 1, 1, 1, 0) == GPURANMAR_OK &&
           gpuranmar_initialise(17, 1, 1, 1, 0) == GPURANMAR_BAD_ARGUMENT;
}
/* With instances the numbers depend on the prefetch. A prefetch of 0 stands for the setting's, not
 * for 1024. */
static int zero_means_77(void)
{
    double by_setting[200], by_argument[200];
    return gpuranmar_initialise(1, 1, 1, 2, 0) == GPURANMAR_OK &&
           gpuranmar_initialise(2, 1, 1, 2, 77) == GPURANMAR_OK &&
           gpuranmar_get(1, by_setting, 200) == GPURANMAR_OK &&
           gpuranmar_get(2, by_argument, 200) == GPURANMAR_OK &&
           memcmp(by_setting, by_argument, sizeof by_setting) == 0;
}
static int is_quiet(void)
{
    return !*ranmar_settings()->error && !ranmar_settings()->verbose;
}
static int is_verbose(void)
{
    return ranmar_settings()->verbose;
}
static int level_is_portable(void)
{
    return !*ranmar_settings()->error && ranmar_fill_level(1) == &ranmar_portable &&
           ranmar_fill_level(RANMAR_ARRAY) == &ranmar_portable;
}

/* `taken`: the setting is accepted, and has the effect that `wanted` looks for. */
static int (*wanted)(void);

static int taken(void)
{
    return !*ranmar_settings()->error && wanted();
}

static void takes(const char *variable, const char *value, int (*good)(void))
{
    wanted = good;
    if (!holds(variable, value, taken))
        fail_msg("%s=%s is not taken", variable, value);
}

TEST(good_values)
{
    takes("GPURANMAR_PREFETCH", "77", prefetch_is_77);
    takes("GPURANMAR_PREFETCH", "77", zero_means_77);
    takes("GPURANMAR_INSTANCES", "5", instances_are_5);
    takes("GPURANMAR_FLAVOUR", "extended", is_extended);
    takes("GPURANMAR_FLAVOUR", "keyed", is_keyed);
    takes("GPURANMAR_THREADS", "3", threads_are_3);
    takes("GPURANMAR_THREADS", "3", threads_of_streams);
    takes("GPURANMAR_BACKEND", "cpu", backend_is_cpu);
    takes("GPURANMAR_BACKEND", "cuda", backend_is_cuda);
    takes("GPURANMAR_SEQUENCES", "16", sixteen_sequences);
    takes("GPURANMAR_VERBOSE", "0", is_quiet);
    takes("GPURANMAR_VERBOSE", "1", is_verbose);
    takes("GPURANMAR_SIMD", "portable", level_is_portable);
    takes("GPURANMAR_VERIFY", "0.25", a_quarter_is_verified);
    takes("GPURANMAR_VERIFY", "0.99", nearly_all_is_verified);
    takes("GPURANMAR_VERIFY", "01.000", all_is_verified);
}

/* Variables that build tools and module files set are no settings, and are left alone. */
TEST(names_of_build_tools)
{
    static const char *const names[] = {"BASE", "ROOT",    "DIR",         "HOME",   "PREFIX",
                                        "PATH", "VERSION", "INCLUDE_DIR", "LIBRARY"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        char variable[40];
        snprintf(variable, sizeof variable, "GPURANMAR_%s", names[i]);
        if (!holds(variable, "/opt/gpuranmar", is_quiet))
            fail_msg("%s was refused", variable);
    }
}

int main(void)
{
    return run_all_tests();
}
