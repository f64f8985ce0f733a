/* Faults in the middle of a program. Each call by which the library asks the system for memory,
 * threads or files fails in turn: the numbers are right, or one line says why they end. Every case
 * runs in a child process. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "child.h"
#include "fake_plugin.h"
#include "fortran/fortran.h"
#include "tests.h"

enum { MOST = 3 * RANMAR_NUMBERS_A_THREAD, SEED = 1802 * 30082 + 9373, WRONG = 9 };

/* What children share with their parent. */
static struct {
    int calls, refused; /* how many there were; which one fails, 0 for none */
    char name[80];      /* of the one that failed */
    double three[MOST]; /* the numbers of three instances, from a child without a fault */
} * shared;

static void (*at_start)(void); /* called, once, while a thread is started */

/* A second attempt of the same call fails too. */
static int is_refused(const char *name)
{
    void (*const call)(void) = at_start;
    if (call && strcmp(name, "pthread_create") == 0) {
        at_start = NULL;
        call();
    }
    if (!shared || !shared->refused)
        return 0;
    if (++shared->calls == shared->refused)
        strcpy(shared->name, name);
    else if (shared->calls != shared->refused + 1 || strcmp(shared->name, name) != 0)
        return 0;
    return 1;
}

/* The library's calls of `name` come here: the linker is told so for each. */
#define WRAP(type, name, parameters, arguments, failed, code) \
    type __real_##name parameters;                            \
    type __wrap_##name parameters;                            \
    type __wrap_##name parameters                             \
    {                                                         \
        if (is_refused(#name))                                \
            return errno = code, failed;                      \
        return __real_##name arguments;                       \
    }
WRAP(int, pthread_create,
     (pthread_t * t, const pthread_attr_t *a, void *(*start)(void *), void *argument),
     (t, a, start, argument), EAGAIN, EAGAIN)
WRAP(int, pthread_atfork, (void (*before)(void), void (*parent)(void), void (*child)(void)),
     (before, parent, child), ENOMEM, ENOMEM)
WRAP(int, atexit, (void (*call)(void)), (call), -1, ENOMEM)
WRAP(int, open, (const char *path, int flags, mode_t mode), (path, flags, mode), -1, EIO)
WRAP(FILE *, fdopen, (int descriptor, const char *mode), (descriptor, mode), NULL, ENOMEM)
WRAP(int, stat, (const char *path, struct stat *status), (path, status), -1, EIO)
WRAP(char *, realpath, (const char *path, char *out), (path, out), NULL, EIO)
WRAP(void *, malloc, (size_t size), (size), NULL, ENOMEM)
WRAP(void *, calloc, (size_t n, size_t size), (n, size), NULL, ENOMEM)
WRAP(void *, dlopen, (const char *name, int flags), (name, flags), NULL, ENOMEM)

int __real_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m);
int __wrap_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m);
int __wrap_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
    static _Thread_local int returns; /* each second one, before anything has changed, as it may */
    returns = !returns;
    return returns ? 0 : __real_pthread_cond_wait(c, m);
}

int __real_fclose(FILE *file);
int __wrap_fclose(FILE *file);
int __wrap_fclose(FILE *file) /* a file that cannot be closed is closed nevertheless */
{
    const int refused = is_refused("fclose"), error = __real_fclose(file);
    return refused ? (errno = EIO, EOF) : error;
}

/* --- The program --- */

static double one[MOST], got[MOST], *expected;
static int wrong;

static void require(int condition)
{
    wrong |= !condition;
}

/* Whether a call is to be made again: it had no memory, and must then have changed nothing. */
static int again(int error, gpuranmar_stream *s, uint64_t at)
{
    uint64_t position;
    if (error && error != GPURANMAR_NO_MEMORY) {
        fprintf(stderr, "gpuranmar: %s\n", gpuranmar_last_error());
        exit(1);
    }
    if (error && s)
        require(gpuranmar_stream_position(s, &position) == 0 && position == at);
    return error != 0;
}

static void step(gpuranmar_stream **s, uint64_t *at)
{
    const size_t n = (size_t)random_in(1, 1500);
    const double *drawn;
    gpuranmar_stream *copy;
    char saved[GPURANMAR_SAVED_STATE_SIZE];
    switch (random_in(0, 5)) {
    case 0:
        require(gpuranmar_stream_get(*s, got, n) == 0);
        require(memcmp(got, expected + *at, n * sizeof *got) == 0);
        *at += n;
        break;
    case 1:
        while (again(gpuranmar_stream_draw(*s, &drawn, n), *s, *at))
            ;
        require(memcmp(drawn, expected + *at, n * sizeof *got) == 0);
        *at += n;
        break;
    case 2:
        require(gpuranmar_stream_save(*s, saved, sizeof saved) == 0);
        while (again(gpuranmar_stream_restore(*s, saved, sizeof saved), *s, *at))
            ;
        break;
    case 3:
        while (again(gpuranmar_stream_copy(&copy, *s), *s, *at))
            ;
        gpuranmar_stream_close(*s);
        *s = copy;
        break;
    case 4:
        require(gpuranmar_stream_seek(*s, n) == 0);
        *at = n;
        break;
    case 5: /* by several threads */
        require(gpuranmar_stream_fill(*s, got, MOST - *at) == 0);
        require(memcmp(got, expected + *at, (MOST - *at) * sizeof *got) == 0);
        require(gpuranmar_stream_seek(*s, 7) == 0);
        *at = 7;
        break;
    }
}

static void draw_from_stream(int backend, int instances)
{
    const gpuranmar_options o = {sizeof o, SEED, 0, GPURANMAR_DOUBLE, backend, instances,
                                 1000,     3,    0};
    gpuranmar_stream *s;
    uint64_t at = 0, position;
    while (again(gpuranmar_stream_initialise(&s, &o), NULL, 0))
        ;
    expected = instances == 1 ? one : shared->three;
    for (int i = 0; i < 12; ++i)
        step(&s, &at);
    require(gpuranmar_stream_position(s, &position) == 0 && position == at);
    gpuranmar_stream_close(s);
}

static void draw_from_sequence(void)
{
    const int32_t id = 2, numbers[] = {1, 1500, 1, 300};
    size_t at = 0;
    while (again(gpuranmar_initialise(id, 1802, 9373, 1, 0), NULL, 0))
        ;
    for (int i = 0; i < 400; ++i) {
        const int32_t n = numbers[i % 4 * (i % 100 == 1)];
        (i & 1 ? grnvec_ : rmmard_)(got, &n, &id);
        require(memcmp(got, one + at, (size_t)n * sizeof *got) == 0);
        at += (size_t)n;
    }
}

static void program(void)
{
    setrlimit(RLIMIT_CPU, &(struct rlimit){5, 5}); /* a damaged count can be large */
    draw_from_stream(GPURANMAR_CPU, 1);
    draw_from_stream(GPURANMAR_CPU, 3);
    draw_from_stream(GPURANMAR_CUDA, 1);
    draw_from_sequence();
    exit(wrong ? WRONG : 0);
}

static void three_instances(void)
{
    gpuranmar_stream *const s = OPEN(.seed = SEED, .instances = 3, .prefetch = 1000);
    exit(gpuranmar_stream_fill(s, shared->three, MOST));
}

/* --- The parent --- */

static char said[10000];

/* Counts the lines that a program without faults does not write under GPURANMAR_VERBOSE. */
static int unexpected_lines(void)
{
    static const char *const verbose[] = {"libgpuranmar ", "delivered: ", "process ",
                                          "CUDA: 1 x fake\n"};
    int count = 0;
    for (const char *line = said; *line; line = strchr(line, '\n') + 1) {
        int is_verbose = 0;
        for (int i = 0; i < 4; ++i)
            is_verbose |= strncmp(line, "gpuranmar: ", 11) == 0 &&
                          strncmp(line + 11, verbose[i], strlen(verbose[i])) == 0;
        count += !is_verbose;
    }
    return count;
}

/* Runs a program in a child. The program may end with the right numbers and one line at most, or
 * with one line and the exit status 1. No fault excuses a wrong number. Returns whether the numbers
 * are right. */
static int is_right(void (*call)(void))
{
    int status = 0;
    shared->calls = 0;
    IN_A_CHILD(1, status = listen_to(this_child, said, sizeof said), call());
    const int lines = unexpected_lines();
    if (status == 0 && lines < 2)
        return 1;
    if (status != 1 << 8 || lines != 1 || strstr(said, "GPURANMAR_VERIFY"))
        fail_msg("call %d, %s: status %d: %s", shared->refused, shared->name, status, said);
    return 0;
}

TEST(no_call_fails)
{
    const struct ranmar_flavour *const f = ranmar_flavour(GPURANMAR_DOUBLE);
    struct ranmar_state state;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ranmar_seed(&state, f, SEED);
    ranmar_fill_scalar(&state, f, one, MOST);
    setenv("GPURANMAR_VERIFY", "1", 1);
    setenv("GPURANMAR_VERBOSE", "1", 1);
    assert_true(is_right(three_instances) && is_right(program) && unexpected_lines() == 0);
}

TEST(each_call_fails)
{
    int right = 0;
    for (shared->refused = 1;; ++shared->refused) {
        const int now = is_right(program);
        if (shared->calls < shared->refused)
            break;
        right += now;
    }
    printf("# %d calls failed, one at a time, %d without harm\n", shared->refused - 1, right);
    assert_true(shared->refused > 40);
}

/* A process is forked while another thread starts a helper and has the list of helpers locked. */
static void fill_in_child(void)
{
    sigset_t none; /* all signals are blocked while a helper is started */
    sigemptyset(&none);
    ENDS_WELL(sigprocmask(SIG_SETMASK, &none, NULL);
              gpuranmar_stream *const s = OPEN(.seed = SEED, .threads = 3);
              _exit(gpuranmar_stream_fill(s, got, MOST) || memcmp(got, one, sizeof one)));
}

TEST(forked_while_a_helper_starts)
{
    unsetenv("GPURANMAR_VERBOSE");
    gpuranmar_stream *const s = OPEN(.seed = SEED, .threads = 3);
    shared->refused = 0;
    at_start = fill_in_child;
    assert_int_equal(gpuranmar_stream_fill(s, got, MOST), GPURANMAR_OK);
    assert_null(at_start);
    assert_memory_equal(got, one, sizeof one);
    gpuranmar_stream_close(s);
}
