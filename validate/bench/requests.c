/* How long requests take, by the size of the prefetch cache:
 *
 *     requests HOW BACKEND INSTANCES SEQUENCES WORK ROUNDS MILLISECONDS SIZE ...
 *
 * HOW: `get` asks for 10 numbers at a time, which come through a cache of SIZE numbers, `draw` for
 * a pointer to them in the cache, `fill` for 10 past the cache; `whole` for SIZE past the cache.
 * BACKEND: `cpu`, `cuda`, or `none`, where nothing is asked for and WORK remains. SEQUENCES are
 * asked in turn; between two requests there are WORK multiplications that wait for each other. A
 * round lasts some MILLISECONDS at least, and a whole number of caches. Prints a line for each
 * SIZE: it, and the nanoseconds a number of each round. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "gpuranmar.h"
#include "timing.h"

enum { REQUEST = 10, MOST_SEQUENCES = 64 };

/* Numbers between two looks at the clock, each of which costs as much as a hundred numbers. */
enum { BETWEEN_CLOCKS = 20000 };

enum how { GET, DRAW, FILL, WHOLE };

struct run {
    enum how how;
    int asks;
    size_t request, size, sequences;
    long work;
    gpuranmar_stream *stream[MOST_SEQUENCES];
    double *numbers;
    size_t bad;    /* numbers above 1: counted so that the compiler cannot leave the numbers out */
    double worked; /* what comes of WORK, kept for the same reason */
};

static void check(int error)
{
    if (error) {
        fprintf(stderr, "requests: %s\n", gpuranmar_last_error());
        exit(1);
    }
}

static inline void ask(struct run *r, gpuranmar_stream *stream)
{
    const double *numbers = r->numbers;
    switch (r->how) {
    case GET:
        check(gpuranmar_stream_get(stream, r->numbers, r->request));
        break;
    case DRAW:
        check(gpuranmar_stream_draw(stream, &numbers, r->request));
        break;
    default:
        check(gpuranmar_stream_fill(stream, r->numbers, r->request));
    }
    r->bad += numbers[r->request - 1] > 1.0;
}

/* Uses up the caches of all sequences `times` times. Returns how many numbers that is. */
static double lap(struct run *r, size_t times)
{
    const size_t requests = times * r->size / r->request;
    for (size_t i = 0; i < requests; ++i)
        for (size_t s = 0; s < r->sequences; ++s) {
            if (r->asks)
                ask(r, r->stream[s]);
            double x = r->worked;
            for (long w = 0; w < r->work; ++w)
                x *= 1.0 - 0x1p-52;
            r->worked = x;
        }
    return (double)(requests * r->sequences * r->request);
}

static void measure(struct run *r, const gpuranmar_options *options, int rounds, double most_ns)
{
    for (size_t s = 0; r->asks && s < r->sequences; ++s) {
        gpuranmar_options own = *options;
        own.seed += (int64_t)s;
        own.prefetch = (int64_t)r->size;
        check(gpuranmar_stream_initialise(&r->stream[s], &own));
    }
    r->numbers = calloc(r->request, sizeof *r->numbers);
    if (!r->numbers) {
        fprintf(stderr, "requests: no memory for %zu numbers\n", r->request);
        exit(1);
    }
    const size_t a_lap = r->size * r->sequences;
    const size_t times = a_lap < BETWEEN_CLOCKS ? BETWEEN_CLOCKS / a_lap : 1;
    lap(r, times + 3); /* a GPU makes up to three caches ahead: here their memory gets its pages */

    printf("%zu", r->size);
    for (int i = 0; i < rounds; ++i) {
        const double from = now_ns();
        double ns, numbers = 0;
        do {
            numbers += lap(r, times);
            ns = now_ns() - from;
        } while (ns < most_ns);
        printf(" %.5f", ns / numbers);
    }
    printf("\n");
    fflush(stdout);
    free(r->numbers);
    for (size_t s = 0; r->asks && s < r->sequences; ++s)
        gpuranmar_stream_close(r->stream[s]);
}

static int usage(void)
{
    fprintf(stderr, "usage: requests get|draw|fill|whole cpu|cuda|none INSTANCES SEQUENCES WORK "
                    "ROUNDS MILLISECONDS SIZE ...\n");
    return 2;
}

int main(int argc, char **argv)
{
    static const char *const hows[] = {
        [GET] = "get", [DRAW] = "draw", [FILL] = "fill", [WHOLE] = "whole"};
    if (argc < 9)
        return usage();
    struct run r = {.worked = 1.0, .asks = strcmp(argv[2], "none") != 0};
    while (strcmp(argv[1], hows[r.how]) != 0)
        if (++r.how > WHOLE)
            return usage();
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    options.backend = GPURANMAR_CPU;
    if (strcmp(argv[2], "cuda") == 0)
        options.backend = GPURANMAR_CUDA;
    else if (strcmp(argv[2], "cpu") != 0 && r.asks)
        return usage();
    options.instances = atoll(argv[3]);
    r.sequences = strtoull(argv[4], NULL, 10);
    r.work = atol(argv[5]);
    if (r.sequences < 1 || r.sequences > MOST_SEQUENCES)
        return usage();
    for (int a = 8; a < argc; ++a) {
        r.size = strtoull(argv[a], NULL, 10);
        r.request = r.how == WHOLE ? r.size : REQUEST;
        if (r.size < REQUEST)
            return usage();
        measure(&r, &options, atoi(argv[6]), atof(argv[7]) * 1e6);
    }
    return r.bad > 0;
}
