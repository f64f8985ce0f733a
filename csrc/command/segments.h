/* The segments that a command line names: seeds, ranges, files, directories. */
#ifndef SEGMENTS_H
#define SEGMENTS_H

#include <stddef.h>

#include "gpuranmar_seeds.h"

/* Where a segment came from: a file and its line, or the command line (name NULL). */
struct origin {
    const char *name;
    size_t line;
};

struct segments {
    gpuranmar_segment *all;
    struct origin *origins;
    size_t n, room;
    uint64_t position, numbers; /* where nothing else is said */
};

extern const char segments_help[];

/* Adds what one argument names; refuses in one line what it cannot read. */
void segments_add(struct segments *s, const char *argument);

/* Each stream of several instances becomes the segments of its instances. */
void segments_interleave(struct segments *s, uint64_t instances, uint64_t block);

/* "169", "169 at 4000", with its file and line where it has any. */
const char *segments_show(const struct segments *s, size_t i, char *text, size_t size);

void segments_free(struct segments *s);

#endif
