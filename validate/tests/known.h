/* csrc/definition/known_answers.txt for tests in C and C++, run in the top folder. */
#ifndef VALIDATE_KNOWN_H
#define VALIDATE_KNOWN_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpuranmar.h"

enum { KNOWN_NUMBERS = 6 };
struct known {
    char name[16];
    int flavour; /* enum gpuranmar_flavour */
    uint64_t seed, position;
    double u[KNOWN_NUMBERS];
};

/* Ends a test that cannot read all answers, which must not pass. */
static inline void known_stop(const char *what)
{
    printf("Bail out! csrc/definition/known_answers.txt: %s\n", what);
    exit(1);
}

/* Reads the next answers; 0 at the end of the file, which is closed there. The file is open after
 * the first call with *file = NULL. */
static inline int known_next(FILE **file, struct known *k)
{
    static const char *const names[] = {"double", "single", "extended", "keyed"};
    char line[200];
    if (!*file)
        *file = fopen("csrc/definition/known_answers.txt", "r");
    if (!*file)
        known_stop("cannot be opened");
    while (fgets(line, sizeof line, *file)) {
        uint64_t x[KNOWN_NUMBERS];
        if (line[0] == '#')
            continue;
        if (sscanf(line,
                   "%15[a-z] %" SCNu64 "%" SCNu64 "%" SCNx64 "%" SCNx64 "%" SCNx64 "%" SCNx64
                   "%" SCNx64 "%" SCNx64,
                   k->name, &k->seed, &k->position, x, x + 1, x + 2, x + 3, x + 4, x + 5) != 9)
            known_stop(line);
        for (k->flavour = 0; strcmp(k->name, names[k->flavour]) != 0;)
            if (++k->flavour == 4)
                known_stop(line);
        for (int i = 0; i < KNOWN_NUMBERS; ++i)
            k->u[i] = (double)x[i] / (k->flavour == GPURANMAR_SINGLE ? 0x1p24 : 0x1p48);
        return 1;
    }
    fclose(*file);
    *file = NULL;
    return 0;
}

/* Whether numbers of the flavour's own precision are the answers. */
static inline int known_same(const struct known *k, const void *numbers)
{
    for (int i = 0; i < KNOWN_NUMBERS; ++i)
        if ((k->flavour == GPURANMAR_SINGLE ? (double)((const float *)numbers)[i]
                                            : ((const double *)numbers)[i]) != k->u[i])
            return 0;
    return 1;
}

/* Whether a stream of this back end delivers the answers, as the last of a request for some numbers
 * more, by threads. */
static inline int known_by_stream(const struct known *k, int backend, size_t more)
{
    const size_t before = k->position < more ? (size_t)k->position : more;
    const size_t n = before + KNOWN_NUMBERS;
    double *const out = (double *)malloc(n * sizeof *out);
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    gpuranmar_stream *s = NULL;
    options.seed = (int64_t)k->seed;
    options.position = k->position - before;
    options.flavour = k->flavour;
    options.backend = backend;
    options.threads = 3;
    const int is_single = k->flavour == GPURANMAR_SINGLE;
    const int same = out && gpuranmar_stream_initialise(&s, &options) == GPURANMAR_OK &&
                     (is_single ? gpuranmar_stream_fill_single(s, (float *)out, n)
                                : gpuranmar_stream_fill(s, out, n)) == GPURANMAR_OK &&
                     known_same(k, is_single ? (void *)((float *)out + before) : out + before);
    gpuranmar_stream_close(s);
    free(out);
    return same;
}

#endif
