/* The last error of a thread, as a line. */
#ifndef RANMAR_ERROR_H
#define RANMAR_ERROR_H

/* Keeps the line, made as by printf, and returns `error`, so that a function can end with
 * `return ranmar_error(GPURANMAR_BAD_ARGUMENT, "...", ...)`. */
__attribute__((format(printf, 2, 3))) int ranmar_error(int error, const char *format, ...);

#endif
