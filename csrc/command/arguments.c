/* Reads arguments and options, and ends with one line: command.h describes the calls. */
#include "command/command.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "gpuranmar.h"

const char *command_name = "gpuranmar";

static void say(const char *format, va_list arguments)
{
    static char line[1 << 18]; /* an argument has at most 2^17 bytes */
    fflush(stdout);
    ranmar_vprint(line, sizeof line, format, arguments);
    fprintf(stderr, "%s: %s\n", command_name, line);
}

static _Noreturn void stop(int status, const char *format, va_list arguments)
{
    say(format, arguments);
    exit(status);
}

void command_complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

void command_refuse(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    stop(COMMAND_BAD_INPUT, format, arguments);
}

void command_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    stop(COMMAND_FAILED, format, arguments);
}

int command_in_child(int (*call)(int), int argument)
{
    int status;
    fflush(stdout);
    const pid_t child = fork();
    if (child < 0)
        return call(argument);
    if (child == 0)
        exit(call(argument));
    while (waitpid(child, &status, 0) != child)
        ;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE)
        raise(SIGPIPE); /* since nobody reads standard output */
    return WIFSIGNALED(status) ? COMMAND_BY_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}

int command_read_number(const char *text, const char *end, uint64_t *number)
{
    if (!end)
        end = text + strlen(text);
    const char *c = text, *point = NULL;
    uint64_t n = 0;
    for (; c < end && ((*c >= '0' && *c <= '9') || (*c == '.' && !point)); ++c)
        if (*c == '.')
            point = c;
        else if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, *c - '0', &n))
            return 0;
    if (c == text || point == text || point == c - 1)
        return 0;
    long zeros = point ? point - c + 1 : 0; /* below 0 is a fraction */
    if (c < end && *c == 'e') {
        int power = 0;
        const char *const exponent = ++c;
        for (; c < end && *c >= '0' && *c <= '9'; ++c)
            if ((power = 10 * power + (*c - '0')) > 19)
                return 0;
        if (c == exponent)
            return 0;
        zeros += power;
    }
    for (; zeros < 0; ++zeros, n /= 10)
        if (n % 10)
            return 0;
    while (zeros-- > 0)
        if (__builtin_mul_overflow(n, 10, &n))
            return 0;
    *number = n;
    return c == end;
}

uint64_t command_number(const char *what, const char *text, uint64_t low, uint64_t high)
{
    uint64_t n;
    if (!command_read_number(text, NULL, &n) || n < low || n > high)
        command_refuse("%s: '%s' is not a number in %" PRIu64 "..%" PRIu64, what, text, low, high);
    return n;
}

/* The index of a text in a list of words. Refuses a text that is not in the list. */
static int index_of(const char *what, const char *text, const char *const *words)
{
    char all[256] = "";
    for (int i = 0; words[i]; ++i) {
        if (strcmp(text, words[i]) == 0)
            return i;
        const size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", words[i]);
    }
    command_refuse("%s: '%s' is none of %s", what, text, all);
}

enum { OPTIONS_MAX = 24 };

/* Makes the table for getopt_long(), which returns an option's index in our own table. */
static void list_options(const struct command_option *table, struct option list[OPTIONS_MAX + 3])
{
    int n = 0;
    for (; table[n].name && n < OPTIONS_MAX; ++n)
        list[n] = (struct option){table[n].name, table[n].flag ? no_argument : required_argument,
                                  NULL, n};
    list[n] = (struct option){"help", no_argument, NULL, 'h'};
    list[n + 1] = (struct option){"version", no_argument, NULL, 'v'};
    list[n + 2] = (struct option){NULL, 0, NULL, 0};
}

/* Puts what the user has written into the option's target. */
static void set_option(const struct command_option *o)
{
    char what[32];
    snprintf(what, sizeof what, "--%s", o->name);
    if (o->number)
        *o->number = command_number(what, optarg, o->low, o->high);
    else if (o->word)
        *o->word = index_of(what, optarg, o->words);
    else if (o->text)
        *o->text = optarg;
    else
        *o->flag = 1;
}

void command_options(int argc, char **argv, const struct command_option *table, const char *usage)
{
    struct option list[OPTIONS_MAX + 3];
    list_options(table, list);
    opterr = 0;
    for (int choice; (choice = getopt_long(argc, argv, ":h", list, NULL)) != -1;) {
        if (choice == 'h' || choice == 'v') {
            choice == 'h' ? fputs(usage, stdout) : puts(gpuranmar_version());
            command_close_output();
            exit(COMMAND_DONE);
        }
        if (choice == ':')
            command_refuse("%s: a value is missing", argv[optind - 1]);
        if (choice == '?' && optopt >= '0' && optopt <= '9')
            command_refuse("-%c...: no number may be negative", optopt);
        if (choice == '?' && optopt > OPTIONS_MAX && optopt != 'h' && optopt != 'v')
            command_refuse("there is no option -%c: see --help", optopt);
        if (choice == '?')
            command_refuse("there is no option %s: see --help", argv[optind - 1]);
        set_option(table + choice);
    }
}

void command_close_output(void)
{
    if (fflush(stdout) || ferror(stdout) || fclose(stdout))
        command_fail_output();
}

void command_fail_output(void)
{
    if (errno == EPIPE)
        exit(COMMAND_FAILED);
    command_fail("standard output: %s", strerror(errno));
}
