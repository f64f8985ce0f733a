/* What is started once, such as a GPU's driver, belongs to the process that began to start it. A
 * process that is forked from that one has a copy, perhaps half made and under locks that nobody
 * gives back, and must not touch it. So a process asks whether it is the owner before it takes any
 * lock. */
#ifndef RANMAR_PROCESS_H
#define RANMAR_PROCESS_H

#include <unistd.h>

/* *owner is 0 until a process asks, and then the number of that process. Returns whether it is this
 * one's. */
static inline int ranmar_is_ours(int *owner)
{
    const int self = (int)getpid();
    int found = 0;
    return __atomic_compare_exchange_n(owner, &found, self, 0, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST) ||
           found == self;
}

#endif
