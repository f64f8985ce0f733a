/* Which process this is. What is started once, such as a GPU's driver, belongs to the process that
 * began to start it. A process that is forked from that one has a copy, perhaps half made and under
 * locks that nobody gives back, and must not touch it. */
#ifndef RANMAR_PROCESS_H
#define RANMAR_PROCESS_H

/* A number of this process, not 0. No process from which this one was forked has the same, whether
 * by fork() or, of which no handler is told, by _Fork() or clone(); these two only where the kernel
 * takes the advice of process.c: since 4.14, unless a sandbox refuses it. */
unsigned ranmar_process(void);

/* Whether a thing is this process's, which is asked before any lock of the thing is taken. *owner
 * is 0 until a process asks, and then the number of that process. */
int ranmar_is_ours(unsigned *owner);

#endif
