/* Detects fork(): threads and the handles of GPUs are valid only in the process that made them. A
 * forked process has copies of them, which may be half made and under locks that nobody will
 * release, and must not touch these. */
#ifndef RANMAR_PROCESS_H
#define RANMAR_PROCESS_H

/* A number of this process, not 0. A forked process gets another number than its ancestors got
 * before they forked. */
unsigned ranmar_process(void);

/* Whether this process owns a resource. Call this before you take a lock of the resource. *owner is
 * 0 at first, and becomes the number of the first process that asks. */
int ranmar_is_ours(unsigned *owner);

#endif
