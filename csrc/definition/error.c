/* Errors: error.h describes the calls. */
#include "definition/error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "gpuranmar.h"

static _Thread_local char last[512];

/* The line quotes values from files and settings, which may have any bytes. It must stay one
 * line. */
static void keep_to_one_line(char *text)
{
    for (; *text; ++text)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            *text = '?';
}

int ranmar_error(int error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(last, sizeof last, format, arguments);
    va_end(arguments);
    keep_to_one_line(last);
    return error;
}

const char *ranmar_last_error(void)
{
    return last;
}

int ranmar_past_last_position(const char *routine, uint64_t position, uint64_t n)
{
    return ranmar_error(GPURANMAR_BAD_ARGUMENT,
                        "%s: n = %" PRIu64 " from position %" PRIu64 " is past 2^63", routine, n,
                        position);
}
