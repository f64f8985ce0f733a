/* Checks of what a routine is given, and of what it has written. */
#include <errno.h>
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

void gpuranmar_check_address(const char *routine, const char *argument, const void *address,
                             size_t bytes, int written)
{
    int ends[2];
    if (pipe(ends) != 0)
        return; /* no file may be opened any more: nothing can be said */
    const char *const first = address, *const last = first + bytes - 1;
    const int good = reaches(ends, first, written) && reaches(ends, last, written);
    close(ends[0]);
    close(ends[1]);
    if (!good)
        gpuranmar_stop("%s: %s is at %p, where the program has no %zu bytes%s: the call does not "
                       "fit this library's %s",
                       routine, argument, address, bytes, written ? " to write" : "", routine);
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
