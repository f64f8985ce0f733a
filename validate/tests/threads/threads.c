/* threads WHAT: requests that are shared among threads, for validate/tests/threads/threads.t, which
 * runs this where there is little room for them. Prints a checksum of the numbers, or what it
 * counted.
 *
 *   fill NUMBERS       one large fill
 *   cancel             cancels threads in large fills; prints after how many of them numbers still
 *                      changed
 *   crowd              16 threads of the program's own fill at once; prints how many threads
 *                      there are then in all */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpuranmar.h"
#include "tasks.h"

static void check(int error)
{
    if (error) {
        fprintf(stderr, "threads: %s\n", gpuranmar_last_error());
        exit(1);
    }
}

static gpuranmar_stream *open_stream(int flavour)
{
    gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
    gpuranmar_stream *s;
    o.flavour = flavour;
    o.backend = GPURANMAR_CPU;
    check(gpuranmar_stream_initialise(&s, &o));
    return s;
}

static void fill(size_t n)
{
    float *const u = malloc(n * sizeof *u);
    gpuranmar_stream *const s = open_stream(GPURANMAR_SINGLE);
    if (!u)
        exit(2);
    check(gpuranmar_stream_fill_single(s, u, n));
    uint64_t sum = 0;
    for (size_t i = 0; i < n; ++i)
        sum = 31 * sum + (uint64_t)(u[i] * 0x1p24f);
    printf("%016llx\n", (unsigned long long)sum);
    gpuranmar_stream_close(s);
    free(u);
}

enum { CANCELLED = 1 << 22 };

static double *u_of_cancelled;

static void *fill_on(void *stream)
{
    while (!gpuranmar_stream_fill(stream, u_of_cancelled, CANCELLED))
        pthread_testcancel();
    return NULL;
}

static double sum_of_some(void)
{
    double sum = 0;
    for (int i = CANCELLED - 1; i >= 0; i -= 61)
        sum += u_of_cancelled[i];
    return sum;
}

/* Each fill makes other numbers. */
static void cancel(void)
{
    gpuranmar_stream *const s = open_stream(GPURANMAR_DOUBLE);
    int changed = 0;
    u_of_cancelled = calloc(CANCELLED, sizeof *u_of_cancelled);
    for (int round = 0; round < 100; ++round) {
        pthread_t thread;
        pthread_create(&thread, NULL, fill_on, s);
        usleep((useconds_t)(round * 200));
        pthread_cancel(thread);
        pthread_join(thread, NULL);
        const double before = sum_of_some();
        usleep(3000);
        changed += sum_of_some() != before;
    }
    printf("%d\n", changed);
    gpuranmar_stream_close(s);
    free(u_of_cancelled);
}

static pthread_barrier_t all_there;

static void *fill_in_crowd(void *most)
{
    enum { N = 1 << 20 };
    gpuranmar_stream *const s = open_stream(GPURANMAR_DOUBLE);
    double *const u = malloc(N * sizeof *u);
    pthread_barrier_wait(&all_there);
    for (int i = 0; i < 5; ++i)
        check(gpuranmar_stream_fill(s, u, N));
    if (pthread_barrier_wait(&all_there) == PTHREAD_BARRIER_SERIAL_THREAD)
        *(int *)most = count_threads();
    pthread_barrier_wait(&all_there);
    free(u);
    gpuranmar_stream_close(s);
    return NULL;
}

static void crowd(void)
{
    enum { CROWD = 16 };
    pthread_t thread[CROWD];
    int most = 0;
    pthread_barrier_init(&all_there, NULL, CROWD);
    for (int i = 0; i < CROWD; ++i)
        pthread_create(&thread[i], NULL, fill_in_crowd, &most);
    for (int i = 0; i < CROWD; ++i)
        pthread_join(thread[i], NULL);
    printf("%d\n", most);
}

int main(int argc, char **argv)
{
    const char *const what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "fill") == 0 && argc > 2)
        fill(strtoull(argv[2], NULL, 10));
    else if (strcmp(what, "cancel") == 0)
        cancel();
    else if (strcmp(what, "crowd") == 0)
        crowd();
    else
        return 2;
    return 0;
}
