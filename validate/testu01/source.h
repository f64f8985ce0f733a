/* The numbers that a battery tests, as a generator of TestU01's: of any flavour, from any position,
 * in any arrangement of several sequences, and any bits of them. */
#ifndef SOURCE_H
#define SOURCE_H

#include <TestU01.h>

#include <stdint.h>

#include "gpuranmar.h"

#define SOURCE_ANYWHERE INT64_C(-1)
#define SOURCE_NONE INT64_C(-1)

struct source {
    const char *flavour;
    int64_t seed;     /* of keyed the key, (int64_t) of its 64 bits */
    int64_t position; /* SOURCE_ANYWHERE: not chosen yet */
    int64_t instances, prefetch;
    int64_t first_bit, last_bit; /* of 48, 0 the highest; first > last: reversed */
    int64_t minus;               /* a seed whose numbers are subtracted, modulo 1; SOURCE_NONE */
    int pair;                    /* 0 or 1 */
    int64_t substreams, spacing; /* 0: none */
    int64_t first;               /* numbers of each seed; 0: one seed */
};

#define SOURCE_INIT                                                         \
    {                                                                       \
        "double", 54217137, SOURCE_ANYWHERE, 1, 1024, 0, 47, -1, 0, 0, 0, 0 \
    }

/* Whether the generator can start at any position: all but TestU01's own. */
int source_can_jump(const struct source *s);

/* Ends the program with a line on stderr if there is no such flavour, or it has no such option. */
void source_check(const struct source *s);

/* Makes the generator of a checked source; ends the program with a line on stderr if that fails. */
unif01_Gen *source_open(const struct source *s);

/* A generator of TestU01 that makes its numbers a block at a time. It is the first member of the
 * struct that has the generator's state. */
enum { SOURCE_BLOCK = 512 };
struct source_blocks {
    int (*refill)(struct source_blocks *b); /* fills block, and returns how many numbers it has */
    int next, end;
    double block[SOURCE_BLOCK];
};

/* Makes the generator of such a struct. */
unif01_Gen *source_of_blocks(struct source_blocks *state, int (*refill)(struct source_blocks *b));

/* Identifies the numbers of a flavour: its name, and a checksum (FNV-1a) of the first 1000 numbers
 * of seed 54217137. Two results with the same definition have the same generator, whatever the
 * version.
 */
const char *source_definition(const struct source *s);

#endif
