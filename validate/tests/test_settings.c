/* Environment variables are read once a process, so each case runs in a child of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fill/fill.h"
#include "fortran/registry.h"
#include "stream/settings.h"

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
           strstr(gpuranmar_last_error(), bad_variable) && strstr(gpuranmar_last_error(), bad_value) &&
           gpuranmar_get(1, u, 1) == GPURANMAR_BAD_SETTING &&
           gpuranmar_stream_initialise(&s, NULL) == GPURANMAR_BAD_SETTING;
}

static void bad_values(void **unused)
{
    static const char *const bad[][2] = {
        {"GPURANMAR_BACKEND", "gpu"},    {"GPURANMAR_PREFETCH", "0"},
        {"GPURANMAR_PREFETCH", "12x"},   {"GPURANMAR_PREFETCH", "99999999999999999999"},
        {"GPURANMAR_INSTANCES", "30083"}, {"GPURANMAR_EXTENDED", "yes"},
        {"GPURANMAR_FLAVOUR", "single"}, {"GPURANMAR_FLAVOUR", "plain"},
        {"GPURANMAR_THREADS", "0"},      {"GPURANMAR_SEQUENCES", "65"},
        {"GPURANMAR_VERBOSE", "2"},      {"GPURANMAR_SIMD", "neon"},
        {"GPURANMAR_PREFETCH", ""},      {"GPURANMAR_CACHE", "17"},
        {"GPURANMAR_", "1"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        bad_variable = bad[i][0];
        bad_value = strcmp(bad_variable, "GPURANMAR_CACHE") == 0 ? "no such setting" : bad[i][1];
        if (strcmp(bad_variable, "GPURANMAR_") == 0)
            bad_value = "no such setting";
        if (!holds(bad[i][0], bad[i][1], refused))
            fail_msg("%s=%s was not refused", bad[i][0], bad[i][1]);
    }
    (void)unused;
}

static int prefetch_is_77(void) { return ranmar_sequence_options().prefetch == 77; }
static int instances_are_5(void) { return ranmar_sequence_options().instances == 5; }
static int is_extended(void) { return ranmar_sequence_options().flavour == GPURANMAR_EXTENDED; }
static int is_decimated(void) { return ranmar_sequence_options().flavour == GPURANMAR_DECIMATED; }
static int threads_are_3(void) { return ranmar_sequence_options().threads == 3; }
static int backend_is_cpu(void) { return ranmar_sequence_options().backend == GPURANMAR_CPU; }
static int sixteen_sequences(void)
{
    return gpuranmar_initialise(16, 1, 1, 1, 0) == GPURANMAR_OK &&
           gpuranmar_initialise(17, 1, 1, 1, 0) == GPURANMAR_BAD_ARGUMENT;
}
/* With instances the numbers depend on the prefetch: 0 means that of the setting, not 1024. */
static int zero_means_77(void)
{
    double by_setting[200], by_argument[200];
    return gpuranmar_initialise(1, 1, 1, 2, 0) == GPURANMAR_OK &&
           gpuranmar_initialise(2, 1, 1, 2, 77) == GPURANMAR_OK &&
           gpuranmar_get(1, by_setting, 200) == GPURANMAR_OK &&
           gpuranmar_get(2, by_argument, 200) == GPURANMAR_OK &&
           memcmp(by_setting, by_argument, sizeof by_setting) == 0;
}
static int is_quiet(void) { return !*ranmar_settings()->error && !ranmar_settings()->verbose; }
static int is_verbose(void) { return ranmar_settings()->verbose; }
static int level_is_portable(void) { return strcmp(ranmar_simd_level()->name, "portable") == 0; }

static void good_values(void **unused)
{
    assert_true(holds("GPURANMAR_PREFETCH", "77", prefetch_is_77));
    assert_true(holds("GPURANMAR_PREFETCH", "77", zero_means_77));
    assert_true(holds("GPURANMAR_INSTANCES", "5", instances_are_5));
    assert_true(holds("GPURANMAR_EXTENDED", "1", is_extended));
    assert_true(holds("GPURANMAR_FLAVOUR", "extended", is_extended));
    assert_true(holds("GPURANMAR_FLAVOUR", "decimated", is_decimated));
    assert_true(holds("GPURANMAR_THREADS", "3", threads_are_3));
    assert_true(holds("GPURANMAR_BACKEND", "cpu", backend_is_cpu));
    assert_true(holds("GPURANMAR_SEQUENCES", "16", sixteen_sequences));
    assert_true(holds("GPURANMAR_VERBOSE", "0", is_quiet));
    assert_true(holds("GPURANMAR_VERBOSE", "1", is_verbose));
    assert_true(holds("GPURANMAR_SIMD", "portable", level_is_portable));
    (void)unused;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_values),
        cmocka_unit_test(good_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
