/* Fills numbers by one loop, for counting its instructions: count LEVEL FLAVOUR NUMBERS. */
#include <stdio.h>
#include <stdlib.h>

#include "definition/flavour.h"
#include "fill/fill.h"

int main(int argc, char **argv)
{
    enum { MOST = 1 << 16 };
    static double out[MOST];
    const struct ranmar_simd *const level = argc == 4 ? ranmar_simd_named(argv[1]) : NULL;
    const struct ranmar_flavour *const f = argc == 4 ? ranmar_flavour(atoi(argv[2])) : NULL;
    const long n = argc == 4 ? atol(argv[3]) : 0;
    struct ranmar_state s;
    if (!level || !f || n < 1 || n > MOST)
        return EXIT_FAILURE;
    ranmar_seed(&s, f, 1802);
    (level->refill ? level->refill : level->array)(&s, f, out, (size_t)n);
    return out[n - 1] == 2;
}
