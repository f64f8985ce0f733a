/* What observers and the report are made of: shared by observer.c and report.c, which collect it,
 * and report_text.c, which writes it. */
#ifndef RANMAR_REPORT_PARTS_H
#define RANMAR_REPORT_PARTS_H

#include <pthread.h>
#include <stdio.h>
#include <sys/types.h>
#include <time.h>

#include "gpuranmar.h"
#include "stream/observer.h"
#include "stream/report.h"

enum {
    /* At most so many are listed; all are counted. */
    RANMAR_NOTES = 200,
    RANMAR_STREAMS = 10000, /* that are closed */
    RANMAR_TURNS = 16,      /* of a stream */
    /* Bytes of a note, and of the words on devices and failures. */
    RANMAR_NOTE = 384,
    RANMAR_TOLD = 256
};

/* Notes with the same text are one: a program may make an engine go on from a state for each of a
 * million events, and other notes must have room beside that. */
struct ranmar_noted {
    int64_t first, last; /* when it came, in nanoseconds since the library was first used */
    uint64_t times;
    char text[RANMAR_NOTE];
};

/* Who made the numbers from a position on. */
struct ranmar_turn {
    uint64_t position;
    enum ranmar_by by;
};

struct ranmar_observer {
    struct ranmar_observer *next, **link;  /* the next in the list, and the pointer to this one */
    const struct gpuranmar_stream *stream; /* NULL once it is closed */
    struct ranmar_verify *verify;          /* NULL unless GPURANMAR_VERIFY is set */
    gpuranmar_options options;             /* with which the stream was opened */
    int sequence;                          /* id of a numbered sequence, else 0 */
    const struct ranmar_window *window;    /* of a numbered sequence, else NULL */

    pthread_mutex_t lock; /* held while the window and the next two change */
    int is_held;
    uint64_t at;     /* the stream's position, kept here too: its own may be damaged */
    uint64_t looked; /* the position up to which the window was looked at */
    uint64_t moved;  /* how many numbers the program has moved past without drawing them */

    /* As they were when they were last brought up to date: */
    uint64_t first, last, drawn;      /* positions; how many numbers the program has drawn */
    uint64_t checked, checked_before; /* by GPURANMAR_VERIFY, since a fork and before it */

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
    struct ranmar_observer *streams, **end; /* the list of all observers */
    uint64_t closed;                        /* how many of these streams are closed */
    uint64_t left_out, left_out_drawn;      /* streams that are not listed, and their numbers */
    struct ranmar_noted *notes;             /* room for RANMAR_NOTES; NULL if there was no memory */
    uint64_t notes_count; /* of the notes in that room, and of those that found none */
    uint64_t engines, engines_made;
    char devices[RANMAR_TOLD], failure[RANMAR_TOLD];
};

/* The one report of the process. What changes it holds ranmar_observers_hold(). */
struct ranmar_report *ranmar_report(void);

/* Whether GPURANMAR_REPORT is set. */
int ranmar_report_wanted(void);

/* Begin the report, in this process or in one that was forked from it, and write its file. */
void ranmar_report_begin(void);
void ranmar_report_begin_child(void);
void ranmar_report_end(void);

/* Writes the report as JSON; returns 0 if that failed. */
int ranmar_report_write(FILE *file, const struct ranmar_report *report);

#endif
