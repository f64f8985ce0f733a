/* Faults in the middle of a program. Of the calls by which the library asks the system for memory,
 * threads and files, each in turn fails: the numbers are right, or one line says why they end. Then
 * a bit is flipped in the library's numbers or states under GPURANMAR_VERIFY=1: no wrong number
 * passes. The argument is how many bits. Every case runs in a child process. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "fake_plugin.h"
#include "fortran/fortran.h"
#include "gpuranmar.h"
#include "random.h"
#include "stream/report_parts.h"
#include "temporary.h"

enum { MOST = 3 * RANMAR_NUMBERS_A_THREAD, SEED = 1802 * 30082 + 9373, WRONG = 9 };

/* What children share with their parent. */
static struct {
    int calls, refused; /* how many there were; which one fails, 0 for none */
    char name[80];      /* of the one that failed, or what was flipped */
    double three[MOST]; /* the numbers of three instances, from a child without a fault */
} * shared;

static int is_refused(const char *name)
{
    if (!shared || ++shared->calls != shared->refused)
        return 0;
    strcpy(shared->name, name);
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
WRAP(int, fflush, (FILE * file), (file), EOF, ENOSPC)
WRAP(int, fsync, (int descriptor), (descriptor), -1, EIO)
WRAP(int, link, (const char *from, const char *to), (from, to), -1, EIO)
WRAP(int, unlink, (const char *path), (path), -1, EIO)
WRAP(int, stat, (const char *path, struct stat *status), (path, status), -1, EIO)
WRAP(char *, realpath, (const char *path, char *out), (path, out), NULL, EIO)
WRAP(ssize_t, readlink, (const char *path, char *out, size_t n), (path, out, n), -1, EIO)
WRAP(char *, getcwd, (char *out, size_t n), (out, n), NULL, EIO)
WRAP(void *, dlopen, (const char *name, int flags), (name, flags), NULL, ENOMEM)

int __real_fclose(FILE *file);
int __wrap_fclose(FILE *file);
int __wrap_fclose(FILE *file) /* a file that cannot be closed is closed nevertheless */
{
    const int refused = is_refused("fclose"), error = __real_fclose(file);
    return refused ? (errno = EIO, EOF) : error;
}

/* The library's memory that has numbers or states in it: what it has allocated of that size, but
 * observers, which have locks, and the window of the sequence. How far the program is in the window
 * is counted by patched code too, and by nobody else. */
static struct {
    unsigned char *at;
    size_t size;
} blocks[100] = {{(unsigned char *)grncom_.buffer[1], sizeof grncom_.buffer[1]}};
enum { BLOCKS = sizeof blocks / sizeof *blocks };

static void *keep(void *at, size_t size)
{
    if (size < sizeof(struct ranmar_state) || size == sizeof(struct ranmar_observer))
        return at;
    for (int i = 0; at && i < BLOCKS; ++i)
        if (!blocks[i].at) {
            blocks[i].at = at;
            blocks[i].size = size;
            break;
        }
    return at;
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    return is_refused("malloc") ? NULL : keep(__real_malloc(size), size);
}

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size)
{
    return is_refused("calloc") ? NULL : keep(__real_calloc(n, size), n * size);
}

void __real_free(void *at);
void __wrap_free(void *at);
void __wrap_free(void *at)
{
    for (int i = 0; at && i < BLOCKS; ++i)
        if (blocks[i].at == at)
            blocks[i].at = NULL;
    __real_free(at);
}

static int flip_in = -1; /* before so many more steps */

static void flip(void)
{
    int i;
    if (flip_in-- != 0)
        return;
    do
        i = (int)random_in(0, BLOCKS - 1);
    while (!blocks[i].at || !blocks[i].size);
    const size_t byte = random_in(0, blocks[i].size - 1), bit = random_in(0, 7);
    blocks[i].at[byte] ^= (unsigned char)(1 << bit);
    snprintf(shared->name, sizeof shared->name, "bit %zu of byte %zu of %zu", bit, byte,
             blocks[i].size);
}

/* --- The program --- */

static double one[MOST], got[MOST], *expected;
static int wrong;

/* A step of the program: again where there was no memory, which must have changed nothing. */
static void expect(int condition)
{
    wrong |= !condition;
}

static int again(int error, gpuranmar_stream *s, uint64_t at)
{
    uint64_t position;
    if (error && error != GPURANMAR_NO_MEMORY) {
        fprintf(stderr, "gpuranmar: %s\n", gpuranmar_last_error());
        exit(1);
    }
    if (error && s)
        expect(gpuranmar_stream_position(s, &position) == 0 && position == at);
    return error != 0;
}

static void step(gpuranmar_stream **s, uint64_t *at)
{
    const size_t n = (size_t)random_in(1, 1500);
    const double *drawn;
    gpuranmar_stream *copy;
    char saved[GPURANMAR_SAVED_STATE_SIZE];
    flip();
    switch (random_in(0, 5)) {
    case 0:
        while (again(gpuranmar_stream_get(*s, got, n), *s, *at))
            ;
        expect(memcmp(got, expected + *at, n * sizeof *got) == 0);
        *at += n;
        break;
    case 1:
        while (again(gpuranmar_stream_draw(*s, &drawn, n), *s, *at))
            ;
        expect(memcmp(drawn, expected + *at, n * sizeof *got) == 0);
        *at += n;
        break;
    case 2:
        while (again(gpuranmar_stream_save(*s, saved, sizeof saved), *s, *at))
            ;
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
        while (again(gpuranmar_stream_seek(*s, n), *s, *at))
            ;
        *at = n;
        break;
    case 5: /* by several threads */
        while (again(gpuranmar_stream_fill(*s, got, MOST - *at), *s, *at))
            ;
        expect(memcmp(got, expected + *at, (MOST - *at) * sizeof *got) == 0);
        while (again(gpuranmar_stream_seek(*s, 7), *s, MOST))
            ;
        *at = 7;
        break;
    }
}

static gpuranmar_options options_of(int backend, int instances)
{
    gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
    o.seed = SEED;
    o.backend = backend;
    o.instances = instances;
    o.prefetch = 1000;
    o.threads = 3;
    return o;
}

static void draw_from_stream(int backend, int instances)
{
    const gpuranmar_options o = options_of(backend, instances);
    gpuranmar_stream *s;
    uint64_t at = 0, position;
    while (again(gpuranmar_stream_initialise(&s, &o), NULL, 0))
        ;
    expected = instances == 1 ? one : shared->three;
    for (int i = 0; i < 12; ++i)
        step(&s, &at);
    expect(gpuranmar_stream_position(s, &position) == 0 && position == at);
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
        if (i % 20 == 0)
            flip();
        (i & 1 ? grnvec_ : rmmard_)(got, &n, &id);
        expect(memcmp(got, one + at, (size_t)n * sizeof *got) == 0);
        at += (size_t)n;
    }
}

static void program(void)
{
    setrlimit(RLIMIT_CPU, &(struct rlimit){5, 5}); /* a damaged count can be large */
    alarm(600);
    draw_from_stream(GPURANMAR_CPU, 1);
    draw_from_stream(GPURANMAR_CPU, 3);
    draw_from_stream(GPURANMAR_CUDA, 1);
    draw_from_sequence();
    exit(wrong ? WRONG : 0);
}

static void three_instances(void)
{
    const gpuranmar_options o = options_of(GPURANMAR_CPU, 3);
    gpuranmar_stream *s;
    exit(gpuranmar_stream_initialise(&s, &o) || gpuranmar_stream_fill(s, shared->three, MOST));
}

/* --- The parent --- */

static char folder[PATH_MAX], report[PATH_MAX + 10], said[1000];

/* Runs it in a child, and gives the status, after one line on standard error at most: RIGHT,
 * STOPPED by a line, ENDED by a signal, or ESCAPED, a wrong number or none without a word. */
enum outcome { RIGHT, STOPPED, ENDED, ESCAPED };
static const char *const outcomes[] = {"right", "stopped by a line", "ended by a signal",
                                       "escaped"};

static enum outcome run(void (*call)(void))
{
    int ends[2], status;
    size_t length = 0;
    ssize_t more;
    if (pipe(ends))
        abort();
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        shared->calls = 0;
        call();
    }
    close(ends[1]);
    while ((more = read(ends[0], said + length, sizeof said - 1 - length)) > 0)
        length += (size_t)more;
    said[length] = '\0';
    close(ends[0]);
    waitpid(child, &status, 0);
    const int lines = length == 0 ? 0 : strchr(said, '\n') == said + length - 1 ? 1 : 2;
    if (WIFSIGNALED(status))
        return ENDED;
    if (WEXITSTATUS(status) == 0 && lines < 2)
        return RIGHT;
    return WEXITSTATUS(status) == 1 && lines == 1 ? STOPPED : ESCAPED;
}

/* Whether there is a report, or none and a line. */
static int report_is_whole(void)
{
    char text[1 << 16], command[PATH_MAX + 20];
    FILE *const file = fopen(report, "r");
    const size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[length] = '\0';
    if (file)
        fclose(file);
    snprintf(command, sizeof command, "rm -f %s/*", folder);
    return system(command) == 0 &&
           (file ? strstr(text, "\"complete\": true") && strcmp(text + length - 2, "}\n") == 0
                 : *said != '\0');
}

static int refuse_calls(void)
{
    int failures = 0, right = 0;
    setenv("GPURANMAR_REPORT", report, 1);
    for (shared->refused = 1;; ++shared->refused) {
        const enum outcome outcome = run(program);
        if (shared->calls < shared->refused)
            break;
        right += outcome == RIGHT;
        if (outcome > STOPPED || !report_is_whole()) {
            ++failures;
            printf("# call %d, %s: %s: %s\n", shared->refused, shared->name, outcomes[outcome],
                   said);
        }
    }
    printf("# %d calls failed, one at a time, %d without harm\n", shared->refused - 1, right);
    failures += shared->refused < 50;
    shared->refused = 0;
    unsetenv("GPURANMAR_REPORT");
    return failures;
}

static int flip_bits(int times)
{
    int count[4] = {0};
    for (int k = 0; k < times; ++k) {
        const uint64_t seed = random_word();
        flip_in = (int)random_in(0, 3 * 12 + 19);
        const enum outcome outcome = run(program);
        ++count[outcome];
        if (outcome == ESCAPED)
            printf("# %s before step %d: escaped: %s\n", shared->name, flip_in, said);
        random_state = seed;
    }
    for (int i = RIGHT; i <= ESCAPED; ++i)
        printf("# flipped bits: %d %s\n", count[i], outcomes[i]);
    return count[ESCAPED] || (times > 100 && count[STOPPED] < times / 10);
}

int main(int argc, char **argv)
{
    struct ranmar_state state;
    const struct ranmar_flavour *const f = ranmar_flavour(GPURANMAR_DOUBLE);
    random_start();
    temporary_name(folder);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || !mkdtemp(folder))
        return 1;
    snprintf(report, sizeof report, "%s/r.json", folder);
    ranmar_seed(&state, f, SEED);
    ranmar_fill_scalar(&state, f, one, MOST);
    setenv("GPURANMAR_VERIFY", "1", 1);
    printf("%sok 1 - no call fails\n",
           run(three_instances) == RIGHT && run(program) == RIGHT && !*said ? "" : "not ");
    printf("%sok 2 - each call fails in turn\n", refuse_calls() ? "not " : "");
    printf("%sok 3 - bits are flipped\n1..3\n",
           flip_bits(argc > 1 ? atoi(argv[1]) : 30) ? "not " : "");
    rmdir(folder);
    return 0;
}
