/* Lines on standard error: verbose.h describes the calls. */
#include "stream/verbose.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "definition/error.h"
#include "definition/flavour.h"
#include "stream/settings.h"
#include "stream/stream.h"

enum { LINE = 512 };

/* One write() for each line: lines of several processes stay whole, and less stack is needed than
 * for the buffer that stdio would take. */
void ranmar_note(const char *format, ...)
{
    if (!ranmar_settings()->verbose)
        return;
    char line[LINE] = "gpuranmar: ";
    size_t length = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    ranmar_vprint(line + length, sizeof line - length, format, arguments);
    va_end(arguments);
    length = strlen(line);
    line[length] = '\n';
    if (write(STDERR_FILENO, line, length + 1) < 0)
        return; /* there is nobody to tell */
}

/* --- What was delivered --- */

static struct gpuranmar_stream *streams; /* all that are open */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* Counts what was drawn since the last call. If a program has overwritten COMMON /GRNCOM/, a
 * position there may be out of range. */
static void count(struct gpuranmar_stream *s)
{
    struct ranmar_delivered *const d = &s->delivered;
    const uint64_t position = ranmar_stream_position(s);
    if (position <= d->from || ranmar_buffer_left(&s->buffer) > s->buffer.room)
        return;
    d->lowest = d->numbers == 0 || d->from < d->lowest ? d->from : d->lowest;
    d->end = position > d->end ? position : d->end;
    d->numbers += position - d->from;
    d->from = position;
}

static void begin_anew(struct gpuranmar_stream *s)
{
    s->delivered.from = ranmar_stream_position(s);
    s->delivered.numbers = s->delivered.end = 0;
    for (struct ranmar_maker *m = s->maker; m; m = m->next)
        m->times = 0;
}

static void write_line(struct gpuranmar_stream *s)
{
    const struct ranmar_delivered *const d = &s->delivered;
    char sequence[32] = "stream", makers[128] = "earlier requests";
    int length = 0;
    count(s);
    if (d->numbers == 0)
        return;
    if (d->id)
        snprintf(sequence, sizeof sequence, "sequence %d", d->id);
    for (const struct ranmar_maker *m = s->maker; m; m = m->next)
        if (m->times > 0)
            length += snprintf(makers + length, sizeof makers - (size_t)length,
                               "%s%s %" PRIu64 " times", length ? ", " : "", m->name, m->times);
    ranmar_note("delivered: process %ld, %s, seed %" PRIu64 ", flavour %s, instances %" PRId64
                ", prefetch %" PRId64 ", positions %" PRIu64 " to %" PRIu64 ", numbers %" PRIu64
                ", made by %s",
                (long)getpid(), sequence, (uint64_t)s->options.seed,
                ranmar_flavour_name(s->options.flavour), s->options.instances, s->options.prefetch,
                d->lowest, d->end, d->numbers, makers);
    begin_anew(s);
}

/* Runs when the program ends or the library is unloaded. Another thread may hold the mutex for a
 * moment. If a signal handler has interrupted the holder and called exit(), nobody releases the
 * mutex. */
static void write_all_lines(void)
{
    const struct timespec moment = {0, 1000000};
    for (int tries = 0; pthread_mutex_trylock(&mutex) != 0; ++tries) {
        if (tries == 100)
            return;
        nanosleep(&moment, NULL);
    }
    for (struct gpuranmar_stream *s = streams; s; s = s->delivered.next)
        write_line(s);
    pthread_mutex_unlock(&mutex);
}

static void hold(void)
{
    pthread_mutex_lock(&mutex);
}

static void release(void)
{
    pthread_mutex_unlock(&mutex);
}

/* A forked process counts only what is delivered in it. */
static void begin_child(void)
{
    for (struct gpuranmar_stream *s = streams; s; s = s->delivered.next)
        begin_anew(s);
    release();
}

static void begin(void)
{
    if (pthread_atfork(hold, release, begin_child) != 0 || atexit(write_all_lines) != 0)
        fprintf(stderr, "gpuranmar: no memory to register an exit handler: no line will tell what "
                        "the open sequences have delivered\n");
}

void ranmar_delivered_begin(struct gpuranmar_stream *s)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    s->delivered.from = ranmar_stream_position(s);
    if (!ranmar_settings()->verbose)
        return;
    pthread_once(&once, begin);
    pthread_mutex_lock(&mutex);
    s->delivered.next = streams;
    streams = s;
    pthread_mutex_unlock(&mutex);
}

void ranmar_delivered_end(struct gpuranmar_stream *s)
{
    struct gpuranmar_stream **link = &streams;
    if (!ranmar_settings()->verbose)
        return;
    pthread_mutex_lock(&mutex);
    while (*link && *link != s)
        link = &(*link)->delivered.next;
    if (*link) {
        write_line(s);
        *link = s->delivered.next;
    }
    pthread_mutex_unlock(&mutex);
}

void ranmar_delivered_move(struct gpuranmar_stream *s, uint64_t position)
{
    count(s);
    s->delivered.from = position;
}
