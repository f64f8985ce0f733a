/* Errors: a code of enum gpuranmar_error, and a line for each thread on its last one. */
#ifndef RANMAR_ERROR_H
#define RANMAR_ERROR_H

#include <stdint.h>

/* Keeps the line, made as by printf, and returns `error`, so that a function can end with
 * `return ranmar_error(GPURANMAR_BAD_ARGUMENT, "...", ...)`. */
__attribute__((format(printf, 2, 3))) int ranmar_error(int error, const char *format, ...);

/* The line, "" before the first. */
const char *ranmar_last_error(void);

/* Refuses n numbers from a position on if they would pass the last position. */
int ranmar_check_count(const char *routine, uint64_t position, uint64_t n);

#endif
