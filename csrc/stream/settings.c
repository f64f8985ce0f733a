/* Reads the settings from the environment. */
#include "stream/settings.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "definition/flavour.h"
#include "definition/ranges.h"
#include "fill/fill.h"
#include "gpuranmar.h"
#include "stream/report.h"

extern char **environ;

#define PREFIX "GPURANMAR_"

static struct ranmar_settings settings;
static atomic_int are_read; /* asked before pthread_once(), since it is at every refill */

static int parse_integer(const char *value, int64_t low, int64_t high, int64_t *integer)
{
    char *end;
    errno = 0;
    const long long n = strtoll(value, &end, 10);
    if (errno || end == value || *end || n < low || n > high)
        return 0;
    *integer = n;
    return 1;
}

static int parse_int(const char *value, int low, int high, int *integer)
{
    int64_t n;
    if (!parse_integer(value, low, high, &n))
        return 0;
    *integer = (int)n;
    return 1;
}

const char *ranmar_backend_name(int code)
{
    static const char *const names[] = {
        [GPURANMAR_CPU] = "cpu", [GPURANMAR_CUDA] = "cuda", [GPURANMAR_OPENCL] = "opencl"};
    return names[code];
}

static int set_backend(const char *value)
{
    for (int i = GPURANMAR_CPU; i <= GPURANMAR_OPENCL; ++i)
        if (strcmp(value, ranmar_backend_name(i)) == 0) {
            settings.backend = i;
            return 1;
        }
    return 0;
}

static int set_prefetch(const char *value)
{
    return parse_integer(value, 1, RANMAR_PREFETCH_MAX, &settings.prefetch);
}

static int set_instances(const char *value)
{
    return parse_integer(value, 1, RANMAR_INSTANCES_MAX, &settings.instances);
}

/* The flavour of the numbered sequences, which are in double precision. */
static int set_flavour(const char *value)
{
    settings.flavour = ranmar_flavour_code(value);
    return settings.flavour >= 0 && ranmar_flavour(settings.flavour)->bits == 48;
}

static int set_threads(const char *value)
{
    return parse_int(value, 1, RANMAR_THREADS_MAX, &settings.threads);
}

static int set_sequences(const char *value)
{
    return parse_int(value, 1, RANMAR_SEQUENCES_MAX, &settings.sequences);
}

static int set_start_position(const char *value)
{
    return parse_integer(value, 0, RANMAR_START_POSITION_MAX, &settings.start_position);
}

static int set_verbose(const char *value)
{
    return parse_int(value, 0, 1, &settings.verbose);
}

/* Reads 0 to 1 in digits, with or without a point. strtod() would expect the locale's decimal
 * sign. */
static int set_verify(const char *value)
{
    double share = 0, place = 1;
    int digits = 0;
    for (; *value >= '0' && *value <= '9'; ++value, ++digits)
        share = 10 * share + (*value - '0');
    if (*value == '.')
        for (++value; *value >= '0' && *value <= '9'; ++value, ++digits)
            share += (*value - '0') * (place /= 10);
    settings.verify = share;
    return digits > 0 && !*value && share <= 1;
}

static int set_report(const char *value)
{
    if (strlen(value) >= sizeof settings.report || !ranmar_report_can_be(value))
        return 0;
    strcpy(settings.report, value);
    return 1;
}

static int set_device(const char *value)
{
    if (!*value || strlen(value) >= sizeof settings.device)
        return 0;
    strcpy(settings.device, value);
    return 1;
}

static int set_simd(const char *value)
{
    const struct ranmar_simd *const level = ranmar_simd_named(value);
    ranmar_fill_force(level);
    return level != NULL;
}

/* Lists of the values that set_flavour() and set_simd() take, for the line about a bad one. */
enum { LIST = 256 };
static void add_word(char list[LIST], const char *word)
{
    const size_t length = strlen(list);
    snprintf(list + length, LIST - length, "%s%s", length > 0 ? ", " : "", word);
}

static void list_flavours(char list[LIST])
{
    for (int code = 0; code < RANMAR_FLAVOURS; ++code)
        if (ranmar_flavour(code)->bits == 48)
            add_word(list, ranmar_flavour_name(code));
}

static void list_levels(char list[LIST])
{
    for (const struct ranmar_simd *const *level = ranmar_simd_levels; *level; ++level)
        if ((*level)->supported())
            add_word(list, (*level)->name);
}

/* The settings. The line about a bad value ends with `allowed`, or with a list. */
static const struct {
    const char *name, *allowed;
    int (*set)(const char *value);
    void (*list)(char list[LIST]);
} variables[] = {
    {"BACKEND", "cpu, cuda or opencl", set_backend, NULL},
    {"DEVICE", "the number or a part of the name of a GPU, as `gpuranmar info` has them",
     set_device, NULL},
    {"PREFETCH", "1 to 1000000000 numbers", set_prefetch, NULL},
    {"INSTANCES", "1 to 30082", set_instances, NULL},
    {"FLAVOUR", "", set_flavour, list_flavours},
    {"THREADS", "1 to 1024", set_threads, NULL},
    {"SEQUENCES", "1 to 64", set_sequences, NULL},
    {"START_POSITION", "0 to 1000000000", set_start_position, NULL},
    {"VERBOSE", "0 or 1", set_verbose, NULL},
    {"REPORT", "a file in a folder that can be written; in its name %p is the process, %h the host",
     set_report, NULL},
    {"VERIFY", "0 to 1, as 0.01", set_verify, NULL},
    {"SIMD", "a level of this CPU: ", set_simd, list_levels},
};

/* Names that build tools, package managers and module files give to the folders and flags of a
 * package (GPURANMAR_ROOT of CMake, GPURANMAR_HOME of environment modules). They are passed over:
 * no setting has one of these names. */
static const char *const not_settings[] = {
    "BASE",    "BIN",         "BINDIR",       "CFLAGS",       "CPPFLAGS",     "DIR",
    "DOC",     "FFLAGS",      "FOUND",        "HOME",         "INC",          "INCDIR",
    "INCLUDE", "INCLUDEDIR",  "INCLUDES",     "INCLUDE_DIR",  "INCLUDE_DIRS", "INCLUDE_PATH",
    "INSTALL", "LDFLAGS",     "LIB",          "LIBDIR",       "LIBRARIES",    "LIBRARY",
    "LIBS",    "LIBRARY_DIR", "LIBRARY_DIRS", "LIBRARY_PATH", "LIB_DIR",      "LIB_PATH",
    "MAN",     "MODULE",      "PATH",         "PREFIX",       "ROOT",         "ROOT_DIR",
    "SHARE",   "VERSION",
};

static int is_no_setting(const char *name)
{
    for (size_t i = 0; i < sizeof not_settings / sizeof *not_settings; ++i)
        if (strcmp(name, not_settings[i]) == 0)
            return 1;
    return 0;
}

static void read_variable(const char *name, const char *value)
{
    for (size_t i = 0; i < sizeof variables / sizeof *variables; ++i)
        if (strcmp(name, variables[i].name) == 0) {
            char list[LIST] = "";
            if (variables[i].set(value))
                return;
            if (variables[i].list)
                variables[i].list(list);
            snprintf(settings.error, sizeof settings.error,
                     "environment variable " PREFIX "%s: '%.60s' is not %s%s", name, value,
                     variables[i].allowed, list);
            return;
        }
    if (!is_no_setting(name))
        snprintf(settings.error, sizeof settings.error,
                 "environment variable " PREFIX "%.60s: there is no such setting", name);
}

static void read_environment(void)
{
    settings.instances = 1;
    settings.sequences = 9;
    for (char **e = environ; e && *e && !*settings.error; ++e) {
        const char *const equals = strchr(*e, '=');
        if (strncmp(*e, PREFIX, strlen(PREFIX)) != 0 || !equals)
            continue;
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)(equals - *e - (int)strlen(PREFIX)),
                 *e + strlen(PREFIX));
        read_variable(name, equals + 1);
    }
    atomic_store_explicit(&are_read, 1, memory_order_release);
}

const struct ranmar_settings *ranmar_settings(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!atomic_load_explicit(&are_read, memory_order_acquire))
        pthread_once(&once, read_environment);
    return &settings;
}
