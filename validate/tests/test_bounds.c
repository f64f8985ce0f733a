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

#include "fill/fill.h"
#include "fill/team.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(helpers_block_signals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
