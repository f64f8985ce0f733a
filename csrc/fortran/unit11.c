/* Whether what RMMAQD has written to unit 11 is there. */
#define _GNU_SOURCE /* memmem */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fortran/fortran.h"

/* The whole of a file, to be freed; NULL if it cannot be read, or memory is short. */
static char *read_file(FILE *file, size_t size)
{
    char *const content = malloc(size + 1);
    if (content && fread(content, 1, size, file) != size) {
        free(content);
        return NULL;
    }
    return content;
}

int ranmar_file_has_text(const char *name, const char *text, size_t length)
{
    struct stat status;
    FILE *const file = fopen(name, "r");
    if (!file || fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode)) {
        if (file)
            fclose(file);
        return 1;
    }
    char *const content = read_file(file, (size_t)status.st_size);
    const int found = content && memmem(content, (size_t)status.st_size, text, length);
    free(content);
    fclose(file);
    return found;
}
