/* Which process this is: see process.h. Its number stands in a page that the kernel fills with
 * zeros in each new process. The number of getpid() would not do: once a process has ended, another
 * one may have its number. */
#define _GNU_SOURCE /* MADV_WIPEONFORK */
#include "definition/process.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>

static atomic_uint *_Atomic own; /* 0 in a new process */
static atomic_uint given;        /* how many, here and where this was forked from */

static void begin_process(void)
{
    *own = 0;
}

/* A kernel before 4.14 does not know the advice. Then fork() alone is noticed. */
static atomic_uint *make_page(void)
{
    static atomic_uint without_page;
    atomic_uint *none = NULL, *made = &without_page;
    void *const page =
        mmap(NULL, sizeof *made, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED) {
        madvise(page, sizeof *made, MADV_WIPEONFORK);
        made = page;
    }
    if (!atomic_compare_exchange_strong(&own, &none, made)) {
        if (page != MAP_FAILED)
            munmap(page, sizeof *made);
        return none;
    }
    pthread_atfork(NULL, NULL, begin_process);
    return made;
}

unsigned ranmar_process(void)
{
    atomic_uint *const number = own ? own : make_page();
    unsigned none = 0;
    if (*number == 0)
        atomic_compare_exchange_strong(number, &none, ++given);
    return *number;
}

int ranmar_is_ours(unsigned *owner)
{
    const unsigned self = ranmar_process();
    unsigned found = 0;
    return __atomic_compare_exchange_n(owner, &found, self, 0, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST) ||
           found == self;
}
