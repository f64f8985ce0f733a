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

/* Reads the next answers; 0 at the end of the file, which is closed there. The file is open after
 * the first call with *file = NULL. */
static inline int known_next(FILE **file, struct known *k)
{
    static const char *const names[] = {"double", "single", "extended", "keyed"};
    char line[200];
    if (!*file)
        *file = fopen("csrc/definition/known_answers.txt", "r");
    while (*file && fgets(line, sizeof line, *file)) {
        uint64_t x[KNOWN_NUMBERS];
        if (sscanf(line,
                   "%15[a-z] %" SCNu64 "%" SCNu64 "%" SCNx64 "%" SCNx64 "%" SCNx64 "%" SCNx64
                   "%" SCNx64 "%" SCNx64,
                   k->name, &k->seed, &k->position, x, x + 1, x + 2, x + 3, x + 4, x + 5) != 9)
            continue;
        for (k->flavour = 0; k->flavour < 3 && strcmp(k->name, names[k->flavour]) != 0;)
            ++k->flavour;
        for (int i = 0; i < KNOWN_NUMBERS; ++i)
            k->u[i] = (double)x[i] / (k->flavour == GPURANMAR_SINGLE ? 0x1p24 : 0x1p48);
        return 1;
    }
    if (*file)
        fclose(*file);
    *file = NULL;
    return 0;
}

/* Whether numbers of the flavour's own precision are the answers. */
static inline int known_same(const struct known *k, const void *numbers)
{
    const char *const from = (const char *)numbers;
    for (size_t i = 0; i < KNOWN_NUMBERS; ++i) {
        float narrow;
        double u;
        memcpy(&narrow, from + i * sizeof narrow, sizeof narrow);
        memcpy(&u, from + i * sizeof u, sizeof u);
        if ((k->flavour == GPURANMAR_SINGLE ? (double)narrow : u) != k->u[i])
            return 0;
    }
    return 1;
}

/* Whether a stream of this back end delivers the answers, as the last of a request for some numbers
 * more, past the cache and by threads, and then through the cache. */
static inline int known_by_stream(const struct known *k, int backend, size_t more)
{
    const size_t size = k->flavour == GPURANMAR_SINGLE ? sizeof(float) : sizeof(double);
    const size_t before = k->position < more ? (size_t)k->position : more;
    const size_t n = before + KNOWN_NUMBERS;
    void *const out = malloc((n + KNOWN_NUMBERS) * size);
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    gpuranmar_stream *s = NULL;
    options.seed = (int64_t)k->seed;
    options.position = k->position - before;
    options.flavour = k->flavour;
    options.backend = backend;
    options.threads = 3;
    int error = !out || gpuranmar_stream_initialise(&s, &options);
    if (!error)
        error = k->flavour == GPURANMAR_SINGLE ? gpuranmar_stream_fill_single(s, (float *)out, n)
                                               : gpuranmar_stream_fill(s, (double *)out, n);
    int same = !error && known_same(k, (char *)out + before * size);
    error = error || gpuranmar_stream_seek(s, k->position);
    if (!error)
        error = k->flavour == GPURANMAR_SINGLE
                    ? gpuranmar_stream_get_single(s, (float *)out, KNOWN_NUMBERS)
                    : gpuranmar_stream_get(s, (double *)out, KNOWN_NUMBERS);
    same = same && !error && known_same(k, out);
    gpuranmar_stream_close(s);
    free(out);
    return same;
}

#endif
