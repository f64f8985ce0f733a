/* A file that is written when a process ends: whole or not at all, and never over one that another
 * process has put there in the meantime. */
#ifndef RANMAR_WHOLE_FILE_H
#define RANMAR_WHOLE_FILE_H

#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

struct ranmar_whole_file {
    char name[PATH_MAX];   /* absolute if the folder is known, with %p and %h in it */
    int was_there;         /* when the process began, ... */
    struct stat as_it_was; /* ... and what: an earlier run's, which is replaced */
};

/* Whether a name can be used: % is followed by p, h or % alone, the folder can be written, and what
 * has that name is a file. */
int ranmar_whole_file_can_be(const char *name);

/* Remembers a name and what is there now. */
void ranmar_whole_file_begin(struct ranmar_whole_file *f, const char *name);

/* Writes it. If another process has written a file of that name in the meantime, that file stays,
 * and this one's name gets host and process added. The name gets them in any case if `beside` is
 * set, unless it has %p. One line on standard error says where the name differs, or what failed. */
void ranmar_whole_file_write(const struct ranmar_whole_file *f, int beside,
                             void (*write)(FILE *file, const void *what), const void *what);

#endif
