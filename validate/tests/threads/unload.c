/* unload LIBRARY: loads the library, makes a request that is shared among threads, and unloads the
 * library again, 20 times. Prints whether it was unloaded, and how many threads are left. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "gpuranmar.h"
#include "tasks.h"

enum { N = 1 << 20 };

/* Whether all went well. */
static int use(void *library, double *u)
{
    int (*initialise)(gpuranmar_stream **, const gpuranmar_options *);
    int (*fill)(gpuranmar_stream *, double *, size_t);
    void (*close)(gpuranmar_stream *);
    *(void **)&initialise = dlsym(library, "gpuranmar_stream_initialise");
    *(void **)&fill = dlsym(library, "gpuranmar_stream_fill");
    *(void **)&close = dlsym(library, "gpuranmar_stream_close");
    gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
    gpuranmar_stream *s;
    o.threads = 4;
    if (initialise(&s, &o) || fill(s, u, N) || count_threads() < 2)
        return 0;
    close(s);
    return 1;
}

int main(int argc, char **argv)
{
    double *const u = malloc(N * sizeof *u);
    for (int i = 0; argc > 1 && i < 20; ++i) {
        void *const library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        if (!library || !use(library, u)) {
            fprintf(stderr, "%s\n", library ? "a call failed" : dlerror());
            return 1;
        }
        dlclose(library);
    }
    void *const still = dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD);
    printf("%s, %d thread\n", still ? "loaded" : "unloaded", count_threads());
    free(u);
    return 0;
}
