/* A file that is written when a process ends. It is written whole or not at all, and never over a
 * file that another process has put there since ranmar_whole_file_begin(). */
#ifndef RANMAR_WHOLE_FILE_H
#define RANMAR_WHOLE_FILE_H

#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

struct ranmar_whole_file {
    /* With %p and %h in it; absolute if the present folder is known, whose own % are doubled. */
    char name[3 * PATH_MAX];
    int was_there;         /* whether an earlier run had left such a file, which is replaced */
    struct stat as_it_was; /* that file */
};

/* Whether a name can be used: each % is followed by p, h or %, the folder is writable, and a thing
 * that has this name already is a regular file. */
int ranmar_whole_file_can_be(const char *name);

/* Remembers a name, of less than PATH_MAX bytes, and which file has it now. */
void ranmar_whole_file_begin(struct ranmar_whole_file *f, const char *name);

/* Writes the file. If another process has put a file of that name there since begin(), that file
 * stays, and host and process are added to this one's name. They are also added if `beside` is set,
 * unless the name has %p. One line on standard error says where the name differs, or what
 * failed. */
void ranmar_whole_file_write(const struct ranmar_whole_file *f, int beside,
                             void (*write)(FILE *file, const void *what), const void *what);

#endif
