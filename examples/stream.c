/* C: numbers by the pair. */
#include <gpuranmar.h>
#include <stdio.h>

int main(void)
{
    const long points = 1000000;
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    gpuranmar_stream *stream;
    long n = 0;
    options.seed = 1802;
    if (gpuranmar_stream_initialise(&stream, &options)) {
        fprintf(stderr, "%s\n", gpuranmar_last_error());
        return 1;
    }
    for (long i = 0; i < points; ++i) {
        double x[2];
        gpuranmar_stream_get(stream, x, 2);
        n += x[0] * x[0] + x[1] * x[1] < 1;
    }
    gpuranmar_stream_close(stream);
    printf("%ld of %ld points lie in the circle\n", n, points);
}
