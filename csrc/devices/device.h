/* A device as delivery.c uses it: a small table of calls. CUDA's is cuda/plugin.cu, OpenCL's
 * csrc/devices/opencl.c.
 *
 * The work of a device is queued, in order; calls return when it is queued. A call that fails
 * returns 0 or NULL, and keeps a line on it (error.h). After that only finish(), release() and
 * close() may be called. */
#ifndef RANMAR_DEVICE_H
#define RANMAR_DEVICE_H

#include <stddef.h>

#include "definition/interleave.h"
#include "stream/plugin.h"

/* Of two slots for pieces, one is being made and one is being copied. Of three groups of blocks,
 * one is in use, one is on its way, and one is being made. What is queued can be marked, to wait
 * for it: by slot, by group, and for all of it. */
enum {
    RANMAR_SLOTS = 2,
    RANMAR_GROUPS = 3,
    RANMAR_MARK_OF_GROUP = RANMAR_SLOTS,
    RANMAR_MARK_OF_ALL = RANMAR_SLOTS + RANMAR_GROUPS,
    RANMAR_MARKS
};

/* The most numbers of one call of make(), 2^22, 32 MB in double precision: long enough that
 * starting a copy costs nothing beside it. */
#ifndef RANMAR_PIECE_BITS /* the tests on the CPU make small pieces */
#define RANMAR_PIECE_BITS 22
#endif
#define RANMAR_LARGEST_PIECE ((size_t)1 << RANMAR_PIECE_BITS)
/* Up to so many numbers, 2^17, further devices would not help; and a kernel that writes straight to
 * host memory, where a device can, is faster than a kernel and a copy. */
#define RANMAR_SHORT_PIECE (RANMAR_LARGEST_PIECE >> 5)

/* One device, as a stream uses it. */
struct ranmar_device;

struct ranmar_device_calls {
    /* Writes how many devices this process may use, and the first one's name. `wanted` is
     * GPURANMAR_DEVICE, or empty. */
    int (*count)(const char *wanted, int *devices, char *name, size_t size);

    /* Opens device 0..count-1 for the numbers of a stream. */
    struct ranmar_device *(*open)(int number, int flavour, struct ranmar_interleave interleave);

    /* Waits until nothing is written to host memory any more, also after an error. */
    void (*finish)(struct ranmar_device *d);
    /* Gives all back that the device has for the stream, after finish(). */
    void (*close)(struct ranmar_device *d);

    /* Host memory that every device can write to, and giving it back (NULL is allowed). */
    void *(*allocate)(struct ranmar_device *d, size_t bytes);
    void (*release)(struct ranmar_device *d, void *memory);

    /* Writes whether the devices can write to memory of the program. */
    int (*is_writable)(struct ranmar_device *d, const void *memory, size_t bytes, int *is);

    /* Goes on from states of the instances, which are those at the position. */
    int (*set)(struct ranmar_device *d, const struct ranmar_state *states, uint64_t position);

    /* Queues the making of n = 1..RANMAR_LARGEST_PIECE numbers from a position on, which must not
     * be behind, in the device's memory of a slot, and their copy to host memory. */
    int (*make)(struct ranmar_device *d, int slot, uint64_t position, size_t n, void *to);

    /* Marks what is queued so far, 0..RANMAR_MARKS-1; and waits until all of it has arrived. */
    int (*mark)(struct ranmar_device *d, int mark);
    int (*wait)(struct ranmar_device *d, int mark);
};

/* Whether a device is wanted: GPURANMAR_DEVICE is its number, or a part of its name that is not a
 * number, or empty. */
int ranmar_device_is_wanted(const char *wanted, int number, const char *name);

/* The calls of struct ranmar_plugin, the same for all devices; open() is told which table. */
struct ranmar_gpu_maker *ranmar_delivery_open(const struct ranmar_device_calls *calls,
                                              const struct ranmar_gpu_maker_options *options,
                                              char *error);
void ranmar_delivery_close(struct ranmar_gpu_maker *m);
int ranmar_delivery_set(struct ranmar_gpu_maker *m, const struct ranmar_state *states,
                        uint64_t position, char *error);
int ranmar_delivery_fill(struct ranmar_gpu_maker *m, void *out, size_t n, char *error);
const void *ranmar_delivery_block(struct ranmar_gpu_maker *m, char *error);
const char *ranmar_delivery_describe(const struct ranmar_gpu_maker *m);

/* A struct ranmar_plugin of these calls and what each back end has of its own: its open() with its
 * table of calls, and what finds and measures devices. */
#define RANMAR_DELIVERY_PLUGIN(open, device, chosen, measure)                        \
    {                                                                                \
        open, ranmar_delivery_close, ranmar_delivery_set, ranmar_delivery_fill,      \
            ranmar_delivery_block, ranmar_delivery_describe, device, chosen, measure \
    }

#endif
