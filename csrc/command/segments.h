/* The segments that a command line names as seeds, ranges, files or directories. */
#ifndef SEGMENTS_H
#define SEGMENTS_H

#include <stddef.h>
#include <stdio.h>

#include "gpuranmar_seeds.h"

/* Where a segment came from, and of which run it is. `name` is the file; it is NULL
 * for the command line. */
struct source {
    const char *name;
    size_t line;
    size_t run;   /* an index */
    int64_t seed; /* as it was given, 0..2147483647 */
};

struct segments {
    gpuranmar_segment *all;
    struct source *sources;
    size_t n, room, runs;
    size_t passed_over;   /* files in directories that have no seeds */
    uint64_t numbers;     /* of segments that name none themselves */
    struct string *owned; /* names of files in directories */
};

extern const char segments_help[];

/* Adds the segments that one argument names. Refuses in one line what it cannot read. */
void segments_add(struct segments *s, const char *argument);

/* Starts all of them at one position. */
void segments_move(struct segments *s, uint64_t position);

/* Writes the seed of a segment to `text`, and file and line if it came from a file, as in "169" and
 * "169 (cards:3)". Returns text. */
const char *segments_show(const struct segments *s, size_t i, char *text, size_t size);

void segments_free(struct segments *s);

/* The first line of a plan, whose lines are: run sequence seed position numbers. */
#define SEGMENTS_PLAN "# gpuranmar seeds plan 1"

#endif
