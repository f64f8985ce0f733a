/* GPURANMAR_VERBOSE: lines on standard error that tell what the library does. The user guide has
 * the form of the lines on delivered numbers, which other programs read. */
#ifndef RANMAR_VERBOSE_H
#define RANMAR_VERBOSE_H

#include <stdint.h>

struct gpuranmar_stream;

/* Writes one line, made as by printf, if GPURANMAR_VERBOSE is set. */
__attribute__((format(printf, 1, 2))) void ranmar_note(const char *format, ...);

/* Which numbers of a stream the program has received. */
struct ranmar_delivered {
    struct gpuranmar_stream *next; /* in the list of open streams */
    int id;                        /* of a numbered sequence, else 0 */
    uint64_t from;                 /* the fields below have counted up to this position */
    uint64_t numbers, lowest, end; /* how many, and the range in which they lie */
};

/* Call begin() when a stream is open, and end() before it is closed or replaced. end() writes the
 * stream's line; a second end() does nothing. */
void ranmar_delivered_begin(struct gpuranmar_stream *s);
void ranmar_delivered_end(struct gpuranmar_stream *s);

/* Call this before the stream goes to a position other than by delivering numbers. */
void ranmar_delivered_move(struct gpuranmar_stream *s, uint64_t position);

#endif
