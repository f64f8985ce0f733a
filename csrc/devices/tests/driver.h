/* A driver may end the process in which it is loaded, as PoCL does where /sys is not mounted. Tests
 * try a driver in a child process first. */
#ifndef RANMAR_TEST_DRIVER_H
#define RANMAR_TEST_DRIVER_H

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* Whether a child that calls `use` ends by itself; if not, the test is skipped in this line. */
static inline int driver_survives(void (*use)(void))
{
    int status;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        use();
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFSIGNALED(status))
        return 1;
    printf("1..0 # SKIP no OpenCL device: the driver ends by signal %d\n", WTERMSIG(status));
    return 0;
}

#endif
