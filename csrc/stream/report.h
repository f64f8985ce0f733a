/* The report, GPURANMAR_REPORT: it tells what the library did for a process, for somebody who asks
 * years later where some numbers came from. It is written when the process ends by exit() or by
 * returning from main(), or when the library is unloaded. docs/report.md describes the file. */
#ifndef RANMAR_REPORT_H
#define RANMAR_REPORT_H

#include <stddef.h>
#include <stdint.h>

struct gpuranmar_stream;

/* Who makes numbers. */
enum ranmar_by { RANMAR_BY_CPU, RANMAR_BY_GPU, RANMAR_BY_COUNT };

/* Writes one line, made as by printf, to standard error if GPURANMAR_VERBOSE is set, and into the
 * report. */
__attribute__((format(printf, 1, 2))) void ranmar_note(const char *format, ...);

/* What the report tells of one stream. */
struct ranmar_record;

/* Begins the record of a stream at its position. NULL if no report is wanted, or if there is no
 * memory: the report then leaves the stream out. */
struct ranmar_record *ranmar_record_open(const struct gpuranmar_stream *s);
void ranmar_record_close(struct ranmar_record *r);

/* Between these two calls the report is not written. */
void ranmar_report_hold(void);
void ranmar_report_release(void);

/* To be called when the stream has moved in memory. The report must be held. */
void ranmar_record_is_of(struct ranmar_record *r, const struct gpuranmar_stream *s);

/* To be called when the stream becomes numbered sequence `id`. Its window is empty then. From now
 * on minus *window of the numbers that were made have not been delivered. */
void ranmar_record_is_sequence(struct ranmar_record *r, int id, const int32_t *window);

/* To be called when the window has been filled up to position `end`, or when numbers up to `end`
 * have gone past it. It sets *window to `begin`, in the same moment as far as the report can
 * see. */
void ranmar_record_window(struct ranmar_record *r, uint64_t end, int32_t *window, int32_t begin);

/* To be called when n numbers were made from a position on. */
void ranmar_record_made(struct ranmar_record *r, uint64_t position, uint64_t n, enum ranmar_by by);

/* To be called when the program moves from a position to another without drawing what lies between.
 * The report must be held. */
void ranmar_record_moved(struct ranmar_record *r, uint64_t from, uint64_t to);

/* Tell which devices a GPU's maker has opened, and why it has given up. */
void ranmar_report_devices(const char *devices);
void ranmar_report_failure(const char *why);

/* Tell that an engine was started from a seed or goes on from a state, and that one has made n
 * numbers. */
void ranmar_report_engine(const char *routine, int flavour, int64_t seed, uint64_t skip);
void ranmar_report_adopted_engine(const char *routine, int flavour);
void ranmar_report_engine_made(uint64_t n);

#endif
