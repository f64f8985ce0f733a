/* Linked into a program that counts the lines it runs: a process that leaves by _exit keeps its
 * counts, as one does that leaves by exit. For `-Wl,--wrap=_exit`. */
#include <sys/resource.h>

extern void __gcov_dump(void);
extern void __real__exit(int status) __attribute__((noreturn));
extern void __wrap__exit(int status) __attribute__((noreturn));

void __wrap__exit(int status)
{
    /* A test may have limited the size of files, which would cut those of the counts. */
    struct rlimit size;
    getrlimit(RLIMIT_FSIZE, &size);
    size.rlim_cur = size.rlim_max;
    setrlimit(RLIMIT_FSIZE, &size);
    __gcov_dump();
    __real__exit(status);
}
