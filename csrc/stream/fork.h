/* Counts forks, because a GPU's driver does not survive fork(). The child has a copy of the
 * parent's memory, so it goes on with the same numbers. If the parent has used a GPU, the CPU makes
 * them: the plugins refuse the child. */
#ifndef RANMAR_FORK_H
#define RANMAR_FORK_H

/* How many forks lie between this process and the one that has loaded the library. What was opened
 * on a GPU under another count belongs to a parent. */
unsigned ranmar_forks(void);

#endif
