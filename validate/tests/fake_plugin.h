/* A plugin whose GPU is the CPU: it makes the numbers by the definition, counts what is asked of
 * it, and fails when it is told to. */
#ifndef RANMAR_TEST_FAKE_PLUGIN_H
#define RANMAR_TEST_FAKE_PLUGIN_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fill/fill.h"
#include "stream/plugin.h"

static struct {
    int opens, closes, sets, fills, blocks; /* calls so far */
    int fail_at; /* the call, of all of them but close and describe, that fails; 0 for none */
    int calls;
    size_t wrong_at;               /* the number of a request in which a bit is wrong; 0 for none */
    struct ranmar_gpu_maker *last; /* that was opened */
    void (*at_entry)(void);        /* called while the library looks for the plugin */
} fake;

struct ranmar_gpu_maker {
    struct ranmar_gpu_maker_options options;
    struct ranmar_state state;
    void *block;
    size_t bytes;
};

static int fake_call(int *counter, char *error)
{
    pthread_testcancel(); /* a driver's calls may be such points */
    ++*counter;
    if (++fake.calls != fake.fail_at)
        return 1;
    snprintf(error, RANMAR_PLUGIN_ERROR, "call %d fails", fake.calls);
    return 0;
}

static struct ranmar_gpu_maker *fake_open(const struct ranmar_gpu_maker_options *o, char *error)
{
    struct ranmar_gpu_maker *const m = calloc(1, sizeof *m);
    if (!m || !fake_call(&fake.opens, error)) {
        free(m);
        return NULL;
    }
    m->options = *o;
    fake.last = m;
    /* This memory is shared with forked processes, as a driver's pinned memory may be. */
    m->bytes = o->prefetch * ranmar_number_size(ranmar_flavour(o->flavour));
    m->block = mmap(NULL, m->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return m;
}

static void fake_close(struct ranmar_gpu_maker *m)
{
    ++fake.closes;
    munmap(m->block, m->bytes);
    free(m);
}

/* Makes n numbers from the state on. */
static void fake_make(struct ranmar_gpu_maker *m, void *out, size_t n)
{
    ranmar_fill_scalar(&m->state, ranmar_flavour(m->options.flavour), out, n);
    if (fake.wrong_at > 0 && fake.wrong_at < n)
        ((unsigned char *)((double *)out + fake.wrong_at))[0] ^= 1;
}

static int fake_set(struct ranmar_gpu_maker *m, const struct ranmar_state *states,
                    uint64_t position, char *error)
{
    (void)position;
    m->state = *states;
    return fake_call(&fake.sets, error);
}

/* What fails leaves half of the numbers, and wrong ones. */
static int fake_fill(struct ranmar_gpu_maker *m, void *out, size_t n, char *error)
{
    if (!fake_call(&fake.fills, error)) {
        memset(out, 0x55, n / 2 * sizeof(double));
        return 0;
    }
    fake_make(m, out, n);
    return 1;
}

static const void *fake_block(struct ranmar_gpu_maker *m, char *error)
{
    if (!fake_call(&fake.blocks, error))
        return NULL;
    fake_make(m, m->block, m->options.prefetch);
    return m->block;
}

static const char *fake_describe(const struct ranmar_gpu_maker *m)
{
    (void)m;
    return "fake";
}

static int fake_device(int number, char *name, size_t size)
{
    snprintf(name, size, "fake");
    return number == 0;
}

static int fake_chosen(const char *wanted, char *name, size_t size)
{
    (void)wanted;
    return fake_device(0, name, size) ? 0 : -1;
}

const struct ranmar_plugin *ranmar_cuda_plugin(int abi)
{
    static const struct ranmar_plugin plugin = {fake_open,   fake_close,  fake_set,
                                                fake_fill,   fake_block,  fake_describe,
                                                fake_device, fake_chosen, NULL};
    if (fake.at_entry)
        fake.at_entry();
    return abi == RANMAR_PLUGIN_ABI ? &plugin : NULL;
}

#endif
