/* BigCrush's failing tests on each part of the generator, and by the number of high bits that are
 * discarded: prints the table of validate/results/testu01/failures.md.
 *
 *     build/failing gap|weight|sparse|hamming PART FIRST LAST [FRACTION [SEED]]
 *
 * gap is test 35, weight 59 to 61, sparse 64, hamming 98. PART: double, extended, lagged (the
 * lagged Fibonacci part alone), or a step d that extended has in place of its own. FIRST..LAST: the
 * test's parameter r, the discarded bits. FRACTION: run BigCrush's number of repetitions divided by
 * this. SEED: 54217137 unless given.
 */
#include <TestU01.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "definition/flavour.h"
#include "fill/fill.h"
#include "source.h"

enum { MILLION = 1000000 };

struct part {
    struct source_blocks blocks;
    struct ranmar_flavour flavour;
    struct ranmar_state state;
    ranmar_fill_function *fill;
};

static int refill(struct source_blocks *b)
{
    struct part *const p = (struct part *)b;
    p->fill(&p->state, &p->flavour, b->block, SOURCE_BLOCK);
    return SOURCE_BLOCK;
}

static double run(const char *test, unif01_Gen *g, int r, int fraction)
{
    double p;
    if (strcmp(test, "hamming") == 0) {
        sstring_Res *res = sstring_CreateRes();
        sstring_HammingIndep(g, res, 1, 30 * MILLION / fraction, r, 4, 300, 0);
        p = res->Bas->pVal2[gofw_Mean];
        sstring_DeleteRes(res);
        return p;
    }
    sres_Chi2 *res = sres_CreateChi2();
    if (strcmp(test, "gap") == 0)
        sknuth_Gap(g, res, 1, 300 * MILLION / fraction, r, 0.0, 1.0 / 32);
    else
        svaria_WeightDistrib(g, res, 1, 20 * MILLION / fraction, r, 256, 0.0,
                             strcmp(test, "weight") == 0 ? 0.25 : 0.0625);
    p = res->pVal2[gofw_Mean];
    sres_DeleteChi2(res);
    return p;
}

static int is_test(const char *name)
{
    static const char *const tests[] = {"gap", "weight", "sparse", "hamming"};
    for (size_t i = 0; i < sizeof tests / sizeof *tests; ++i)
        if (strcmp(name, tests[i]) == 0)
            return 1;
    return 0;
}

int main(int argc, char **argv)
{
    const int lagged = argc > 2 && strcmp(argv[2], "lagged") == 0;
    const uint64_t step = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    const int number = lagged     ? GPURANMAR_DOUBLE
                       : step     ? GPURANMAR_EXTENDED
                       : argc > 2 ? ranmar_flavour_code(argv[2])
                                  : -1;
    if (argc < 5 || argc > 7 || !is_test(argv[1]) || number < 0 || number == GPURANMAR_SINGLE ||
        step >= RANMAR_MODULUS_48) {
        fputs("usage: failing gap|weight|sparse|hamming double|extended|lagged|STEP FIRST LAST "
              "[FRACTION [SEED]]\n",
              stderr);
        return 2;
    }
    const int64_t seed = argc > 6 ? atoll(argv[6]) : 54217137;
    swrite_Basic = FALSE;
    for (int r = atoi(argv[3]); r <= atoi(argv[4]); ++r) {
        static struct part part;
        part = (struct part){.flavour = *ranmar_flavour(number), .fill = ranmar_fill};
        if (lagged) /* the arithmetic part stays 0 */
            part.flavour.step = part.flavour.start = 0;
        if (step)
            part.flavour.step = step << 16;
        if (lagged || step) /* no flavour that the SIMD loops know */
            part.fill = ranmar_fill_scalar;
        ranmar_seed(&part.state, &part.flavour, seed);
        printf(
            "%s %s r = %d: p = %.2g\n", argv[1], argv[2], r,
            run(argv[1], source_of_blocks(&part.blocks, refill), r, argc > 5 ? atoi(argv[5]) : 1));
        fflush(stdout);
    }
    return 0;
}
