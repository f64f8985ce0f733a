/* The cascade of transport.h on the CPU: what the warps of transport.cu do, each with a stream. */
#include "transport.h"

#include <stdio.h>
#include <stdlib.h>

#include "gpuranmar.h"

static double next(gpuranmar_stream *stream)
{
    double u;
    if (gpuranmar_stream_get(stream, &u, 1) != GPURANMAR_OK) {
        fprintf(stderr, "%s\n", gpuranmar_last_error());
        exit(1);
    }
    return u;
}

/* What one warp does. */
static void follow(int64_t seed, int64_t warp, int64_t warps, int64_t showers, int64_t *sums)
{
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    options.seed = seed;
    options.position = (uint64_t)warp * TRANSPORT_DISTANCE;
    options.backend = GPURANMAR_CPU;
    gpuranmar_stream *stream;
    if (gpuranmar_stream_initialise(&stream, &options) != GPURANMAR_OK) {
        fprintf(stderr, "%s\n", gpuranmar_last_error());
        exit(1);
    }
    struct particle lanes[TRANSPORT_LANES] = {{0}}, stack[TRANSPORT_STACK];
    int64_t shower = warp;
    int waiting = 0;
    for (;;) {
        /* Free lanes take particles that wait. If there are none at all, a new shower begins. */
        int busy = 0;
        for (int l = 0; l < TRANSPORT_LANES; ++l) {
            if (lanes[l].energy <= 0 && waiting > 0)
                lanes[l] = stack[--waiting];
            busy += lanes[l].energy > 0;
        }
        if (busy == 0) {
            if (shower >= showers)
                break;
            lanes[0] = transport_primary(shower);
            shower += warps;
        }
        struct outcome outcomes[TRANSPORT_LANES] = {{0}};
        for (int l = 0; l < TRANSPORT_LANES; ++l)
            if (lanes[l].energy > 0) {
                transport_move(&lanes[l], next(stream), &outcomes[l]);
                sums[outcomes[l].bin] += outcomes[l].deposit;
                ++sums[TRANSPORT_BINS];
            }
        for (int l = 0; l < TRANSPORT_LANES; ++l)
            if (outcomes[l].splits) {
                const struct particle made = transport_split(&lanes[l], next(stream));
                if (waiting < TRANSPORT_STACK)
                    stack[waiting++] = made;
                else
                    sums[transport_bin(made.depth)] += (int64_t)(made.energy * TRANSPORT_UNIT);
            }
    }
    gpuranmar_stream_close(stream);
}

void transport_on_cpu(int64_t seed, int64_t warps, int64_t showers,
                      int64_t sums[TRANSPORT_BINS + 1])
{
#pragma omp parallel for reduction(+ : sums[:TRANSPORT_BINS + 1]) schedule(dynamic)
    for (int64_t w = 0; w < warps; ++w)
        follow(seed, w, warps, showers, sums);
}
