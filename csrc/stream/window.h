/* A window: numbers of a sequence that are made and not delivered yet. They end at a fixed address,
 * so the count of those left locates the next one. A stream's cache is a window, and so are the
 * arrays of COMMON /GRNCOM/. The owner of a window provides its memory and fills it. */
#ifndef RANMAR_WINDOW_H
#define RANMAR_WINDOW_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct ranmar_window {
    int32_t *pos;    /* minus how many numbers are left; patched Fortran code counts it up */
    const char *end; /* where the last number ends */
    size_t size;     /* bytes of a number */
    uint64_t made;   /* the position behind the last number */
};

/* How many numbers are left. */
static inline size_t ranmar_window_left(const struct ranmar_window *w)
{
    return -(size_t)*w->pos;
}

/* The address of the next number, if any is left. */
static inline const char *ranmar_window_next(const struct ranmar_window *w)
{
    return w->end - ranmar_window_left(w) * w->size;
}

/* The position of the next number. */
static inline uint64_t ranmar_window_position(const struct ranmar_window *w)
{
    return w->made - ranmar_window_left(w);
}

/* Counts n numbers, of those left, as delivered. A negative n takes them back. */
static inline void ranmar_window_move(struct ranmar_window *w, int64_t n)
{
    *w->pos += (int32_t)n;
}

/* Copies up to n numbers to out and counts them as delivered; returns how many. Inlined, because
 * most draws do little else. */
__attribute__((always_inline)) static inline size_t ranmar_window_take(struct ranmar_window *w,
                                                                       void *out, size_t n)
{
    const size_t left = ranmar_window_left(w), count = n < left ? n : left;
    if (count > 0) {
        memcpy(out, ranmar_window_next(w), count * w->size);
        ranmar_window_move(w, (int64_t)count);
    }
    return count;
}

/* Sets the numbers that are left: n, up to `end` in memory and up to position `made`. */
static inline void ranmar_window_set(struct ranmar_window *w, const char *end, uint64_t made,
                                     size_t n)
{
    w->end = end;
    w->made = made;
    *w->pos = -(int32_t)n;
}

#endif
