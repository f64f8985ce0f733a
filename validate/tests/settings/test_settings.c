/* Environment variables are read once a process, so each case runs in a child of its own. */
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "definition/flavour.h"
#include "fill/instruction_sets.h"
#include "fortran/registry.h"
#include "settings/settings.h"
#include "stream/stream.h"
#include "tests.h"

/* Fails unless, with variable=value, the condition holds in a fresh process. */
#define HOLDS(variable, value, condition)                                                         \
    IN_A_CHILD(0, if (!ends_well(this_child)) fail_msg("%s=%s: %s", variable, value, #condition), \
               setenv(variable, value, 1), _exit(!(condition)))

/* Every call that opens or uses a sequence reports the bad variable. */
static int refused(const char *variable, const char *value)
{
    gpuranmar_stream *s;
    double u[1];
    return gpuranmar_initialise(1, 1, 1, 1, 0) == GPURANMAR_BAD_SETTING &&
           strstr(gpuranmar_last_error(), variable) && strstr(gpuranmar_last_error(), value) &&
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
        {"GPURANMAR_VERIFY", "1e-2"},   {"GPURANMAR_VERIFY", "0.0000000001"},
        {"GPURANMAR_VERIFY", "2"},      {"GPURANMAR_VERIFY", "10000000000"},
        {"GPURANMAR_VERBOSE", ""},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
        HOLDS(bad[i][0], bad[i][1], refused(bad[i][0], bad[i][1]));
    static const char *const unknown[] = {"CACHE",  "",        "ROOTS",    "THREAD", "THREADS2",
                                          "THREDS", "threads", "VERSIONS", "LIBRAR"};
    static const char *const values[] = {"", "1", "-1", "-", "1/8", ".5", "A/B", "keyed", " /"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; ++i)
        for (size_t k = 0; k < sizeof values / sizeof *values; ++k) {
            char name[40];
            snprintf(name, sizeof name, "GPURANMAR_%s", unknown[i]);
            HOLDS(name, values[k], refused(name, "no such setting"));
        }
}

static int accepted(void)
{
    return !*ranmar_settings()->error;
}

/* The last value that is allowed and the first that is not, at both ends of each range. */
TEST(ranges)
{
    for (const struct ranmar_setting *s = ranmar_setting_rows; s->name; ++s)
        for (int beyond = 0; beyond <= 1 && s->high; ++beyond)
            for (int end = 0; end <= 1; ++end) {
                char value[16];
                snprintf(value, sizeof value, "%d", end ? s->high + beyond : s->low - beyond);
                HOLDS(s->name, value, beyond ? refused(s->name, value) : accepted());
            }
}

/* The whole line; what is quoted is cut. */
static int says(const char *line)
{
    return strcmp(ranmar_settings()->error, line) == 0;
}

TEST(lines_of_errors)
{
    char name[201], expected[300];
    strcpy(expected, "environment variable GPURANMAR_FLAVOUR: 'none' is not double");
    for (int code = GPURANMAR_EXTENDED; ranmar_flavour_name(code); ++code)
        strcat(strcat(expected, ", "), ranmar_flavour_name(code));
    HOLDS("GPURANMAR_FLAVOUR", "none", says(expected));
    HOLDS("GPURANMAR_VERBOSE", "2",
          says("environment variable GPURANMAR_VERBOSE: '2' is not 0 or 1"));
    memset(name, 'X', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    snprintf(expected, sizeof expected,
             "environment variable GPURANMAR_VERBOSE: '%.60s' is not 0 or 1", name);
    HOLDS("GPURANMAR_VERBOSE", name, says(expected));
    memcpy(name, "GPURANMAR_", 10);
    snprintf(expected, sizeof expected,
             "environment variable GPURANMAR_%.60s: there is no such setting", name + 10);
    HOLDS(name, "", says(expected));
    HOLDS("GPURANMAR_VERBOSE", "2", /* the first of two */
          setenv("GPURANMAR_VERIFY", "2", 1) == 0 && strstr(ranmar_settings()->error, "VERBOSE"));
}

/* A text fills its memory but for the byte that ends it. */
TEST(longest_text)
{
    char text[sizeof(ranmar_setting_text) + 1] = "";
    memset(text, 'x', sizeof text - 2);
    HOLDS("GPURANMAR_DEVICE", text, accepted() && strcmp(ranmar_settings()->device, text) == 0);
    text[sizeof text - 2] = 'x';
    HOLDS("GPURANMAR_DEVICE", text, refused("GPURANMAR_DEVICE", "xxx"));
}

/* What the program asks for takes precedence over the setting. */
static int threads_of_streams(void)
{
    for (int threads = 0; threads <= 2; ++threads) {
        gpuranmar_stream *const s = OPEN(.threads = threads);
        if (s->options.threads != (threads ? threads : 3))
            return 0;
        gpuranmar_stream_close(s);
    }
    return 1;
}

/* With instances the numbers depend on the prefetch. A prefetch of 0 is the setting's, not 1024. */
static int zero_means_77(void)
{
    double by_setting[200], by_argument[200];
    return gpuranmar_initialise(1, 1, 1, 2, 0) == GPURANMAR_OK &&
           gpuranmar_initialise(2, 1, 1, 2, 77) == GPURANMAR_OK &&
           gpuranmar_get(1, by_setting, 200) == GPURANMAR_OK &&
           gpuranmar_get(2, by_argument, 200) == GPURANMAR_OK &&
           memcmp(by_setting, by_argument, sizeof by_setting) == 0;
}

/* The setting is accepted, and has an effect. */
#define TAKES(name, value, condition) HOLDS("GPURANMAR_" name, value, accepted() && (condition))

TEST(good_values)
{
#define OPTION(name) (ranmar_sequence_options().name)
    TAKES("PREFETCH", "77", OPTION(prefetch) == 77);
    TAKES("PREFETCH", "010", OPTION(prefetch) == 10); /* not in base 8 */
    TAKES("PREFETCH", "77", zero_means_77());
    TAKES("INSTANCES", "5", OPTION(instances) == 5);
    TAKES("FLAVOUR", "extended", OPTION(flavour) == GPURANMAR_EXTENDED);
    TAKES("FLAVOUR", "keyed", OPTION(flavour) == GPURANMAR_KEYED);
    TAKES("THREADS", "3", OPTION(threads) == 3);
    TAKES("THREADS", "3", threads_of_streams());
    TAKES("BACKEND", "cpu", OPTION(backend) == GPURANMAR_CPU);
    TAKES("BACKEND", "cuda", OPTION(backend) == GPURANMAR_CUDA);
    TAKES("SEQUENCES", "16",
          gpuranmar_initialise(16, 1, 1, 1, 0) == GPURANMAR_OK &&
              gpuranmar_initialise(17, 1, 1, 1, 0) == GPURANMAR_BAD_ARGUMENT);
    TAKES("VERBOSE", "0", !ranmar_settings()->verbose);
    TAKES("VERBOSE", "1", ranmar_settings()->verbose);
    TAKES("SIMD", "portable",
          ranmar_fill_instruction_set(1) == &ranmar_portable &&
              ranmar_fill_instruction_set(RANMAR_ARRAY) == &ranmar_portable);
    TAKES("VERIFY", "0.25", ranmar_settings()->verify == 250000000);
    TAKES("VERIFY", ".000000001", ranmar_settings()->verify == 1);
    TAKES("VERIFY", "01.000000000", ranmar_settings()->verify == RANMAR_SHARE_ALL);
}

/* Variables that build tools and module files set are no settings, and are left alone. */
TEST(names_of_build_tools)
{
    HOLDS("GPURANMAR_ROOT", "/opt/gpuranmar", accepted());
    HOLDS("GPURANMAR_ROOT", "../gpuranmar", accepted());
    HOLDS("GPURANMAR_LIBS", "-lgpuranmar", accepted());
    HOLDS("GPURANMAR_VERSION", "1.0", accepted());
    HOLDS("GPURANMAR_LIBRARY", "libgpuranmar.so", accepted());
}
