#include "call.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

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
bool made_to_fail()
{
    static long calls, first, last = -1;
    if (last < 0) {
        const char *const range = getenv("RANMAR_TEST_FAILURES");
        if (!range || sscanf(range, "%ld-%ld", &first, &last) != 2)
            first = last = 0;
    }
    ++calls;
    return calls >= first && calls <= last;
}
#endif

} // namespace gpuranmar
