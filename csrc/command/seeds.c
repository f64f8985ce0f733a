/* gpuranmar seeds: calls one of its parts. */
#include <stdio.h>
#include <string.h>

#include "command/command.h"

static const char usage[] =
    "usage: gpuranmar seeds audit SEEDS...     every pair that has numbers in common\n"
    "       gpuranmar seeds explain A B        what two seeds have in common, and where\n"
    "       gpuranmar seeds plan --jobs N ...  seeds and positions for a production\n"
    "       gpuranmar seeds registry FILE ...  who draws what, appended under a lock\n"
    "Each tells its arguments by --help. docs/seeds.md has the reasons.\n";

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} parts[] = {{"audit", command_seeds_audit},
             {"plan", command_seeds_plan},
             {"registry", command_seeds_registry},
             {"explain", command_seeds_explain}};

int command_seeds(int argc, char **argv)
{
    command_name = "gpuranmar seeds";
    if (argc < 2)
        command_refuse("audit, plan, registry or explain? see --help");
    if (strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        command_close_output();
        return COMMAND_DONE;
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
        if (strcmp(argv[1], parts[i].name) == 0)
            return parts[i].run(argc - 1, argv + 1);
    command_refuse("there is no '%s': audit, plan, registry or explain", argv[1]);
}
