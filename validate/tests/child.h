/* Statements that are run in a child process: those that must end the program, or that need what
 * only a new process has. */
#ifndef RANMAR_TEST_CHILD_H
#define RANMAR_TEST_CHILD_H

#include <signal.h>
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

struct child {
    pid_t pid; /* 0 in the child */
    int said;  /* its standard error, or -1 */
};

static inline struct child start_child(int listen)
{
    int ends[2] = {-1, -1};
    fflush(stdout); /* or the child would print it again */
    if (listen)
        assert_int_equal(pipe(ends), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        is_child = 1;
        if (listen)
            dup2(ends[1], STDERR_FILENO);
    }
    close(ends[1]);
    return (struct child){pid, ends[0]};
}

/* Waits for it; returns whether its exit status is 0. */
static inline int ends_well(struct child child)
{
    int status;
    assert_int_equal(waitpid(child.pid, &status, 0), child.pid);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Reads all that it says, and waits for it. Returns its status as waitpid() has it. */
static inline int listen_to(struct child child, char *said, size_t size)
{
    int status;
    size_t length = 0;
    ssize_t more;
    while ((more = read(child.said, said + length, size - 1 - length)) > 0)
        length += (size_t)more;
    said[length] = '\0';
    close(child.said);
    assert_int_equal(waitpid(child.pid, &status, 0), child.pid);
    return status;
}

static inline void check_stop(struct child child, const char *words)
{
    char said[1000];
    const int status = listen_to(child, said, sizeof said);
    const char *const end = strchr(said, '\n');
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 1 || !end || end[1] || !strstr(said, words))
        fail_msg("exit status %d, '%s'; wanted 1 and '%s'", status, said, words);
}

/* Runs statements in a child, with its standard error to this_child.said if `listen`; then `after`,
 * which must wait for it. */
#define IN_A_CHILD(listen, after, ...)                       \
    do {                                                     \
        const struct child this_child = start_child(listen); \
        if (this_child.pid == 0) {                           \
            __VA_ARGS__;                                     \
            _exit(0);                                        \
        }                                                    \
        after;                                               \
    } while (0)

/* Runs statements in a child. Fails unless it exits with 1 after one line on standard error that
 * has these words. */
#define STOPS(words, ...) IN_A_CHILD(1, check_stop(this_child, words), __VA_ARGS__)

/* Runs statements in a child. Fails unless it exits with 0, as it does after the last of them. */
#define ENDS_WELL(...) IN_A_CHILD(0, assert_true(ends_well(this_child)), __VA_ARGS__)

#endif
