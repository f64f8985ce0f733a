/* Checks whether what RMMAQD has written to unit 11 is in its file. */
#define _GNU_SOURCE /* memmem */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fortran/fortran.h"

/* Opens a regular file, and nothing else: to open a pipe or a device may have effects on it. NULL
 * if there is no such file. */
static FILE *open_file(const char *name, struct stat *status)
{
    if (stat(name, status) != 0 || !S_ISREG(status->st_mode))
        return NULL;
    const int descriptor = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    FILE *const file = descriptor < 0 ? NULL : fdopen(descriptor, "r");
    if (file && fstat(descriptor, status) == 0 && S_ISREG(status->st_mode))
        return file;
    if (file)
        fclose(file);
    else if (descriptor >= 0)
        close(descriptor);
    return NULL;
}

/* The contents of a file, to be freed; NULL if it cannot be read or there is no memory. */
static char *read_file(FILE *file, size_t size)
{
    char *const content = malloc(size + 1);
    if (content && fread(content, 1, size, file) != size) {
        free(content);
        return NULL;
    }
    return content;
}

/* Whether a device is full. To find out, zero bytes are written to it: a full device refuses even
 * that, and any other keeps nothing of it. */
static int is_full_device(const char *name)
{
    struct stat status;
    if (stat(name, &status) != 0 || !S_ISCHR(status.st_mode))
        return 0;
    const int descriptor = open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    const int is_full = descriptor >= 0 && write(descriptor, "", 0) < 0;
    if (descriptor >= 0)
        close(descriptor);
    return is_full;
}

int ranmar_file_has_text(const char *name, const char *text, size_t length)
{
    struct stat status;
    FILE *const file = open_file(name, &status);
    if (!file)
        return !is_full_device(name);
    char *const content = read_file(file, (size_t)status.st_size);
    const int found = content && memmem(content, (size_t)status.st_size, text, length);
    free(content);
    fclose(file);
    return found;
}
