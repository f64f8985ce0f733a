/* What a report is made of: shared by report.c, which collects it, and report_text.c, which writes
 * it. */
#ifndef RANMAR_REPORT_PARTS_H
#define RANMAR_REPORT_PARTS_H

#include <pthread.h>
#include <stdio.h>
#include <sys/types.h>
#include <time.h>

#include "gpuranmar.h"
#include "stream/report.h"

enum {
    /* At most so many are listed; all are counted. */
    RANMAR_NOTES = 200,
    RANMAR_RECORDS = 10000, /* of closed streams */
    RANMAR_TURNS = 16,      /* of a stream */
    /* Bytes of a note, and of the words on devices and failures. */
    RANMAR_NOTE = 384,
    RANMAR_TOLD = 256
};

/* Notes with the same text are one: a program may make an engine go on from a state for each of a
 * million events, and other notes must have room beside that. */
struct ranmar_noted {
    double seconds, last; /* when it came first and last, since the library was first used */
    uint64_t times;
    char text[RANMAR_NOTE];
};

/* Who made the numbers from a position on. */
struct ranmar_turn {
    uint64_t position;
    enum ranmar_by by;
};

struct ranmar_record {
    struct ranmar_record *next, **link;    /* the next in the list, and the pointer to this one */
    const struct gpuranmar_stream *stream; /* NULL once it is closed */
    gpuranmar_options options;             /* with which it was opened */
    int sequence;                          /* id of a numbered sequence, else 0 */

    /* As they were when the record was last brought up to date: */
    uint64_t first, last, drawn;      /* positions; how many numbers the program has drawn */
    uint64_t checked, checked_before; /* by GPURANMAR_VERIFY, since a fork and before it */

    /* Kept by the thread that draws, which may go on while the report is written. */
    const int32_t *window; /* of a numbered sequence, else NULL */
    uint64_t window_end;   /* the position at its end; the lock keeps the two consistent */
    pthread_mutex_t lock;
    uint64_t moved; /* how many numbers the program has moved past without drawing them */
    uint64_t made[RANMAR_BY_COUNT];
    uint64_t turns;                        /* how often CPU or GPU began to make numbers */
    struct ranmar_turn turn[RANMAR_TURNS]; /* the first of these */
    enum ranmar_by by;                     /* the last of these, if turns > 0 */
};

struct ranmar_report {
    time_t started;
    int64_t clock; /* the same moment by ranmar_nanoseconds() */
    int is_child;  /* whether it was forked from a process that used the library */
    pid_t parent;  /* that process */
    struct ranmar_record *records, **end;
    uint64_t closed;                   /* how many of the records are of closed streams */
    uint64_t left_out, left_out_drawn; /* streams without a record, and their numbers */
    struct ranmar_noted *notes;        /* room for RANMAR_NOTES; NULL if there was no memory */
    uint64_t notes_count;              /* of the notes in that room, and of those that found none */
    uint64_t engines, engines_made;
    char devices[RANMAR_TOLD], failure[RANMAR_TOLD];
};

/* Writes the report as JSON. */
void ranmar_report_write(FILE *file, const struct ranmar_report *report);

#endif
