/* The GPU as a maker. The plugin makes the numbers; if it fails, this maker gives up, and the
 * stream goes on with the CPU. */
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
#include "stream/copy.h"
#include "stream/library.h"
#include "stream/maker.h"
#include "stream/plugin.h"
#include "stream/settings.h"
#include "stream/verbose.h"

/* --- The plugins --- */

/* A plugin's entry in a program that is linked statically with it, else NULL. */
#pragma weak ranmar_cuda_plugin
#pragma weak ranmar_opencl_plugin

static struct backend {
    const char *name, *file;
    ranmar_plugin_entry *linked;
    pthread_mutex_t mutex;
    unsigned owner;                     /* the process that looks for it: definition/process.h */
    atomic_int tried;                   /* whether the fields below are set */
    const struct ranmar_plugin *plugin; /* NULL if there is none that can be used */
    char why_not[RANMAR_PLUGIN_ERROR];  /* says why there is none */
    char path[PATH_MAX];                /* where it was found */
} backends[] = {
    [GPURANMAR_CUDA] = {.name = "CUDA",
                        .file = "libgpuranmar_cuda.so",
                        .linked = ranmar_cuda_plugin,
                        .mutex = PTHREAD_MUTEX_INITIALIZER},
    [GPURANMAR_OPENCL] = {.name = "OpenCL",
                          .file = "libgpuranmar_opencl.so",
                          .linked = ranmar_opencl_plugin,
                          .mutex = PTHREAD_MUTEX_INITIALIZER},
};

/* Whether the loader would look in folders that are relative to the current one. An empty element
 * of LD_LIBRARY_PATH is the current folder itself. */
static int searches_current_folder(void)
{
    const char *at = getenv("LD_LIBRARY_PATH");
    while (at && (*at == '/' || *at == '$') && (at = strpbrk(at, ":;")))
        ++at;
    return at != NULL;
}

/* Looks for the plugin beside the library itself (or the program that it is linked into), beside
 * that folder in `lib` if the folder is called `bin`, and then wherever the system looks. Returns
 * NULL, and says why in b->why_not, if there is none. */
static void *open_plugin(struct backend *b)
{
    static const char *const places[] = {"", "../lib/"};
    const char *const own = ranmar_library_path(), *const slash = strrchr(own, '/');
    const int folder = slash ? (int)(slash - own + 1) : 0;
    const int in_bin = folder >= 5 && strncmp(slash - 4, "/bin", 4) == 0;
    if (getauxval(AT_SECURE)) {
        snprintf(b->why_not, sizeof b->why_not, "a setuid program loads no plugin");
        return NULL;
    }
    for (int i = 0; folder > 0 && i < 1 + in_bin; ++i) {
        snprintf(b->path, sizeof b->path, "%.*s%s%s", folder, own, places[i], b->file);
        if (access(b->path, F_OK) != 0)
            continue;
        if (!ranmar_is_trusted(b->path)) {
            snprintf(b->why_not, sizeof b->why_not,
                     "%.150s is not loaded: another user owns it, or everybody may write it",
                     b->path);
            return NULL;
        }
        void *const beside = dlopen(b->path, RTLD_NOW | RTLD_LOCAL);
        if (beside)
            return beside;
    }
    snprintf(b->path, sizeof b->path, "%s", b->file);
    if (searches_current_folder()) {
        snprintf(b->why_not, sizeof b->why_not,
                 "%s is not beside %.120s, and is not searched for: LD_LIBRARY_PATH has a relative "
                 "or empty folder",
                 b->file, *own ? own : "the library");
        return NULL;
    }
    void *const found = dlopen(b->file, RTLD_NOW | RTLD_LOCAL);
    if (!found)
        snprintf(b->why_not, sizeof b->why_not, "%s", dlerror());
    return found;
}

static void load_plugin(struct backend *b)
{
    ranmar_plugin_entry *entry = b->linked;
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

/* --- The maker --- */

struct gpu_maker {
    struct ranmar_maker calls;
    int code;                           /* enum gpuranmar_backend */
    int has_failed;                     /* it is not tried again then */
    const struct ranmar_plugin *plugin; /* NULL before the first request */
    struct ranmar_gpu_maker_options options;
    struct ranmar_gpu_maker
        *gpu;         /* the plugin's; NULL before the first request and once it fails */
    unsigned process; /* which has opened it: definition/process.h */

    /* How the plugin's maker delivers, and the position of its next number. */
    enum { NOT_SET, BY_FILL, IN_BLOCKS } delivers;
    uint64_t position;
};

/* Closes the plugin's maker. What belongs to a parent process is not closed here. */
static void drop(struct gpu_maker *g)
{
    if (g->gpu && g->process == ranmar_process())
        g->plugin->close(g->gpu);
    g->gpu = NULL;
    g->delivers = NOT_SET;
}

/* After a failure the GPU is not tried again by this maker. One line in a process is enough. */
static int give_up(struct gpu_maker *g, const char *why)
{
    static atomic_flag reported = ATOMIC_FLAG_INIT;
    drop(g);
    g->has_failed = 1;
    if (!atomic_flag_test_and_set(&reported))
        fprintf(stderr, "gpuranmar: %s: %s; the CPU goes on with the same numbers\n",
                backends[g->code].name, why);
    return 0;
}

static int start(struct gpu_maker *g)
{
    char error[RANMAR_PLUGIN_ERROR] = "";
    const char *why_not;
    if (g->has_failed)
        return 0;
    if (g->gpu && g->process == ranmar_process())
        return 1;
    drop(g);
    g->plugin = ranmar_find_plugin(g->code, &why_not);
    if (!g->plugin)
        return give_up(g, why_not);
    g->process = ranmar_process();
    g->gpu = g->plugin->open(&g->options, error);
    if (!g->gpu)
        return give_up(g, error);
    ranmar_note("%s: %s", backends[g->code].name, g->plugin->describe(g->gpu));
    return 1;
}

/* Makes the GPU ready to deliver from a position on, by fill() or in blocks. Nothing is to be done
 * if it has just made the numbers before that position in the same way. */
static int go_to(struct gpu_maker *g, struct ranmar_states *states, uint64_t position, int delivers)
{
    char error[RANMAR_PLUGIN_ERROR];
    if (!start(g))
        return 0;
    if ((int)g->delivers == delivers && g->position == position)
        return 1;
    ranmar_states_seek(states, position);
    if (!g->plugin->set(g->gpu, states->state, position, error))
        return give_up(g, error);
    g->delivers = delivers;
    g->position = position;
    return 1;
}

static void fill(struct ranmar_maker *m, struct ranmar_states *states, uint64_t position, void *out,
                 size_t n)
{
    struct gpu_maker *const g = (struct gpu_maker *)m;
    char error[RANMAR_PLUGIN_ERROR];
    if (go_to(g, states, position, BY_FILL)) {
        if (g->plugin->fill(g->gpu, out, n, error)) {
            g->position += n;
            ++m->times;
            return;
        }
        give_up(g, error);
    }
    m->next->fill(m->next, states, position, out, n);
}

static const void *block(struct ranmar_maker *m, struct ranmar_states *states, uint64_t position)
{
    struct gpu_maker *const g = (struct gpu_maker *)m;
    char error[RANMAR_PLUGIN_ERROR];
    if (!go_to(g, states, position, IN_BLOCKS))
        return NULL;
    const void *const numbers = g->plugin->block(g->gpu, error);
    if (!numbers) {
        give_up(g, error);
        return NULL;
    }
    g->position += g->options.prefetch;
    ++m->times;
    return numbers;
}

static void close_maker(struct ranmar_maker *m)
{
    drop((struct gpu_maker *)m);
    free(m);
}

struct ranmar_maker *ranmar_gpu_maker(const gpuranmar_options *options)
{
    struct gpu_maker *const g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->calls = (struct ranmar_maker){.fill = fill,
                                     .block = block,
                                     .close = close_maker,
                                     .name = ranmar_backend_name(options->backend)};
    g->code = options->backend;
    g->options.flavour = options->flavour;
    g->options.device = ranmar_settings()->device;
    g->options.interleave.instances = (uint64_t)options->instances;
    g->options.interleave.block = (uint64_t)options->prefetch;
    g->options.prefetch = (size_t)options->prefetch;
    g->options.threads = options->threads;
    g->options.copy = ranmar_copy_by_threads;
    return &g->calls;
}
