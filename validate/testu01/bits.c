/* The linear tests of TestU01 on single bits: MatrixRank (600 x 600, 200 matrices) and LinearComp
 * (60000 bits) on each bit of a number alone, and on the XOR of every two. */
#include "bits.h"

#include <TestU01.h>

#include <stdint.h>
#include <stdio.h>

enum { BITS = 48, WORD = 32, STATISTICS = 3, NAME = 40 };

struct picked {
    unif01_Gen *source;
    int first, second; /* 0 the highest of 48; equal: one bit alone */
};

/* The picked bit, or XOR of two bits, of each of the next 32 numbers. */
static unsigned long picked_bits(void *unused, void *state)
{
    (void)unused;
    const struct picked *p = state;
    unsigned long word = 0;
    for (int i = 0; i < WORD; ++i) {
        const double u = p->source->GetU01(p->source->param, p->source->state);
        const uint64_t v = (uint64_t)(u * 0x1p48);
        uint64_t bit = v >> (BITS - 1 - p->first);
        if (p->second > p->first)
            bit ^= v >> (BITS - 1 - p->second);
        word = word << 1 | (bit & 1);
    }
    return word;
}

static double picked_u01(void *unused, void *state)
{
    return (double)picked_bits(unused, state) * 0x1p-32;
}

static void write_nothing(void *unused)
{
    (void)unused;
}

/* Adds a p-value to what the batteries leave. */
static void add(const struct picked *p, const char *test, double p_value)
{
    snprintf(bbattery_TestNames[bbattery_NTests], NAME,
             p->second > p->first ? "%s, bits %d ^ %d" : "%s, bit %d", test, p->first, p->second);
    bbattery_pVal[bbattery_NTests++] = p_value;
}

static void run_on(struct picked *p)
{
    static char name[] = "bits";
    unif01_Gen g = {p, NULL, name, picked_u01, picked_bits, write_nothing};
    sres_Chi2 *const ranks = sres_CreateChi2();
    smarsa_MatrixRank(&g, ranks, 1, 200, 0, 30, 600, 600);
    add(p, "MatrixRank", ranks->pVal2[gofw_Mean]);
    scomp_Res *const complexity = scomp_CreateRes();
    scomp_LinearComp(&g, complexity, 1, 60000, 0, 30);
    add(p, "LinearComp jumps", complexity->JumpNum->pVal2[gofw_Mean]);
    add(p, "LinearComp sizes", complexity->JumpSize->pVal2[gofw_Mean]);
    sres_DeleteChi2(ranks);
    scomp_DeleteRes(complexity);
}

void bits_repeat(unif01_Gen *generator, int repetitions[])
{
    static char names[STATISTICS][NAME];
    for (int i = 0; i < STATISTICS; ++i)
        bbattery_TestNames[i] = names[i];
    bbattery_NTests = 0;
    int test = 0;
    for (int first = 0; first < BITS; ++first)
        for (int second = first; second < BITS; ++second)
            if (repetitions[++test])
                run_on(&(struct picked){generator, first, second});
}
