/* The known answers by streams, then numbers and saved states of seven instances, as text that must
 * be the same on every machine. */
#include "known.h"

static int next(gpuranmar_stream *s, int flavour, double *u)
{
    float v;
    if (flavour != GPURANMAR_SINGLE)
        return gpuranmar_stream_get(s, u, 1);
    const int error = gpuranmar_stream_get_single(s, &v, 1);
    *u = v;
    return error;
}

int main(void)
{
    FILE *file = NULL;
    for (struct known k; known_next(&file, &k);) {
        gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
        gpuranmar_stream *s;
        char saved[GPURANMAR_SAVED_STATE_SIZE];
        double u, v;
        o.seed = (int64_t)k.seed;
        o.position = k.position;
        o.flavour = k.flavour;
        o.instances = 7;
        if (!known_by_stream(&k, GPURANMAR_CPU, 1 << 19) || gpuranmar_stream_initialise(&s, &o) ||
            next(s, k.flavour, &u) || gpuranmar_stream_save(s, saved, sizeof saved) ||
            gpuranmar_stream_restore(s, saved, sizeof saved) || next(s, k.flavour, &v)) {
            printf("%s, seed %" PRIu64 ": wrong\n", k.name, k.seed);
            return 1;
        }
        printf("%.*s %.17g %.17g\n", (int)sizeof saved, saved, u, v);
        gpuranmar_stream_close(s);
    }
    return 0;
}
