/* C: `stream` counts all points; `stream PART PARTS` counts those of one of PARTS equal parts, of
 * which the first is PART 0. */
#include <gpuranmar.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const long points = 1000000;
    const long part = argc > 2 ? atol(argv[1]) : 0, parts = argc > 2 ? atol(argv[2]) : 1;
    const long first = points * part / parts, last = points * (part + 1) / parts;
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    gpuranmar_stream *stream;
    long n = 0;
    options.seed = 1802;
    options.position = 2 * (uint64_t)first;
    if (gpuranmar_stream_initialise(&stream, &options)) {
        fprintf(stderr, "%s\n", gpuranmar_last_error());
        return 1;
    }
    for (long i = first; i < last; ++i) {
        double x[2];
        gpuranmar_stream_get(stream, x, 2);
        n += x[0] * x[0] + x[1] * x[1] < 1;
    }
    gpuranmar_stream_close(stream);
    printf("%ld of %ld points lie in the circle\n", n, last - first);
}
