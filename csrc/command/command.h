/* The command `gpuranmar`: what its subcommands share. Each has a file of its own. */
#ifndef COMMAND_H
#define COMMAND_H

#include <getopt.h> /* optind */
#include <stdint.h>

/* Exit statuses. */
enum {
    COMMAND_DONE = 0,
    COMMAND_FOUND = 1,  /* seeds: something is shared */
    COMMAND_FAILED = 1, /* elsewhere: output could not be written, no memory */
    COMMAND_BAD_INPUT = 2
};

/* The subcommands. argv[0] is the subcommand's name; they return the exit status. */
int command_seeds(int argc, char **argv);
int command_numbers(int argc, char **argv);
int command_info(int argc, char **argv);
int command_bench(int argc, char **argv);

/* ... and those of `gpuranmar seeds`. */
int command_seeds_audit(int argc, char **argv);
int command_seeds_plan(int argc, char **argv);
int command_seeds_explain(int argc, char **argv);

/* What errors begin with: "gpuranmar seeds audit". */
extern const char *command_name;

/* Ends with one line on standard error, and exit status COMMAND_BAD_INPUT or COMMAND_FAILED. */
__attribute__((format(printf, 1, 2), noreturn)) void command_refuse(const char *format, ...);
__attribute__((format(printf, 1, 2), noreturn)) void command_fail(const char *format, ...);

/* A whole number from low to high, such as 4000, 1e12 or 25e9; whatever `what` names is refused
 * otherwise. */
uint64_t command_number(const char *what, const char *text, uint64_t low, uint64_t high);

/* The same, without refusing: whether the text up to `end` (NULL: to its own end) is a number below
 * 2^64. */
int command_read_number(const char *text, const char *end, uint64_t *number);

/* The flavour with that name. */
int command_flavour(const char *text);

/* An option, and where its value goes: one of these four is not NULL. */
struct command_option {
    const char *name;   /* without its dashes */
    uint64_t *number;   /* a number ... */
    uint64_t low, high; /* ... from low to high */
    int *flavour;       /* the code of a flavour's name */
    const char **text;
    int *flag; /* becomes 1; the option has no value */
};

/* Reads the options of a table, whose end has no name. What is not given keeps its value. Prints
 * `usage` and ends for --help; refuses what it does not know in one line. argv[optind] is then the
 * first argument that is none. */
void command_options(int argc, char **argv, const struct command_option *table, const char *usage);

/* Standard output is written to the end and closed, or the command fails. */
void command_close_output(void);

#endif
