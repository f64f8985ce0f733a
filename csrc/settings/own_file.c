/* Which library serves a program: own_file.h describes the calls. */
#include "settings/own_file.h"

#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "fill/fill.h"
#include "fill/team.h"
#include "settings/log.h"
#include "settings/settings.h"

static char path[PATH_MAX + 128]; /* also holds a line of /proc/self/maps */

/* The kernel knows the file that this function was mapped from. dladdr() would return argv[0],
 * which the caller of the program chooses, or a name relative to a folder that the program has
 * left. */
static void find_path(void)
{
    const unsigned long here = (unsigned long)find_path;
    FILE *const maps = fopen("/proc/self/maps", "re");
    int found = 0;
    while (maps && !found && fgets(path, sizeof path, maps)) {
        unsigned long low, high;
        const char *const name = strchr(path, '/');
        found = name && sscanf(path, "%lx-%lx", &low, &high) == 2 && low <= here && here < high;
        if (found)
            memmove(path, name, strlen(name) + 1);
    }
    path[found ? strcspn(path, "\n") : 0] = '\0';
    if (maps)
        fclose(maps);
}

const char *ranmar_own_path(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_path);
    return path;
}

static void log_banner(void)
{
    const struct ranmar_settings *const s = ranmar_settings();
    ranmar_log("libgpuranmar " RANMAR_VERSION ", %s, back end %s, refills by %s, arrays by %s on "
               "%d thread(s)",
               ranmar_own_path(), ranmar_backend_name(s->backend),
               ranmar_fill_instruction_set(1)->name,
               ranmar_fill_instruction_set(RANMAR_ARRAY)->name,
               s->threads ? s->threads : ranmar_default_threads());
}

void ranmar_log_banner(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, log_banner);
}
