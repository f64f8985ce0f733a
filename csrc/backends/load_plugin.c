/* Finds and loads the plugins (plugin.h). */
#define _GNU_SOURCE /* dladdr, dlinfo */
#include "backends/plugin.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/process.h"
#include "gpuranmar.h"
#include "settings/library_path.h"
#include "settings/settings.h"

/* A plugin's entry in a program that is linked statically with it, else NULL. */
#pragma weak ranmar_cuda_plugin
#pragma weak ranmar_opencl_plugin

static struct backend {
    const char *title, *file;
    ranmar_plugin_entry *linked;
    pthread_mutex_t mutex;
    unsigned owner;                     /* the process that looks for it: base/process.h */
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

/* Opens the plugin beside the library, or beside the program that the library is linked into. If
 * that folder is called bin, the plugin may also be in ../lib, or in the folder that the system has
 * in place of lib: the loader puts its name, as lib64 or lib/x86_64-linux-gnu, for $LIB. Returns
 * NULL, and says why in b->why_not, if there is none. */
static void *open_plugin(struct backend *b)
{
    static const char *const places[] = {"", "../lib/", "../$LIB/"};
    const char *const own = ranmar_library_path(), *const slash = strrchr(own, '/');
    const int folder = slash ? (int)(slash - own + 1) : 0;
    const int tries = folder >= 5 && strncmp(slash - 4, "/bin", 4) == 0 ? 3 : 1;
    snprintf(b->why_not, sizeof b->why_not, "/proc is not mounted");
    for (int i = 0; folder > 0 && i < tries; ++i) {
        snprintf(b->path, sizeof b->path, "%.*s%s%s", folder, own, places[i], b->file);
        void *const library = dlopen(b->path, RTLD_NOW | RTLD_LOCAL);
        struct link_map *file;
        if (library && dlinfo(library, RTLD_DI_LINKMAP, &file) == 0)
            snprintf(b->path, sizeof b->path, "%s", file->l_name); /* with the name for $LIB */
        if (library)
            return library;
        if (i == 0 || access(b->path, F_OK) == 0)
            snprintf(b->why_not, sizeof b->why_not, "%s", dlerror());
    }
    return NULL;
}

static void load_plugin(struct backend *b)
{
    ranmar_plugin_entry *entry = b->linked;
    Dl_info here;
    if (!dladdr(backends, &here)) { /* dlopen() would crash, here or in the driver */
        snprintf(b->why_not, sizeof b->why_not, "the program is linked by -static");
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
