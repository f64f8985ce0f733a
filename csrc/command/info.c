/* gpuranmar info: prints what the library is, what this machine offers, the settings in force. */
#define _GNU_SOURCE /* secure_getenv */
#include <stdio.h>
#include <stdlib.h>

#include "backends/plugin.h"
#include "command/command.h"
#include "definition/flavour.h"
#include "fill/fill.h"
#include "gpuranmar.h"
#include "settings/settings.h"

static const char usage[] =
    "usage: gpuranmar info [--settings]\n"
    "Prints the version, the instruction sets of this CPU, the GPUs that the plugins find, and "
    "the\n"
    "settings in force. --settings prints a table of all settings instead, with their meaning.\n"
    "Exit status 2 if a setting GPURANMAR_... is refused, or for an error.\n";

/* Prints which instruction sets this CPU has, and which of them make refills and arrays. */
static void print_instruction_sets(void)
{
    printf("instruction sets:");
    for (const struct ranmar_simd *const *set = ranmar_instruction_sets; *set; ++set)
        if ((*set)->supported())
            printf(" %s", (*set)->name);
    printf("; refills by %s, arrays by %s\n", ranmar_fill_instruction_set(1)->name,
           ranmar_fill_instruction_set(RANMAR_ARRAY)->name);
}

/* Prints where the plugin of a back end is, and the devices that it finds. */
static int print_plugin(int backend)
{
    const char *text;
    char name[256];
    const struct ranmar_plugin *const plugin = ranmar_find_plugin(backend, &text);
    printf("%s plugin: %s%s%s\n", ranmar_backend_name(backend), plugin ? "" : "none (", text,
           plugin ? "" : ")");
    for (int number = 0; plugin; ++number) {
        const int exists = plugin->name(number, name, sizeof name);
        if (exists)
            printf("  device %d: %s\n", number, name);
        else if (number == 0)
            printf("  no device: %s\n", plugin->error());
        if (!exists)
            break;
    }
    return 0;
}

static void print_plugin_safely(int backend)
{
    const int signal = command_in_child(print_plugin, backend) - COMMAND_BY_SIGNAL;
    if (signal > 0)
        printf("%s plugin: a driver has ended by signal %d\n", ranmar_backend_name(backend),
               signal);
}

static void print_settings(void)
{
    puts("settings in force, by environment variables:");
    for (const struct ranmar_setting *s = ranmar_setting_rows; s->name; ++s) {
        const char *const value = secure_getenv(s->name);
        printf("  %-24s %s%s\n", s->name, value ? value : s->unset, value ? " (set)" : "");
    }
}

/* Prints the table of docs/user-guide.md. The manual page gpuranmar(7) has it from here. */
static void explain_settings(void)
{
    puts("| variable | values | default | applies to | meaning |\n|---|---|---|---|---|");
    for (const struct ranmar_setting *s = ranmar_setting_rows; s->name; ++s) {
        char values[RANMAR_SETTING_TEXT];
        ranmar_setting_values(s, values);
        printf("| `%s` | %s | %s | %s | %s |\n", s->name, values, s->unset, s->readers, s->meaning);
    }
}

int command_info(int argc, char **argv)
{
    command_name = "gpuranmar info";
    int explain = 0;
    const struct command_option known[] = {{"settings", .flag = &explain}, {NULL}};
    command_options(argc, argv, known, usage);
    if (optind < argc)
        command_refuse("'%s': no arguments are taken", argv[optind]);
    if (explain) {
        explain_settings();
        command_close_output();
        return COMMAND_DONE;
    }
    const struct ranmar_settings *const s = ranmar_settings();
    if (*s->error)
        command_refuse("%s", s->error);
    printf("libgpuranmar %s\nflavours:", gpuranmar_version());
    for (int code = 0; code < RANMAR_FLAVOURS; ++code)
        printf(" %s", ranmar_flavour_name(code));
    puts("");
    print_instruction_sets();
    print_plugin_safely(GPURANMAR_CUDA);
    print_plugin_safely(GPURANMAR_OPENCL);
    print_settings();
    command_close_output();
    return COMMAND_DONE;
}
