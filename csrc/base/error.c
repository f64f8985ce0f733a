/* Errors: error.h describes the calls. */
#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>

#include "gpuranmar.h"

static _Thread_local char last[512];

int ranmar_verror(int error, const char *format, va_list arguments)
{
    ranmar_vprint(last, sizeof last, format, arguments);
    return error;
}

int ranmar_error(int error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ranmar_verror(error, format, arguments);
    va_end(arguments);
    return error;
}

const char *gpuranmar_last_error(void)
{
    return last;
}

void ranmar_stop(void)
{
    fprintf(stderr, "gpuranmar: %s\n", last);
    exit(EXIT_FAILURE);
}
