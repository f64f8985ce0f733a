/* report MODE: draws in some way, for report.t, which knows what the report must say then. The GPU
 * is the fake one of fake_plugin.h. */
#include <locale.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>

#include "fake_plugin.h"
#include "fortran/fortran.h"
#include "gpuranmar.h"
#include "stream/stream.h"

static double u[100000];
static gpuranmar_stream *s;

static void must(int error)
{
    if (error) {
        fprintf(stderr, "%s\n", gpuranmar_last_error());
        exit(9);
    }
}

static void open_stream(int64_t seed, uint64_t position, int backend)
{
    gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
    o.seed = seed;
    o.position = position;
    o.backend = backend;
    o.prefetch = 1000;
    o.threads = 2;
    must(gpuranmar_stream_initialise(&s, &o));
}

static void draw(size_t n)
{
    must(gpuranmar_stream_get(s, u, n));
}

/* Draws, moves and goes on from a saved state: three streams in all. */
static void streams(void)
{
    char saved[GPURANMAR_SAVED_STATE_SIZE];
    open_stream(5, 100, GPURANMAR_CPU);
    draw(300);
    must(gpuranmar_stream_skip(s, 50));
    draw(10);
    must(gpuranmar_stream_save(s, saved, sizeof saved)); /* at 460 */
    must(gpuranmar_stream_seek(s, 20));
    draw(1);
    gpuranmar_stream_close(s); /* at 21, 311 drawn */
    open_stream(6, 0, GPURANMAR_CPU);
    draw(3);
    must(gpuranmar_stream_restore(s, saved, sizeof saved)); /* ends at 3 */
    draw(4);                                                /* open at 464 */
}

static void start_sequence(void)
{
    must(gpuranmar_initialise(3, 0, 7, 1, 0));
}

/* A window is drawn from without a call. */
static void draw_from_window(int n)
{
    const int32_t one = 1, id = 3;
    for (int i = 0; i < n; ++i)
        rmmard_(u, &one, &id);
}

static void sequence(void)
{
    start_sequence();
    draw_from_window(1500);
}

/* exit(), which must not be called while the program ends. */
static int ending;

static void begin_to_end(void)
{
    ending = 1;
}

_Noreturn void __real_exit(int status);
_Noreturn void __wrap_exit(int status);
_Noreturn void __wrap_exit(int status)
{
    if (ending)
        _exit(99);
    __real_exit(status);
}

static void say_goodbye(void)
{
    printf("goodbye\n");
}

/* A number of the window is wrong, which nobody notices before the end. */
static void wrong_at_end(void)
{
    atexit(say_goodbye);
    start_sequence();
    draw_from_window(1);
    grncom_.buffer[2][500] = 0.5;
    draw_from_window(600);
    atexit(begin_to_end);
}

static void close_sequence(void)
{
    must(gpuranmar_close(3));
}

/* A number of the window is wrong, which is noticed at the next refill; the program's own handler
 * closes the sequence. */
static void wrong_in_window(void)
{
    start_sequence();
    draw_from_window(1);
    atexit(close_sequence);
    grncom_.buffer[2][500] = 0.5;
    draw_from_window(1024);
}

/* The GPU makes 2 blocks, then fails. */
static void change_over(void)
{
    fake.fail_at = 5; /* open, set, block, block, block */
    open_stream(1, 0, GPURANMAR_CUDA);
    for (int i = 0; i < 5; ++i)
        draw(700);
}

static void forked(void)
{
    open_stream(2, 0, GPURANMAR_CPU);
    draw(3);
    gpuranmar_stream_close(s);
    open_stream(1, 0, GPURANMAR_CPU);
    draw(30);
    if (fork() == 0) {
        draw(1000);
        if (fork() == 0) {
            draw(5);
            exit(0);
        }
        wait(NULL);
        exit(0);
    }
    if (fork() == 0)
        exit(0); /* has nothing to report */
    while (wait(NULL) > 0)
        ;
    draw(5);
}

static void many(void)
{
    for (int i = 0; i < 10100; ++i) {
        open_stream(i, 0, GPURANMAR_CPU);
        draw(2);
        gpuranmar_stream_close(s);
    }
    open_stream(1, 0, GPURANMAR_CPU);
}

/* Threads that draw on while the program ends: each has drawn 1000 times before. */
enum { DRAW, SKIP, RESTORE, DRAW_FROM_SEQUENCE, DRAWINGS };
static atomic_int ready;

static void *draw_on(void *drawing)
{
    const intptr_t how = (intptr_t)drawing;
    gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
    gpuranmar_stream *mine;
    char saved[GPURANMAR_SAVED_STATE_SIZE];
    double numbers[300];
    if (how == SKIP)
        o.prefetch = 1;
    must(how == DRAW_FROM_SEQUENCE ? gpuranmar_initialise(5, 0, 7, 1, 0)
                                   : gpuranmar_stream_initialise(&mine, &o));
    for (int turns = 0;;) {
        if (how == DRAW_FROM_SEQUENCE)
            must(gpuranmar_get(5, numbers, (size_t)(turns % 300)));
        if (how == SKIP)
            must(gpuranmar_stream_skip(mine, 1000000));
        if (how == DRAW || how == SKIP)
            must(gpuranmar_stream_get(mine, numbers, 1));
        if (how == RESTORE) {
            must(gpuranmar_stream_save(mine, saved, sizeof saved));
            must(gpuranmar_stream_restore(mine, saved, sizeof saved));
        }
        ready += ++turns == 1000;
    }
    return NULL;
}

static void threads(void)
{
    for (intptr_t how = 0; how < DRAWINGS; ++how) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, draw_on, (void *)how))
            exit(9);
        pthread_detach(thread);
    }
    while (ready < DRAWINGS)
        usleep(1000);
}

/* A number of the cache is wrong. */
static void wrong(void)
{
    open_stream(1, 0, GPURANMAR_CPU);
    draw(1);
    s->own_cache[80] ^= 1;
    draw(100);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } modes[] = {{"streams", streams},
                 {"sequence", sequence},
                 {"change-over", change_over},
                 {"fork", forked},
                 {"many", many},
                 {"wrong", wrong},
                 {"wrong-at-end", wrong_at_end},
                 {"wrong-in-window", wrong_in_window},
                 {"threads", threads}};
    setlocale(LC_ALL, "");
    for (size_t i = 0; argc > 1 && i < sizeof modes / sizeof *modes; ++i)
        if (strcmp(argv[1], modes[i].name) == 0)
            modes[i].run();
    if (argc > 2 && strcmp(argv[2], "exit") == 0)
        exit(3);
    if (argc > 2 && strcmp(argv[2], "killed") == 0)
        _exit(3);
    if (argc > 2 && strcmp(argv[2], "wait") == 0) {
        putchar('.');
        fflush(stdout);
        getchar();
    } else if (argc > 2 && strcmp(argv[2], "fork") == 0) {
        if (fork() == 0)
            draw(1);
        wait(NULL);
    } else if (argc > 2 && chdir(argv[2]) != 0) {
        return 2;
    }
    return 0;
}
