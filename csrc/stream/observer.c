/* The observers of all streams: observer.h describes the calls. */
#include "stream/observer.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "definition/error.h"
#include "definition/flavour.h"
#include "stream/report_parts.h"
#include "stream/settings.h"
#include "stream/stream.h"
#include "stream/verify.h"

/* For the list and the report. A signal's handler may call exit() in the middle of a change: a
 * thread that has the lock already goes on without it. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void prepare_mutex(void)
{
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&mutex, &a);
    pthread_mutexattr_destroy(&a);
}

void ranmar_observers_hold(void)
{
    pthread_mutex_lock(&mutex);
}

void ranmar_observers_release(void)
{
    pthread_mutex_unlock(&mutex);
}

/* --- One stream --- */

/* Checks what was drawn from the window of a numbered sequence since the last look. The caller
 * holds the observer's lock, so that the window is not filled. But at the end of the program a
 * thread may draw from it meanwhile: the position is read only once. */
static void check_window(struct ranmar_observer *o)
{
    const struct ranmar_window *const w = o->window;
    if (!w || !o->verify)
        return;
    const uint64_t position = ranmar_window_position(w);
    if (position - o->looked > w->made - o->looked) { /* a place outside the window */
        /* A routine that finds such a place stops the program with a line: one is enough. */
        if (!ranmar_has_stopped)
            ranmar_verify_damaged(o->verify);
        return;
    }
    ranmar_verify(o->verify, o->looked, w->end - (w->made - o->looked) * w->size,
                  (size_t)(position - o->looked));
    o->looked = position;
}

/* Checks what the numbers themselves do not show: they are right at any position, and a copy of the
 * stream goes by its options. */
static void check_place(const struct ranmar_observer *o, uint64_t position)
{
    if (o->verify &&
        (position != o->at || memcmp(&o->options, &o->stream->options, sizeof o->options) != 0))
        ranmar_verify_damaged(o->verify);
}

/* After a difference was found nothing is checked any more, and the lock is left alone: the thread
 * that has found it may have called exit() with the lock held. */
void ranmar_observer_hold(struct ranmar_observer *o)
{
    if (!o)
        return;
    o->is_held = !ranmar_verify_failure() && pthread_mutex_lock(&o->lock) == 0;
    check_place(o, ranmar_stream_position(o->stream));
    check_window(o);
}

void ranmar_observer_release(struct ranmar_observer *o)
{
    if (!o)
        return;
    o->at = ranmar_stream_position(o->stream);
    if (o->window)
        o->looked = ranmar_window_position(o->window);
    if (o->is_held)
        pthread_mutex_unlock(&o->lock);
}

void ranmar_observer_delivered(struct ranmar_observer *o, uint64_t position, const void *numbers,
                               size_t n)
{
    check_place(o, position);
    o->at = position + n;
    if (o->verify)
        ranmar_verify(o->verify, position, numbers, n);
}

void ranmar_observer_made(struct ranmar_observer *o, uint64_t position, uint64_t n,
                          enum ranmar_by by)
{
    ranmar_count_set(&o->made[by], o->made[by] + n);
    if (o->turns > 0 && o->by == by)
        return;
    if (o->turns < RANMAR_TURNS)
        o->turn[o->turns] = (struct ranmar_turn){position, by};
    ranmar_count_set(&o->turns, o->turns + 1);
    o->by = by;
}

void ranmar_observer_moved(struct ranmar_observer *o, uint64_t from, uint64_t to)
{
    o->moved += to - from;
}

void ranmar_observer_set_state(struct ranmar_observer *o, const struct ranmar_state *state,
                               uint64_t position)
{
    o->at = position;
    if (o->verify)
        ranmar_verify_set_state(o->verify, state, position);
}

void ranmar_observer_is_of(struct ranmar_observer *o, const struct gpuranmar_stream *s)
{
    o->stream = s;
}

void ranmar_observer_is_sequence(struct ranmar_observer *o, int id, const struct ranmar_window *w)
{
    pthread_mutex_lock(&mutex);
    o->sequence = id;
    o->window = w;
    o->looked = ranmar_window_position(w);
    pthread_mutex_unlock(&mutex);
    if (o->verify)
        ranmar_verify_is_sequence(o->verify, id);
}

/* Brings what is reported of a stream up to date, if the stream is open. The lock may be taken, by
 * a thread that draws while the program ends: this does not wait for it. */
static void update(struct ranmar_observer *o)
{
    if (!o->stream)
        return;
    const int is_locked = pthread_mutex_trylock(&o->lock) == 0;
    o->last = ranmar_window_look(o->window ? o->window : &o->stream->cache);
    o->drawn = o->last - o->first - o->moved;
    if (is_locked)
        pthread_mutex_unlock(&o->lock);
    if (o->verify)
        o->checked = ranmar_verify_count(o->verify) - o->checked_before;
}

/* --- The list --- */

static void append(struct ranmar_observer *o)
{
    struct ranmar_report *const report = ranmar_report();
    o->link = report->end;
    *report->end = o;
    report->end = &o->next;
}

static void drop(struct ranmar_observer *o)
{
    *o->link = o->next;
    *(o->next ? &o->next->link : &ranmar_report()->end) = o->link;
    pthread_mutex_destroy(&o->lock);
    free(o);
}

/* At the end of the program. If a thread is just filling a window, that thread checks what was
 * drawn before; what is drawn after that is not checked. */
static void end(void)
{
    struct ranmar_report *const report = ranmar_report();
    ranmar_verify_ends();
    pthread_mutex_lock(&mutex);
    for (struct ranmar_observer *o = report->streams; o; o = o->next)
        if (pthread_mutex_trylock(&o->lock) == 0) {
            check_window(o);
            pthread_mutex_unlock(&o->lock);
        }
    for (struct ranmar_observer *o = report->streams; o; o = o->next)
        update(o);
    ranmar_report_end();
    pthread_mutex_unlock(&mutex);
}

/* In a forked process, which reports and checks only what it does itself: the streams that it has
 * taken over begin where they are. Threads of the parent may have held the locks, and may have been
 * in the middle of a check. */
static void begin_child(void)
{
    struct ranmar_report *const report = ranmar_report();
    for (struct ranmar_observer *o = report->streams, *next; o; o = next) {
        next = o->next;
        if (!o->stream) {
            drop(o);
            continue;
        }
        pthread_mutex_init(&o->lock, NULL);
        update(o);
        o->first = o->looked = o->last;
        o->at = ranmar_stream_position(o->stream);
        o->checked_before += o->checked;
        o->drawn = o->moved = o->turns = 0;
        memset(o->made, 0, sizeof o->made);
    }
    ranmar_report_begin_child();
    prepare_mutex();
}

static void begin(void)
{
    prepare_mutex();
    ranmar_report()->end = &ranmar_report()->streams;
    ranmar_report_begin();
    pthread_atfork(ranmar_observers_hold, ranmar_observers_release, begin_child);
    if (atexit(end) != 0)
        fprintf(stderr, "gpuranmar: no memory for what is done at the end: no report is written, "
                        "and the last numbers are not checked\n");
}

int ranmar_observes(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!ranmar_report_wanted() && !ranmar_verify_wanted())
        return 0;
    pthread_once(&once, begin);
    return 1;
}

int ranmar_observer_open(struct ranmar_observer **observer, const struct gpuranmar_stream *s)
{
    *observer = NULL;
    if (!ranmar_observes())
        return 1;
    struct ranmar_observer *const o = calloc(1, sizeof *o);
    if (!o)
        return 0;
    if (ranmar_verify_wanted()) {
        o->verify = ranmar_verify_open(s->flavour, s->states.interleave, s->options.seed);
        if (!o->verify)
            return free(o), 0;
    }
    o->stream = s;
    o->options = s->options;
    o->first = o->at = ranmar_stream_position(s);
    pthread_mutex_init(&o->lock, NULL);
    pthread_mutex_lock(&mutex);
    append(o);
    pthread_mutex_unlock(&mutex);
    *observer = o;
    return 1;
}

void ranmar_observer_close(struct ranmar_observer *o)
{
    struct ranmar_report *const report = ranmar_report();
    ranmar_observer_hold(o);
    ranmar_observer_release(o);
    pthread_mutex_lock(&mutex);
    update(o);
    o->stream = NULL;
    o->window = NULL;
    ranmar_verify_close(o->verify);
    o->verify = NULL;
    if (!ranmar_report_wanted()) {
        drop(o);
    } else if (report->closed < RANMAR_STREAMS) {
        ++report->closed;
    } else {
        ++report->left_out;
        report->left_out_drawn += o->drawn;
        drop(o);
    }
    pthread_mutex_unlock(&mutex);
}

/* --- Engines --- */

static void count_engine(void)
{
    if (!ranmar_observes())
        return;
    pthread_mutex_lock(&mutex);
    ++ranmar_report()->engines;
    pthread_mutex_unlock(&mutex);
}

void ranmar_observe_engine(const char *routine, int flavour, int64_t seed, uint64_t skip)
{
    ranmar_note("%s: an engine of flavour %s starts from seed %" PRIu64 " at position %" PRIu64,
                routine, ranmar_flavour_name(flavour), (uint64_t)seed, skip);
    count_engine();
}

void ranmar_observe_adopted_engine(const char *routine, int flavour)
{
    ranmar_note("%s: an engine of flavour %s goes on from a state", routine,
                ranmar_flavour_name(flavour));
    count_engine();
}

void ranmar_observe_made(const struct ranmar_state *before, const struct ranmar_flavour *f,
                         uint64_t position, const void *numbers, size_t n)
{
    ranmar_verify_made(before, f, position, numbers, n);
    pthread_mutex_lock(&mutex);
    ranmar_report()->engines_made += n;
    pthread_mutex_unlock(&mutex);
}
