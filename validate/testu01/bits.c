/* The linear tests of TestU01 on single bits: MatrixRank (600 x 600, 200 matrices) and LinearComp
 * (60000 bits) on each bit of a number alone, and on the XOR of every two. */
#include "bits.h"

#include <TestU01.h>

#include <stdint.h>
#include <stdio.h>

#include "source.h"

enum { BITS = 48, WORD = 32, STATISTICS = 3, NAME = 40 };

struct picked {
    struct source_blocks blocks;
    unif01_Gen *source;
    int first, second; /* 0 the highest of 48; equal: one bit alone */
};

/* Each number is made of the picked bit, or XOR of two bits, of the next 32 numbers. */
static int refill_picked(struct source_blocks *b)
{
    const struct picked *const p = (struct picked *)b;
    for (int i = 0; i < SOURCE_BLOCK; ++i) {
        uint32_t word = 0;
        for (int k = 0; k < WORD; ++k) {
            const double u = p->source->GetU01(p->source->param, p->source->state);
            const uint64_t v = (uint64_t)(u * 0x1p48);
            uint64_t bit = v >> (BITS - 1 - p->first);
            if (p->second > p->first)
                bit ^= v >> (BITS - 1 - p->second);
            word = word << 1 | (uint32_t)(bit & 1);
        }
        b->block[i] = word * 0x1p-32;
    }
    return SOURCE_BLOCK;
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
    unif01_Gen *const g = source_of_blocks(&p->blocks, refill_picked);
    sres_Chi2 *const ranks = sres_CreateChi2();
    smarsa_MatrixRank(g, ranks, 1, 200, 0, 30, 600, 600);
    add(p, "MatrixRank", ranks->pVal2[gofw_Mean]);
    scomp_Res *const complexity = scomp_CreateRes();
    scomp_LinearComp(g, complexity, 1, 60000, 0, 30);
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
                run_on(&(struct picked){.source = generator, .first = first, .second = second});
}
