/* Which library serves a program: library.h, and gpuranmar_engine.h, describe the calls. */
#define _GNU_SOURCE /* dladdr1 */
#include "stream/library.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fill/fill.h"
#include "fill/team.h"
#include "gpuranmar_engine.h"
#include "stream/log.h"
#include "stream/settings.h"

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

static void introduce(void)
{
    const struct ranmar_settings *const s = ranmar_settings();
    ranmar_log("libgpuranmar " RANMAR_VERSION ", %s, back end %s, refills by %s, arrays by %s on "
               "%d thread(s)",
               ranmar_library_path(), ranmar_backend_name(s->backend),
               ranmar_fill_instruction_set(1)->name,
               ranmar_fill_instruction_set(RANMAR_ARRAY)->name,
               s->threads ? s->threads : ranmar_default_threads());
}

void ranmar_introduce(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, introduce);
}

/* Returns the address at which calls of a routine arrive. If a program that is not
 * position-independent passes a library's routine as an argument, it passes its own PLT entry. The
 * symbol there is undefined, and calls go on to the first library that defines it. */
static const void *arrival(const void *called)
{
#ifdef __GLIBC__
    Dl_info at, there;
    const ElfW(Sym) *symbol = NULL;
    const struct link_map *file = NULL;
    if (!dladdr1(called, &at, (void **)&symbol, RTLD_DL_SYMENT) || !symbol ||
        symbol->st_shndx != SHN_UNDEF || !dladdr1(called, &at, (void **)&file, RTLD_DL_LINKMAP))
        return called;
    while ((file = file->l_next)) {
        void *const library = dlopen(file->l_name, RTLD_LAZY | RTLD_NOLOAD);
        const void *const found = library ? dlsym(library, at.dli_sname) : NULL;
        if (library)
            dlclose(library);
        /* dlsym() also looks in the libraries that this one needs, whose turn comes later */
        if (found && dladdr(found, &there) && (uintptr_t)there.dli_fbase == file->l_addr)
            return found;
    }
#endif
    return called;
}

void gpuranmar_check_ours(const char *routine, const char *name, const void *called,
                          const void *own)
{
    if (called != own && arrival(called) != own)
        gpuranmar_stop("%s: this program's %s is not this library's: take the original's source, "
                       "or the other library, off the link line",
                       routine, name);
}
