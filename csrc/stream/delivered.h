/* Which numbers of a stream the program has received, for the stream's line in the log. The user
 * guide has the form of the line, which other programs read. */
#ifndef RANMAR_DELIVERED_H
#define RANMAR_DELIVERED_H

#include "backends/backend.h"
#include "stream/buffer.h"

struct ranmar_delivered {
    /* Of the stream: */
    const gpuranmar_options *options;
    const struct ranmar_buffer *buffer;
    struct ranmar_backend *backend; /* the first */
    int id;                         /* of a numbered sequence, else 0 */

    struct ranmar_delivered *next; /* in the list of open streams */
    uint64_t from;                 /* the fields below have counted up to this position */
    uint64_t numbers, lowest, end; /* how many, and the range in which they lie */
};

/* Call begin() when a stream is open, and end() before it is closed or replaced. end() writes the
 * stream's line; a second end() does nothing. */
void ranmar_delivered_begin(struct ranmar_delivered *d);
void ranmar_delivered_end(struct ranmar_delivered *d);

/* Call this before the stream goes to a position other than by delivering numbers. */
void ranmar_delivered_move(struct ranmar_delivered *d, uint64_t position);

#endif
