#include "definition/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "gpuranmar.h"

static _Thread_local char last[256];

int ranmar_error(int error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(last, sizeof last, format, arguments);
    va_end(arguments);
    return error;
}

const char *gpuranmar_last_error(void) { return last; }

const char *gpuranmar_strerror(int error)
{
    switch (error) {
    case GPURANMAR_OK:
        return "success";
    case GPURANMAR_BAD_ARGUMENT:
        return "bad argument";
    case GPURANMAR_BAD_SETTING:
        return "bad environment variable";
    case GPURANMAR_BAD_STATE:
        return "bad saved state";
    case GPURANMAR_NOT_SET:
        return "sequence not initialised";
    case GPURANMAR_NO_MEMORY:
        return "out of memory";
    case GPURANMAR_NO_BACKEND:
        return "back end not available";
    }
    return "unknown error";
}

#define TEXT(x) #x
#define VERSION(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

const char *gpuranmar_version(void)
{
    return VERSION(GPURANMAR_VERSION_MAJOR, GPURANMAR_VERSION_MINOR, GPURANMAR_VERSION_PATCH);
}
