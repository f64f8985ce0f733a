/* The cascade of transport.h on the CPU: what one warp of transport.cu does, with a stream. */
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

int64_t transport_on_cpu(int64_t seed, uint64_t position, int64_t first, int64_t stride,
                         int64_t end, int64_t bins[TRANSPORT_BINS])
{
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    options.seed = seed;
    options.position = position;
    options.backend = GPURANMAR_CPU;
    gpuranmar_stream *stream;
    if (gpuranmar_stream_initialise(&stream, &options) != GPURANMAR_OK) {
        fprintf(stderr, "%s\n", gpuranmar_last_error());
        exit(1);
    }
    struct particle lanes[TRANSPORT_LANES] = {{0}}, stack[TRANSPORT_STACK];
    int64_t steps = 0, shower = first;
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
            if (shower >= end)
                break;
            lanes[0] = transport_primary(shower);
            shower += stride;
        }
        struct outcome outcomes[TRANSPORT_LANES] = {{0}};
        for (int l = 0; l < TRANSPORT_LANES; ++l)
            if (lanes[l].energy > 0) {
                transport_move(&lanes[l], next(stream), &outcomes[l]);
                bins[outcomes[l].bin] += outcomes[l].deposit;
                ++steps;
            }
        for (int l = 0; l < TRANSPORT_LANES; ++l)
            if (outcomes[l].splits) {
                const struct particle made = transport_split(&lanes[l], next(stream));
                if (waiting < TRANSPORT_STACK)
                    stack[waiting++] = made;
                else
                    bins[transport_bin(made.depth)] += (int64_t)(made.energy * TRANSPORT_UNIT);
            }
    }
    gpuranmar_stream_close(stream);
    return steps;
}
