/* GPURANMAR_VERBOSE: the lines on delivered numbers are right, however a program ends. Each program
 * is a child that reads its settings anew. */
#include <limits.h>
#include <regex.h>

#include "child.h"
#include "fake_plugin.h"
#include "fortran/fortran.h"
#include "gpuranmar.h"
#include "settings/log.h"
#include "tests.h"

static double u[10000];

/* --- What a program says --- */

static char said[20000];

/* The number of lines that begin with `start`, or with anything if it is "". */
static int lines_of(const char *start)
{
    int count = 0;
    for (const char *line = said; *line; line = strchr(line, '\n') + 1)
        count += strncmp(line, start, strlen(start)) == 0;
    return count;
}

/* Fails unless a program ends with this status, and has `count` lines on delivered numbers. */
#define SAYS(status, count, ...)                                                             \
    IN_A_CHILD(1, assert_int_equal(listen_to(this_child, said, sizeof said), (status) << 8); \
               assert_int_equal(lines_of("gpuranmar: delivered: "), count), __VA_ARGS__)

/* Fails unless there is a line with these words after the number of its process. */
static void has(const char *words)
{
    char pattern[500];
    regex_t line;
    snprintf(pattern, sizeof pattern, "^gpuranmar: delivered: process [0-9]+, %s$", words);
    assert_int_equal(regcomp(&line, pattern, REG_EXTENDED | REG_NEWLINE | REG_NOSUB), 0);
    if (regexec(&line, said, 0, NULL, 0) != 0)
        fail_msg("no line '%s' in '%s'", pattern, said);
    regfree(&line);
}

/* --- Programs --- */

static gpuranmar_stream *open_stream(int64_t seed, int backend, uint64_t position)
{
    return OPEN(.seed = seed, .backend = backend, .position = position, .prefetch = 1000,
                .threads = 1);
}

static void start_sequence(int32_t id, int32_t seed, int32_t skipped)
{
    const int32_t zero = 0;
    grnset_(&seed, &skipped, &zero, &id);
}

/* Draws one number a call. */
static void draw(int32_t id, int n)
{
    const int32_t one = 1;
    for (int i = 0; i < n; ++i)
        rmmard_(u, &one, &id);
}

/* Streams that move, end, draw nothing, and are restored. */
static void streams(void)
{
    char saved[GPURANMAR_SAVED_STATE_SIZE];
    gpuranmar_stream *s = open_stream(5, GPURANMAR_CPU, 100);
    gpuranmar_stream_get(s, u, 300);
    gpuranmar_stream_skip(s, 5000);
    gpuranmar_stream_fill(s, u, 2000);
    gpuranmar_stream_seek(s, 50);
    gpuranmar_stream_get(s, u, 7);
    gpuranmar_stream_seek(s, 1000000);
    gpuranmar_stream_close(open_stream(6, GPURANMAR_CPU, 0));
    s = open_stream(7, GPURANMAR_CPU, 0);
    gpuranmar_stream_get(s, u, 1);
    gpuranmar_stream_close(s);
    s = open_stream(8, GPURANMAR_CPU, 0);
    gpuranmar_stream *const later = open_stream(9, GPURANMAR_CPU, 0);
    gpuranmar_stream_get(s, u, 10);
    gpuranmar_stream_save(s, saved, sizeof saved);
    gpuranmar_stream_get(s, u, 20);
    gpuranmar_stream_restore(s, saved, sizeof saved);
    gpuranmar_stream_get(s, u, 40);
    gpuranmar_stream_get(later, u, 3);
}

#define OPTIONS ", flavour double, instances 1, prefetch 1000, "

TEST(of_streams)
{
    setenv("GPURANMAR_VERBOSE", "1", 1);
    SAYS(3, 5, streams(); exit(3));
    has("stream, seed 5" OPTIONS "positions 50 to 7400, numbers 2307, made by cpu 3 times");
    has("stream, seed 7" OPTIONS "positions 0 to 1, numbers 1, made by cpu 1 times");
    has("stream, seed 8" OPTIONS "positions 0 to 30, numbers 30, made by cpu 1 times");
    has("stream, seed 8" OPTIONS "positions 10 to 50, numbers 40, made by cpu 1 times");
    has("stream, seed 9" OPTIONS "positions 0 to 3, numbers 3, made by cpu 1 times");
    SAYS(3, 2, streams(); _exit(3)); /* what is open leaves no line */
}

/* A line that is longer than its memory by one byte loses that byte, and ends all the same. */
TEST(of_a_long_line)
{
    SAYS(0, 0, ranmar_log("%501s", "x"); exit(0));
    assert_int_equal(strlen(said), 512);
    assert_int_equal(said[511], '\n');
}

static void sequences(void)
{
    start_sequence(3, 54217137, 5);
    draw(3, 1500);
    start_sequence(64, 1, 0);
    start_sequence(3, 12, 0);
    draw(3, 1024);
    start_sequence(3, 13, 0);
}

/* The library has a line of its own, and each start of a sequence has one. */
TEST(of_sequences)
{
    setenv("GPURANMAR_SEQUENCES", "64", 1);
    SAYS(0, 2, sequences(); exit(0));
    has("sequence 3, seed 54217137, flavour double, instances 1, prefetch 1024, positions 5 to "
        "1505, numbers 1500, made by cpu 2 times");
    has("sequence 3, seed 12, flavour double, instances 1, prefetch 1024, positions 0 to 1024, "
        "numbers 1024, made by cpu 1 times");
    assert_int_equal(lines_of("gpuranmar: libgpuranmar "), 1);
    assert_int_equal(lines_of("gpuranmar: process "), 4);
    assert_int_equal(lines_of(""), 7);
    SAYS(0, 0, setenv("GPURANMAR_VERBOSE", "0", 1); sequences(); exit(0));
    assert_string_equal(said, "");
}

/* Prefetch sizes above and below a buffer's, several instances, another flavour. */
TEST(of_options)
{
    SAYS(0, 1, setenv("GPURANMAR_PREFETCH", "500000", 1); setenv("GPURANMAR_THREADS", "7", 1);
         start_sequence(1, 1, 0); draw(1, 1030); exit(0));
    has("sequence 1, .*, prefetch 500000, positions 0 to 1030, numbers 1030, made by cpu 2 times");
    assert_non_null(strstr(said, ": seed 1, position 0, double, 1 instance(s), prefetch 500000, 7 "
                                 "thread(s)\n"));
    SAYS(0, 1, setenv("GPURANMAR_PREFETCH", "10", 1); start_sequence(1, 1, 0); draw(1, 15);
         exit(0));
    has("sequence 1, .*, prefetch 10, positions 0 to 15, numbers 15, made by cpu 2 times");
    SAYS(0, 1, setenv("GPURANMAR_INSTANCES", "4", 1); setenv("GPURANMAR_FLAVOUR", "keyed", 1);
         start_sequence(1, 1, 0); draw(1, 15); exit(0));
    has("sequence 1, seed 1, flavour keyed, instances 4, prefetch 1024, positions 0 to 15, .*");
}

/* STOP of Fortran, which ends the program from within a routine. */
extern void _gfortran_stop_numeric(int code, int is_quiet) __attribute__((weak));

TEST(of_a_program_that_stops)
{
    SAYS(4, 1, start_sequence(1, 1, 0); draw(1, 3);
         if (_gfortran_stop_numeric) _gfortran_stop_numeric(4, 1); exit(4));
    has("sequence 1, .* positions 0 to 3, numbers 3, made by cpu 1 times");
    /* an error; a sequence whose position in the buffer is out of range gets no line */
    SAYS(1, 1, start_sequence(1, 1, 0); draw(1, 3); start_sequence(2, 1, 0); draw(2, 3);
         grncom_.pos[1] = -2000; grnvec_(u, &(int32_t){1}, &(int32_t){2}); exit(0));
    has("sequence 1, .* positions 0 to 3, numbers 3, made by cpu 1 times");
}

/* The GPU serves two requests, then fails. */
static void change_over(void)
{
    fake.fail_at = 7; /* open, set, make three blocks, one, one */
    gpuranmar_stream *const s = open_stream(1, GPURANMAR_CUDA, 0);
    for (int i = 0; i < 5; ++i)
        gpuranmar_stream_get(s, u, 700);
}

/* The GPU fills the buffer in the COMMON, from which C and hooks draw in turn. */
static void sequence_by_gpu(void)
{
    double expected[2000];
    gpuranmar_stream_get(open_stream(1, GPURANMAR_CPU, 0), expected, 2000);
    start_sequence(1, 1, 0);
    for (int at = 0; at < 2000; at += 10) {
        if (gpuranmar_get(1, u + at, 7))
            abort();
        for (int i = 7; i < 10; ++i, ++grncom_.pos[0]) {
            grnfl1_(&(int32_t){1}, grncom_.pos);
            u[at + i] = *ranmar_grncom_next(1);
        }
    }
    exit(memcmp(u, expected, sizeof expected) != 0);
}

TEST(of_a_gpu)
{
    SAYS(0, 2, setenv("GPURANMAR_BACKEND", "cuda", 1); setenv("GPURANMAR_PREFETCH", "1000", 1);
         sequence_by_gpu());
    has("sequence 1, seed 1" OPTIONS
        "positions 0 to 2000, numbers 2000, made by cuda [0-9]+ times");
    SAYS(0, 1, change_over(); exit(0));
    has("stream, seed 1" OPTIONS "positions 0 to 3500, numbers 3500, made by cuda 2 times, cpu 3 "
        "times");
    assert_int_equal(lines_of("gpuranmar: CUDA: 1 x fake\n"), 1);
    SAYS(0, 1, setenv("GPURANMAR_VERIFY", "1", 1); change_over(); exit(0));
    has("stream, .* made by cuda 2 times, cpu 3 times");
}

/* A process, its child, its grandchild, and a child that draws nothing. */
static void forked(void)
{
    gpuranmar_stream_close(open_stream(2, GPURANMAR_CPU, 0));
    gpuranmar_stream *const s = open_stream(1, GPURANMAR_CPU, 0);
    gpuranmar_stream_get(s, u, 30);
    if (start_child(0).pid == 0) {
        gpuranmar_stream_get(s, u, 1000);
        if (start_child(0).pid == 0) {
            gpuranmar_stream_get(s, u, 5);
            exit(0);
        }
        wait(NULL);
        exit(0);
    }
    if (start_child(0).pid == 0)
        exit(0);
    while (wait(NULL) > 0)
        ;
    gpuranmar_stream_get(s, u, 5);
    exit(0);
}

TEST(of_forks)
{
    SAYS(0, 3, forked());
    has("stream, seed 1" OPTIONS "positions 0 to 35, numbers 35, made by cpu 1 times");
    has("stream, seed 1" OPTIONS "positions 30 to 1030, numbers 1000, made by cpu 1 times");
    has("stream, seed 1" OPTIONS "positions 1030 to 1035, numbers 5, made by earlier requests");
}

/* A program ends while it is being forked, after the library has locked its list of streams. */
static void end_program(void)
{
    exit(3);
}

TEST(of_a_locked_list)
{
    SAYS(3, 0, pthread_atfork(end_program, NULL, NULL);
         gpuranmar_stream_get(open_stream(1, GPURANMAR_CPU, 0), u, 1); fork());
}

/* A thread that draws while the program ends, and one that opens and closes streams. */
static void *draw_on(void *how)
{
    gpuranmar_stream *s = open_stream(1, GPURANMAR_CPU, 0);
    for (;;) {
        gpuranmar_stream_get(s, u, 1);
        if (how) {
            gpuranmar_stream_close(s);
            s = open_stream(1, GPURANMAR_CPU, 0);
        }
    }
    return NULL;
}

TEST(of_threads)
{
    for (int i = 0; i < 20; ++i)
        IN_A_CHILD(0, assert_true(ends_well(this_child)),
                   if (!freopen("/dev/null", "w", stderr)) abort();
                   pthread_t t; pthread_create(&t, NULL, draw_on, NULL);
                   pthread_create(&t, NULL, draw_on, u); usleep(2000); exit(0));
}
