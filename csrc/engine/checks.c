/* Checks of what a routine is given, and of what it has written. */
#include <errno.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gpuranmar_engine.h"

/* If the address is bad, write() and read() on a pipe return EFAULT; a plain access would crash. */
static int reaches(const int ends[2], const char *address, int written)
{
    char byte;
    if (write(ends[1], address, 1) != 1)
        return errno != EFAULT;
    if (written)
        return read(ends[0], (char *)address, 1) == 1 || errno != EFAULT;
    return read(ends[0], &byte, 1) == 1;
}

/* A program may start a sequence for each event, and asking the system takes longer than a start.
 * So a page that was good is taken for good from then on, and after ASKED_MOST questions every page
 * is. A page that has gone since stops the program by a signal in place of a line. */
enum { PAGE = 4096, PAGES_KNOWN = 64, ASKED_MOST = 256 };
static _Atomic uintptr_t pages_known[PAGES_KNOWN];

static int is_known(uintptr_t page, uintptr_t written)
{
    const uintptr_t known =
        atomic_load_explicit(&pages_known[page % PAGES_KNOWN], memory_order_relaxed);
    return known / 2 == page && known % 2 >= written;
}

static void remember(uintptr_t page, uintptr_t written)
{
    atomic_store_explicit(&pages_known[page % PAGES_KNOWN], 2 * page + written,
                          memory_order_relaxed);
}

/* Asks the system whether both addresses are good. */
static int both_reach(const char *first, const char *last, int written)
{
    static _Atomic int asked;
    int ends[2];
    if (asked >= ASKED_MOST || pipe(ends) != 0)
        return 1; /* without a pipe, no file may be opened any more, and nothing can be said */
    ++asked;
    const int good = reaches(ends, first, written) && reaches(ends, last, written);
    close(ends[0]);
    close(ends[1]);
    return good;
}

void gpuranmar_check_address(const char *routine, const char *argument, const void *address,
                             size_t bytes, int written)
{
    const char *const first = address, *const last = first + bytes - 1;
    const uintptr_t from = (uintptr_t)first / PAGE + 1, to = (uintptr_t)last / PAGE + 1; /* not 0 */
    if (is_known(from, written != 0) && is_known(to, written != 0))
        return;
    if (!both_reach(first, last, written))
        gpuranmar_stop("%s: %s is at %p, where the program has no %zu bytes%s: the call does not "
                       "fit this library's %s",
                       routine, argument, address, bytes, written ? " to write" : "", routine);
    remember(from, written != 0);
    remember(to, written != 0);
}

void gpuranmar_check_written(const char *routine, const char *file, int64_t bytes)
{
    struct stat status, full;
    if (stat(file, &status) != 0)
        return;
    if (S_ISREG(status.st_mode) ? status.st_size < bytes
                                : stat("/dev/full", &full) == 0 && S_ISCHR(status.st_mode) &&
                                      status.st_rdev == full.st_rdev)
        gpuranmar_stop("%s: the file %s lacks a part of what was written", routine, file);
}
