/* Draws from the numbered sequence 1, as GPURANMAR_BACKEND says, and prints a hash of the bits, for
 * devices.t. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gpuranmar.h"

int main(void)
{
    static double numbers[300000];
    uint64_t hash = 0, bits;
    if (gpuranmar_initialise(1, 1802, 9373, 1, 70000) != GPURANMAR_OK ||
        gpuranmar_get(1, numbers, 1000) != GPURANMAR_OK ||
        gpuranmar_get_unbuffered(1, numbers + 1000, 299000) != GPURANMAR_OK)
        return fprintf(stderr, "%s\n", gpuranmar_last_error()), 1;
    for (int i = 0; i < 300000; ++i) {
        memcpy(&bits, &numbers[i], sizeof bits);
        hash = (hash ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
    }
    printf("%016" PRIx64 "\n", hash);
    return 0;
}
