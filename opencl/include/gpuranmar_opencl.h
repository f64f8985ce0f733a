/* RANMAR on OpenCL devices: the host calls functions that fill buffers. They queue their work on a
 * command queue that the caller chooses, in order with the caller's other work there. For numbers
 * inside kernels see gpuranmar_device.cl. gpuranmar_cuda.h has the same for CUDA.
 *
 * Link with -lgpuranmar_opencl (pkg-config's gpuranmar-opencl, CMake's gpuranmar::opencl) and, for
 * your own calls of OpenCL, -lOpenCL. OpenCL 1.2 is enough; a device need not have doubles.
 *
 * The kernels are compiled when a flavour is first used on a device of a context. They and their
 * table of jumps stay as long as the process, and so does that context. The numbers are those that
 * a gpuranmar_stream with the same seed, flavour, instances and position delivers, bit for bit.
 *
 * Threads: calls for one generator must not overlap; different generators are independent. The
 * child of a process that has used OpenCL cannot use it. The calls refuse in the child if the
 * parent has used it by this library; the library cannot see other uses.
 *
 * All functions return a value of enum gpuranmar_error (gpuranmar.h): GPURANMAR_OK,
 * GPURANMAR_BAD_ARGUMENT, GPURANMAR_NO_MEMORY, or GPURANMAR_NO_BACKEND for an error of OpenCL's. If
 * not OK, gpuranmar_opencl_last_error() has a line on it, and the generator keeps its position. */
#ifndef GPURANMAR_OPENCL_H
#define GPURANMAR_OPENCL_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#include "gpuranmar.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gpuranmar_opencl_generator gpuranmar_opencl_generator;

/* Makes a generator for a queue's device, with seed 54217137, at position 0, of one instance.
 *   generator  set to the new generator, to be destroyed; untouched on error
 *   queue      one that executes in order; the generator retains it
 *   flavour    enum gpuranmar_flavour */
GPURANMAR_API int gpuranmar_opencl_create(gpuranmar_opencl_generator **generator,
                                          cl_command_queue queue, int flavour);

/* Ends a generator; NULL is allowed. Work that is queued is still done. */
GPURANMAR_API void gpuranmar_opencl_destroy(gpuranmar_opencl_generator *generator);

/* Sets the queue of later calls: an in-order queue of the same context and device. Work on it waits
 * until the work of earlier calls on the old queue is done; the host does not wait. */
GPURANMAR_API int gpuranmar_opencl_set_queue(gpuranmar_opencl_generator *generator,
                                             cl_command_queue queue);

/* Starts again at position 0, from a seed: IJKL = 30082*ij + kl, 0..942438977; in the keyed flavour
 * any 64 bits. */
GPURANMAR_API int gpuranmar_opencl_set_seed(gpuranmar_opencl_generator *generator, int64_t seed);

/* Goes on from a position, 0..2^63 numbers from the start; by jump-ahead. */
GPURANMAR_API int gpuranmar_opencl_set_position(gpuranmar_opencl_generator *generator,
                                                uint64_t position);

/* Starts again at position 0, as `instances` (1..30082) sequences interleaved in blocks of `block`
 * (1..10^9) numbers, as described at gpuranmar_options. */
GPURANMAR_API int gpuranmar_opencl_set_instances(gpuranmar_opencl_generator *generator,
                                                 int64_t instances, int64_t block);

/* Queues the next n numbers, in (0,1), to a buffer: floats for the flavour SINGLE, doubles for the
 * others. Refuses numbers past the buffer's end.
 *   out, offset   the first number is number `offset` of the buffer, counted from 0;
 *                 kernels must be allowed to write to the buffer
 *   n             any: with 0 only the waiting is queued, and `out` may be NULL
 *   waits, wait_for, event   as in clEnqueueNDRangeKernel: the events to wait for, and the event of
 *                            this work unless it is NULL
 *
 * If an event in `wait_for` fails, the numbers are not made, and `event` has the error. Later calls
 * then make nothing (on PoCL) or wrong numbers (OpenCL allows it). The generator does not learn of
 * the failure: set its position before you go on. */
GPURANMAR_API int gpuranmar_opencl_generate(gpuranmar_opencl_generator *generator, cl_mem out,
                                            size_t offset, size_t n, cl_uint waits,
                                            const cl_event *wait_for, cl_event *event);

/* Queues states for the caller's kernels, from which they make segments of the sequence: state s,
 * 0..count-1, is s * distance numbers after the generator's position. This adds count * distance
 * to the position. The generator must have one instance only.
 *   states    a buffer for count states, of GPURANMAR_OPENCL_STATE_SIZE bytes each
 *   count     1..10^9
 *   distance  1..2^63 numbers: no segment may draw more, or it would repeat the next one's */
#define GPURANMAR_OPENCL_STATE_SIZE 784
GPURANMAR_API int gpuranmar_opencl_states(gpuranmar_opencl_generator *generator, cl_mem states,
                                          size_t count, uint64_t distance);

/* The table of jumps for gpuranmar_skip() in kernels, for sequences of the generator's flavour in
 * its context. It is the library's, and stays valid after the generator's end. */
GPURANMAR_API int gpuranmar_opencl_jumps(const gpuranmar_opencl_generator *generator,
                                         cl_mem *jumps);

/* Writes the compiler options of programs that include gpuranmar_device.cl, for the generator's
 * flavour. The string has fewer than `size` bytes; a size of 512 is enough. */
GPURANMAR_API int gpuranmar_opencl_options(const gpuranmar_opencl_generator *generator,
                                           char *options, size_t size);

/* The position after all work queued so far. */
GPURANMAR_API int gpuranmar_opencl_position(const gpuranmar_opencl_generator *generator,
                                            uint64_t *position);

/* One line on the last error in this thread, "" before the first. */
GPURANMAR_API const char *gpuranmar_opencl_last_error(void);

#ifdef __cplusplus
}
#endif

#endif
