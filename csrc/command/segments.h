/* The segments that a command line names as seeds, ranges, files or directories. */
#ifndef SEGMENTS_H
#define SEGMENTS_H

#include <stddef.h>
#include <stdio.h>

#include "gpuranmar_seeds.h"

/* How seeds are written, by the index of what --from takes. */
extern const char *const segments_formats[];
enum segments_from {
    FROM_ANY = -1, /* as the file shows; a seed a line */
    FROM_CORSIKA,
    FROM_LIST,
    FROM_IJ_KL,
    FROM_EGSNRC,
    FROM_EGSPP,
    FROM_MG5,
    FROM_LAMMPS
};

/* Where a segment came from: a line of a file, or the command line, where name is NULL; and which
 * sequence of which run it is. */
struct origin {
    const char *name;
    size_t line;
    size_t run;        /* an index */
    const char *label; /* the run's name in a registry, else NULL */
    unsigned sequence; /* from 1 on */
};

struct segments {
    enum segments_from from;
    gpuranmar_segment *all;
    struct origin *origins;
    size_t n, room, runs;
    size_t passed_over;   /* files in directories that have no seeds */
    uint64_t numbers;     /* of segments that name none themselves */
    struct string *owned; /* names of files in directories, labels */
    void *labels;         /* a tree of the labels and their runs */
};

extern const char segments_help[];

/* Adds the segments that one argument names. Refuses in one line what it cannot read. */
void segments_add(struct segments *s, const char *argument);

/* Adds the segments of a file, whatever its name. */
void segments_add_file(struct segments *s, const char *name);

/* Starts all of them at one position. */
void segments_move(struct segments *s, uint64_t position);

/* Replaces each segment, as that of a stream of several instances, by the segments of its
 * instances. */
void segments_interleave(struct segments *s, uint64_t instances, uint64_t block);

/* Writes the seed of a segment to `text`, and file and line if it came from a file, as in "169" and
 * "169 (cards:3)". Returns text. */
const char *segments_show(const struct segments *s, size_t i, char *text, size_t size);

void segments_free(struct segments *s);

/* Compares the reports of jobs, a file or a directory, with what the segments allow, each that of a
 * stream of so many instances. Prints a line for each stream that drew more, that went back, that
 * no segment has or that has other instances, and for each report that leaves streams or engines
 * out; returns how many lines these are. */
size_t reports_check(const struct segments *s, const char *path, uint64_t instances);

/* The first line of a registry of segments, whose lines are: run sequence seed position numbers. */
#define SEGMENTS_REGISTRY "# gpuranmar seeds registry 1"
#define SEGMENTS_COLUMNS "# run sequence seed position numbers"
/* Writes a line of one. */
void segments_print_entry(FILE *file, const char *run, uint64_t sequence,
                          const gpuranmar_segment *g);

/* The first line of the file that `plan --as mpi` writes, whose lines are: rank, and seed N1 N2 of
 * each of its sequences. */
#define SEGMENTS_RANKS "# gpuranmar seeds ranks 1"

#endif
