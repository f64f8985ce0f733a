/* One stream of numbers, made on all devices that may be used and delivered to host memory;
 * device.h has what it needs of a device.
 *
 * The stream is cut into pieces, which the devices make in turn; each device skips what the
 * others make. A device makes its next piece while the last one is being copied. */
#define _GNU_SOURCE /* strcasestr */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "definition/flavour.h"
#include "devices/device.h"
#include "devices/error.h"

/* Blocks are made in groups of about so many numbers, 2^20: shorter copies would be slower. */
#define GROUP_OF_BLOCKS (RANMAR_LARGEST_PIECE >> 2)
/* Groups above 2^24 numbers, 128 MB in double precision, are made one at a time, when they are
 * asked for: three of them would be more pinned memory than the program can expect. */
#define LONGEST_AHEAD (RANMAR_LARGEST_PIECE << 2)

/* A device with host memory for pieces on their way to memory that it cannot write to. */
struct lane {
    struct ranmar_device *device;
    void *staging[RANMAR_SLOTS];
    size_t staged; /* numbers that each of them has room for */
};

struct ranmar_gpu_maker {
    const struct ranmar_device_calls *calls;
    struct ranmar_gpu_maker_options options;
    size_t size;        /* bytes of a number */
    size_t devices;     /* how many may be used */
    struct lane *lanes; /* opened as they are needed */
    size_t lanes_count;
    struct ranmar_state *states; /* of the last set(); has_states is 0 before it */
    int has_states;
    uint64_t states_position, position;
    size_t pieces, piece_length;       /* of the request at hand */
    size_t first_slot;                 /* of each lane, for the request's first piece */
    size_t group;                      /* how many numbers a group has: whole blocks */
    int groups;                        /* how many take turns: RANMAR_GROUPS, or 1 */
    void *group_memory[RANMAR_GROUPS]; /* that the devices can write to */
    int next_group;                    /* which is delivered next; -1 before the first */
    const char *next;                  /* the block to be delivered next */
    size_t left;                       /* numbers of its group from there on */
    char description[160];
};

/* A piece of a request: who makes it, and where. */
struct piece {
    struct lane *by;
    int slot;
    size_t begin, length;
};

int ranmar_device_is_wanted(const char *wanted, int number, const char *name)
{
    char digits[16];
    snprintf(digits, sizeof digits, "%d", number);
    if (strspn(wanted, "0123456789") == strlen(wanted)) /* "1" is a part of "H100" too */
        return !*wanted || strcmp(wanted, digits) == 0;
    return strcasestr(name, wanted) != NULL;
}

/* Ends a call of the plugin: if it failed, with the line on the error. */
static int result(int good, char *error)
{
    if (!good)
        snprintf(error, RANMAR_PLUGIN_ERROR, "%s", ranmar_device_error());
    return good;
}

static int open_lane(struct ranmar_gpu_maker *m)
{
    struct lane *const l = &m->lanes[m->lanes_count];
    l->device = m->calls->open((int)m->lanes_count, m->options.flavour, m->options.interleave);
    if (!l->device)
        return 0;
    ++m->lanes_count;
    return !m->has_states || m->calls->set(l->device, m->states, m->states_position);
}

/* Finds the devices. Interleaved instances do not move on evenly, so that no device could skip what
 * others make: one device makes them all. */
static int find_devices(struct ranmar_gpu_maker *m)
{
    char name[128];
    int devices;
    if (!m->calls->count(m->options.device, &devices, name, sizeof name))
        return 0;
    snprintf(m->description, sizeof m->description, "%d x %s", devices, name);
    m->devices = m->options.interleave.instances > 1 ? 1 : (size_t)devices;
    return 1;
}

struct ranmar_gpu_maker *ranmar_delivery_open(const struct ranmar_device_calls *calls,
                                              const struct ranmar_gpu_maker_options *options,
                                              char *error)
{
    snprintf(error, RANMAR_PLUGIN_ERROR, "out of memory");
    struct ranmar_gpu_maker *const m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->calls = calls;
    m->options = *options;
    m->size = ranmar_number_size(ranmar_flavour(options->flavour));
    m->group = options->prefetch;
    if (m->group < GROUP_OF_BLOCKS)
        m->group *= GROUP_OF_BLOCKS / m->group;
    m->groups = m->group <= LONGEST_AHEAD ? RANMAR_GROUPS : 1;
    m->next_group = -1;
    int good = result(find_devices(m), error);
    if (good) {
        m->lanes = calloc(m->devices, sizeof *m->lanes);
        m->states = malloc((size_t)options->interleave.instances * sizeof *m->states);
        good = m->lanes && m->states && result(open_lane(m), error);
    }
    if (good)
        return m;
    ranmar_delivery_close(m);
    return NULL;
}

/* This is called after an error too: what was not made is then null. */
void ranmar_delivery_close(struct ranmar_gpu_maker *m)
{
    for (size_t i = 0; i < m->lanes_count; ++i)
        m->calls->finish(m->lanes[i].device);
    for (int g = 0; g < RANMAR_GROUPS && m->lanes_count > 0; ++g)
        m->calls->release(m->lanes[0].device, m->group_memory[g]);
    for (size_t i = 0; i < m->lanes_count; ++i) {
        for (int slot = 0; slot < RANMAR_SLOTS; ++slot)
            m->calls->release(m->lanes[i].device, m->lanes[i].staging[slot]);
        m->calls->close(m->lanes[i].device);
    }
    free(m->lanes);
    free(m->states);
    free(m);
}

/* Marks, or waits for what is marked, on all devices in use. */
static int on_all(struct ranmar_gpu_maker *m, int (*call)(struct ranmar_device *, int), int mark)
{
    for (size_t i = 0; i < m->lanes_count; ++i)
        if (!call(m->lanes[i].device, mark))
            return 0;
    return 1;
}

/* Waits until all that is queued has arrived. */
static int wait_for_all(struct ranmar_gpu_maker *m)
{
    return on_all(m, m->calls->mark, RANMAR_MARK_OF_ALL) &&
           on_all(m, m->calls->wait, RANMAR_MARK_OF_ALL);
}

static int set_states(struct ranmar_gpu_maker *m, const struct ranmar_state *states,
                      uint64_t position)
{
    if (m->next_group >= 0 && !wait_for_all(m))
        return 0;
    m->next_group = -1;
    m->left = 0;
    memcpy(m->states, states, (size_t)m->options.interleave.instances * sizeof *states);
    m->has_states = 1;
    m->states_position = m->position = position;
    for (size_t i = 0; i < m->lanes_count; ++i)
        if (!m->calls->set(m->lanes[i].device, states, position))
            return 0;
    return 1;
}

int ranmar_delivery_set(struct ranmar_gpu_maker *m, const struct ranmar_state *states,
                        uint64_t position, char *error)
{
    return result(set_states(m, states, position), error);
}

/* Makes room for staging `numbers` in each slot of a device. */
static int reserve(struct ranmar_gpu_maker *m, struct lane *l, size_t numbers)
{
    if (l->staged >= numbers)
        return 1;
    l->staged = 0;
    for (int slot = 0; slot < RANMAR_SLOTS; ++slot) {
        m->calls->release(l->device, l->staging[slot]);
        l->staging[slot] = m->calls->allocate(l->device, numbers * m->size);
        if (!l->staging[slot])
            return 0;
    }
    l->staged = numbers;
    return 1;
}

/* Cuts a request of n numbers into pieces and opens the devices for it, with memory to stage them
 * if they are to be `staged`. */
static int prepare(struct ranmar_gpu_maker *m, size_t n, int staged)
{
    const size_t even = (n + m->devices - 1) / m->devices;
    m->piece_length = even > RANMAR_SHORT_PIECE ? even : RANMAR_SHORT_PIECE;
    if (m->piece_length > RANMAR_LARGEST_PIECE)
        m->piece_length = RANMAR_LARGEST_PIECE;
    m->pieces = (n + m->piece_length - 1) / m->piece_length;
    while (m->lanes_count < m->devices && m->lanes_count < m->pieces)
        if (!open_lane(m))
            return 0;
    for (size_t i = 0; staged && i < m->lanes_count && i < m->pieces; ++i)
        if (!reserve(m, &m->lanes[i], m->piece_length))
            return 0;
    return 1;
}

static struct piece piece_of(struct ranmar_gpu_maker *m, size_t index, size_t n)
{
    struct piece p;
    p.by = &m->lanes[index % m->lanes_count];
    p.slot = (int)((m->first_slot + index / m->lanes_count) % RANMAR_SLOTS);
    p.begin = index * m->piece_length;
    p.length = n - p.begin < m->piece_length ? n - p.begin : m->piece_length;
    return p;
}

static int make(struct ranmar_gpu_maker *m, struct piece p, void *to)
{
    return m->calls->make(p.by->device, p.slot, m->position + p.begin, p.length, to);
}

/* The next request begins with the slot after the last one that this request used. */
static void end_request(struct ranmar_gpu_maker *m, size_t n)
{
    m->first_slot += (m->pieces + m->lanes_count - 1) / m->lanes_count;
    m->position += n;
}

/* Queues the making of n numbers in memory that the devices can write to. */
static int queue_all(struct ranmar_gpu_maker *m, char *out, size_t n)
{
    if (!prepare(m, n, 0))
        return 0;
    for (size_t i = 0; i < m->pieces; ++i) {
        const struct piece p = piece_of(m, i, n);
        if (!make(m, p, out + p.begin * m->size))
            return 0;
    }
    end_request(m, n);
    return 1;
}

/* Fills memory that the devices cannot write to, by way of memory that they can, which is emptied
 * while the next pieces are on their way. */
static int fill_staged(struct ranmar_gpu_maker *m, char *out, size_t n)
{
    if (!prepare(m, n, 1))
        return 0;
    const size_t ahead = RANMAR_SLOTS * m->lanes_count;
    for (size_t i = 0; i < m->pieces + ahead; ++i) {
        if (i >= ahead) {
            const struct piece p = piece_of(m, i - ahead, n);
            if (!m->calls->wait(p.by->device, p.slot))
                return 0;
            m->options.copy(out + p.begin * m->size, p.by->staging[p.slot], p.length * m->size,
                            m->options.threads);
        }
        if (i < m->pieces) {
            const struct piece p = piece_of(m, i, n);
            if (!make(m, p, p.by->staging[p.slot]) || !m->calls->mark(p.by->device, p.slot))
                return 0;
        }
    }
    end_request(m, n);
    return 1;
}

int ranmar_delivery_fill(struct ranmar_gpu_maker *m, void *out, size_t n, char *error)
{
    int direct;
    if (n == 0)
        return 1;
    return result(m->calls->is_writable(m->lanes[0].device, out, n * m->size, &direct) &&
                      (direct ? queue_all(m, out, n) && wait_for_all(m) : fill_staged(m, out, n)),
                  error);
}

/* Queues the making of a group of blocks. */
static int queue_group(struct ranmar_gpu_maker *m, int g)
{
    if (!m->group_memory[g])
        m->group_memory[g] = m->calls->allocate(m->lanes[0].device, m->group * m->size);
    return m->group_memory[g] && queue_all(m, m->group_memory[g], m->group) &&
           on_all(m, m->calls->mark, RANMAR_MARK_OF_GROUP + g);
}

/* Goes on to the next group, and queues the making of another in the memory of the group that the
 * caller has just used up. */
static int go_to_next_group(struct ranmar_gpu_maker *m)
{
    if (m->next_group < 0) {
        m->next_group = 0;
        for (int g = 0; g < m->groups - 1; ++g)
            if (!queue_group(m, g))
                return 0;
    }
    if (!queue_group(m, (m->next_group + m->groups - 1) % m->groups) ||
        !on_all(m, m->calls->wait, RANMAR_MARK_OF_GROUP + m->next_group))
        return 0;
    m->next = m->group_memory[m->next_group];
    m->left = m->group;
    m->next_group = (m->next_group + 1) % m->groups;
    return 1;
}

const void *ranmar_delivery_block(struct ranmar_gpu_maker *m, char *error)
{
    if (m->left == 0 && !result(go_to_next_group(m), error))
        return NULL;
    const void *const numbers = m->next;
    m->next += m->options.prefetch * m->size;
    m->left -= m->options.prefetch;
    return numbers;
}

const char *ranmar_delivery_describe(const struct ranmar_gpu_maker *m)
{
    return m->description;
}
