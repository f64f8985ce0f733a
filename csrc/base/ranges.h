/* The largest values that arguments and settings may have. */
#ifndef RANMAR_RANGES_H
#define RANMAR_RANGES_H

#include <stdint.h>

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

#endif
