/* Neutrons in a slab, on the CPU. transport.cu and transport.f90 do the same on a GPU, with the
 * same numbers, so that all three print the same counts.
 *
 * A neutron enters the first of 38 layers. In each layer it is absorbed with probability 0.02.
 * Otherwise it moves on by one layer, forwards or backwards with equal probability. Bin 0 counts
 * the neutrons that leave at the front, bin 39 those that leave at the back, and bin b those that
 * layer b absorbs.
 *
 * Each group of 32 lanes has a segment of the sequence for itself. A lane follows one neutron after
 * the other. All lanes of a group move in lockstep. The lanes that need a number draw one, in
 * order. */
#include <stdio.h>
#include <stdlib.h>

#include "gpuranmar.h"

enum { GROUPS = 2112, LANES = 32, NEUTRONS = 50 /* of a lane */, BINS = 40, DISTANCE = 1 << 30 };

static void must(int status)
{
    if (status != GPURANMAR_OK) {
        fprintf(stderr, "%s\n", gpuranmar_last_error());
        exit(1);
    }
}

static double next(gpuranmar_stream *numbers)
{
    double u;
    must(gpuranmar_stream_get(numbers, &u, 1));
    return u;
}

static void follow(gpuranmar_stream *numbers, long long *bins)
{
    int layer[LANES], left[LANES], scatters[LANES], busy = 1;
    for (int l = 0; l < LANES; ++l) {
        layer[l] = 1;
        left[l] = NEUTRONS;
    }
    while (busy) {
        busy = 0;
        for (int l = 0; l < LANES; ++l)
            scatters[l] = left[l] > 0 && next(numbers) >= 0.02;
        for (int l = 0; l < LANES; ++l) {
            if (scatters[l])
                layer[l] += next(numbers) < 0.5 ? -1 : 1;
            if (left[l] > 0 && (!scatters[l] || layer[l] == 0 || layer[l] == BINS - 1)) {
                ++bins[layer[l]];
                layer[l] = 1;
                --left[l];
            }
            busy |= left[l] > 0;
        }
    }
}

int main(void)
{
    long long bins[BINS] = {0};
    for (int group = 0; group < GROUPS; ++group) {
        gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
        gpuranmar_stream *numbers;
        options.position = (uint64_t)group * DISTANCE;
        must(gpuranmar_stream_initialise(&numbers, &options));
        follow(numbers, bins);
        gpuranmar_stream_close(numbers);
    }
    for (int b = 0; b < BINS; ++b)
        printf("bin %d: %lld\n", b, bins[b]);
    return 0;
}
