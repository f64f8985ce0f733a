/* What a program of tests by cmocka begins with. TEST(name) { ... } is a test; the program runs
 * those of its file, in the order in which they stand there. */
#ifndef VALIDATE_TESTS_H
#define VALIDATE_TESTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "gpuranmar.h"

static struct {
    struct CMUnitTest all[64];
    size_t count;
} tests;

#define TEST(name) TEST_BETWEEN(name, NULL, NULL)

/* A test before and after which functions of the form of a test, which return 0, are called. */
#define TEST_BETWEEN(name, before, after)                                            \
    static void name(void **);                                                       \
    __attribute__((constructor(1000 + __COUNTER__))) static void list_##name(void)   \
    {                                                                                \
        tests.all[tests.count++] =                                                   \
            (struct CMUnitTest)cmocka_unit_test_setup_teardown(name, before, after); \
    }                                                                                \
    static void name(__attribute__((unused)) void **unused)

/* Returns the exit status of main(). */
static inline int run_all_tests(void)
{
    return _cmocka_run_group_tests("tests", tests.all, tests.count, NULL, NULL);
}

/* A call returns the error that is wanted, and the line on it has these words. */
static inline void expect(int error, int wanted, const char *words)
{
    if (error != wanted || !strstr(gpuranmar_last_error(), words))
        fail_msg("error %d, '%s'; wanted %d and '%s'", error, gpuranmar_last_error(), wanted,
                 words);
}

/* Ends the test and says why: a machine or a build cannot run it. cmocka's skip() prints "not ok",
 * which prove counts as a failure. */
#define SKIP(reason)                                     \
    do {                                                 \
        printf("# %s: skipped: %s\n", __func__, reason); \
        return;                                          \
    } while (0)

#endif
