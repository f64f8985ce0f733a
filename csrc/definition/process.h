/* Whose something is that is started once: the process's that began to start it. One that is forked
 * from it has a copy, perhaps half made and under locks that nobody gives back, and must not touch
 * it. So this is asked before any lock is taken. */
#ifndef RANMAR_PROCESS_H
#define RANMAR_PROCESS_H

#include <unistd.h>

/* `owner` is 0 before the first process asks, to which it then belongs. */
static inline int ranmar_is_ours(int *owner)
{
    const int self = (int)getpid();
    int found = 0;
    return __atomic_compare_exchange_n(owner, &found, self, 0, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST) ||
           found == self;
}

#endif
