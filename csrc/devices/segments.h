/* How a device cuts numbers into segments, for CUDA and OpenCL. */
#ifndef RANMAR_SEGMENTS_H
#define RANMAR_SEGMENTS_H

#include <stddef.h>
#include <stdint.h>

/* `segments` segments of `segment` numbers; the last may be shorter. */
struct ranmar_cut {
    uint64_t segment;
    size_t segments;
};

/* Whether `wanted` segments are so short that their jumps take longer than the numbers. */
static inline int ranmar_are_few(size_t wanted, uint64_t numbers, uint64_t shortest)
{
    return numbers < 2 * shortest * wanted;
}

/* Cuts numbers into about `wanted` segments, or half as many if there are few numbers, so that the
 * jumps take half the time. Segments are multiples of the shortest one, since such distances have
 * the fewest digits. In a segment shorter than that, the jump would cost more than the numbers.
 * Long segments are odd multiples: at distances of a power of two, groups would often write to the
 * same part of memory at once. */
static inline struct ranmar_cut ranmar_cut_among(size_t wanted, uint64_t numbers, uint64_t shortest)
{
    struct ranmar_cut c;
    if (ranmar_are_few(wanted, numbers, shortest))
        wanted = (wanted + 1) / 2;
    uint64_t units = (numbers + wanted * shortest - 1) / (wanted * shortest);
    if (units == 0)
        units = 1;
    if (units >= 16)
        units |= 1;
    c.segment = units * shortest;
    c.segments = (size_t)((numbers + c.segment - 1) / c.segment);
    if (c.segments == 0)
        c.segments = 1;
    return c;
}

#endif
