/* The GPU as a maker. The plugin makes the numbers; if it fails, this maker gives up, and the
 * stream goes on with the CPU. */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "definition/version.h"
#include "stream/copy.h"
#include "stream/fork.h"
#include "stream/maker.h"
#include "stream/plugin.h"
#include "stream/report.h"
#include "stream/settings.h"

/* --- The plugin --- */

static const struct ranmar_plugin *plugin;  /* NULL if there is none that can be used */
static char no_plugin[RANMAR_PLUGIN_ERROR]; /* says why there is none */

/* The plugin's entry in a program that is linked statically with it, else NULL. */
extern ranmar_plugin_entry RANMAR_PLUGIN_ENTRY __attribute__((weak));

/* Looks for the plugin beside the library itself, then wherever the system looks. */
static void *open_plugin(void)
{
    Dl_info self;
    char path[4096];
    if (dladdr(&no_plugin, &self) && self.dli_fname) {
        const char *const slash = strrchr(self.dli_fname, '/');
        const int directory = slash ? (int)(slash - self.dli_fname + 1) : 0;
        snprintf(path, sizeof path, "%.*s" RANMAR_PLUGIN_FILE, directory, self.dli_fname);
        void *const beside = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (beside)
            return beside;
    }
    return dlopen(RANMAR_PLUGIN_FILE, RTLD_NOW | RTLD_LOCAL);
}

static void load_plugin(void)
{
    ranmar_plugin_entry *entry = RANMAR_PLUGIN_ENTRY;
    if (!entry) {
        void *const library = open_plugin();
        if (!library) {
            snprintf(no_plugin, sizeof no_plugin, "%s", dlerror());
            return;
        }
        *(void **)&entry = dlsym(library, RANMAR_TEXT(RANMAR_PLUGIN_ENTRY));
    }
    plugin = entry ? entry(RANMAR_PLUGIN_ABI) : NULL;
    if (!plugin)
        snprintf(no_plugin, sizeof no_plugin, RANMAR_PLUGIN_FILE " is of another version");
}

/* --- The maker --- */

struct gpu_maker {
    struct ranmar_maker calls;
    struct ranmar_gpu_maker_options options;
    struct ranmar_gpu_maker
        *gpu;       /* the plugin's; NULL before the first request and once it fails */
    unsigned forks; /* tells which process has opened it: stream/fork.h */

    /* How the plugin's maker delivers, and the position of its next number. */
    enum { NOT_SET, BY_FILL, IN_BLOCKS } delivers;
    uint64_t position;
};

/* Closes the plugin's maker. What belongs to a parent process is not closed here. */
static void drop(struct gpu_maker *g)
{
    if (g->gpu && g->forks == ranmar_forks())
        plugin->close(g->gpu);
    g->gpu = NULL;
    g->delivers = NOT_SET;
}

/* After a failure the GPU is not tried again by this maker. One line in a process is enough. */
static int give_up(struct gpu_maker *g, const char *why)
{
    static atomic_flag reported = ATOMIC_FLAG_INIT;
    drop(g);
    g->calls.from = SIZE_MAX;
    ranmar_report_failure(why);
    if (!atomic_flag_test_and_set(&reported))
        fprintf(stderr, "gpuranmar: CUDA: %s; the CPU goes on with the same numbers\n", why);
    return 0;
}

static int start(struct gpu_maker *g)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    char error[RANMAR_PLUGIN_ERROR] = "";
    if (g->gpu && g->forks == ranmar_forks())
        return 1;
    drop(g);
    pthread_once(&once, load_plugin);
    if (!plugin)
        return give_up(g, no_plugin);
    g->forks = ranmar_forks();
    g->gpu = plugin->open(&g->options, error);
    if (!g->gpu)
        return give_up(g, error);
    ranmar_report_devices(plugin->describe(g->gpu));
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
    if (!plugin->set(g->gpu, states->state, position, error))
        return give_up(g, error);
    g->delivers = delivers;
    g->position = position;
    return 1;
}

static int fill(struct ranmar_maker *m, struct ranmar_states *states, uint64_t position, void *out,
                size_t n)
{
    struct gpu_maker *const g = (struct gpu_maker *)m;
    char error[RANMAR_PLUGIN_ERROR];
    if (!go_to(g, states, position, BY_FILL))
        return 0;
    if (!plugin->fill(g->gpu, out, n, error))
        return give_up(g, error);
    g->position += n;
    return 1;
}

static const void *block(struct ranmar_maker *m, struct ranmar_states *states, uint64_t position)
{
    struct gpu_maker *const g = (struct gpu_maker *)m;
    char error[RANMAR_PLUGIN_ERROR];
    if (!go_to(g, states, position, IN_BLOCKS))
        return NULL;
    const void *const numbers = plugin->block(g->gpu, error);
    if (numbers)
        g->position += g->options.prefetch;
    else
        give_up(g, error);
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
    g->calls = (struct ranmar_maker){1, fill, block, close_maker, RANMAR_BY_GPU};
    g->options.flavour = options->flavour;
    g->options.interleave.instances = (uint64_t)options->instances;
    g->options.interleave.block = (uint64_t)options->prefetch;
    g->options.prefetch = (size_t)options->prefetch;
    g->options.threads = options->threads;
    g->options.copy = ranmar_copy_by_threads;
    return &g->calls;
}

const char *ranmar_gpu_maker_devices(const struct ranmar_maker *m)
{
    const struct gpu_maker *const g = (const struct gpu_maker *)m;
    return g->gpu && g->forks == ranmar_forks() ? plugin->describe(g->gpu) : NULL;
}
