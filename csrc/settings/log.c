/* The log: log.h describes the calls. */
#include "settings/log.h"

#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "fill/fill.h"
#include "fill/thread_pool.h"
#include "settings/library_path.h"
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

static void log_banner(void)
{
    const struct ranmar_settings *const s = ranmar_settings();
    ranmar_log("libgpuranmar " RANMAR_VERSION ", %s, back end %s, refills by %s, arrays by %s on "
               "%d thread(s)",
               ranmar_library_path(), ranmar_backend_name(s->backend),
               ranmar_fill_instruction_set(1)->name,
               ranmar_fill_instruction_set(RANMAR_ARRAY)->name,
               s->threads ? s->threads : ranmar_default_threads());
}

void ranmar_log_banner(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, log_banner);
}
