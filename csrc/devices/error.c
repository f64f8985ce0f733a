/* Errors of devices: see error.h. */
#include "devices/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char line[256];

const char *ranmar_device_error(void)
{
    return line;
}

void ranmar_device_error_padded(char *padded, unsigned long size)
{
    const size_t length = strnlen(line, size);
    memset(padded, ' ', size);
    memcpy(padded, line, length);
}

int ranmar_device_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    return 0;
}

#ifdef RANMAR_TEST_FAILURES
static long calls, first_failing, last_failing;

long ranmar_device_fail_calls(long first, long last)
{
    const long counted = calls;
    calls = 0;
    first_failing = first;
    last_failing = last;
    return counted;
}

int ranmar_device_made_to_fail(void)
{
    ++calls;
    return calls >= first_failing && calls <= last_failing;
}
#endif
