/* Where the library was loaded from: library_path.h describes the call. */
#include "settings/library_path.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

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

const char *ranmar_library_path(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_path);
    return path;
}
