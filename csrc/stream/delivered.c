/* What streams have delivered: delivered.h describes the calls. */
#include "stream/delivered.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "definition/flavour.h"
#include "settings/log.h"
#include "settings/settings.h"

static struct ranmar_delivered *streams; /* of all open streams */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* Counts what was drawn since the last call. If a program has overwritten COMMON /GRNCOM/, a
 * position there may be out of range. */
static void add_numbers(struct ranmar_delivered *d)
{
    const uint64_t position = ranmar_buffer_position(d->buffer);
    if (position <= d->from || ranmar_buffer_left(d->buffer) > d->buffer->room)
        return;
    d->lowest = d->numbers == 0 || d->from < d->lowest ? d->from : d->lowest;
    d->end = position > d->end ? position : d->end;
    d->numbers += position - d->from;
    d->from = position;
}

static void begin_anew(struct ranmar_delivered *d)
{
    d->from = ranmar_buffer_position(d->buffer);
    d->numbers = d->end = 0;
    for (struct ranmar_backend *b = d->backend; b; b = b->next)
        b->times = 0;
}

static void write_line(struct ranmar_delivered *d)
{
    const gpuranmar_options *const o = d->options;
    char sequence[32] = "stream", backends[128] = "earlier requests";
    int length = 0;
    add_numbers(d);
    if (d->numbers == 0)
        return;
    if (d->id)
        snprintf(sequence, sizeof sequence, "sequence %d", d->id);
    for (const struct ranmar_backend *b = d->backend; b; b = b->next)
        if (b->times > 0)
            length += snprintf(backends + length, sizeof backends - (size_t)length,
                               "%s%s %" PRIu64 " times", length ? ", " : "", b->name, b->times);
    ranmar_log("delivered: process %ld, %s, seed %" PRIu64 ", flavour %s, instances %" PRId64
               ", prefetch %" PRId64 ", positions %" PRIu64 " to %" PRIu64 ", numbers %" PRIu64
               ", made by %s",
               (long)getpid(), sequence, (uint64_t)o->seed, ranmar_flavour_name(o->flavour),
               o->instances, o->prefetch, d->lowest, d->end, d->numbers, backends);
    begin_anew(d);
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
    for (struct ranmar_delivered *d = streams; d; d = d->next)
        write_line(d);
    pthread_mutex_unlock(&mutex);
}

static void hold(void)
{
    pthread_mutex_lock(&mutex);
}

static void release_lines(void)
{
    pthread_mutex_unlock(&mutex);
}

/* A forked process counts only what is delivered in it. */
static void begin_child(void)
{
    for (struct ranmar_delivered *d = streams; d; d = d->next)
        begin_anew(d);
    release_lines();
}

static void watch_process(void)
{
    if (pthread_atfork(hold, release_lines, begin_child) != 0 || atexit(write_all_lines) != 0)
        fprintf(stderr, "gpuranmar: no memory to register an exit handler: no line will tell what "
                        "the open sequences have delivered\n");
}

void ranmar_delivered_begin(struct ranmar_delivered *d)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    d->from = ranmar_buffer_position(d->buffer);
    if (!ranmar_settings()->verbose)
        return;
    pthread_once(&once, watch_process);
    pthread_mutex_lock(&mutex);
    d->next = streams;
    streams = d;
    pthread_mutex_unlock(&mutex);
}

void ranmar_delivered_end(struct ranmar_delivered *d)
{
    struct ranmar_delivered **link = &streams;
    if (!ranmar_settings()->verbose)
        return;
    pthread_mutex_lock(&mutex);
    while (*link && *link != d)
        link = &(*link)->next;
    if (*link) {
        write_line(d);
        *link = d->next;
    }
    pthread_mutex_unlock(&mutex);
}

void ranmar_delivered_move(struct ranmar_delivered *d, uint64_t position)
{
    add_numbers(d);
    d->from = position;
}
