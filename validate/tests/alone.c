/* alone WHAT...: starts sequence 1 in one library after the other and draws from it. "own" is the
 * library that the program is linked with, "-" unloads the last one, "wrong" has the next one
 * started with no instances, and all else is loaded under this name. Prints the first number of
 * each, or the line of an error. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "gpuranmar.h"

#pragma weak gpuranmar_initialise
#pragma weak gpuranmar_get
#pragma weak gpuranmar_last_error

/* Another library's note, by its name, which stands before gpuranmar's where that is linked
 * statically. It has the same type, and is shorter. */
__asm__(".pushsection .note.alone, \"a\", %note\n"
        ".balign 4\n"
        ".long 2, 0, 1\n" /* length of the name and of what follows it, and the type */
        ".asciz \"x\"\n"
        ".balign 4\n"
        ".popsection\n");

struct library {
    __typeof__(gpuranmar_initialise) *initialise;
    __typeof__(gpuranmar_get) *get;
    __typeof__(gpuranmar_last_error) *last_error;
};
static const struct library own = {gpuranmar_initialise, gpuranmar_get, gpuranmar_last_error};

static void *load(const char *name, struct library *l)
{
    void *const handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        fprintf(stderr, "%s\n", dlerror());
        return NULL;
    }
    *(void **)&l->initialise = dlsym(handle, "gpuranmar_initialise");
    *(void **)&l->get = dlsym(handle, "gpuranmar_get");
    *(void **)&l->last_error = dlsym(handle, "gpuranmar_last_error");
    return handle;
}

static void use(const struct library *l, int instances)
{
    double u;
    const int error = l->initialise(1, 0, 1802, instances, 0);
    if (!error && !l->get(1, &u, 1))
        printf("%.17g\n", u);
    else
        printf("%d: %s\n", error, l->last_error());
}

int main(int argc, char **argv)
{
    void *handle = NULL;
    struct library loaded;
    for (int i = 1, instances = 1; i < argc; ++i) {
        if (strcmp(argv[i], "wrong") == 0) {
            instances = 0;
            continue;
        }
        if (strcmp(argv[i], "-") == 0)
            dlclose(handle);
        else if (strcmp(argv[i], "own") == 0)
            use(&own, instances);
        else if ((handle = load(argv[i], &loaded)))
            use(&loaded, instances);
        else
            return 1;
        instances = 1;
    }
    return 0;
}
