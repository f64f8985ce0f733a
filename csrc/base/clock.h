/* The clock by which durations are measured. */
#ifndef RANMAR_CLOCK_H
#define RANMAR_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds since some moment, by a clock that is never set back. A call takes 20 to 40 ns. */
static inline int64_t ranmar_nanoseconds(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

#endif
