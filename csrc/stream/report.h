/* The report, GPURANMAR_REPORT: it tells what the library did for a process, for somebody who asks
 * years later where some numbers came from. It is written when the process ends by exit() or by
 * returning from main(), or when the library is unloaded. docs/report.md describes the file.
 *
 * Here is what anybody may tell it. What it says of streams comes from their observers. */
#ifndef RANMAR_REPORT_H
#define RANMAR_REPORT_H

/* Writes one line, made as by printf, to standard error if GPURANMAR_VERBOSE is set, and into the
 * report. */
__attribute__((format(printf, 1, 2))) void ranmar_note(const char *format, ...);

/* Tell which devices a GPU's maker has opened, and why it has given up. */
void ranmar_report_devices(const char *devices);
void ranmar_report_failure(const char *why);

/* Whether a name can be a report's: each % is followed by p, h or %, the folder is writable, and a
 * thing that has this name already is a regular file. */
int ranmar_report_can_be(const char *name);

#endif
