/* The report, GPURANMAR_REPORT: what the library did for a process, for whoever asks years later
 * where some numbers came from. It is written when the process ends by exit() or by returning from
 * main(), or when the library is unloaded. docs/report.md describes the file. */
#ifndef RANMAR_REPORT_H
#define RANMAR_REPORT_H

#include <stddef.h>
#include <stdint.h>

struct gpuranmar_stream;

/* Who makes numbers. */
enum ranmar_by { RANMAR_BY_CPU, RANMAR_BY_GPU, RANMAR_BY_COUNT };

/* One line: to standard error with GPURANMAR_VERBOSE, and into the report. */
__attribute__((format(printf, 1, 2))) void ranmar_note(const char *format, ...);

/* What a report tells of a stream. */
struct ranmar_record;

/* Begins the record of a stream at its position. NULL where no report is wanted, or there is no
 * memory: the stream then goes without. */
struct ranmar_record *ranmar_record_open(const struct gpuranmar_stream *s);
void ranmar_record_close(struct ranmar_record *r);

/* Between these two the report is not written. */
void ranmar_report_hold(void);
void ranmar_report_release(void);

/* The stream has moved in memory, while the report was held. */
void ranmar_record_is_of(struct ranmar_record *r, const struct gpuranmar_stream *s);

/* It is numbered sequence `id`, with an empty window in front of it: from now on, minus *window
 * numbers are made and not delivered. */
void ranmar_record_is_sequence(struct ranmar_record *r, int id, const int32_t *window);

/* The window has been filled up to a position, or the numbers up to there have gone past it: for
 * the report *window becomes `begin` in the same moment. */
void ranmar_record_window(struct ranmar_record *r, uint64_t end, int32_t *window, int32_t begin);

/* n numbers were made from a position on. */
void ranmar_record_made(struct ranmar_record *r, uint64_t position, uint64_t n, enum ranmar_by by);

/* The program goes from a position to another, while the report is held, without drawing what lies
 * between. */
void ranmar_record_moved(struct ranmar_record *r, uint64_t from, uint64_t to);

/* The devices that a GPU's maker has opened, and why it has given up. */
void ranmar_report_devices(const char *devices);
void ranmar_report_failure(const char *why);

/* An engine was started, or made numbers. */
void ranmar_report_engine(const char *routine, int flavour, int64_t seed, uint64_t skip);
void ranmar_report_engine_made(uint64_t n);

#endif
