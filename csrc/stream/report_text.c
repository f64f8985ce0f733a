/* Writes the report as JSON. */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "definition/clock.h"
#include "definition/flavour.h"
#include "definition/version.h"
#include "fill/fill.h"
#include "stream/counter.h"
#include "stream/library.h"
#include "stream/report_parts.h"
#include "stream/settings.h"
#include "stream/verify.h"

extern char **environ;

/* --- JSON --- */

/* How many bytes the UTF-8 character at s has; 0 if there is none. Names of files may have any
 * bytes. */
static size_t character(const unsigned char *s)
{
    const size_t length = *s < 0x80 ? 1 : *s < 0xc2 ? 0 : *s < 0xe0 ? 2 : *s < 0xf0 ? 3 : 4;
    if (*s > 0xf4)
        return 0;
    for (size_t i = 1; i < length; ++i)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    /* None of these are characters: overlong forms, surrogates, and codes above the last
     * character. */
    if ((*s == 0xe0 && s[1] < 0xa0) || (*s == 0xed && s[1] > 0x9f) || (*s == 0xf0 && s[1] < 0x90) ||
        (*s == 0xf4 && s[1] > 0x8f))
        return 0;
    return length;
}

static void write_string(FILE *file, const char *text)
{
    fputc('"', file);
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        const size_t length = character(s);
        if (*s == '"' || *s == '\\')
            fprintf(file, "\\%c", *s);
        else if (*s < 0x20 || length == 0) /* a byte outside UTF-8 is taken for Latin-1 */
            fprintf(file, "\\u%04x", *s);
        else
            fwrite(s, 1, length, file);
        s += length ? length : 1;
    }
    fputc('"', file);
}

/* Writes "name": "text", or "name": null, between the words before and after. */
static void write_text(FILE *file, const char *before, const char *name, const char *text,
                       const char *after)
{
    fprintf(file, "%s\"%s\": ", before, name);
    if (text)
        write_string(file, text);
    else
        fputs("null", file);
    fputs(after, file);
}

static void write_count(FILE *file, const char *before, const char *name, uint64_t count,
                        const char *after)
{
    fprintf(file, "%s\"%s\": %" PRIu64 "%s", before, name, count, after);
}

/* Writes nanoseconds as seconds. A floating-point conversion would use the decimal sign of the
 * program's locale, and a program may trap what is inexact. */
static void write_seconds(FILE *file, const char *before, const char *name, int64_t ns,
                          const char *after)
{
    const int64_t us = ns / 1000;
    fprintf(file, "%s\"%s\": %" PRId64 ".%06d%s", before, name, us / 1000000, (int)(us % 1000000),
            after);
}

/* --- The parts --- */

static const char *by_name(enum ranmar_by by)
{
    return by == RANMAR_BY_GPU ? "gpu" : "cpu";
}

static void write_time(FILE *file, const char *name, time_t seconds)
{
    struct tm utc;
    char text[32];
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &utc));
    write_text(file, "    ", name, text, ",\n");
}

static void write_process(FILE *file, const struct ranmar_report *r)
{
    char program[PATH_MAX] = "", host[HOST_NAME_MAX + 1] = "";
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    gethostname(host, sizeof host);
    fputs("  \"process\": {\n", file);
    write_time(file, "started", r->started);
    write_time(file, "ended", time(NULL));
    write_text(file, "    ", "host", host, ",\n");
    write_text(file, "    ", "program", program, ",\n");
    write_seconds(file, "    ", "cpu_seconds", ranmar_nanoseconds_of(CLOCK_PROCESS_CPUTIME_ID),
                  ",\n");
    write_count(file, "    ", "pid", (uint64_t)getpid(), ",\n");
    if (r->is_child)
        write_count(file, "    ", "forked_from", (uint64_t)r->parent, "\n  },\n");
    else
        fputs("    \"forked_from\": null\n  },\n", file);
}

static void write_settings(FILE *file)
{
    const char *before = "  \"settings\": {\n    ";
    for (const struct ranmar_setting *s = ranmar_setting_rows; s->name; ++s) {
        char digits[32];
        int is_number;
        const char *const value = ranmar_setting_value(s, digits, &is_number);
        if (is_number)
            fprintf(file, "%s\"%s\": %s", before, s->field, value);
        else
            write_text(file, before, s->field, value, "");
        before = ",\n    ";
    }
    fputs("\n  },\n", file);
}

/* Writes the variables as they are now. They may differ from the settings: a program may have set
 * some after the library has read them. */
static void write_environment(FILE *file)
{
    const char *before = "\n    ";
    fputs("  \"environment\": {", file);
    for (char **e = environ; e && *e; ++e) {
        const char *const equals = strchr(*e, '=');
        if (strncmp(*e, "GPURANMAR_", 10) != 0 || !equals)
            continue;
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)(equals - *e), *e);
        fputs(before, file);
        write_string(file, name);
        fputs(": ", file);
        write_string(file, equals + 1);
        before = ",\n    ";
    }
    fputs("\n  },\n", file);
}

static void write_made(FILE *file, const struct ranmar_observer *r)
{
    fputs(", \"made\": {", file);
    for (int by = 0; by < RANMAR_BY_COUNT; ++by)
        write_count(file, by ? ", " : "", by_name((enum ranmar_by)by),
                    ranmar_count_read(&r->made[by]), "");
    fputs("}, \"turns\": [", file);
    const uint64_t turns = ranmar_count_read(&r->turns);
    for (uint64_t k = 0; k < turns && k < RANMAR_TURNS; ++k)
        fprintf(file, "%s{\"from\": %" PRIu64 ", \"by\": \"%s\"}", k ? ", " : "",
                r->turn[k].position, by_name(r->turn[k].by));
    write_count(file, "], ", "change_overs", turns ? turns - 1 : 0, "}");
}

static void write_stream(FILE *file, const struct ranmar_observer *r)
{
    const gpuranmar_options *const o = &r->options;
    if (r->sequence)
        write_count(file, "    {", "sequence", (uint64_t)r->sequence, ", ");
    else
        fputs("    {\"sequence\": null, ", file);
    write_count(file, "", "seed", (uint64_t)o->seed, ", ");
    write_text(file, "", "flavour", ranmar_flavour_name(o->flavour), ", ");
    write_text(file, "", "backend", ranmar_backend_name(o->backend), ", ");
    write_count(file, "", "instances", (uint64_t)o->instances, ", ");
    write_count(file, "", "prefetch", (uint64_t)o->prefetch, ", ");
    write_count(file, "", "threads", (uint64_t)o->threads, ",\n     ");
    write_count(file, "", "first", r->first, ", ");
    write_count(file, "", "last", r->last, ", ");
    write_count(file, "", "drawn", r->drawn, ", ");
    write_count(file, "", "checked", r->checked, ", ");
    fprintf(file, "\"open\": %s", r->stream ? "true" : "false");
    write_made(file, r);
}

static void write_notes(FILE *file, const struct ranmar_report *r)
{
    fputs("  \"notes\": [", file);
    const uint64_t listed = !r->notes                       ? 0
                            : r->notes_count < RANMAR_NOTES ? r->notes_count
                                                            : RANMAR_NOTES;
    for (uint64_t k = 0; k < listed; ++k) {
        const struct ranmar_noted *const n = &r->notes[k];
        fputs(k ? ",\n" : "\n", file);
        write_seconds(file, "    {", "seconds", n->first, ", ");
        write_seconds(file, "", "last_seconds", n->last, ", ");
        write_count(file, "", "times", n->times, ", \"text\": ");
        write_string(file, n->text);
        fputc('}', file);
    }
    write_count(file, "\n  ],\n  ", "notes_left_out", r->notes_count - listed, ",\n");
}

int ranmar_report_write(FILE *file, const struct ranmar_report *r)
{
    fputs("{\n  \"report\": \"gpuranmar 1\",\n", file);
    write_text(file, "  ", "version", RANMAR_VERSION, ",\n");
    write_text(file, "  ", "library", ranmar_library_path(), ",\n");
    write_process(file, r);
    write_settings(file);
    write_environment(file);
    write_text(file, "  \"cpu\": {", "refills", ranmar_fill_level(1)->name, ", ");
    write_text(file, "", "arrays", ranmar_fill_level(RANMAR_ARRAY)->name, "},\n");
    write_text(file, "  \"gpu\": {", "devices", *r->devices ? r->devices : NULL, ", ");
    write_text(file, "", "given_up", *r->failure ? r->failure : NULL, "},\n");
    write_text(file, "  ", "verify_failed", ranmar_verify_failure(), ",\n");
    fputs("  \"streams\": [", file);
    for (const struct ranmar_observer *k = r->streams; k; k = k->next) {
        fputs(k == r->streams ? "\n" : ",\n", file);
        write_stream(file, k);
    }
    write_count(file, "\n  ],\n  \"streams_left_out\": {", "count", r->left_out, ", ");
    write_count(file, "", "drawn", r->left_out_drawn, "},\n");
    write_count(file, "  \"engines\": {", "started", r->engines, ", ");
    write_count(file, "", "made", r->engines_made, "},\n");
    write_notes(file, r);
    fputs("  \"complete\": true\n}\n", file);
    return !ferror(file);
}
