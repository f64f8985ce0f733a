/* The command gpuranmar. `gpuranmar NAME` is a subcommand of this program, or, as with git, an
 * executable gpuranmar-NAME. That is looked for beside the program and, in the source tree, in
 * csrc/command. */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/command.h"
#include "gpuranmar.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *about;
} subcommands[] = {
    {"seeds", command_seeds, "what seeds have in common, and seeds for a production"},
    {"numbers", command_numbers, "random numbers, as text or raw, to standard output"},
    {"device-check", command_device_check, "whether a GPU makes the right numbers, and how fast"},
    {"info", command_info, "the version, what this machine offers, and the settings in force"},
};

enum { SUBCOMMANDS = sizeof subcommands / sizeof *subcommands };

/* Where executables of other subcommands are looked for, relative to the program's own
 * directory. */
static const char *const elsewhere[] = {"", "/../csrc/command"};

enum { PLACES = sizeof elsewhere / sizeof *elsewhere };

static void own_directory(char *directory)
{
    const ssize_t length = readlink("/proc/self/exe", directory, PATH_MAX - 1);
    directory[length > 0 ? length : 0] = '\0';
    char *const slash = strrchr(directory, '/');
    if (slash)
        *slash = '\0';
}

static void run_elsewhere(char **argv)
{
    char directory[PATH_MAX], path[2 * PATH_MAX];
    own_directory(directory);
    if (strchr(argv[0], '/'))
        return;
    for (int i = 0; i < PLACES; ++i) {
        snprintf(path, sizeof path, "%s%s/gpuranmar-%s", directory, elsewhere[i], argv[0]);
        if (access(path, X_OK) == 0)
            execv(path, argv);
    }
}

/* Prints the names of the executables that are there. */
static void list_elsewhere(void)
{
    char directory[PATH_MAX], path[2 * PATH_MAX];
    own_directory(directory);
    for (int i = 0; i < PLACES; ++i) {
        snprintf(path, sizeof path, "%s%s", directory, elsewhere[i]);
        DIR *const d = opendir(path);
        if (!d)
            continue;
        for (const struct dirent *e; (e = readdir(d));) {
            static const char prefix[] = "gpuranmar-";
            char file[3 * PATH_MAX];
            snprintf(file, sizeof file, "%s/%s", path, e->d_name);
            if (strncmp(e->d_name, prefix, strlen(prefix)) == 0 && !strchr(e->d_name, '.') &&
                access(file, X_OK) == 0)
                printf("  %-12s see gpuranmar %s --help\n", e->d_name + strlen(prefix),
                       e->d_name + strlen(prefix));
        }
        closedir(d);
    }
}

static int usage(void)
{
    puts("usage: gpuranmar SUBCOMMAND ...");
    for (int i = 0; i < SUBCOMMANDS; ++i)
        printf("  %-12s %s\n", subcommands[i].name, subcommands[i].about);
    list_elsewhere();
    puts("Each tells its arguments by --help.");
    command_close_output();
    return COMMAND_DONE;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        command_refuse("no subcommand: seeds, numbers, device-check or info; see --help");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0)
        return usage();
    if (strcmp(argv[1], "--version") == 0) {
        puts(gpuranmar_version());
        command_close_output();
        return COMMAND_DONE;
    }
    for (int i = 0; i < SUBCOMMANDS; ++i)
        if (strcmp(argv[1], subcommands[i].name) == 0)
            return subcommands[i].run(argc - 1, argv + 1);
    run_elsewhere(argv + 1);
    command_refuse("there is no subcommand '%s': see --help", argv[1]);
}
