#include "stream/ahead.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include "stream/fork.h"

enum { LINE = 64 };

/* One block is read, one waits to be, one is made: there are three at least. Of small ones there
 * are as many as fit here, so that the producer, which is the faster side, need not be woken for
 * each of them: waking it costs the consumer as much as making thousands of numbers. */
enum { FEWEST = 3, RING_BYTES = 1 << 19 };

struct ranmar_ahead {
    /* What each side writes has a cache line of its own. Block k stands in place k % count; the
     * producer has made blocks 0 .. made - 1, the consumer is done with 0 .. used - 1. */
    _Alignas(LINE) atomic_uint_fast64_t made;
    _Alignas(LINE) atomic_uint_fast64_t used;
    uint64_t taken; /* blocks handed to the consumer */

    _Alignas(LINE) atomic_int stopping;
    atomic_int asleep; /* how many wait: both may, when one has been woken but does not run yet */
    pthread_mutex_t mutex;
    pthread_cond_t wake;

    ranmar_make_block *make;
    void *context;
    size_t block_size, count;
    char *blocks;
    pthread_t thread;
    unsigned forks; /* when it was started */
};

/* --- Waiting: a while on the spot, as a block takes a fraction of a microsecond, then asleep --- */

typedef int condition(struct ranmar_ahead *a);

static int has_block(struct ranmar_ahead *a)
{
    return a->made > a->taken;
}

static int has_room(struct ranmar_ahead *a)
{
    return a->made < a->used + a->count || a->stopping;
}

static void wait_until(struct ranmar_ahead *a, condition *met)
{
    enum { TRIES = 1000 };
    for (int i = 0; i < TRIES; ++i)
        if (met(a))
            return;
    pthread_mutex_lock(&a->mutex);
    ++a->asleep;
    while (!met(a))
        pthread_cond_wait(&a->wake, &a->mutex);
    --a->asleep;
    pthread_mutex_unlock(&a->mutex);
}

/* After a change that the other side may wait for. One side changes, then looks at `asleep`; the
 * other raises `asleep`, then looks for a change, in sequentially consistent order: none sleeps through it. */
static void notify(struct ranmar_ahead *a)
{
    if (!a->asleep)
        return;
    pthread_mutex_lock(&a->mutex);
    pthread_cond_broadcast(&a->wake);
    pthread_mutex_unlock(&a->mutex);
}

static char *place(const struct ranmar_ahead *a, uint64_t block)
{
    return a->blocks + block % a->count * a->block_size;
}

static void *produce(void *argument)
{
    struct ranmar_ahead *const a = argument;
    for (;;) {
        wait_until(a, has_room);
        if (a->stopping)
            return NULL;
        a->make(a->context, place(a, a->made));
        ++a->made;
        notify(a);
    }
}

struct ranmar_ahead *ranmar_ahead_start(ranmar_make_block *make, void *context, size_t block_size)
{
    struct ranmar_ahead *const a = aligned_alloc(LINE, sizeof *a);
    const size_t fit = RING_BYTES / block_size, count = fit > FEWEST ? fit : FEWEST;
    char *const blocks = malloc(count * block_size);
    if (!a || !blocks) {
        free(a);
        free(blocks);
        return NULL;
    }
    *a = (struct ranmar_ahead){.make = make, .context = context, .block_size = block_size,
                               .count = count, .blocks = blocks, .forks = ranmar_forks()};
    pthread_mutex_init(&a->mutex, NULL);
    pthread_cond_init(&a->wake, NULL);

    /* The program's signals are for its own threads. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int failed = pthread_create(&a->thread, NULL, produce, a);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed) {
        free(blocks);
        free(a);
        return NULL;
    }
    return a;
}

const void *ranmar_ahead_block(struct ranmar_ahead *a)
{
    if (a->taken > a->used) { /* the one handed out before */
        a->used = a->taken;
        if (a->made - a->used <= a->count / 2) /* worth waking for, and never too late */
            notify(a);
    }
    wait_until(a, has_block);
    return place(a, a->taken++);
}

int ranmar_ahead_is_lost(const struct ranmar_ahead *a)
{
    return a->forks != ranmar_forks();
}

/* A thread that is lost may have held the lock, and was in the middle of a block: nothing of it can
 * be used or freed. */
void *ranmar_ahead_stop(struct ranmar_ahead *a)
{
    if (!a || ranmar_ahead_is_lost(a))
        return NULL;
    void *const context = a->context;
    a->stopping = 1;
    notify(a);
    pthread_join(a->thread, NULL);
    pthread_cond_destroy(&a->wake);
    pthread_mutex_destroy(&a->mutex);
    free(a->blocks);
    free(a);
    return context;
}
