/* Errors: a code of enum gpuranmar_error, and for each thread a line that describes its last
 * error. */
#ifndef RANMAR_ERROR_H
#define RANMAR_ERROR_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* Makes a line as vsnprintf() does, with '?' in place of control bytes: values in files, settings,
 * arguments and names of files may have any bytes. It is here for plugins, which have none of
 * error.c. */
static inline void ranmar_vprint(char *line, size_t size, const char *format, va_list arguments)
{
    vsnprintf(line, size, format, arguments);
    int before = 0; /* UTF-8 writes the control characters U+0080..U+009F as 0xc2 0x80..0x9f */
    for (unsigned char *c = (unsigned char *)line; *c; before = *c++)
        if (*c < ' ' || *c == 0x7f || ((*c & 0xe0) == 0x80 && (before < 0x80 || before == 0xc2)))
            *c = '?';
}

/* Keeps a line, made as by printf, for gpuranmar_last_error(). Returns `error`, so that a function
 * can end with `return ranmar_error(GPURANMAR_BAD_ARGUMENT, "...", ...)`. */
__attribute__((format(printf, 2, 3))) int ranmar_error(int error, const char *format, ...);
int ranmar_verror(int error, const char *format, va_list arguments);

/* Prints the line of the calling thread's last error and ends the program by exit(), so that
 * Fortran's units are flushed: for routines that Fortran calls, which cannot return an error. */
_Noreturn void ranmar_stop(void);

#endif
