/* A plugin whose GPU is the CPU: it makes the numbers by the definition, counts what is asked of
 * it, and fails when it is told to. */
#ifndef RANMAR_TEST_FAKE_PLUGIN_H
#define RANMAR_TEST_FAKE_PLUGIN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backends/plugin.h"
#include "fill/fill.h"

static struct {
    int opens, closes, sets, makes; /* calls so far */
    int fail_at;                    /* of all but closes, the call that fails; 0 for none */
    int calls, more_devices, unwritable;
    size_t wrong_at;            /* the number of a request in which a bit is wrong; 0 for none */
    struct ranmar_device *last; /* that was opened */
    void (*at_entry)(void);     /* called while the library looks for the plugin */
    char error[64];
} fake;

/* Numbers that are made and have not arrived yet. */
struct fake_queued {
    struct fake_queued *next;
    int number; /* of the call that queued them */
    void *out;
    size_t bytes;
    char numbers[];
};

struct ranmar_device {
    const struct ranmar_flavour *flavour;
    struct ranmar_state state;
    struct fake_queued *queued;  /* the first of them */
    int recorded[RANMAR_EVENTS]; /* the number of the last call before each event */
};

static int fake_call(int *counter)
{
    ++*counter;
    if (++fake.calls != fake.fail_at)
        return 1;
    snprintf(fake.error, sizeof fake.error, "call %d fails", fake.calls);
    return 0;
}

static const char *fake_error(void)
{
    return fake.error;
}

static int fake_name(int number, char *name, size_t size)
{
    snprintf(name, size, "fake");
    return number == 0;
}

static int fake_count(const char *wanted, int *devices, int *first, char *name, size_t size)
{
    fake.fail_at = *wanted ? atoi(wanted) : fake.fail_at;
    *devices = 1 + fake.more_devices;
    *first = 0;
    return fake_name(0, name, size);
}

static struct ranmar_device *fake_open(int index, int flavour, struct ranmar_interleave interleave)
{
    struct ranmar_device *const d = calloc(1, sizeof *d);
    (void)index;
    (void)interleave;
    if (!d || !fake_call(&fake.opens)) {
        free(d);
        return NULL;
    }
    d->flavour = ranmar_flavour(flavour);
    fake.last = d;
    return d;
}

/* Numbers arrive in order: at once, or as late as plugin.h allows. */
static void fake_arrive(struct ranmar_device *d, int up_to)
{
    for (struct fake_queued *q; (q = d->queued) && q->number <= up_to; free(q)) {
        memcpy(q->out, q->numbers, q->bytes);
        d->queued = q->next;
    }
}

static void fake_finish(struct ranmar_device *d)
{
    fake_arrive(d, fake.makes);
}

static void fake_close(struct ranmar_device *d)
{
    fake_finish(d);
    ++fake.closes;
    free(d);
}

/* This memory is shared with forked processes, as a driver's pinned memory may be. A page before it
 * has its size. */
enum { FAKE_PAGE = 4096 };
static void *fake_allocate(struct ranmar_device *d, size_t bytes)
{
    (void)d;
    bytes += FAKE_PAGE;
    size_t *const all =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    *all = bytes;
    return (char *)all + FAKE_PAGE;
}

static void fake_release(struct ranmar_device *d, void *memory)
{
    size_t *const all = memory ? (size_t *)((char *)memory - FAKE_PAGE) : NULL;
    (void)d;
    if (all)
        munmap(all, *all);
}

static int fake_is_writable(struct ranmar_device *d, const void *memory, size_t bytes,
                            int *writable)
{
    (void)d;
    (void)memory;
    (void)bytes;
    *writable = !fake.unwritable;
    return 1;
}

static int fake_set(struct ranmar_device *d, const struct ranmar_state *states, uint64_t position)
{
    (void)position;
    d->state = *states;
    return fake_call(&fake.sets);
}

/* A call that fails leaves half of the numbers, all of them wrong. */
static int fake_make(struct ranmar_device *d, int slot, uint64_t position, size_t n, void *out)
{
    (void)slot;
    (void)position;
    if (!fake_call(&fake.makes)) {
        memset(out, 0x55, n / 2 * sizeof(double));
        return 0;
    }
    const size_t bytes = n * ranmar_number_size(d->flavour);
    struct fake_queued *const q = malloc(sizeof *q + bytes);
    if (!q) { /* test_faults refuses memory, also to a device */
        snprintf(fake.error, sizeof fake.error, "no memory");
        return 0;
    }
    *q = (struct fake_queued){NULL, fake.makes, out, bytes};
    struct fake_queued **end = &d->queued;
    while (*end)
        end = &(*end)->next;
    *end = q;
    ranmar_fill_scalar(&d->state, d->flavour, q->numbers, n);
    if (fake.wrong_at > 0 && fake.wrong_at < n)
        ((unsigned char *)((double *)q->numbers + fake.wrong_at))[0] ^= 1;
    if (rand() % 2)
        fake_arrive(d, fake.makes);
    return 1;
}

static int fake_record(struct ranmar_device *d, int event)
{
    d->recorded[event] = fake.makes;
    return 1;
}

static int fake_wait(struct ranmar_device *d, int event)
{
    fake_arrive(d, d->recorded[event]);
    return 1;
}

const struct ranmar_plugin *ranmar_cuda_plugin(int abi)
{
    static const struct ranmar_plugin plugin = {
        4000,        fake_error, fake_name,     fake_count,   fake_open,
        fake_finish, fake_close, fake_allocate, fake_release, fake_is_writable,
        fake_set,    fake_make,  fake_record,   fake_wait};
    if (fake.at_entry)
        fake.at_entry();
    return abi == RANMAR_PLUGIN_ABI ? &plugin : NULL;
}

#endif
