/* Test programs with cmocka include this; it has their main(). TEST(name) { ... } is a test. The
 * program runs the tests of its file in their order. A file that defines OWN_MAIN has its own
 * main(), and lists its tests there. */
#ifndef VALIDATE_TESTS_H
#define VALIDATE_TESTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "gpuranmar.h"
#include "random.h"

/* A program with a main() of its own leaves this unused. */
static __attribute__((unused)) struct {
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

/* A process that waits in vain is ended after ten minutes: prove names the signal. A forked process
 * ends where it crashes: cmocka's handler would have it run the tests that follow. */
static inline void begin_process(void)
{
    static const int crashes[] = {SIGFPE, SIGILL, SIGSEGV, SIGBUS, SIGSYS};
    alarm(600);
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; ++i)
        signal(crashes[i], SIG_DFL);
}

#ifndef OWN_MAIN
int main(void)
{
    random_start();
    begin_process();
    pthread_atfork(NULL, NULL, begin_process);
    return _cmocka_run_group_tests("tests", tests.all, tests.count, NULL, NULL);
}
#endif

/* A call returns the error that is wanted, and the line on it has these words. */
static inline void expect(int error, int wanted, const char *words)
{
    if (error != wanted || !strstr(gpuranmar_last_error(), words))
        fail_msg("error %d, '%s'; wanted %d and '%s'", error, gpuranmar_last_error(), wanted,
                 words);
}

/* Opens a stream with these options, OPEN(.seed = 5, .threads = 2), or ends the program, since a
 * child process must not go on to the tests that follow. */
#define OPEN(...) open_with((gpuranmar_options){__VA_ARGS__})
static inline gpuranmar_stream *open_with(gpuranmar_options o)
{
    gpuranmar_stream *s;
    o.size = sizeof o;
    o.instances = o.instances ? o.instances : 1;
    if (gpuranmar_stream_initialise(&s, &o)) {
        fprintf(stderr, "%s\n", gpuranmar_last_error());
        abort();
    }
    return s;
}

/* Ends the test and says why: a machine or a build cannot run it. cmocka's skip() prints "not ok",
 * which prove counts as a failure. */
#define SKIP(reason)                                     \
    do {                                                 \
        printf("# %s: skipped: %s\n", __func__, reason); \
        return;                                          \
    } while (0)

#endif
