/* Writes a file whole or not at all: whole_file.h describes the calls. */
#define _GNU_SOURCE
#include "stream/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- Names --- */

static const char *host_name(void)
{
    static char name[HOST_NAME_MAX + 1];
    if (gethostname(name, sizeof name) != 0 || !*name)
        strcpy(name, "localhost");
    return name;
}

/* What a name is. NO_NAME: it has another % or is too long. ONE_NAME: all processes have the same.
 * NAME_OF_PROCESS: it has %p, so that each process has its own. */
enum names { NO_NAME, ONE_NAME, NAME_OF_PROCESS };

/* Replaces %p by the process's number, %h by the host's name, and %% by %. */
static enum names expand(char out[PATH_MAX], const char *name)
{
    enum names names = ONE_NAME;
    char pid[24];
    size_t length = 0;
    snprintf(pid, sizeof pid, "%ld", (long)getpid());
    for (; *name; ++name) {
        char one[2] = {*name, '\0'};
        const char *piece = one;
        if (*name == '%')
            switch (*++name) {
            case 'p':
                piece = pid;
                names = NAME_OF_PROCESS;
                break;
            case 'h':
                piece = host_name();
                break;
            case '%':
                break;
            default:
                return NO_NAME;
            }
        if (length + strlen(piece) >= PATH_MAX - 128) /* host, process and ending are added later */
            return NO_NAME;
        strcpy(out + length, piece);
        length += strlen(piece);
    }
    return length > 0 ? names : NO_NAME;
}

int ranmar_whole_file_can_be(const char *name)
{
    char path[PATH_MAX];
    struct stat status;
    if (!expand(path, name))
        return 0;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return 0;
    char *const slash = strrchr(path, '/');
    if (slash && !slash[1])
        return 0;
    if (slash)
        slash[slash == path] = '\0';
    return access(slash ? path : ".", W_OK | X_OK) == 0;
}

void ranmar_whole_file_begin(struct ranmar_whole_file *f, const char *name)
{
    char path[PATH_MAX], here[PATH_MAX] = "";
    memset(f, 0, sizeof *f);
    /* The name is made absolute, as the program may change its folder. A % in the name of the
     * present folder is doubled, so that it is not taken for %p or %h. */
    if (*name != '/' && getcwd(here, sizeof here)) {
        size_t length = 0;
        for (const char *c = here; *c; ++c) {
            f->name[length++] = *c;
            if (*c == '%')
                f->name[length++] = '%';
        }
        f->name[length] = '/';
    }
    strcat(f->name, name);
    f->was_there = expand(path, f->name) && stat(path, &f->as_it_was) == 0;
}

/* --- Placing --- */

static int is_as_it_was(const struct ranmar_whole_file *f, const char *path)
{
    struct stat now;
    return f->was_there && stat(path, &now) == 0 && now.st_dev == f->as_it_was.st_dev &&
           now.st_ino == f->as_it_was.st_ino && now.st_mtim.tv_sec == f->as_it_was.st_mtim.tv_sec &&
           now.st_mtim.tv_nsec == f->as_it_was.st_mtim.tv_nsec;
}

/* Renames a file if nothing has the new name; returns 0 otherwise. link() checks and renames at
 * once; on a file system without hard links these are two steps. */
static int give_name(const char *from, const char *to)
{
    if (link(from, to) == 0)
        return unlink(from), 1;
    if (errno == EEXIST || access(to, F_OK) == 0)
        return 0;
    return rename(from, to) == 0;
}

/* Removes the file that an earlier run has written. Of several processes that try, one moves it
 * away. If a process moves away a file that another has put there meanwhile, that file goes
 * back. */
static int take_away(const struct ranmar_whole_file *f, const char *path, const char *own)
{
    char old[PATH_MAX + 108];
    snprintf(old, sizeof old, "%s.old", own);
    if (!is_as_it_was(f, path) || rename(path, old) != 0)
        return 0;
    const int is_old = is_as_it_was(f, old);
    if (is_old)
        unlink(old);
    else
        give_name(old, path);
    return is_old;
}

/* --- Writing --- */

static void complain(const char *path, const char *why)
{
    fprintf(stderr, "gpuranmar: GPURANMAR_REPORT: '%s' cannot be written: %s\n", path, why);
}

/* Writes a new file, down to the disk; returns 0 if that failed. */
static int write_new(const char *path, void (*write)(FILE *file, const void *what),
                     const void *what)
{
    unlink(path); /* a killed process of the same number may have left one */
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return 0;
    FILE *const file = fdopen(descriptor, "w");
    if (!file) {
        const int error = errno;
        close(descriptor);
        unlink(path);
        errno = error;
        return 0;
    }
    write(file, what);
    int well = !ferror(file) && fflush(file) == 0 && fsync(descriptor) == 0;
    well = fclose(file) == 0 && well;
    const int error = errno;
    if (!well)
        unlink(path);
    errno = error;
    return well;
}

void ranmar_whole_file_write(const struct ranmar_whole_file *f, int beside,
                             void (*write)(FILE *file, const void *what), const void *what)
{
    char path[PATH_MAX], own[PATH_MAX + 100], fresh[PATH_MAX + 108];
    const enum names names = expand(path, f->name);
    if (names == NO_NAME) { /* the folder before it has made it too long */
        complain(f->name, strerror(ENAMETOOLONG));
        return;
    }
    snprintf(own, sizeof own, "%s.%s.%ld", path, host_name(), (long)getpid());
    snprintf(fresh, sizeof fresh, "%s.new", own);
    if (!write_new(fresh, write, what)) {
        complain(path, strerror(errno));
        return;
    }
    if (!(beside && names == ONE_NAME) &&
        (give_name(fresh, path) || (take_away(f, path, own) && give_name(fresh, path))))
        return;
    if (rename(fresh, own) != 0)
        complain(own, strerror(errno));
    else
        fprintf(stderr,
                "gpuranmar: GPURANMAR_REPORT: '%s' is another process's: this one has written "
                "'%s'. %%p in the name stands for the process\n",
                path, own);
}
