/* Which library serves a program: library.h, and gpuranmar_engine.h, describe the calls. */
#define _GNU_SOURCE /* dladdr1, realpath */
#include "stream/library.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "definition/version.h"
#include "fill/fill.h"
#include "fill/team.h"
#include "gpuranmar_engine.h"
#include "stream/report.h"
#include "stream/settings.h"

static char path[PATH_MAX];

/* The system may give a name that is relative to the folder in which the program was started.
 * realpath() finds the file as long as the program has not left that folder. */
static void find_path(void)
{
    Dl_info self;
    if (!dladdr(path, &self) || !self.dli_fname)
        return;
    if (!realpath(self.dli_fname, path))
        snprintf(path, sizeof path, "%s", self.dli_fname);
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
    ranmar_note("libgpuranmar " RANMAR_VERSION ", %s, back end %s, refills by %s, arrays by %s on "
                "%d thread(s)",
                ranmar_library_path(), ranmar_backend_name(s->backend), ranmar_fill_level(1)->name,
                ranmar_fill_level(RANMAR_ARRAY)->name,
                s->threads ? s->threads : ranmar_default_threads());
}

void ranmar_introduce(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, introduce);
}

/* Whether this is the place that a program which is not position-independent has for a routine of a
 * library, since it passes the routine as an argument: the name is undefined there. */
static int is_place_holder(const void *address)
{
#ifdef __GLIBC__
    Dl_info found;
    const ElfW(Sym) *symbol = NULL;
    return dladdr1(address, &found, (void **)&symbol, RTLD_DL_SYMENT) && symbol &&
           symbol->st_shndx == SHN_UNDEF;
#else
    return address == NULL;
#endif
}

void gpuranmar_check_ours(const char *routine, const char *name, const void *called,
                          const void *own)
{
    if (called != own && !is_place_holder(called))
        gpuranmar_stop("%s: this program's %s is not this library's: take the original's source, "
                       "or the other library, off the link line",
                       routine, name);
}
