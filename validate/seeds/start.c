/* Starts a numbered sequence under the settings of the environment, for validate/seeds/start.t:
 *
 *     build/start SEED POSITION COUNT
 *
 * Writes COUNT numbers to standard output as raw doubles. To standard error it writes NTOT and
 * NTOT2 as RMMAQD reports them by 'R' before the first number. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "gpuranmar.h"

void rmmaqd_(int32_t *iseed, int32_t *iseq, const char *chopt, size_t length);

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    int32_t iseed[3] = {atoi(argv[1]), atoi(argv[2]), 0}, iseq = 2;
    rmmaqd_(iseed, &iseq, "S", 1);
    iseed[1] = iseed[2] = -1;
    rmmaqd_(iseed, &iseq, "R", 1);
    fprintf(stderr, "%d %d\n", iseed[1], iseed[2]);
    for (int n = atoi(argv[3]); n > 0; --n) {
        double u;
        if (gpuranmar_get(2, &u, 1) || fwrite(&u, sizeof u, 1, stdout) != 1)
            return 1;
    }
    return 0;
}
