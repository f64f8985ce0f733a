/* For plugin.t: a program that asks for the GPU by name, twice; with -DPLUGIN the plugin that it
 * may find, whose GPU is the CPU. */
#ifdef PLUGIN

#include "fake_plugin.h"

#else

#include <stdio.h>

#include "gpuranmar.h"

int main(void)
{
    for (int seed = 1; seed <= 2; ++seed) {
        gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
        gpuranmar_stream *s;
        double u[25];
        o.seed = seed;
        o.backend = GPURANMAR_CUDA;
        o.prefetch = 10;
        if (gpuranmar_stream_initialise(&s, &o) || gpuranmar_stream_get(s, u, 5) ||
            gpuranmar_stream_get(s, u + 5, 20)) {
            fprintf(stderr, "%s\n", gpuranmar_last_error());
            return 1;
        }
        for (int i = 0; i < 25; ++i)
            printf("%.17g\n", u[i]);
        gpuranmar_stream_close(s);
    }
    return 0;
}

#endif
