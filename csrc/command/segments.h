/* The segments that a command line names as seeds, ranges, files or directories. */
#ifndef SEGMENTS_H
#define SEGMENTS_H

#include <stddef.h>

#include "gpuranmar_seeds.h"

/* Where a segment came from: a line of a file, or the command line, where name is NULL. */
struct origin {
    const char *name;
    size_t line;
};

struct segments {
    gpuranmar_segment *all;
    struct origin *origins;
    size_t n, room;
    uint64_t position, numbers; /* of segments that name none themselves */
    struct path *paths;         /* of files in directories; origins refer to their names */
};

extern const char segments_help[];

/* Adds the segments that one argument names. Refuses in one line what it cannot read. */
void segments_add(struct segments *s, const char *argument);

/* Replaces each segment, as that of a stream of several instances, by the segments of its
 * instances. */
void segments_interleave(struct segments *s, uint64_t instances, uint64_t block);

/* Writes the seed of a segment to `text`, and file and line if it came from a file, as in "169" and
 * "169 (cards:3)". Returns text. */
const char *segments_show(const struct segments *s, size_t i, char *text, size_t size);

void segments_free(struct segments *s);

#endif
