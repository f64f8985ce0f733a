/* Prints what the cascade of examples/cuda deposits by transport_cpu.c, as transport.f90 does, for
 * fortran.t to compare. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../examples/cuda/transport.h"

int main(int argc, char **argv)
{
    const int64_t groups = argc > 1 ? atoll(argv[1]) : 2112, showers = 20000;
    int64_t bins[TRANSPORT_BINS] = {0}, steps = 0;
#pragma omp parallel for reduction(+ : bins, steps) schedule(dynamic)
    for (int64_t g = 0; g < groups; ++g)
        steps +=
            transport_on_cpu(54217137, (uint64_t)g * TRANSPORT_DISTANCE, g, groups, showers, bins);
    for (int b = 0; b < TRANSPORT_BINS; ++b)
        printf("bin %d %" PRId64 "\n", b, bins[b]);
    printf("steps %" PRId64 "\n", steps);
    return 0;
}
