/* gpuranmar info: prints what the library is, what this machine offers, and the settings in
 * force. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command/command.h"
#include "definition/flavour.h"
#include "definition/version.h"
#include "fill/fill.h"
#include "gpuranmar.h"
#include "stream/plugin.h"
#include "stream/settings.h"
#include "stream/stream.h"

static const char usage[] =
    "usage: gpuranmar info\n"
    "Prints the version, the SIMD levels that this CPU has, the GPUs that the plugins find, and "
    "the\n"
    "settings in force. Exit status 2 if a setting GPURANMAR_... is refused.\n";

/* Prints which levels this CPU has, and which of them make refills and arrays. */
static void print_levels(void)
{
    printf("SIMD levels:");
    for (const struct ranmar_simd *const *level = ranmar_simd_levels; *level; ++level)
        if ((*level)->supported())
            printf(" %s", (*level)->name);
    printf("; refills by %s, arrays by %s\n", ranmar_fill_level(1)->name,
           ranmar_fill_level(RANMAR_ARRAY)->name);
}

/* Prints where the plugin of a back end is, and the devices that it finds. */
static void print_plugin(int backend)
{
    const char *text;
    char name[256];
    const struct ranmar_plugin *const plugin = ranmar_find_plugin(backend, &text);
    printf("%s plugin: %s%s%s\n", ranmar_backend_name(backend), plugin ? "" : "none (", text,
           plugin ? "" : ")");
    for (int number = 0; plugin; ++number) {
        const int is = plugin->device(number, name, sizeof name);
        if (is)
            printf("  device %d: %s\n", number, name);
        else if (number == 0)
            printf("  no device: %s\n", name);
        if (!is)
            break;
    }
}

/* The same in a child process, because a driver may end the process in which it is loaded: PoCL
 * does so where /sys is not mounted. */
static void print_plugin_safely(int backend)
{
    int status = 0;
    fflush(stdout);
    const pid_t child = fork();
    if (child < 0) {
        print_plugin(backend);
    } else if (child == 0) {
        print_plugin(backend);
        fflush(stdout);
        _exit(0);
    } else if (waitpid(child, &status, 0) == child && WIFSIGNALED(status)) {
        printf("%s plugin: a driver has ended by signal %d\n", ranmar_backend_name(backend),
               WTERMSIG(status));
    }
}

/* Prints a setting, with "(set)" if it is set in the environment. */
static void print_setting(const char *name, const char *value)
{
    printf("  %-24s %s%s\n", name, value, getenv(name) ? " (set)" : "");
}

static void print_count(const char *name, int64_t value, const char *zero)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, value);
    print_setting(name, value ? text : zero);
}

static void print_settings(const struct ranmar_settings *s)
{
    char prefetch[64];
    snprintf(prefetch, sizeof prefetch, "%d, with a GPU and one instance %d",
             RANMAR_DEFAULT_PREFETCH, RANMAR_DEFAULT_PREFETCH_GPU);
    puts("settings in force, by environment variables:");
    print_setting("GPURANMAR_BACKEND", ranmar_backend_name(s->backend));
    print_setting("GPURANMAR_DEVICE", *s->device ? s->device : "by back end");
    const char *const level = getenv("GPURANMAR_SIMD");
    print_setting("GPURANMAR_SIMD", level ? level : "by size");
    print_count("GPURANMAR_THREADS", s->threads, "as OpenMP has it");
    print_count("GPURANMAR_PREFETCH", s->prefetch, prefetch);
    print_count("GPURANMAR_SEQUENCES", s->sequences, "");
    print_count("GPURANMAR_INSTANCES", s->instances, "");
    print_setting("GPURANMAR_FLAVOUR", ranmar_flavour_name(s->flavour));
    print_count("GPURANMAR_START_POSITION", s->start_position, "0");
    print_count("GPURANMAR_VERBOSE", s->verbose, "0");
    char share[32];
    snprintf(share, sizeof share, "%.9g", s->verify);
    print_setting("GPURANMAR_VERIFY", share);
    print_setting("GPURANMAR_REPORT", *s->report ? s->report : "none");
}

int command_info(int argc, char **argv)
{
    command_name = "gpuranmar info";
    command_options(argc, argv, &(struct command_option){NULL}, usage);
    if (optind < argc)
        command_refuse("'%s': no arguments are taken", argv[optind]);
    const struct ranmar_settings *const s = ranmar_settings();
    if (*s->error)
        command_refuse("%s", s->error);
    printf("libgpuranmar %s\nflavours:", gpuranmar_version());
    for (int code = 0; code < RANMAR_FLAVOURS; ++code)
        printf(" %s", ranmar_flavour_name(code));
    puts("");
    print_levels();
    print_plugin_safely(GPURANMAR_CUDA);
    print_plugin_safely(GPURANMAR_OPENCL);
    print_settings(s);
    command_close_output();
    return COMMAND_DONE;
}
