/* A pool of threads that help with requests. A request gathers a team of them and dismisses it at
 * the end; the threads wait for the next request.
 *
 * A request never depends on them. If a thread cannot be started, or other requests use all of
 * them, the team is smaller or empty, and the caller does more of the work itself. All requests of
 * a process share the pool, so that it never has more threads than the largest request has asked
 * for. The threads take no part in the rest of the program:
 *
 * - they block all signals;
 * - a forked process starts threads of its own;
 * - they end when the library is unloaded. */
#ifndef RANMAR_THREAD_POOL_H
#define RANMAR_THREAD_POOL_H

#include <stddef.h>

struct ranmar_helper;

struct ranmar_team {
    struct ranmar_helper *members, *next; /* all of them; the first without a task */
    size_t size;
};

/* A part of a request. `shared` is the same for all parts, `index` tells them apart. */
typedef void ranmar_task(void *shared, size_t index);

/* Gathers up to `wanted` threads. */
struct ranmar_team ranmar_team_gather(size_t wanted);

/* Makes the next member run task(shared, index). At most team->size calls for one team. */
void ranmar_team_run(struct ranmar_team *team, ranmar_task *task, void *shared, size_t index);

/* Waits until all members have finished, and gives them back. */
void ranmar_team_dismiss(struct ranmar_team *team);

/* How many threads, the caller's included, a request takes if it names no number: as many as OpenMP
 * would, 1..RANMAR_THREADS_MAX. OpenMP itself is asked if the program uses it. Otherwise
 * OMP_NUM_THREADS and OMP_THREAD_LIMIT count, or the number of cores that the process may use. */
int ranmar_default_threads(void);

/* Copies that many bytes with up to `threads` threads, the caller's included, since one core copies
 * more slowly than a GPU delivers. `to` and `from` must not overlap. */
void ranmar_copy_by_threads(void *to, const void *from, size_t bytes, int threads);

#endif
