/* Errors: a code of enum gpuranmar_error, and for each thread a line that describes its last
 * error. */
#ifndef RANMAR_ERROR_H
#define RANMAR_ERROR_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/ranges.h"
#include "gpuranmar_definition.h"

/* Makes a line as vsnprintf() does, with '?' in place of control bytes: values in files, settings,
 * arguments and names of files may have any bytes. */
void ranmar_vprint(char *line, size_t size, const char *format, va_list arguments);

/* Keeps a line, made as by printf, for gpuranmar_last_error(). Returns `error`, so that a function
 * can end with `return ranmar_error(GPURANMAR_BAD_ARGUMENT, "...", ...)`. */
__attribute__((format(printf, 2, 3))) int ranmar_error(int error, const char *format, ...);
int ranmar_verror(int error, const char *format, va_list arguments);

/* Prints the line of the calling thread's last error and ends the program by exit(), so that
 * Fortran's units are flushed: for routines that Fortran calls, which cannot return an error. */
_Noreturn void ranmar_stop(void);

/* Returns GPURANMAR_BAD_ARGUMENT unless the number of a sequence is in 1..most. */
int ranmar_check_id(const char *routine, int id, int most);

/* Sets *seed to IJKL of the two seeds ij, 0..31328, and kl, 0..30081. Returns
 * GPURANMAR_BAD_ARGUMENT if one is out of range. */
int ranmar_seed_of_pair(const char *routine, int ij, int kl, int64_t *seed);

/* Returns GPURANMAR_BAD_ARGUMENT unless a sequence of the flavour can have that seed. */
int ranmar_check_seed(const char *routine, const struct ranmar_flavour *f, int64_t seed);

/* Returns GPURANMAR_BAD_ARGUMENT unless a position, or how many numbers to skip, is in 0..2^63. The
 * error line shows a negative INTEGER of Fortran as a negative number. */
int ranmar_check_position(const char *routine, const char *argument, uint64_t position);

/* The error of a request for n numbers that would pass the last position. */
int ranmar_past_last_position(const char *routine, uint64_t position, uint64_t n);

/* Returns GPURANMAR_BAD_ARGUMENT if n numbers from a position on would pass RANMAR_POSITION_MAX,
 * else GPURANMAR_OK. */
static inline int ranmar_check_count(const char *routine, uint64_t position, uint64_t n)
{
    return n > RANMAR_POSITION_MAX - position ? ranmar_past_last_position(routine, position, n) : 0;
}

#endif
