#define _GNU_SOURCE /* dladdr */
#include "stream/backend.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "fill/fill.h"
#include "stream/fork.h"
#include "stream/settings.h"

/* Starting CUDA takes about as long as the CPU needs for so many numbers: AUTO does not think of
 * it before a stream has made them. */
static const uint64_t WORTH_A_START = UINT64_C(1) << 30;

/* --- The plugin --- */

#define TEXT(x) #x
#define NAME(x) TEXT(x)

static const struct ranmar_plugin *plugin;  /* NULL where it is not to be had */
static char no_plugin[RANMAR_PLUGIN_ERROR]; /* why not */

/* In a program linked statically with the plugin, its entry; else null. */
extern ranmar_plugin_entry RANMAR_PLUGIN_ENTRY __attribute__((weak));

/* Beside the library itself, then wherever the system looks. */
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
        *(void **)&entry = dlsym(library, NAME(RANMAR_PLUGIN_ENTRY));
    }
    plugin = entry ? entry(RANMAR_PLUGIN_ABI) : NULL;
    if (!plugin)
        snprintf(no_plugin, sizeof no_plugin, RANMAR_PLUGIN_FILE " is of another version");
}

/* --- The maker --- */

/* One line a process is enough. */
static atomic_flag reported = ATOMIC_FLAG_INIT;

static void give_up(struct ranmar_backend *b, const char *why, int say)
{
    ranmar_backend_stop(b);
    if (say && !atomic_flag_test_and_set(&reported))
        fprintf(stderr, "gpuranmar: CUDA: %s; the CPU goes on with the same numbers\n", why);
}

static int open_maker(struct ranmar_backend *b)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_plugin);
    /* A machine without a GPU is nothing to report unless a GPU was asked for. */
    const int say = b->wanted == GPURANMAR_CUDA || ranmar_settings()->verbose;
    char error[RANMAR_PLUGIN_ERROR] = "";
    b->forks = ranmar_forks();
    b->options.threads = ranmar_threads_left(b->options.threads);
    if (plugin)
        b->maker = plugin->open(&b->options, error);
    if (!b->maker)
        give_up(b, plugin ? error : no_plugin, say);
    return b->maker != NULL;
}

static void close_maker(struct ranmar_backend *b)
{
    if (b->maker && b->forks == ranmar_forks())
        plugin->close(b->maker);
    b->maker = NULL;
    b->delivers = RANMAR_NOT_SET;
}

void ranmar_backend_start(struct ranmar_backend *b, const gpuranmar_options *options)
{
    memset(b, 0, sizeof *b);
    b->wanted = options->backend;
    b->from = options->backend == GPURANMAR_CPU    ? SIZE_MAX
              : options->backend == GPURANMAR_AUTO ? RANMAR_NUMBERS_A_THREAD
                                                   : 1;
    b->options.flavour = options->flavour;
    b->options.interleave.instances = (uint64_t)options->instances;
    b->options.interleave.block = (uint64_t)options->prefetch;
    b->options.prefetch = (size_t)options->prefetch;
    b->options.threads = options->threads;
}

void ranmar_backend_stop(struct ranmar_backend *b)
{
    close_maker(b);
    b->from = SIZE_MAX;
}

int ranmar_backend_set(struct ranmar_backend *b, const struct ranmar_state *states,
                       uint64_t position, int delivers)
{
    char error[RANMAR_PLUGIN_ERROR];
    if (!plugin->set(b->maker, states, position, error)) {
        give_up(b, error, 1);
        return 0;
    }
    b->position = position;
    b->delivers = delivers;
    return 1;
}

int ranmar_backend_fill(struct ranmar_backend *b, void *out, size_t n)
{
    char error[RANMAR_PLUGIN_ERROR];
    if (!plugin->fill(b->maker, out, n, error)) {
        give_up(b, error, 1);
        return 0;
    }
    b->position += n;
    return 1;
}

const void *ranmar_backend_block(struct ranmar_backend *b)
{
    char error[RANMAR_PLUGIN_ERROR];
    const void *const block = plugin->block(b->maker, error);
    if (block)
        b->position += b->options.prefetch;
    else
        give_up(b, error, 1);
    return block;
}

/* --- The choice --- */

static double seconds_since(const struct timespec *then)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + 1e-9 * (double)(now.tv_nsec - then->tv_nsec);
}

int ranmar_backend_begin(struct ranmar_backend *b)
{
    if (b->forks != ranmar_forks())
        close_maker(b);
    if (b->wanted == GPURANMAR_CUDA)
        return b->maker || open_maker(b);
    if (b->stage == RANMAR_WATCHING && b->by_cpu >= WORTH_A_START && open_maker(b))
        b->stage = RANMAR_WARMING;
    b->gpu_at_work = b->maker != NULL;
    clock_gettime(CLOCK_MONOTONIC, &b->began);
    return b->gpu_at_work;
}

static void decide(struct ranmar_backend *b, size_t n, double gpu_rate)
{
    const int gpu_wins = gpu_rate > b->cpu_rate;
    if (ranmar_settings()->verbose)
        fprintf(stderr,
                "gpuranmar: auto: requests of %zu numbers and more are made by the %s (%s: %.2e "
                "numbers a second, CPU: %.2e)\n",
                n, gpu_wins ? "GPU" : "CPU", plugin->describe(b->maker), gpu_rate, b->cpu_rate);
    if (gpu_wins) {
        b->from = n;
        b->stage = RANMAR_DECIDED;
    } else { /* until there are much larger ones */
        close_maker(b);
        b->from = 4 * n;
        b->stage = RANMAR_WATCHING;
    }
}

void ranmar_backend_end(struct ranmar_backend *b, size_t n)
{
    if (b->wanted == GPURANMAR_CUDA || b->stage == RANMAR_DECIDED)
        return;
    const double seconds = seconds_since(&b->began);
    if (!b->gpu_at_work || !b->maker) {
        b->by_cpu += n;
        b->cpu_rate = (double)n / seconds;
    } else if (b->stage == RANMAR_WARMING) { /* the first request makes memory and tables */
        b->stage = RANMAR_TIMING;
    } else {
        decide(b, n, (double)n / seconds);
    }
}
