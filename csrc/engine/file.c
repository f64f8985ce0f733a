/* Checks whether what a Fortran routine has written is on the disk. */
#include <sys/stat.h>

#include "gpuranmar_engine.h"

void gpuranmar_check_written(const char *routine, const char *file, int64_t bytes)
{
    struct stat status, full;
    if (stat(file, &status) != 0)
        return;
    if (S_ISREG(status.st_mode) ? status.st_size < bytes
                                : stat("/dev/full", &full) == 0 && S_ISCHR(status.st_mode) &&
                                      status.st_rdev == full.st_rdev)
        gpuranmar_stop("%s: the file %s has not taken all of it", routine, file);
}
