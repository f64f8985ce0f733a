/* The core's clock under load, in GHz: a chain of 64-bit multiplications, each of which takes three
 * cycles on every x86-64 core of the last fifteen years. The best of many short runs. */
#include <stdint.h>
#include <stdio.h>

#include "timing.h"

int main(void)
{
    enum { RUNS = 200, LOOPS = 10000, A_LOOP = 10, CYCLES = 3 };
    double best = 0;
    uint64_t x = 3;
    for (int run = 0; run < RUNS; ++run) {
        const double from = now_ns();
        for (int i = 0; i < LOOPS; ++i)
            __asm__ volatile(".rept %c1\n\timul %0, %0\n\t.endr" : "+r"(x) : "i"(A_LOOP));
        const double ghz = (double)LOOPS * A_LOOP * CYCLES / (now_ns() - from);
        best = ghz > best ? ghz : best;
    }
    printf("%.2f\n", best);
    return 0;
}
