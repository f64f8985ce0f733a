/* For LD_PRELOAD: to write past 8 KiB of a file called "full" fails, as on a full disk. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

ssize_t write(int fd, const void *from, size_t bytes)
{
    ssize_t (*real)(int, const void *, size_t);
    *(void **)&real = dlsym(RTLD_NEXT, "write");
    char link[32], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t length = readlink(link, path, sizeof path);
    if (length > 5 && memcmp(path + length - 5, "/full", 5) == 0 &&
        lseek(fd, 0, SEEK_CUR) + (off_t)bytes > 8192) {
        errno = ENOSPC;
        return -1;
    }
    return real(fd, from, bytes);
}
