/* The ranges of arguments and settings, and the checks of arguments. */
#ifndef RANMAR_RANGES_H
#define RANMAR_RANGES_H

#include <stdint.h>

#include "gpuranmar_definition.h"

enum {
    RANMAR_BUFFER = 1024, /* numbers in a buffer, GRNWIN of /GRNCOM/: 8 KiB, a quarter of L1 */
    RANMAR_SEQUENCES_MAX = 256, /* GRNMAX of the Fortran COMMON /GRNCOM/ */
    RANMAR_THREADS_MAX = 1024,
    RANMAR_INSTANCES_MAX = 30082, /* the number of second seeds */
    RANMAR_STRIDE_MAX = 65536,    /* of a split engine; above it jumps would be faster */
};

/* The seed IJKL of a Fortran program that starts without one. */
enum { RANMAR_IJKL_DEFAULT = 54217137 };

#define RANMAR_PREFETCH_MAX INT64_C(1000000000)
#define RANMAR_START_POSITION_MAX INT64_C(1000000000)
#define RANMAR_POSITION_MAX (UINT64_C(1) << 63)

/* Returns GPURANMAR_BAD_ARGUMENT unless the number of a sequence is in 1..most. */
int ranmar_check_id(const char *routine, int id, int most);

/* Sets *seed to IJKL of the two seeds ij, 0..31328, and kl, 0..30081. Returns
 * GPURANMAR_BAD_ARGUMENT if one is out of range. */
int ranmar_seed_of_pair(const char *routine, int ij, int kl, int64_t *seed);

/* Returns GPURANMAR_BAD_ARGUMENT unless a sequence of the flavour can have that seed. */
int ranmar_check_seed(const char *routine, const struct ranmar_flavour *f, int64_t seed);

/* Returns GPURANMAR_BAD_ARGUMENT unless a position, or how many numbers to skip, is in 0..2^63. The
 * error line shows a negative INTEGER of Fortran as a negative number. */
int ranmar_check_position(const char *routine, const char *argument, uint64_t position);

/* The error of a request for n numbers that would pass the last position. */
int ranmar_past_last_position(const char *routine, uint64_t position, uint64_t n);

/* Returns GPURANMAR_BAD_ARGUMENT if n numbers from a position on would pass RANMAR_POSITION_MAX,
 * else GPURANMAR_OK. */
static inline int ranmar_check_count(const char *routine, uint64_t position, uint64_t n)
{
    return n > RANMAR_POSITION_MAX - position ? ranmar_past_last_position(routine, position, n) : 0;
}

#endif
