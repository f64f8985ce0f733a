/* The sequences that a command line names by seeds, files or directories. */
#ifndef SEQUENCES_H
#define SEQUENCES_H

#include <stddef.h>

#include "gpuranmar_seeds.h"

struct origin {
    const char *file;
    size_t line; /* 0: an argument */
    size_t run;  /* an index */
};

struct sequence {
    gpuranmar_segment segment;
    int64_t seed; /* as it was given, 0..2147483647 */
    struct origin from;
};

struct sequences {
    struct sequence *all;
    size_t n, room, runs;
    size_t skipped;    /* files without seeds, in directories */
    size_t refused;    /* files and folders in directories that could not be read */
    uint64_t position; /* where all of them start, if it is not UINT64_MAX */
    uint64_t numbers;  /* for each sequence whose line does not say how many */
    char reason[8192]; /* why a file was refused; names of files have up to 4096 bytes */
};

/* Adds the sequences that one argument names. Refuses in one line what it cannot read; in
 * a directory it names that and passes it over. */
void sequences_add(struct sequences *s, const char *argument);

/* The first line of a plan, whose lines are: run sequence seed position numbers. */
#define PLAN_BEGINS "# gpuranmar seeds plan 1"

#endif
