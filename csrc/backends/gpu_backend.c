/* The GPU as a back end: all usable devices make one stream and deliver it to host memory. If a
 * device fails, this back end gives up, and the next one goes on.
 *
 * The devices make pieces of the stream in turns. Each device skips the pieces of the others, and
 * makes its next piece while its previous one is copied. Requests up to a block are served from
 * blocks that are made ahead, unless choose_mode() finds it faster to make them at once. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/backend.h"
#include "backends/plugin.h"
#include "base/process.h"
#include "base/ranges.h"
#include "definition/flavour.h"
#include "fill/thread_pool.h"
#include "settings/log.h"
#include "settings/settings.h"

/* A device, with staging memory for pieces whose destination it cannot write to. */
struct device {
    struct ranmar_device *handle; /* the plugin's */
    void *staging[RANMAR_SLOTS];
    size_t room; /* how many numbers each staging memory can take */
};

struct gpu_backend {
    struct ranmar_backend calls;
    gpuranmar_options options; /* with the defaults filled in */
    struct ranmar_interleave interleave;
    size_t size;                        /* bytes of a number */
    int has_failed;                     /* 1: the GPU is not tried again */
    const struct ranmar_plugin *plugin; /* NULL before the first request */
    unsigned process;                   /* the one that opened the devices: base/process.h */
    int usable;                         /* how many devices may be used */
    struct device *devices;             /* NULL before the first request */
    size_t opened;                      /* how many devices are open */
    struct ranmar_state *states;        /* of the instances, at a position */
    uint64_t states_position;

    /* How numbers are delivered, and the position of the next to be made. */
    enum { NOT_SET, AT_ONCE, AHEAD } mode;
    uint64_t position;
    uint64_t delivered; /* the position of the next number that is handed out */

    size_t pieces, piece_length;       /* of the request at hand */
    size_t first_slot;                 /* of each device's first piece of the request */
    size_t block;                      /* how many numbers a block has */
    int blocks;                        /* how many blocks take turns: RANMAR_BLOCKS, or 1 */
    void *block_memory[RANMAR_BLOCKS]; /* that the devices can write to */
    int next_block;                    /* which block is delivered next; -1 before the first */
    const char *next;                  /* the next number, in a block */
    size_t left;                       /* how many numbers of that block are not delivered yet */
    size_t across; /* numbers of the draw in place that has just met a block's end, else 0 */
};

/* A piece of a request: who makes it, and where. */
struct piece {
    struct device *device;
    int slot;
    size_t begin, length;
};

/* --- Devices --- */

/* Closes all devices. A forked child forgets its parent's devices and does not close them. */
static void drop(struct gpu_backend *g)
{
    const struct ranmar_plugin *const p = g->plugin;
    const size_t ours = g->process == ranmar_process() ? g->opened : 0;
    for (size_t i = 0; i < ours; ++i)
        p->finish(g->devices[i].handle);
    for (int k = 0; k < RANMAR_BLOCKS; ++k) {
        if (ours > 0)
            p->release(g->devices[0].handle, g->block_memory[k]);
        g->block_memory[k] = NULL;
    }
    for (size_t i = 0; i < ours; ++i) {
        for (int slot = 0; slot < RANMAR_SLOTS; ++slot)
            p->release(g->devices[i].handle, g->devices[i].staging[slot]);
        p->close(g->devices[i].handle);
    }
    free(g->devices);
    free(g->states);
    g->devices = NULL;
    g->states = NULL;
    g->opened = 0;
    g->mode = NOT_SET;
}

/* This back end does not try the GPU again after a failure. A process prints one line at most. */
static int give_up(struct gpu_backend *g, const char *why)
{
    static atomic_flag reported = ATOMIC_FLAG_INIT;
    g->has_failed = 1;
    if (!atomic_flag_test_and_set(&reported))
        fprintf(stderr, "gpuranmar: %s: %s; the CPU goes on with the same numbers\n",
                ranmar_backend_title(g->options.backend), why);
    drop(g);
    return 0;
}

/* Returns `good`. Gives up with the plugin's error if `good` is 0. */
static int checked(struct gpu_backend *g, int good)
{
    return good || give_up(g, g->plugin->error());
}

/* Finds plugin and devices. One device makes all interleaved instances, since the plugins can skip
 * the pieces of other devices only in a single sequence. */
static int find_gpus(struct gpu_backend *g)
{
    char name[RANMAR_PLUGIN_ERROR];
    const char *why_not;
    int devices, first;
    if (g->has_failed)
        return 0;
    if (g->devices && g->process == ranmar_process())
        return 1;
    drop(g);
    g->plugin = ranmar_find_plugin(g->options.backend, &why_not);
    if (!g->plugin)
        return give_up(g, why_not);
    g->process = ranmar_process();
    g->plugin->error(); /* allocates this thread's line while there is memory */
    if (!g->plugin->count(ranmar_settings()->device, &devices, &first, name, sizeof name))
        return give_up(g, g->plugin->error());
    g->usable = g->interleave.instances > 1 ? 1 : devices;
    g->devices = calloc((size_t)g->usable, sizeof *g->devices);
    g->states = malloc((size_t)g->interleave.instances * sizeof *g->states);
    if (!g->devices || !g->states)
        return give_up(g, "out of memory");
    ranmar_log("%s: %d x %s", ranmar_backend_title(g->options.backend), devices, name);
    /* A block is a multiple of the prefetch size, for draws in place, and has more than 2^19
     * numbers, since shorter copies are slower. A block above 2^24 numbers, 128 MB in double
     * precision, is not made ahead: RANMAR_BLOCKS of them would be more pinned memory than a user
     * expects. */
    const size_t largest = g->plugin->largest_piece;
    g->block = (size_t)g->options.prefetch;
    if (g->block < largest >> 2)
        g->block *= (largest >> 2) / g->block;
    g->blocks = g->block <= largest << 2 ? RANMAR_BLOCKS : 1;
    return 1;
}

static int open_next_gpu(struct gpu_backend *g)
{
    struct device *const d = &g->devices[g->opened];
    d->handle = g->plugin->open((int)g->opened, g->options.flavour, g->interleave);
    if (!d->handle)
        return 0;
    ++g->opened;
    return g->plugin->set(d->handle, g->states, g->states_position);
}

/* Calls the plugin's record() or wait() for one event of each open device. */
static int on_all(struct gpu_backend *g, int (*call)(struct ranmar_device *, int), int event)
{
    for (size_t i = 0; i < g->opened; ++i)
        if (!call(g->devices[i].handle, event))
            return 0;
    return 1;
}

static int set_gpus(struct gpu_backend *g, struct ranmar_states *states, uint64_t position)
{
    g->next_block = -1;
    g->left = 0;
    g->position = g->delivered = g->states_position = position;
    ranmar_states_seek(states, position);
    memcpy(g->states, states->state, (size_t)g->interleave.instances * sizeof *g->states);
    for (size_t i = 0; i < g->opened; ++i)
        if (!g->plugin->set(g->devices[i].handle, g->states, position))
            return 0;
    return g->opened > 0 || open_next_gpu(g);
}

/* Makes the devices ready to deliver from a position on, in a mode. Nothing is done if the
 * devices are in that mode and their last delivery ended at that position. */
static int deliver_from(struct gpu_backend *g, struct ranmar_states *states, uint64_t position,
                        int mode)
{
    if ((int)g->mode == mode && g->delivered == position)
        return 1;
    if (!checked(g, set_gpus(g, states, position)))
        return 0;
    g->mode = mode;
    return 1;
}

/* --- Pieces --- */

/* Gives each slot of a device staging memory for so many numbers. */
static int reserve_staging(struct gpu_backend *g, struct device *d, size_t numbers)
{
    if (d->room >= numbers)
        return 1;
    for (int slot = 0; slot < RANMAR_SLOTS; ++slot) {
        g->plugin->release(d->handle, d->staging[slot]);
        d->staging[slot] = g->plugin->allocate(d->handle, numbers * g->size);
        if (!d->staging[slot])
            return 0;
    }
    d->room = numbers;
    return 1;
}

/* Cuts a request of n numbers into pieces and opens the devices for it, with staging memory if
 * `staged`. */
static int prepare(struct gpu_backend *g, size_t n, int staged)
{
    const size_t usable = (size_t)g->usable, even = (n + usable - 1) / usable;
    const size_t largest = g->plugin->largest_piece, least = RANMAR_SHORT_PIECE(largest);
    g->piece_length = even < least ? least : even > largest ? largest : even;
    g->pieces = (n + g->piece_length - 1) / g->piece_length;
    while (g->opened < usable && g->opened < g->pieces)
        if (!open_next_gpu(g))
            return 0;
    for (size_t i = 0; staged && i < g->opened && i < g->pieces; ++i)
        if (!reserve_staging(g, &g->devices[i], g->piece_length))
            return 0;
    return 1;
}

static struct piece piece_of(struct gpu_backend *g, size_t index, size_t n)
{
    struct piece p;
    p.device = &g->devices[index % g->opened];
    p.slot = (int)((g->first_slot + index / g->opened) % RANMAR_SLOTS);
    p.begin = index * g->piece_length;
    p.length = n - p.begin < g->piece_length ? n - p.begin : g->piece_length;
    return p;
}

static int make_piece(struct gpu_backend *g, struct piece p, void *to)
{
    return g->plugin->make(p.device->handle, p.slot, g->position + p.begin, p.length, to);
}

/* Moves on by n numbers. The next request begins with the slot after the last slot used here. */
static void end_request(struct gpu_backend *g, size_t n)
{
    g->first_slot += (g->pieces + g->opened - 1) / g->opened;
    g->position += n;
}

/* Queues the making of n numbers in memory that the devices can write to. */
static int queue_all(struct gpu_backend *g, char *out, size_t n)
{
    if (!prepare(g, n, 0))
        return 0;
    for (size_t i = 0; i < g->pieces; ++i) {
        const struct piece p = piece_of(g, i, n);
        if (!make_piece(g, p, out + p.begin * g->size))
            return 0;
    }
    end_request(g, n);
    return 1;
}

/* Fills memory that the devices cannot write to, through staging memory. One piece is copied out
 * while the devices make the next ones. */
static int fill_staged(struct gpu_backend *g, char *out, size_t n)
{
    if (!prepare(g, n, 1))
        return 0;
    const size_t ahead = RANMAR_SLOTS * g->opened;
    for (size_t i = 0; i < g->pieces + ahead; ++i) {
        if (i >= ahead) {
            const struct piece p = piece_of(g, i - ahead, n);
            if (!g->plugin->wait(p.device->handle, p.slot))
                return 0;
            ranmar_copy_by_threads(out + p.begin * g->size, p.device->staging[p.slot],
                                   p.length * g->size, g->options.threads);
        }
        if (i < g->pieces) {
            const struct piece p = piece_of(g, i, n);
            if (!make_piece(g, p, p.device->staging[p.slot]) ||
                !g->plugin->record(p.device->handle, p.slot))
                return 0;
        }
    }
    end_request(g, n);
    return 1;
}

static int fill_now(struct gpu_backend *g, void *out, size_t n, int writable)
{
    if (!writable)
        return fill_staged(g, out, n);
    return queue_all(g, out, n) && on_all(g, g->plugin->record, RANMAR_EVENT_OF_ALL) &&
           on_all(g, g->plugin->wait, RANMAR_EVENT_OF_ALL);
}

/* --- Blocks ahead --- */

static int queue_block(struct gpu_backend *g, int k)
{
    if (!g->block_memory[k])
        g->block_memory[k] = g->plugin->allocate(g->devices[0].handle, g->block * g->size);
    return g->block_memory[k] && queue_all(g, g->block_memory[k], g->block) &&
           on_all(g, g->plugin->record, RANMAR_EVENT_OF_BLOCK + k);
}

/* Goes on to the next block. First queues the making of one more block, so that `blocks` - 1 blocks
 * are made ahead. */
static int go_to_next_block(struct gpu_backend *g)
{
    if (g->next_block < 0) {
        g->next_block = 0;
        for (int k = 0; k < g->blocks - 1; ++k)
            if (!queue_block(g, k))
                return 0;
    }
    if (!queue_block(g, (g->next_block + g->blocks - 1) % g->blocks) ||
        !on_all(g, g->plugin->wait, RANMAR_EVENT_OF_BLOCK + g->next_block))
        return 0;
    g->next = g->block_memory[g->next_block];
    g->left = g->block;
    g->next_block = (g->next_block + 1) % g->blocks;
    return 1;
}

/* Takes n numbers of those left in a block. */
static const char *take_from_block(struct gpu_backend *g, size_t n)
{
    const char *const numbers = g->next;
    g->next += n * g->size;
    g->left -= n;
    return numbers;
}

static const void *give_from_block(struct ranmar_backend *b, struct ranmar_states *states,
                                   uint64_t position, size_t n)
{
    struct gpu_backend *const g = (struct gpu_backend *)b;
    if (!find_gpus(g) || n > g->block || !deliver_from(g, states, position, AHEAD) ||
        (g->left == 0 && !checked(g, go_to_next_block(g))))
        return NULL;
    if (n > g->left) {
        g->across = n;
        return NULL;
    }
    g->delivered += n;
    ++b->times;
    return take_from_block(g, n);
}

/* Copies n numbers out of blocks. */
static int copy_from_blocks(struct gpu_backend *g, char *out, size_t n)
{
    while (n > 0) {
        if (g->left == 0 && !go_to_next_block(g))
            return 0;
        const size_t count = n < g->left ? n : g->left, bytes = count * g->size;
        ranmar_copy_by_threads(out, take_from_block(g, count), bytes, g->options.threads);
        out += bytes;
        n -= count;
    }
    return 1;
}

/* --- The back end --- */

/* Chooses how a request is served, and writes whether the devices can write to its memory. For more
 * than half a block, a copy by the GPU to memory that it can write to is faster than one by the CPU
 * out of a block (H200, 10^6 numbers to pinned memory: 5.8 against 2.5 * 10^9 a second). But the
 * next draw in place would need the blocks again. Other memory is filled by the CPU in any case,
 * best from a block that was made ahead; a lone block is not. */
static int choose_mode(struct gpu_backend *g, struct ranmar_states *states, uint64_t position,
                       const void *out, size_t n, int *mode, int *writable)
{
    *mode = AHEAD;
    *writable = 0;
    if (n <= RANMAR_BUFFER || n <= g->block / 2)
        return 1;
    if (g->opened == 0 && !deliver_from(g, states, position, AT_ONCE))
        return 0;
    if (!checked(g, g->plugin->is_writable(g->devices[0].handle, out, n * g->size, writable)))
        return 0;
    if (n != g->across && (*writable || g->blocks == 1 || n > g->block))
        *mode = AT_ONCE;
    return 1;
}

static void fill_by_gpu(struct ranmar_backend *b, struct ranmar_states *states, uint64_t position,
                        void *out, size_t n)
{
    struct gpu_backend *const g = (struct gpu_backend *)b;
    int mode, writable;
    if (find_gpus(g) && choose_mode(g, states, position, out, n, &mode, &writable)) {
        g->across = 0;
        if (deliver_from(g, states, position, mode) &&
            checked(g,
                    mode == AHEAD ? copy_from_blocks(g, out, n) : fill_now(g, out, n, writable))) {
            g->delivered += n;
            ++b->times;
            return;
        }
    }
    b->next->fill(b->next, states, position, out, n);
}

static void close_gpu_backend(struct ranmar_backend *b)
{
    drop((struct gpu_backend *)b);
    free(b);
}

struct ranmar_backend *ranmar_gpu_backend(const gpuranmar_options *options)
{
    struct gpu_backend *const g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->calls = (struct ranmar_backend){.fill = fill_by_gpu,
                                       .in_place = give_from_block,
                                       .close = close_gpu_backend,
                                       .name = ranmar_backend_name(options->backend)};
    g->options = *options;
    g->interleave.instances = (uint64_t)options->instances;
    g->interleave.block = (uint64_t)options->prefetch;
    g->size = ranmar_number_size(ranmar_flavour(options->flavour));
    return &g->calls;
}
