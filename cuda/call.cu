#include "call.h"

#include <cstdarg>
#include <cstdio>

namespace gpuranmar
{

static thread_local char line[256];

const char *error_line() { return line; }

bool fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    return false;
}

bool succeeded(cudaError_t error, const char *what)
{
    /* The call's name is enough of it. */
    int length = 0;
    while (what[length] && what[length] != '(')
        ++length;
    return error == cudaSuccess || fail("%.*s: %s", length, what, cudaGetErrorString(error));
}

#ifdef RANMAR_TEST_FAILURES
static long calls, first_failing, last_failing;

long fail_calls(long first, long last)
{
    const long counted = calls;
    calls = 0;
    first_failing = first;
    last_failing = last;
    return counted;
}

bool made_to_fail()
{
    ++calls;
    return calls >= first_failing && calls <= last_failing;
}
#endif

} // namespace gpuranmar
