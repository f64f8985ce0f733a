/* Counts forks, because CUDA does not survive fork(). The child has a copy of the parent's memory,
 * so it goes on with the same numbers, made by the CPU or by a GPU that it opens itself. */
#ifndef RANMAR_FORK_H
#define RANMAR_FORK_H

/* How many forks lie between this process and the one that has loaded the library. What was opened
 * on a GPU under another count belongs to a parent. */
unsigned ranmar_forks(void);

#endif
