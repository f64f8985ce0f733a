/* Finds and loads the plugins (plugin.h). docs/internals.md says in which folders they may be. */
#include "stream/plugin.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "definition/process.h"
#include "gpuranmar.h"
#include "stream/library.h"
#include "stream/settings.h"

/* A plugin's entry in a program that is linked statically with it, else NULL. */
#pragma weak ranmar_cuda_plugin
#pragma weak ranmar_opencl_plugin

static struct backend {
    const char *title, *file;
    ranmar_plugin_entry *linked;
    pthread_mutex_t mutex;
    unsigned owner;                     /* the process that looks for it: definition/process.h */
    atomic_int tried;                   /* whether the fields below are set */
    const struct ranmar_plugin *plugin; /* NULL if there is none that can be used */
    char why_not[RANMAR_PLUGIN_ERROR];  /* says why there is none */
    char path[PATH_MAX];                /* where it was found */
} backends[] = {
    [GPURANMAR_CUDA] = {.title = "CUDA",
                        .file = "libgpuranmar_cuda.so",
                        .linked = ranmar_cuda_plugin,
                        .mutex = PTHREAD_MUTEX_INITIALIZER},
    [GPURANMAR_OPENCL] = {.title = "OpenCL",
                          .file = "libgpuranmar_opencl.so",
                          .linked = ranmar_opencl_plugin,
                          .mutex = PTHREAD_MUTEX_INITIALIZER},
};

/* Looks for the plugin in three places: the folder of the library, or of the program that the
 * library is linked into; ../lib, if that folder is called bin; and wherever the system looks.
 * Returns NULL, and says why in b->why_not, if there is none. */
static void *open_plugin(struct backend *b)
{
    static const char *const places[] = {"", "../lib/"};
    const char *const own = ranmar_library_path(), *const slash = strrchr(own, '/');
    const int folder = slash ? (int)(slash - own + 1) : 0;
    const int in_bin = folder >= 5 && strncmp(slash - 4, "/bin", 4) == 0;
    for (int i = 0; folder > 0 && i < 1 + in_bin; ++i) {
        snprintf(b->path, sizeof b->path, "%.*s%s%s", folder, own, places[i], b->file);
        if (access(b->path, F_OK) != 0)
            continue;
        if (!ranmar_is_trusted(b->path)) {
            snprintf(b->why_not, sizeof b->why_not,
                     "another user owns the plugin or its folder, or all may write there: %.*s%s%s",
                     folder, own, places[i], b->file);
            return NULL;
        }
        void *const beside = dlopen(b->path, RTLD_NOW | RTLD_LOCAL);
        if (beside)
            return beside;
    }
    snprintf(b->path, sizeof b->path, "%s", b->file);
    void *const found = dlopen(b->file, RTLD_NOW | RTLD_LOCAL);
    if (!found)
        snprintf(b->why_not, sizeof b->why_not, "%s", dlerror());
    return found;
}

static void load_plugin(struct backend *b)
{
    ranmar_plugin_entry *entry = b->linked;
    /* Every plugin makes the loader search for drivers, also a plugin that is linked. */
    if (getauxval(AT_SECURE) || ranmar_searches_current_folder()) {
        snprintf(b->why_not, sizeof b->why_not,
                 getauxval(AT_SECURE)
                     ? "a setuid program loads no plugin"
                     : "no plugin is loaded: LD_LIBRARY_PATH or a run path has a relative or "
                       "empty folder, or the program is linked by -static");
        return;
    }
    if (!entry) {
        void *const library = open_plugin(b);
        if (!library)
            return;
        char symbol[32];
        snprintf(symbol, sizeof symbol, "ranmar_%s_plugin",
                 ranmar_backend_name((int)(b - backends)));
        *(void **)&entry = dlsym(library, symbol);
    }
    b->plugin = entry ? entry(RANMAR_PLUGIN_ABI) : NULL;
    if (!b->plugin)
        snprintf(b->why_not, sizeof b->why_not, "%s is of another version", b->file);
}

const struct ranmar_plugin *ranmar_find_plugin(int code, const char **text)
{
    struct backend *const b = &backends[code];
    if (!b->tried && !ranmar_is_ours(&b->owner)) {
        *text = "this process was forked while its parent loaded the plugin";
        return NULL;
    }
    if (!b->tried) {
        pthread_mutex_lock(&b->mutex);
        if (!b->tried)
            load_plugin(b);
        b->tried = 1;
        pthread_mutex_unlock(&b->mutex);
    }
    *text = b->plugin ? b->path : b->why_not;
    return b->plugin;
}

const char *ranmar_backend_title(int code)
{
    return backends[code].title;
}
