/* Collects what the report tells beside streams, and writes its file: report.h describes the
 * calls. */
#define _GNU_SOURCE
#include "stream/report.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "definition/clock.h"
#include "stream/report_parts.h"
#include "stream/settings.h"

static struct ranmar_report report;
/* The present one when the report began, unless the name is absolute. */
static char folder[PATH_MAX];

struct ranmar_report *ranmar_report(void)
{
    return &report;
}

int ranmar_report_wanted(void)
{
    return *ranmar_settings()->report != '\0';
}

/* --- The file --- */

/* What a name is. NO_NAME: it has another % or is too long. ONE_NAME: all processes have the same.
 * NAME_OF_PROCESS: it has %p, so that each process has its own. */
enum names { NO_NAME, ONE_NAME, NAME_OF_PROCESS };

/* Writes the name with %p replaced by the process's number, %h by the host's name, and %% by %. */
static enum names expand(char out[PATH_MAX], const char *name)
{
    char host[HOST_NAME_MAX + 1] = "", one[2] = "";
    enum names names = ONE_NAME;
    size_t length = 0;
    if (gethostname(host, sizeof host) != 0 || !*host)
        strcpy(host, "localhost");
    for (; *name; ++name) {
        char pid[24];
        const char *piece = one;
        *one = *name;
        if (*name == '%') {
            *one = '%';
            snprintf(pid, sizeof pid, "%ld", (long)getpid());
            if (*++name == 'p')
                piece = pid, names = NAME_OF_PROCESS;
            else if (*name == 'h')
                piece = host;
            else if (*name != '%')
                return NO_NAME;
        }
        if (length + strlen(piece) >= PATH_MAX - 128) /* host and process are added later */
            return NO_NAME;
        strcpy(out + length, piece);
        length += strlen(piece);
    }
    return length > 0 ? names : NO_NAME;
}

int ranmar_report_can_be(const char *name)
{
    char path[PATH_MAX];
    struct stat status;
    if (!expand(path, name))
        return 0;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return 0;
    char *const slash = strrchr(path, '/');
    if (slash && !slash[1])
        return 0;
    if (slash)
        slash[slash == path] = '\0';
    return access(slash ? path : ".", W_OK | X_OK) == 0;
}

/* Writes a new file, down to the disk; returns 0 if that failed or the name is taken. */
static int write_new(const char *path)
{
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return 0;
    FILE *const file = fdopen(descriptor, "w");
    int well =
        file && ranmar_report_write(file, &report) && fflush(file) == 0 && fsync(descriptor) == 0;
    int error = errno;
    if ((file ? fclose(file) : close(descriptor)) != 0 && well) {
        error = errno;
        well = 0;
    }
    if (!well)
        unlink(path);
    errno = error;
    return well;
}

/* Gives the file `own` the name `path`, unless something has that. Where the file system has no
 * hard links the report is written once more, and `own` stays until that is done: only a process
 * that is killed meanwhile leaves a part of a report at `path`. */
static int rename_new(const char *own, const char *path)
{
    if (link(own, path) != 0 && (errno == EEXIST || !write_new(path)))
        return 0;
    unlink(own);
    return 1;
}

/* Writes the report, never over another file: under a name with host and process first, and whole.
 * Then it gets the name that was asked for, unless an earlier run or another process has that. If
 * so, it keeps the first name, and a line says which. A forked process leaves the name to its
 * parent, unless the name has the process in it. */
static void write_file(void)
{
    char name[PATH_MAX], ending[PATH_MAX], path[2 * PATH_MAX], own[3 * PATH_MAX];
    const enum names names = expand(name, ranmar_settings()->report);
    expand(ending, ".%h.%p");
    snprintf(path, sizeof path, "%s%s%s", folder, *folder ? "/" : "", name);
    const int length = snprintf(own, sizeof own, "%s%s", path, ending);
    int well = write_new(own);
    /* An earlier process of the same number may have it: in a container they begin anew. */
    for (int k = 2; !well && errno == EEXIST; ++k) {
        snprintf(own + length, sizeof own - (size_t)length, ".%d", k);
        well = write_new(own);
    }
    if (!well) {
        fprintf(stderr, "gpuranmar: GPURANMAR_REPORT: '%s' cannot be written: %s\n", path,
                strerror(errno));
        return;
    }
    errno = EEXIST;
    if (!(report.is_child && names == ONE_NAME) && rename_new(own, path))
        return;
    if (errno == EEXIST)
        fprintf(stderr,
                "gpuranmar: GPURANMAR_REPORT: '%s' is taken: this process has written "
                "'%s'. %%p in the name stands for the process\n",
                path, own);
    else
        fprintf(stderr,
                "gpuranmar: GPURANMAR_REPORT: '%s' cannot be written: %s; this process has written "
                "'%s'\n",
                path, strerror(errno), own);
}

/* Whether any numbers were drawn. A child process that has drawn none writes no report. */
static int has_drawn(void)
{
    uint64_t drawn = report.left_out_drawn + report.engines_made;
    for (const struct ranmar_observer *o = report.streams; o; o = o->next)
        drawn |= o->drawn;
    return drawn != 0;
}

void ranmar_report_end(void)
{
    if (ranmar_report_wanted() && (!report.is_child || has_drawn()))
        write_file();
}

void ranmar_report_begin(void)
{
    if (!ranmar_report_wanted())
        return;
    if (*ranmar_settings()->report != '/' && !getcwd(folder, sizeof folder))
        *folder = '\0';
    report.started = time(NULL);
    report.clock = ranmar_nanoseconds();
    report.notes = calloc(RANMAR_NOTES, sizeof *report.notes);
}

void ranmar_report_begin_child(void)
{
    report.is_child = 1;
    report.parent = getppid();
    report.closed = report.left_out = report.left_out_drawn = 0;
    report.engines = report.engines_made = report.notes_count = 0;
    *report.devices = *report.failure = '\0';
}

/* --- Notes, and what is told once --- */

/* Keeps a note that comes now. */
static void keep_note(const char *text)
{
    const int64_t now = ranmar_nanoseconds() - report.clock;
    for (uint64_t k = 0; report.notes && k < RANMAR_NOTES; ++k) {
        struct ranmar_noted *const n = &report.notes[k];
        if (k == report.notes_count) {
            *n = (struct ranmar_noted){.first = now};
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
    if (!ranmar_settings()->verbose && !ranmar_report_wanted())
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (ranmar_settings()->verbose)
        fprintf(stderr, "gpuranmar: %s\n", text);
    if (!ranmar_report_wanted() || !ranmar_observes())
        return;
    ranmar_observers_hold();
    keep_note(text);
    ranmar_observers_release();
}

static void tell(char told[RANMAR_TOLD], const char *text)
{
    if (!ranmar_observes())
        return;
    ranmar_observers_hold();
    snprintf(told, RANMAR_TOLD, "%s", text);
    ranmar_observers_release();
}

void ranmar_report_devices(const char *devices)
{
    tell(report.devices, devices);
}

void ranmar_report_failure(const char *why)
{
    tell(report.failure, why);
}
