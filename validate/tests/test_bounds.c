/* The last value that is allowed and the first that is not, of all that has a bound: without a
 * random choice, so that each of these either always fails or never. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "fill/fill.h"
#include "fill/team.h"
#include "fortran/fortran.h"
#include "gpuranmar.h"

/* The signals that a thread blocks, as a mask. */
static uint64_t blocked_by(const char *thread)
{
    char path[300], line[200];
    unsigned long long mask = 0;
    snprintf(path, sizeof path, "/proc/self/task/%.200s/status", thread);
    FILE *const status = fopen(path, "r");
    assert_non_null(status);
    while (fgets(line, sizeof line, status))
        if (sscanf(line, "SigBlk: %llx", &mask) == 1)
            break;
    fclose(status);
    return mask;
}

static void nothing(void *shared, size_t index)
{
    (void)shared;
    (void)index;
}

/* A signal that is sent to the program must find one of its own threads. */
static void helpers_block_signals(void **unused)
{
    struct ranmar_team team = ranmar_team_gather(1);
    if (team.size == 0)
        skip();
    ranmar_team_run(&team, nothing, NULL, 0);
    ranmar_team_dismiss(&team);
    DIR *const tasks = opendir("/proc/self/task");
    assert_non_null(tasks);
    int blocking = 0;
    for (const struct dirent *task; (task = readdir(tasks));)
        if (task->d_name[0] != '.')
            blocking += blocked_by(task->d_name) != 0;
    closedir(tasks);
    assert_int_equal(blocking, 1);
    (void)unused;
}

/* --- Saved states and settings --- */

/* The text is a format: what an earlier version has saved must be read for ever. */
static void saved_text(void **unused)
{
    static const char known[] =
        "RANMAR1 double 54217137 1 1024 12345                                "
        "    3c760d23";
    char text[GPURANMAR_SAVED_STATE_SIZE];
    gpuranmar_stream *s;
    assert_int_equal(gpuranmar_stream_initialise(&s, NULL), GPURANMAR_OK);
    assert_int_equal(gpuranmar_stream_skip(s, 12345), GPURANMAR_OK);
    assert_int_equal(gpuranmar_stream_save(s, text, sizeof text), GPURANMAR_OK);
    assert_memory_equal(text, known, sizeof text);
    gpuranmar_stream_close(s);
    (void)unused;
}

static void put_state(void)
{
    struct ranmar_fortran_state s = {.i97 = 97, .j97 = 33, .u = {0.5}};
    const int32_t one = 1;
    setenv("GPURANMAR_INSTANCES", "2", 1);
    grnput_(&one, &s.ijkl, &s.ntot, &s.ntot2, &s.i97, &s.j97, &s.c, s.u);
}

/* In a child, which reads its settings anew if this is the first test. */
static void state_for_two_instances(void **unused)
{
    expect_stop(put_state, "cannot be read with GPURANMAR_INSTANCES = 2");
    (void)unused;
}

/* What is quoted may have any bytes. */
static void errors_are_one_line(void **unused)
{
    char text[GPURANMAR_SAVED_STATE_SIZE];
    gpuranmar_stream *s;
    memset(text, '\n', sizeof text);
    text[1] = '\x1b';
    text[2] = ' ';
    text[3] = '~';
    text[4] = '\x7f';
    assert_int_equal(gpuranmar_stream_initialise(&s, NULL), GPURANMAR_OK);
    assert_int_equal(gpuranmar_stream_restore(s, text, sizeof text), GPURANMAR_BAD_STATE);
    for (const char *c = gpuranmar_last_error(); *c; ++c)
        assert_true(*c >= ' ' && *c != 0x7f);
    assert_non_null(strstr(gpuranmar_last_error(), " ~?"));
    gpuranmar_stream_close(s);
    (void)unused;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(state_for_two_instances),
        cmocka_unit_test(helpers_block_signals),
        cmocka_unit_test(saved_text),
        cmocka_unit_test(errors_are_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
