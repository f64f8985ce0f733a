/* Tests that a machine or a build cannot run. */
#ifndef VALIDATE_SKIPPED_H
#define VALIDATE_SKIPPED_H

#include <stdio.h>

/* Ends the test and says why. cmocka's skip() prints "not ok", which prove counts as a failure. */
#define SKIP(reason)                                     \
    do {                                                 \
        printf("# %s: skipped: %s\n", __func__, reason); \
        return;                                          \
    } while (0)

#endif
