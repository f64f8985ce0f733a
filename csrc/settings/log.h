/* The log of GPURANMAR_VERBOSE: lines on standard error that tell what the library does. */
#ifndef RANMAR_LOG_H
#define RANMAR_LOG_H

/* Writes one line, made as by printf, if GPURANMAR_VERBOSE is set. */
__attribute__((format(printf, 1, 2))) void ranmar_log(const char *format, ...);

/* Writes version, path and back end, once in a process. */
void ranmar_log_banner(void);

#endif
