/* Birthday spacings of numbers that are not successive, at the lags of a recurrence (L'Ecuyer,
 * Simard, Math. Comput. Simulation 55 (2001) 131): the relation between these numbers puts all
 * points on a few planes, so that far too many spacings are equal. No test of BigCrush looks at
 * such numbers.
 *
 *     build/lacunary FLAVOUR LAGS LOG2_POINTS LOG2_CELLS [SEED [POSITION [BITS [MINUS]]]]
 *
 * FLAVOUR, BITS and MINUS are as crush-driver has them. LAGS rise from 0, as in 0,33,64,130. The
 * sequence is cut into groups of 131 numbers, one more than the last lag. The numbers of a group at
 * these lags are the coordinates of one point. Each axis is divided into 2^LOG2_CELLS cells.
 */
#include <TestU01.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source.h"

enum { LAGS_MAX = 32 };

static int parse_lags(char *text, long lags[LAGS_MAX])
{
    int n = 0;
    for (char *lag = strtok(text, ","); lag; lag = strtok(NULL, ",")) {
        if (n == LAGS_MAX)
            return 0;
        lags[n] = atol(lag);
        if (n ? lags[n] <= lags[n - 1] : lags[n] != 0)
            return 0;
        ++n;
    }
    return n;
}

int main(int argc, char **argv)
{
    long lags[LAGS_MAX];
    char text[256];
    snprintf(text, sizeof text, "%s", argc > 2 ? argv[2] : "");
    const int n = parse_lags(text, lags);
    const int points = argc > 3 ? atoi(argv[3]) : 0, cells = argc > 4 ? atoi(argv[4]) : 0;
    if (argc < 5 || argc > 9 || n < 2 || points < 1 || points > 26 || cells < 1 || n * cells > 62) {
        fputs("usage: lacunary FLAVOUR LAGS LOG2_POINTS LOG2_CELLS "
              "[SEED [POSITION [BITS [MINUS]]]]\n",
              stderr);
        return 2;
    }
    struct source s = SOURCE_INIT;
    s.flavour = argv[1];
    s.seed = argc > 5 ? (int64_t)strtoull(argv[5], NULL, 10) : 54217137;
    s.position = argc > 6 ? atoll(argv[6]) : 0;
    if (argc > 7 && sscanf(argv[7], "%" SCNd64 "-%" SCNd64, &s.first_bit, &s.last_bit) != 2)
        return 2;
    s.minus = argc > 8 ? (int64_t)strtoull(argv[8], NULL, 10) : SOURCE_NONE;
    source_check(&s);

    swrite_Basic = FALSE;
    unif01_Gen *const g = unif01_CreateLacGen(source_open(&s), n, lags);
    sres_Poisson *const res = sres_CreatePoisson();
    smarsa_BirthdaySpacings(g, res, 1, 1L << points, 0, 1L << cells, n, 1);
    printf("lacunary %s %s %d %d %" PRId64 " %" PRId64 " %" PRId64 "-%" PRId64 " %" PRId64
           ": %g equal spacings, %g expected, p = %.2g\n",
           argv[1], argv[2], points, cells, s.seed, s.position, s.first_bit, s.last_bit, s.minus,
           res->sVal2, res->Mu, res->pVal2);
    return 0;
}
