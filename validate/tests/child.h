/* Calls that must end the program, made in a child process. */
#ifndef RANMAR_TEST_CHILD_H
#define RANMAR_TEST_CHILD_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests.h"

/* LeakSanitizer asks this when a program ends. In a child it would wait for its parent's threads.
 */
static int is_child;
__attribute__((visibility("default"))) int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
    return is_child;
}

/* Runs `call` in a child. Fails unless that exits with 1 after one line on standard error that has
 * these words. */
static inline void expect_stop(void (*call)(void), const char *words)
{
    int ends[2], status;
    char said[1000] = "";
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        is_child = 1;
        dup2(ends[1], STDERR_FILENO);
        call();
        _exit(0);
    }
    close(ends[1]);
    ssize_t length = 0, more;
    while ((more = read(ends[0], said + length, sizeof said - 1 - (size_t)length)) > 0)
        length += more;
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 1 || length <= 0 || !strstr(said, words) ||
        strchr(said, '\n') != said + length - 1)
        fail_msg("exit status %d, '%s'; wanted 1 and '%s'", status, said, words);
}

#endif
