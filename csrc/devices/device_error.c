/* Errors of devices: see device_error.h. */
#define _GNU_SOURCE /* strcasestr */
#include "devices/device_error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/process.h"

static _Thread_local char line[256];

const char *ranmar_device_error(void)
{
    return line;
}

int ranmar_device_is_ours(void)
{
    static unsigned owner;
    return ranmar_is_ours(&owner) ||
           ranmar_device_fail("this process cannot use the GPU, which was used before fork()");
}

int ranmar_device_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ranmar_vprint(line, sizeof line, format, arguments);
    va_end(arguments);
    return 0;
}

int ranmar_device_is_wanted(const char *wanted, int number, const char *name)
{
    char digits[16];
    snprintf(digits, sizeof digits, "%d", number);
    if (strspn(wanted, "0123456789") == strlen(wanted)) /* "1" is a part of "H100" too */
        return !*wanted || strcmp(wanted, digits) == 0;
    return strcasestr(name, wanted) != NULL;
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

void (*ranmar_device_before_call)(long call);

int ranmar_device_made_to_fail(void)
{
    ++calls;
    if (ranmar_device_before_call)
        ranmar_device_before_call(calls);
    return calls >= first_failing && calls <= last_failing;
}
#endif
