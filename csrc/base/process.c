/* Which process this is: see process.h. getpid() would not do: the system reuses its numbers. */
#include "base/process.h"

#include <pthread.h>

static unsigned number = 1;

static void begin_process(void)
{
    ++number;
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, begin_process);
}

unsigned ranmar_process(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    return number;
}

int ranmar_is_ours(unsigned *owner)
{
    const unsigned self = ranmar_process();
    unsigned found = 0;
    return __atomic_compare_exchange_n(owner, &found, self, 0, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST) ||
           found == self;
}
