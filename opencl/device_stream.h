/* A stream of numbers on an OpenCL device, which keeps the states of its instances. Functions queue
 * work and do not wait for its end. They return 0, with ranmar_device_error(), if work could not be
 * queued. */
#ifndef RANMAR_CL_DEVICE_STREAM_H
#define RANMAR_CL_DEVICE_STREAM_H

#include "definition/interleave.h"
#include "program.h"

struct ranmar_cl_stream {
    const struct ranmar_cl_program *program;
    struct ranmar_interleave interleave;
    cl_kernel kernel, state_kernel;
    cl_mem states[2];  /* double-buffered: a fill reads one set and writes the other */
    int current;       /* which set has the states at `position` */
    uint64_t position; /* after all that is queued */
};

/* The struct must be zeroed. The stream has no position before set(). */
int ranmar_cl_stream_open(struct ranmar_cl_stream *s, cl_context context, cl_device_id device,
                          const struct ranmar_flavour *flavour,
                          struct ranmar_interleave interleave);
/* Call it also after open() has failed. OpenCL frees the memory when queued work is done. */
void ranmar_cl_stream_close(struct ranmar_cl_stream *s);

/* Goes on from the instances' states at the position. The caller may change `states` after the
 * call. */
int ranmar_cl_stream_set(struct ranmar_cl_stream *s, const struct ranmar_state *states,
                         uint64_t position);

/* Queues the n numbers from a position on.
 *   queue     in order, and the same in all calls
 *   out, at   the buffer, and the index of the first number there
 *   position  not before the stream's own; with several instances equal to it
 *   waits, wait_for   the events to wait for
 *   done      set to the work's event, unless it is NULL */
int ranmar_cl_stream_fill(struct ranmar_cl_stream *s, cl_command_queue queue, cl_mem out, size_t at,
                          uint64_t position, size_t n, cl_uint waits, const cl_event *wait_for,
                          cl_event *done);

/* Queues `count` states, `distance` numbers apart from a position on, to `out`, and moves on by all
 * of them. Only for one instance. */
int ranmar_cl_stream_write_states(struct ranmar_cl_stream *s, cl_command_queue queue, cl_mem out,
                                  uint64_t position, size_t count, uint64_t distance);

#endif
