/* The threads that help with a request: thread_pool.h describes them. */
#define _GNU_SOURCE /* CPU sets */
#include "fill/thread_pool.h"

#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/ranges.h"

enum state { IDLE, WORKING, ENDING };

struct ranmar_helper {
    struct ranmar_helper *next; /* in the helper's team, or in the list of idle helpers */
    atomic_int state;           /* its own thread sets IDLE; others set WORKING, ENDING */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    ranmar_task *task;
    void *shared;
    size_t index;
    pthread_t thread;
};

/* --- OpenMP's functions, which are there if the program uses OpenMP --- */

#define IF_THERE __attribute__((weak))
extern int omp_get_max_threads(void) IF_THERE;
extern int omp_get_active_level(void) IF_THERE;
extern int omp_get_max_active_levels(void) IF_THERE;
extern int omp_get_num_places(void) IF_THERE;
extern int omp_get_place_num_procs(int place) IF_THERE;
extern void omp_get_place_proc_ids(int place, int *ids) IF_THERE;

/* Whether the caller is in a parallel region at OpenMP's limit of nesting, where OpenMP starts no
 * further threads. The limit is one level by default. */
static int is_in_parallel(void)
{
    return omp_get_active_level && omp_get_max_active_levels &&
           omp_get_active_level() >= omp_get_max_active_levels();
}

/* OpenMP may have bound each of the program's threads to a place, and a new thread inherits the
 * place of the thread that starts it. A helper serves all threads, so it may run on all places. */
static void leave_place(void)
{
    cpu_set_t cores;
    CPU_ZERO(&cores);
    const int places = omp_get_num_places && omp_get_place_num_procs && omp_get_place_proc_ids
                           ? omp_get_num_places()
                           : 0;
    for (int place = 0; place < places; ++place) {
        const int count = omp_get_place_num_procs(place);
        int *const ids = malloc((size_t)count * sizeof *ids);
        if (!ids)
            return;
        omp_get_place_proc_ids(place, ids);
        for (int i = 0; i < count; ++i)
            CPU_SET((size_t)ids[i], &cores); /* has no effect if the set is too small for the id */
        free(ids);
    }
    if (places > 0)
        pthread_setaffinity_np(pthread_self(), sizeof cores, &cores);
}

/* The first number in a variable such as OMP_NUM_THREADS=8,2; `otherwise` if it is below 1. */
static int number_in(const char *variable, int otherwise)
{
    const char *const value = getenv(variable);
    const long n = value ? strtol(value, NULL, 10) : 0;
    return n >= 1 ? (int)(n < INT_MAX ? n : INT_MAX) : otherwise;
}

static int cores_of_process(void)
{
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) == 0)
        return CPU_COUNT(&cores);
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

int ranmar_default_threads(void)
{
    int threads;
    if (omp_get_max_threads) {
        threads = omp_get_max_threads();
    } else {
        const int limit = number_in("OMP_THREAD_LIMIT", INT_MAX);
        threads = number_in("OMP_NUM_THREADS", cores_of_process());
        threads = threads < limit ? threads : limit;
    }
    return threads < RANMAR_THREADS_MAX ? threads : RANMAR_THREADS_MAX;
}

/* --- One helper --- */

static void set_helper_state(struct ranmar_helper *h, enum state state)
{
    pthread_mutex_lock(&h->mutex);
    h->state = state;
    pthread_cond_signal(&h->changed); /* at most one thread waits: the helper or the caller */
    pthread_mutex_unlock(&h->mutex);
}

/* Waits until the helper's state is no longer `state`; returns the new state. Waking a sleeping
 * thread takes 5 to 50 microseconds, so the waiting thread first spins for `spin` nanoseconds. It
 * yields the core now and then, since the other thread may need the same core. */
static enum state wait_while(struct ranmar_helper *h, enum state state, int64_t spin)
{
    enum { TRIES = 1000 };
    const int64_t until = ranmar_nanoseconds() + spin;
    do {
        for (int i = 0; i < TRIES; ++i)
            if (h->state != (int)state)
                return (enum state)h->state;
        sched_yield();
    } while (ranmar_nanoseconds() < until);
    pthread_mutex_lock(&h->mutex);
    while (h->state == (int)state)
        pthread_cond_wait(&h->changed, &h->mutex);
    pthread_mutex_unlock(&h->mutex);
    return (enum state)h->state;
}

/* What a helper's thread runs. After a task the helper spins for as long as the task took, and at
 * most MOST nanoseconds, so that it hardly spins longer than it works. */
static void *help(void *argument)
{
    enum { MOST = 1000000 };
    struct ranmar_helper *const h = argument;
    int64_t took = 0;
    leave_place();
    while (wait_while(h, IDLE, took < MOST ? took : MOST) == WORKING) {
        const int64_t begin = ranmar_nanoseconds();
        h->task(h->shared, h->index);
        took = ranmar_nanoseconds() - begin;
        set_helper_state(h, IDLE);
    }
    return NULL;
}

/* The program's own threads must receive all signals to the process, so helpers block them. */
static int start_thread(struct ranmar_helper *h)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int started = pthread_create(&h->thread, NULL, help, h) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static void delete_helper(struct ranmar_helper *h)
{
    pthread_cond_destroy(&h->changed);
    pthread_mutex_destroy(&h->mutex);
    free(h);
}

static struct ranmar_helper *new_helper(void)
{
    struct ranmar_helper *const h = calloc(1, sizeof *h);
    if (!h)
        return NULL;
    pthread_mutex_init(&h->mutex, NULL);
    pthread_cond_init(&h->changed, NULL);
    if (start_thread(h))
        return h;
    delete_helper(h);
    return NULL;
}

/* --- All helpers --- */

static struct {
    pthread_mutex_t mutex;
    struct ranmar_helper *idle;
    size_t count; /* of helpers, idle or in teams */
} helpers = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* Runs in a forked process, which has a copy of the helpers' memory, but none of their threads. */
static void forget_helpers(void)
{
    pthread_mutex_init(&helpers.mutex, NULL);
    for (struct ranmar_helper *h; (h = helpers.idle); free(h))
        helpers.idle = h->next;
    helpers.count = 0;
}

static void forget_helpers_after_fork(void)
{
    pthread_atfork(NULL, NULL, forget_helpers);
}

/* Ends the idle helpers when the library is unloaded or the program ends. The members of a team go
 * on, since a thread of the program may still wait for them. */
__attribute__((destructor)) static void end_helpers(void)
{
    if (pthread_mutex_trylock(&helpers.mutex) != 0)
        return;
    struct ranmar_helper *h = helpers.idle;
    helpers.idle = NULL;
    pthread_mutex_unlock(&helpers.mutex);
    while (h) {
        struct ranmar_helper *const next = h->next;
        set_helper_state(h, ENDING);
        pthread_join(h->thread, NULL);
        delete_helper(h);
        h = next;
    }
}

struct ranmar_team ranmar_team_gather(size_t wanted)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct ranmar_team team = {NULL, NULL, 0};
    struct ranmar_helper **end = &team.members; /* the order is kept: see ranmar_team_dismiss() */
    if (wanted == 0 || is_in_parallel())
        return team;
    pthread_once(&once, forget_helpers_after_fork);
    pthread_mutex_lock(&helpers.mutex);
    while (team.size < wanted) {
        struct ranmar_helper *h = helpers.idle;
        if (h) {
            helpers.idle = h->next;
        } else {
            h = helpers.count < wanted ? new_helper() : NULL;
            if (!h)
                break;
            ++helpers.count;
        }
        h->next = NULL;
        *end = h;
        end = &h->next;
        ++team.size;
    }
    pthread_mutex_unlock(&helpers.mutex);
    team.next = team.members;
    return team;
}

void ranmar_team_run(struct ranmar_team *team, ranmar_task *task, void *shared, size_t index)
{
    struct ranmar_helper *const h = team->next;
    team->next = h->next;
    h->task = task;
    h->shared = shared;
    h->index = index;
    set_helper_state(h, WORKING);
}

/* The members go back in their order, so that the next team has the same members in the same order.
 * An array of the same size is then cut into the same shares for the same threads, which may still
 * have a part of their shares in the caches of their cores. */
void ranmar_team_dismiss(struct ranmar_team *team)
{
    enum { PATIENCE = 20000 /* ns */ };
    struct ranmar_helper *last = NULL;
    for (struct ranmar_helper *h = team->members; h; h = h->next) {
        wait_while(h, WORKING, PATIENCE);
        last = h;
    }
    if (!last)
        return;
    pthread_mutex_lock(&helpers.mutex);
    last->next = helpers.idle;
    helpers.idle = team->members;
    pthread_mutex_unlock(&helpers.mutex);
}

/* --- Copies --- */

/* Helpers copy shares of `length` bytes. The caller copies the last share, which has the remainder
 * too. */
struct copy {
    char *to;
    const char *from;
    size_t length;
};

static void copy_share(void *shared, size_t index)
{
    const struct copy *const s = shared;
    memcpy(s->to + index * s->length, s->from + index * s->length, s->length);
}

void ranmar_copy_by_threads(void *to, const void *from, size_t bytes, int threads)
{
    enum { BYTES_A_THREAD = 1 << 20 }; /* fewer bytes are not worth a thread */
    const size_t most = bytes / BYTES_A_THREAD;
    const size_t wanted = (size_t)threads < most ? (size_t)threads : most;
    struct ranmar_team team = ranmar_team_gather(wanted > 1 ? wanted - 1 : 0);
    struct copy copy = {to, from, bytes / (team.size + 1)};
    for (size_t index = 0; index < team.size; ++index)
        ranmar_team_run(&team, copy_share, &copy, index);
    const size_t by_helpers = team.size * copy.length;
    memcpy((char *)to + by_helpers, (const char *)from + by_helpers, bytes - by_helpers);
    ranmar_team_dismiss(&team);
}
