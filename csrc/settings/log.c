/* The log: log.h describes the calls. */
#include "settings/log.h"

#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "settings/settings.h"

enum { LINE = 512 };

/* One write() for each line: lines of several processes stay whole, and less stack is needed than
 * for the buffer that stdio would take. */
void ranmar_log(const char *format, ...)
{
    if (!ranmar_settings()->verbose)
        return;
    char line[LINE] = "gpuranmar: ";
    size_t length = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    ranmar_vprint(line + length, sizeof line - length, format, arguments);
    va_end(arguments);
    length = strlen(line);
    line[length] = '\n';
    if (write(STDERR_FILENO, line, length + 1) < 0)
        return; /* there is nobody to tell */
}
