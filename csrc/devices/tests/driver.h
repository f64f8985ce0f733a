/* A driver may end the process in which it is loaded, as PoCL does where /sys is not mounted. Tests
 * try a driver in a child process first. */
#ifndef RANMAR_TEST_DRIVER_H
#define RANMAR_TEST_DRIVER_H

#include "child.h"

/* Whether a child survives a call of `use`; if not, prints the line that skips the test. */
static inline int driver_survives(void (*use)(void))
{
    int status = 0;
    IN_A_CHILD(0, waitpid(this_child.pid, &status, 0), use());
    if (WIFSIGNALED(status))
        printf("1..0 # SKIP no OpenCL device: the driver ends by signal %d\n", WTERMSIG(status));
    return !WIFSIGNALED(status);
}

#endif
