/* The clock by which durations are measured. */
#ifndef RANMAR_CLOCK_H
#define RANMAR_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds of a clock of the system. To read it takes 20 to 40 ns. */
static inline int64_t ranmar_nanoseconds_of(clockid_t clock)
{
    struct timespec t = {0};
    clock_gettime(clock, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* Nanoseconds since some moment, by a clock that is never set back. */
static inline int64_t ranmar_nanoseconds(void)
{
    return ranmar_nanoseconds_of(CLOCK_MONOTONIC);
}

#endif
