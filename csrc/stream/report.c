/* Collects what the report tells: report.h describes the calls. */
#include "stream/report.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "definition/clock.h"
#include "definition/flavour.h"
#include "stream/report_parts.h"
#include "stream/settings.h"
#include "stream/stream.h"
#include "stream/whole_file.h"

static struct ranmar_report report;
static struct ranmar_whole_file file;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* for both */

static int is_wanted(void)
{
    return *ranmar_settings()->report != '\0';
}

void ranmar_report_hold(void)
{
    pthread_mutex_lock(&mutex);
}

void ranmar_report_release(void)
{
    pthread_mutex_unlock(&mutex);
}

/* --- Records --- */

/* Brings a record up to date if its stream is open. */
static void update(struct ranmar_record *r)
{
    if (!r->stream)
        return;
    pthread_mutex_lock(&r->lock);
    r->last = r->window ? r->window_end - (uint64_t)-__atomic_load_n(r->window, __ATOMIC_RELAXED)
                        : ranmar_stream_position(r->stream);
    pthread_mutex_unlock(&r->lock);
    r->drawn = r->last - r->first - r->moved;
    if (r->stream->verify)
        r->checked = ranmar_verify_count(r->stream->verify) - r->checked_before;
}

static void append(struct ranmar_record *r)
{
    r->link = report.end;
    *report.end = r;
    report.end = &r->next;
}

static void drop(struct ranmar_record *r)
{
    *r->link = r->next;
    *(r->next ? &r->next->link : &report.end) = r->link;
    free(r);
}

/* --- The end --- */

static void write_report(FILE *out, const void *what)
{
    ranmar_report_write(out, what);
}

/* Whether any numbers were drawn. A child process that has drawn none writes no report. */
static int has_drawn(void)
{
    uint64_t drawn = report.left_out_drawn + report.engines_made;
    for (const struct ranmar_record *r = report.records; r; r = r->next)
        drawn |= r->drawn;
    return drawn != 0;
}

static void end(void)
{
    pthread_mutex_lock(&mutex);
    for (struct ranmar_record *r = report.records; r; r = r->next)
        update(r);
    if (!report.is_child || has_drawn())
        ranmar_whole_file_write(&file, report.is_child, write_report, &report);
    pthread_mutex_unlock(&mutex);
}

/* --- Forks --- */

/* In a child process: it reports only what it does itself. The streams that it has taken over begin
 * where they are. */
static void begin_child(void)
{
    report.is_child = 1;
    report.parent = getppid();
    report.left_out = report.left_out_drawn = report.engines = report.engines_made = 0;
    report.notes_count = 0;
    *report.devices = *report.failure = '\0';
    for (struct ranmar_record *r = report.records, *next; r; r = next) {
        next = r->next;
        if (!r->stream) {
            drop(r);
            continue;
        }
        pthread_mutex_init(&r->lock, NULL); /* a thread of the parent may have held it */
        update(r);
        r->first = r->last;
        r->checked_before += r->checked;
        r->drawn = r->moved = r->turns = 0;
        memset(r->made, 0, sizeof r->made);
    }
    report.closed = 0;
    pthread_mutex_unlock(&mutex);
}

/* --- The beginning --- */

static void begin(void)
{
    if (!is_wanted())
        return;
    ranmar_whole_file_begin(&file, ranmar_settings()->report);
    report.started = time(NULL);
    report.clock = ranmar_nanoseconds();
    report.end = &report.records;
    report.notes = calloc(RANMAR_NOTES, sizeof *report.notes);
    pthread_atfork(ranmar_report_hold, ranmar_report_release, begin_child);
    atexit(end);
}

/* Whether a report is wanted; the first call begins it. */
static int begun(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, begin);
    return is_wanted();
}

struct ranmar_record *ranmar_record_open(const struct gpuranmar_stream *s)
{
    struct ranmar_record *const r = begun() ? calloc(1, sizeof *r) : NULL;
    if (!r)
        return NULL;
    r->stream = s;
    r->options = s->options;
    r->first = r->window_end = ranmar_stream_position(s);
    pthread_mutex_init(&r->lock, NULL);
    pthread_mutex_lock(&mutex);
    append(r);
    pthread_mutex_unlock(&mutex);
    return r;
}

void ranmar_record_close(struct ranmar_record *r)
{
    pthread_mutex_lock(&mutex);
    update(r);
    r->stream = NULL;
    r->window = NULL;
    if (report.closed < RANMAR_RECORDS) {
        ++report.closed;
    } else {
        ++report.left_out;
        report.left_out_drawn += r->drawn;
        drop(r);
    }
    pthread_mutex_unlock(&mutex);
}

void ranmar_record_is_of(struct ranmar_record *r, const struct gpuranmar_stream *s)
{
    r->stream = s;
}

void ranmar_record_is_sequence(struct ranmar_record *r, int id, const int32_t *window)
{
    pthread_mutex_lock(&mutex);
    r->sequence = id;
    r->window = window;
    pthread_mutex_unlock(&mutex);
}

void ranmar_record_made(struct ranmar_record *r, uint64_t position, uint64_t n, enum ranmar_by by)
{
    ranmar_count_set(&r->made[by], r->made[by] + n);
    if (r->turns > 0 && r->by == by)
        return;
    if (r->turns < RANMAR_TURNS)
        r->turn[r->turns] = (struct ranmar_turn){position, by};
    ranmar_count_set(&r->turns, r->turns + 1);
    r->by = by;
}

void ranmar_record_window(struct ranmar_record *r, uint64_t end, int32_t *window, int32_t begin)
{
    pthread_mutex_lock(&r->lock);
    r->window_end = end;
    __atomic_store_n(window, begin, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&r->lock);
}

void ranmar_record_moved(struct ranmar_record *r, uint64_t from, uint64_t to)
{
    r->moved += to - from;
}

/* --- Notes, and what is told once --- */

/* Keeps a note that comes now. The report must be held. */
static void keep_note(const char *text)
{
    const double now = 1e-9 * (double)(ranmar_nanoseconds() - report.clock);
    for (uint64_t k = 0; report.notes && k < RANMAR_NOTES; ++k) {
        struct ranmar_noted *const n = &report.notes[k];
        if (k == report.notes_count) {
            *n = (struct ranmar_noted){.seconds = now};
            snprintf(n->text, sizeof n->text, "%s", text);
            ++report.notes_count;
        }
        if (strcmp(n->text, text) == 0) {
            n->last = now;
            ++n->times;
            return;
        }
    }
    ++report.notes_count;
}

void ranmar_note(const char *format, ...)
{
    char text[RANMAR_NOTE];
    va_list arguments;
    if (!ranmar_settings()->verbose && !is_wanted())
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (ranmar_settings()->verbose)
        fprintf(stderr, "gpuranmar: %s\n", text);
    if (!begun())
        return;
    pthread_mutex_lock(&mutex);
    keep_note(text);
    pthread_mutex_unlock(&mutex);
}

static void tell(char told[RANMAR_TOLD], const char *text)
{
    if (!begun())
        return;
    pthread_mutex_lock(&mutex);
    snprintf(told, RANMAR_TOLD, "%s", text);
    pthread_mutex_unlock(&mutex);
}

void ranmar_report_devices(const char *devices)
{
    tell(report.devices, devices);
}

void ranmar_report_failure(const char *why)
{
    tell(report.failure, why);
}

static void count_engine(void)
{
    if (!begun())
        return;
    pthread_mutex_lock(&mutex);
    ++report.engines;
    pthread_mutex_unlock(&mutex);
}

void ranmar_report_engine(const char *routine, int flavour, int64_t seed, uint64_t skip)
{
    ranmar_note("%s: an engine of flavour %s starts from seed %" PRId64 " at position %" PRIu64,
                routine, ranmar_flavour_name(flavour), seed, skip);
    count_engine();
}

void ranmar_report_adopted_engine(const char *routine, int flavour)
{
    ranmar_note("%s: an engine of flavour %s goes on from a state", routine,
                ranmar_flavour_name(flavour));
    count_engine();
}

void ranmar_report_engine_made(uint64_t n)
{
    if (!begun())
        return;
    pthread_mutex_lock(&mutex);
    report.engines_made += n;
    pthread_mutex_unlock(&mutex);
}
