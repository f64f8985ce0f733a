/* Which process this is: see process.h. The number is in a page that the kernel fills with zeros in
 * each new process. getpid() would not do: the system reuses its numbers. */
#define _GNU_SOURCE /* MADV_WIPEONFORK */
#include "definition/process.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>

/* The largest page of any processor. `room` contains a whole aligned page, with nothing else in
 * it. */
enum { PAGE = 1 << 16 };
static char room[2 * PAGE];

/* The number of this process; 0 in a new one. */
static atomic_uint *own(void)
{
    return (atomic_uint *)(room + (-(uintptr_t)room & (PAGE - 1)));
}

static void begin_process(void)
{
    *own() = 0;
}

/* A kernel before 4.14 does not know the advice, and a sandbox may refuse it. Then only fork() is
 * noticed. */
static void watch_forks(void)
{
    static atomic_int is_watched;
    madvise(own(), PAGE, MADV_WIPEONFORK);
    if (!atomic_exchange(&is_watched, 1))
        pthread_atfork(NULL, NULL, begin_process);
}

unsigned ranmar_process(void)
{
    static atomic_uint given; /* how many, here and where this was forked from */
    unsigned none = 0;
    if (*own() == 0) {
        watch_forks();
        atomic_compare_exchange_strong(own(), &none, ++given);
    }
    return *own();
}

int ranmar_is_ours(unsigned *owner)
{
    const unsigned self = ranmar_process();
    unsigned found = 0;
    return __atomic_compare_exchange_n(owner, &found, self, 0, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST) ||
           found == self;
}
