/* A plugin: the devices of a GPU back end, as a table of calls. cuda/plugin.cu and
 * opencl/plugin.c are plugins; the GPU's back end (gpu_backend.c) calls them.
 *
 * The work of a device is queued, in order; calls return when it is queued. A call that fails
 * returns 0 or NULL, and error() has a line about it. After a failure only finish(), release() and
 * close() may be called for that device. */
#ifndef RANMAR_PLUGIN_H
#define RANMAR_PLUGIN_H

#include <stddef.h>

#include "definition/interleave.h"

/* Raise this whenever this file or any random number changes: plugin and library must agree. */
#define RANMAR_PLUGIN_ABI 11

enum { RANMAR_PLUGIN_ERROR = 256 }; /* bytes of a line about an error, or of a device's name */

/* There are two slots for pieces: one is made while the other is copied. There are three blocks of
 * numbers made ahead: one is in use, one is copied, and one is made. Each slot and block has an
 * event to wait for its work, and one event is for all work. */
enum {
    RANMAR_SLOTS = 2,
    RANMAR_BLOCKS = 3,
    RANMAR_EVENT_OF_BLOCK = RANMAR_SLOTS,
    RANMAR_EVENT_OF_ALL = RANMAR_SLOTS + RANMAR_BLOCKS,
    RANMAR_EVENTS
};

/* The largest piece has 2^22 numbers, 32 MB in double precision: the start of so long a copy costs
 * next to nothing. From an H200 to pinned memory (measure-cuda) a request for 10^8 numbers takes
 * 0.146 ns a number, with pieces of 2^20 numbers 0.147 ns, and with pieces of 2^18 0.151 ns. A
 * request for 10^6 takes 0.175 ns a number, with pieces of 2^24 0.30 ns. A request up to the short
 * piece, 2^17 numbers, gains nothing by further devices. A kernel that writes a short piece
 * straight to host memory is faster than a kernel and a copy. */
#ifndef RANMAR_PIECE_BITS /* the tests on the CPU make small pieces */
#define RANMAR_PIECE_BITS 22
#endif
#define RANMAR_LARGEST_PIECE ((size_t)1 << RANMAR_PIECE_BITS)
#define RANMAR_SHORT_PIECE(largest) ((largest) >> 5)

/* One device, as a stream uses it. */
struct ranmar_device;

struct ranmar_plugin {
    size_t largest_piece; /* the most numbers of a call of make() */

    /* The line on the last error of this thread. */
    const char *(*error)(void);

    /* Writes the name of device `number`, counted from 0. Returns 0 if there is no such device.
     * Then error() is "" or, if there is no device at all, says why. */
    int (*name)(int number, char *name, size_t size);

    /* Writes how many devices this process may use, and number and name of the first. `wanted` is
     * GPURANMAR_DEVICE, or empty. */
    int (*count)(const char *wanted, int *devices, int *first, char *name, size_t size);

    /* Opens the index'th of these devices for the numbers of a stream. */
    struct ranmar_device *(*open)(int index, int flavour, struct ranmar_interleave interleave);

    /* Waits until nothing is written to host memory any more, also after an error. */
    void (*finish)(struct ranmar_device *d);
    /* Frees all that the device holds for the stream. Call finish() first. */
    void (*close)(struct ranmar_device *d);

    /* Host memory that every device can write to, and giving it back (NULL is allowed). */
    void *(*allocate)(struct ranmar_device *d, size_t bytes);
    void (*release)(struct ranmar_device *d, void *memory);

    /* Writes whether the devices can write to memory of the program. */
    int (*is_writable)(struct ranmar_device *d, const void *memory, size_t bytes, int *writable);

    /* Goes on from states of the instances, which are those at the position. */
    int (*set)(struct ranmar_device *d, const struct ranmar_state *states, uint64_t position);

    /* Queues n = 1..largest_piece numbers to host memory, through the slot's device memory if they
     * are copied. `position` must not be before the position that the device has reached. */
    int (*make)(struct ranmar_device *d, int slot, uint64_t position, size_t n, void *to);

    /* Records event 0..RANMAR_EVENTS-1 behind the work queued so far; waits until the work before
     * an event is done. */
    int (*record)(struct ranmar_device *d, int event);
    int (*wait)(struct ranmar_device *d, int event);
};

/* The table of a plugin whose functions have these names. */
#define RANMAR_PLUGIN_TABLE                                                                 \
    {                                                                                       \
        RANMAR_LARGEST_PIECE, ranmar_device_error, name_device, count, open_device, finish, \
            close_device, allocate, release, is_writable, set, make, record, wait_for       \
    }

/* The function by which the library finds a plugin, ranmar_cuda_plugin() in libgpuranmar_cuda.so
 * and ranmar_opencl_plugin() in libgpuranmar_opencl.so. The function returns NULL unless the
 * plugin has this ABI. */
typedef const struct ranmar_plugin *ranmar_plugin_entry(int abi);
extern ranmar_plugin_entry ranmar_cuda_plugin, ranmar_opencl_plugin;

/* The plugin of a GPU back end of enum gpuranmar_backend, which is loaded when it is first asked
 * for; NULL if there is none that can be used. `text` says where it was found, or why not. */
const struct ranmar_plugin *ranmar_find_plugin(int backend, const char **text);

/* The back end's name in a sentence, "CUDA" or "OpenCL". */
const char *ranmar_backend_title(int backend);

#endif
