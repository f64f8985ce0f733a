/* What the subcommands of the command `gpuranmar` share. Each subcommand has a file of its own. */
#ifndef COMMAND_H
#define COMMAND_H

#include <getopt.h> /* optind */
#include <stdint.h>

/* Exit statuses. */
enum {
    COMMAND_DONE = 0,
    COMMAND_FOUND = 1,  /* seeds have something in common; a GPU's number is wrong */
    COMMAND_FAILED = 2, /* output could not be written, no memory */
    COMMAND_BAD_INPUT = 2,
    COMMAND_OPEN = 3 /* nothing is found, but not all could be read */
};

/* The subcommands return the exit status. argv[0] is the last word of the subcommand's name. */
int command_seeds_audit(int argc, char **argv);
int command_seeds_plan(int argc, char **argv);
int command_seeds_explain(int argc, char **argv);
int command_numbers(int argc, char **argv);
int command_device_check(int argc, char **argv);
int command_info(int argc, char **argv);

/* What the lines on errors begin with, for example "gpuranmar seeds audit". */
extern const char *command_name;

/* Writes one line on standard error. */
__attribute__((format(printf, 1, 2))) void command_complain(const char *format, ...);

/* End the program with one line on standard error, and with exit status COMMAND_BAD_INPUT or
 * COMMAND_FAILED. */
__attribute__((format(printf, 1, 2), noreturn)) void command_refuse(const char *format, ...);
__attribute__((format(printf, 1, 2), noreturn)) void command_fail(const char *format, ...);

/* Reads a whole number from low to high, such as 4000, 1e12 or 2.50e9. Refuses any other text, with
 * a line that begins with `what`. */
uint64_t command_number(const char *what, const char *text, uint64_t low, uint64_t high);

/* Reads a whole number below 2^64 from the text before `end`, or from all of it if that is NULL.
 * Returns whether it is one. */
int command_read_number(const char *text, const char *end, uint64_t *number);

/* An option, and where its value goes. Give one of `number`, `word`, `text` and `flag`. */
struct command_option {
    const char *name;         /* without its dashes */
    uint64_t *number;         /* the value is a number */
    uint64_t low, high;       /* the range of this number */
    int *word;                /* the value is one of `words`, whose index goes here */
    const char *const *words; /* ends with NULL */
    const char **text;
    int *flag; /* the option has no value, and this becomes 1 */
};

/* Reads the options of a table, which ends with an option without a name. Options that are not
 * given keep their values. For --help or -h this prints `usage` and ends the program. Unknown
 * options are refused in one line. After that argv[optind] is the first argument that is not an
 * option. */
void command_options(int argc, char **argv, const struct command_option *table, const char *usage);

/* Calls a function in a child process, since a driver may end the process in which it is loaded:
 * PoCL does so where /sys is not mounted. Returns the child's exit status, which is what the
 * function returned, or COMMAND_BY_SIGNAL plus the signal that has ended it. */
enum { COMMAND_BY_SIGNAL = 256 };
int command_in_child(int (*call)(int), int argument);

/* Writes out and closes standard output. Ends the program with an error if that fails. */
void command_close_output(void);

/* Ends the program after a write to standard output that failed: without a line if nobody reads any
 * more, as in `gpuranmar numbers | head`. */
__attribute__((noreturn)) void command_fail_output(void);

#endif
