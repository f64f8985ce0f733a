/* Threads that help with a request: gathered for it, dismissed after it, kept for the next one.
 *
 * A request never depends on them. Where a thread cannot be started, or others have them, the team
 * is smaller or empty and the caller does more of the work itself. All requests of a process share
 * the same threads, so that there are never more than the largest of them asked for. They take part
 * in nothing else: the program's signals are not for them, a forked process starts its own, and
 * they end when the library is unloaded. */
#ifndef RANMAR_TEAM_H
#define RANMAR_TEAM_H

#include <stddef.h>

struct ranmar_helper;

struct ranmar_team {
    struct ranmar_helper *members, *next; /* all of them; the first that has nothing to do yet */
    size_t size;
};

/* A part of a request: `shared` is the same for all of them, `index` tells them apart. */
typedef void ranmar_task(void *shared, size_t index);

/* Gathers up to `wanted` threads. */
struct ranmar_team ranmar_team_gather(size_t wanted);

/* Has one more member run task(shared, index): at most `size` times a team. */
void ranmar_team_run(struct ranmar_team *team, ranmar_task *task, void *shared, size_t index);

/* Waits until all members have finished what they run, and gives them back. */
void ranmar_team_dismiss(struct ranmar_team *team);

/* How many threads a request may take that says nothing about it, itself included: as many as
 * OpenMP would, by the program's own settings if it uses OpenMP and by OMP_NUM_THREADS and the
 * cores of this process if not; 1 to RANMAR_THREADS_MAX. */
int ranmar_default_threads(void);

#endif
