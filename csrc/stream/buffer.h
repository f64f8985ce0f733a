/* The buffer of a stream: numbers that are made and not delivered yet. They end at a fixed address,
 * so the count of those left locates the next one. The buffer of a numbered sequence is in the
 * Fortran COMMON /GRNCOM/. */
#ifndef RANMAR_BUFFER_H
#define RANMAR_BUFFER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/ranges.h"

struct ranmar_buffer {
    int32_t *pos;  /* minus how many numbers are left; patched Fortran code counts it up */
    char *end;     /* where the last number ends; NULL before the buffer has memory */
    size_t room;   /* how many numbers fit */
    size_t size;   /* bytes of a number */
    uint64_t made; /* the position behind the last number */
};

/* How many numbers are left. */
static inline size_t ranmar_buffer_left(const struct ranmar_buffer *b)
{
    return -(size_t)*b->pos;
}

/* The address of the next number, if any is left. */
static inline const char *ranmar_buffer_next(const struct ranmar_buffer *b)
{
    return b->end - ranmar_buffer_left(b) * b->size;
}

/* The position of the next number. */
static inline uint64_t ranmar_buffer_position(const struct ranmar_buffer *b)
{
    return b->made - ranmar_buffer_left(b);
}

/* Counts n numbers, of those left, as delivered. A negative n takes them back. */
static inline void ranmar_buffer_move(struct ranmar_buffer *b, int64_t n)
{
    *b->pos += (int32_t)n;
}

/* Copies up to n numbers to out and counts them as delivered; returns how many. Inlined, because
 * most draws do little else. */
__attribute__((always_inline)) static inline size_t ranmar_buffer_take(struct ranmar_buffer *b,
                                                                       void *out, size_t n)
{
    const size_t left = ranmar_buffer_left(b), count = n < left ? n : left;
    if (count > 0) {
        memcpy(out, ranmar_buffer_next(b), count * b->size);
        ranmar_buffer_move(b, (int64_t)count);
    }
    return count;
}

/* Gives an empty buffer its memory, which begins b->room numbers before `end`, and its *pos. */
static inline void ranmar_buffer_place(struct ranmar_buffer *b, char *end, int32_t *pos)
{
    b->end = end;
    b->pos = pos;
    *pos = 0;
}

/* Drops the numbers that are left. The next one to be made is at a position. */
static inline void ranmar_buffer_empty(struct ranmar_buffer *b, uint64_t position)
{
    b->made = position;
    *b->pos = 0;
}

#endif
