/* The command gpuranmar. `gpuranmar NAME` is a subcommand of this program, or, as with git, an
 * executable gpuranmar-NAME, which lies beside the program or, in the source tree, in
 * csrc/command. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/command.h"
#include "gpuranmar.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv); /* NULL: an executable */
    const char *about;
} subcommands[] = {
    {"seeds audit", command_seeds_audit, "every pair of seeds that has numbers in common"},
    {"seeds explain", command_seeds_explain, "what two seeds have in common, and where"},
    {"seeds plan", command_seeds_plan, "seeds and positions for a production"},
    {"numbers", command_numbers, "random numbers, as text or raw, to standard output"},
    {"device-check", command_device_check, "whether a GPU makes the right numbers, and how fast"},
    {"info", command_info, "the version, what this machine offers, and the settings in force"},
    {"production", NULL, "whether CORSIKA's showers share numbers; one shower made again"},
    {"which", NULL, "which generator a program has, and which library serves it"},
};

enum { SUBCOMMANDS = sizeof subcommands / sizeof *subcommands };

/* Runs gpuranmar-NAME, with NAME in argv[0], in place of this program. Returns if there is none. */
static void run_elsewhere(char **argv)
{
    static const char *const places[] = {"", "/../csrc/command"};
    static char directory[PATH_MAX], path[2 * PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", directory, sizeof directory - 1);
    directory[length > 0 ? length : 0] = '\0';
    char *const slash = strrchr(directory, '/');
    if (!slash || strchr(argv[0], '/'))
        return;
    *slash = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
        snprintf(path, sizeof path, "%s%s/gpuranmar-%s", directory, places[i], argv[0]);
        execv(path, argv);
    }
}

static int usage(void)
{
    puts("usage: gpuranmar SUBCOMMAND ...");
    for (int i = 0; i < SUBCOMMANDS; ++i)
        printf("  %-14s %s\n", subcommands[i].name, subcommands[i].about);
    puts("`gpuranmar SUBCOMMAND --help` explains its arguments. Each has --version, too.");
    command_close_output();
    return COMMAND_DONE;
}

/* If standard output or error is closed, the next file that is opened would get its descriptor, and
 * our lines would be written into that file. So this opens closed descriptors for reading only, and
 * writes to them fail. */
static void open_standard_files(void)
{
    int descriptor;
    do
        descriptor = open("/dev/null", O_RDONLY);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    close(descriptor);
}

int main(int argc, char **argv)
{
    open_standard_files();
    const int is_seeds = argc > 1 && strcmp(argv[1], "seeds") == 0;
    if (argc < 2 + is_seeds)
        command_refuse("no subcommand%s: see --help", is_seeds ? " of seeds" : "");
    const char *const last = argv[1 + is_seeds];
    if (strcmp(last, "--help") == 0 || strcmp(last, "-h") == 0 || strcmp(last, "help") == 0)
        return usage();
    if (strcmp(last, "--version") == 0) {
        puts(gpuranmar_version());
        command_close_output();
        return COMMAND_DONE;
    }
    static char name[PATH_MAX];
    snprintf(name, sizeof name, "%s%s", is_seeds ? "seeds " : "", last);
    int is_known = 0;
    for (int i = 0; i < SUBCOMMANDS; ++i)
        if (strcmp(name, subcommands[i].name) == 0) {
            if (subcommands[i].run)
                return subcommands[i].run(argc - 1 - is_seeds, argv + 1 + is_seeds);
            is_known = 1;
        }
    run_elsewhere(argv + 1);
    if (is_known)
        command_refuse("gpuranmar-%s was not found beside this program", name);
    command_refuse("there is no subcommand '%s': see --help", name);
}
