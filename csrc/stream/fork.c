/* Counts forks: see fork.h. */
#include "stream/fork.h"

#include <pthread.h>
#include <stdatomic.h>

static atomic_uint forks;

static void count_in_child(void)
{
    ++forks;
}

__attribute__((constructor)) static void watch(void)
{
    pthread_atfork(NULL, NULL, count_in_child);
}

unsigned ranmar_forks(void)
{
    return forks;
}
