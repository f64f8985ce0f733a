/* How long small requests take, by the size of the prefetch cache: requests NUMBERS-A-REQUEST PREFETCH
 * INSTANCES get|fill|draw TOTAL cpu|cuda|thread; the last is the CPU by a thread that runs ahead.
 * `get` is buffered, `fill` unbuffered, `draw` takes a pointer. Prints
 * nanoseconds a number over about TOTAL numbers, a whole number of caches. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "gpuranmar.h"
#include "timing.h"

static void check(int status)
{
    if (status) {
        fprintf(stderr, "requests: %s\n", gpuranmar_last_error());
        exit(1);
    }
}

int main(int argc, char **argv)
{
    if (argc != 7) {
        fprintf(stderr, "usage: requests NUMBERS PREFETCH INSTANCES get|fill|draw TOTAL cpu|cuda|thread\n");
        return 2;
    }
    const size_t request = strtoull(argv[1], NULL, 10), total = strtoull(argv[5], NULL, 10);
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    options.prefetch = atoll(argv[2]);
    options.instances = atoll(argv[3]);
    options.backend = strcmp(argv[6], "cuda") == 0 ? GPURANMAR_CUDA : GPURANMAR_CPU;
    if (strcmp(argv[6], "thread") == 0)
        setenv("GPURANMAR_PRODUCER", "thread", 1);
    gpuranmar_stream *stream;
    check(gpuranmar_stream_initialise(&stream, &options));

    const size_t prefetch = (size_t)options.prefetch;
    const size_t caches = total > prefetch ? total / prefetch : 1;
    const size_t requests = caches * prefetch / request + 1;
    double *const numbers = malloc(request * sizeof *numbers), bad = 0;
    for (size_t i = 0; i < prefetch / request + 1; ++i) /* finds its pages */
        check(gpuranmar_stream_get(stream, numbers, request));
    const double from = now_ns();
    if (strcmp(argv[4], "get") == 0)
        for (size_t i = 0; i < requests; ++i) {
            check(gpuranmar_stream_get(stream, numbers, request));
            bad += numbers[request - 1] > 1.0;
        }
    else if (strcmp(argv[4], "fill") == 0)
        for (size_t i = 0; i < requests; ++i) {
            check(gpuranmar_stream_fill(stream, numbers, request));
            bad += numbers[request - 1] > 1.0;
        }
    else
        for (size_t i = 0; i < requests; ++i) {
            const double *drawn;
            check(gpuranmar_stream_draw(stream, &drawn, request));
            bad += drawn[request - 1] > 1.0;
        }
    const double ns = now_ns() - from;
    gpuranmar_stream_close(stream);
    printf("%.5f\n", ns / (double)(requests * request));
    return bad > 0;
}
