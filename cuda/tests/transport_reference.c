/* Prints what the cascade of examples/cuda deposits by transport_cpu.c, as transport.f90 does, for
 * fortran.t to compare. */
#include <inttypes.h>
#include <stdio.h>

#include "../../examples/cuda/transport.h"

int main(void)
{
    int64_t sums[TRANSPORT_BINS + 1] = {0};
    transport_on_cpu(54217137, 2112, 20000, sums);
    for (int b = 0; b < TRANSPORT_BINS; ++b)
        printf("bin %d %" PRId64 "\n", b, sums[b]);
    printf("steps %" PRId64 "\n", sums[TRANSPORT_BINS]);
    return 0;
}
