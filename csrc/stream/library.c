/* Which library serves a program: library.h describes the calls. */
#define _GNU_SOURCE /* dladdr, realpath */
#include "stream/library.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "definition/version.h"
#include "fill/fill.h"
#include "fill/team.h"
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
