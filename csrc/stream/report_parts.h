/* What a report is made of, between those who collect it (report.c) and those who write it. */
#ifndef RANMAR_REPORT_PARTS_H
#define RANMAR_REPORT_PARTS_H

#include <pthread.h>
#include <stdio.h>
#include <sys/types.h>
#include <time.h>

#include "gpuranmar.h"
#include "stream/report.h"

/* More than so many are counted and not listed. */
enum {
    RANMAR_NOTES = 200,
    RANMAR_RECORDS = 10000,
    RANMAR_TURNS = 16,
    RANMAR_NOTE = 384,
    RANMAR_TOLD = 256
};

struct ranmar_noted {
    double seconds; /* since the library was first used */
    char text[RANMAR_NOTE];
};

/* Who makes the numbers from a position on. */
struct ranmar_turn {
    uint64_t position;
    enum ranmar_by by;
};

struct ranmar_record {
    struct ranmar_record *next, **link;    /* in the list, and what points here in it */
    const struct gpuranmar_stream *stream; /* NULL once it is closed */
    gpuranmar_options options;             /* as it was opened */
    int sequence;                          /* its id; 0 if it is none */

    /* When it was last brought up to date. */
    uint64_t first, last, drawn;      /* positions; how many numbers the program has drawn */
    uint64_t checked, checked_before; /* by GPURANMAR_VERIFY, and before a fork */

    /* Kept by the thread that draws, which may go on while the report is written. */
    const int32_t *window; /* of a sequence, else NULL, ... */
    uint64_t window_end;   /* ... and the position behind it: with the lock, both at once */
    pthread_mutex_t lock;
    uint64_t moved; /* what the program has gone past */
    uint64_t made[RANMAR_BY_COUNT];
    uint64_t turns; /* how often somebody else began to make; the first of them: */
    struct ranmar_turn turn[RANMAR_TURNS];
    enum ranmar_by by; /* the last of them, if there was any */
};

struct ranmar_report {
    time_t started;
    int64_t clock; /* the same, by ranmar_nanoseconds() */
    int is_child;  /* of a process that had the library before */
    pid_t parent;  /* that process */
    struct ranmar_record *records, **end;
    uint64_t closed;                   /* records of those that are listed */
    uint64_t left_out, left_out_drawn; /* streams that are not, and their numbers */
    struct ranmar_noted *notes;        /* RANMAR_NOTES of them, so many in use */
    uint64_t notes_count;              /* of which those above RANMAR_NOTES are not listed */
    uint64_t engines, engines_made;
    char devices[RANMAR_TOLD], failure[RANMAR_TOLD];
};

/* Writes it as JSON. */
void ranmar_report_write(FILE *file, const struct ranmar_report *report);

#endif
