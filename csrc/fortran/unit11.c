/* Checks whether what RMMAQD has written to unit 11 is in its file. */
#define _GNU_SOURCE /* memmem */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fortran/fortran.h"
#include "gpuranmar_engine.h"

void ranmar_rmmaqd_check_written(const char *name, const char *text, size_t length)
{
    struct stat status;
    FILE *file;
    if (stat(name, &status) != 0 || !S_ISREG(status.st_mode) || !(file = fopen(name, "re")))
        return; /* to open a pipe or a device may have effects on it */
    const size_t size = (size_t)status.st_size;
    char *const content = malloc(size + 1);
    if (!content || fread(content, 1, size, file) != size || !memmem(content, size, text, length))
        gpuranmar_stop("RMMAQD: CHOPT = RV: cannot write unit 11: the file %s has not taken all of "
                       "it",
                       name);
    free(content);
    fclose(file);
}
