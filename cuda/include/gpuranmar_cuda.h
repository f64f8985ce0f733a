/* RANMAR on NVIDIA GPUs, in the manner of cuRAND's host interface: the host calls functions that
 * fill device memory. They queue their work on a CUDA stream that the caller chooses, in order with
 * the caller's other work there. For numbers inside kernels see gpuranmar_device.cuh.
 *
 * Link with -lgpuranmar_cuda; or, statically, with libgpuranmar_cuda.a and -lcudart_static
 * -lstdc++ -ldl -lrt -lpthread. A program that is linked with libgpuranmar.a too and wants
 * its streams on the GPU adds -Wl,-u,ranmar_cuda_plugin.
 *
 * A generator belongs to the device that is current when it is created, and works there whichever
 * is current later. The numbers are those that a gpuranmar_stream with the same seed, flavour,
 * instances and position delivers, bit for bit.
 *
 * Threads: calls for one generator must not overlap; different generators are independent.
 *
 * Graphs: gpuranmar_cuda_generate_* and gpuranmar_cuda_states may be captured into a CUDA graph.
 * The generator's state is on the device, so that every replay goes on with the sequence, in the
 * order in which replays and other calls run there. The program has to keep that order: replays on
 * other streams than the generator's need events, and a graph must not be replayed after
 * gpuranmar_cuda_set_instances or gpuranmar_cuda_destroy. Calls that set the seed, the position or
 * the instances, or ask for the position, return GPURANMAR_NO_BACKEND if the generator's stream is
 * in capture; so does gpuranmar_cuda_set_stream if the new stream is. The capture goes on.
 *
 * All functions return a value of enum gpuranmar_error (gpuranmar.h): GPURANMAR_OK,
 * GPURANMAR_BAD_ARGUMENT, GPURANMAR_NO_MEMORY, or GPURANMAR_NO_BACKEND for an error of CUDA's. If
 * not OK, gpuranmar_cuda_last_error() has a line on it, and the generator keeps its position. As
 * always with CUDA, later calls return the errors of queued work. An error that a call here returns
 * is not also left in cudaGetLastError(); one that the program left there stays.
 */
#ifndef GPURANMAR_CUDA_H
#define GPURANMAR_CUDA_H

#include <cuda_runtime_api.h>

#include "gpuranmar.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gpuranmar_cuda_generator gpuranmar_cuda_generator;

/* Makes a generator on the current device, with seed 54217137, at position 0, of one instance, on
 * the default stream.
 *   generator  set to the new generator, to be destroyed; untouched on error
 *   flavour    enum gpuranmar_flavour */
GPURANMAR_API int gpuranmar_cuda_create(gpuranmar_cuda_generator **generator, int flavour);

/* Ends a generator, after the work queued; NULL is allowed. */
GPURANMAR_API void gpuranmar_cuda_destroy(gpuranmar_cuda_generator *generator);

/* Sets the CUDA stream that later calls queue their work on. The new stream, but not the host,
 * waits until earlier calls are done with the generator's state. The old stream is not touched: it
 * may be destroyed, or in capture, and the graph keeps the calls captured so far. Let the new
 * stream wait for an event after the earlier calls if its work uses memory that they fill. */
GPURANMAR_API int gpuranmar_cuda_set_stream(gpuranmar_cuda_generator *generator,
                                            cudaStream_t stream);

/* Starts again at position 0, from a seed: IJKL = 30082*ij + kl, 0..942438977; in the keyed flavour
 * any 64 bits. */
GPURANMAR_API int gpuranmar_cuda_set_seed(gpuranmar_cuda_generator *generator, int64_t seed);

/* Goes on from a position, 0..2^63 numbers from the start; by jump-ahead, on the device. */
GPURANMAR_API int gpuranmar_cuda_set_position(gpuranmar_cuda_generator *generator,
                                              uint64_t position);

/* Starts again at position 0, as `instances` (1..30082) sequences interleaved in blocks of `block`
 * (1..10^9) numbers, as described at gpuranmar_options. */
GPURANMAR_API int gpuranmar_cuda_set_instances(gpuranmar_cuda_generator *generator,
                                               int64_t instances, int64_t block);

/* Writes the next n numbers, in (0,1), to device memory: float for the flavour SINGLE, double for
 * the others. n may be anything, and out may have any alignment that the type allows; aligned to 32
 * numbers is fastest. Returns when the work is queued. */
GPURANMAR_API int gpuranmar_cuda_generate_double(gpuranmar_cuda_generator *generator, double *out,
                                                 size_t n);
GPURANMAR_API int gpuranmar_cuda_generate_single(gpuranmar_cuda_generator *generator, float *out,
                                                 size_t n);

/* Cuts the sequence into segments for the warps of the caller's kernels: state s, 0..count-1, is
 * s * distance numbers after the generator's position. This adds count * distance to the position.
 * The generator must have one instance only.
 *   states    count states, of GPURANMAR_CUDA_STATE_SIZE bytes each, in device memory
 *   count     1..10^9
 *   distance  1..2^63 numbers: no warp may draw more, or it would repeat the next one's */
#define GPURANMAR_CUDA_STATE_SIZE 784
struct ranmar_state;
GPURANMAR_API int gpuranmar_cuda_states(gpuranmar_cuda_generator *generator,
                                        struct ranmar_state *states, size_t count,
                                        uint64_t distance);

/* The table of jumps for gpuranmar::skip() (gpuranmar_skip.cuh) in kernels on the generator's
 * device, for sequences of its flavour. It stays valid after the generator's end. */
GPURANMAR_API int gpuranmar_cuda_jumps(const gpuranmar_cuda_generator *generator,
                                       const uint64_t **jumps);

/* The position after all work queued so far. Once a call has been captured, only the device knows
 * how often it was replayed: from then on this waits for the generator's stream. */
GPURANMAR_API int gpuranmar_cuda_position(gpuranmar_cuda_generator *generator, uint64_t *position);

/* One line on the last error in this thread, "" before the first. */
GPURANMAR_API const char *gpuranmar_cuda_last_error(void);

/* The same for Fortran: into `line` of `size` bytes, filled up with blanks. */
GPURANMAR_API void gpuranmar_cuda_error(char *line, size_t size);

#ifdef __cplusplus
}
#endif

#endif
