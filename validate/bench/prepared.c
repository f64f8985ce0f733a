/* The bound of a generator's speed: RMMARD and RMMAQD that hand out numbers which lie in memory.
 *
 * They are the sequential routine's numbers, so a program that is linked with this library instead
 * does the same work and writes the same bytes. They are made by libgpuranmar, a block at a time,
 * and the time that this takes is counted apart: at the end it is written to the file that the
 * environment variable PREPARED_TIME names, CPU time and elapsed time in seconds. Whoever measures
 * subtracts it, and what remains is the program with a generator that costs no more than a call
 * and a copy. A block fits a second-level cache: larger ones must be fetched from memory, and with
 * smaller ones reading the clocks disturbs more than it shows. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gpuranmar.h"

enum { SEQUENCES = 16, BLOCK = 1 << 14, BILLION = 1000000000 };

#define EXPORT __attribute__((visibility("default")))

static struct sequence {
    const double *next, *end;
    double *block;
    gpuranmar_stream *stream;
    int seed;
    int64_t made; /* numbers before `end`, since the seed */
} sequences[SEQUENCES];

/* The current sequence, for which an ISEQ stands that is no sequence. */
static struct sequence *current = sequences;

static struct seconds {
    double cpu, elapsed;
} preparing;

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct seconds now(void)
{
    return (struct seconds){seconds_of(CLOCK_PROCESS_CPUTIME_ID), seconds_of(CLOCK_MONOTONIC)};
}

/* What has gone by since `from` was no work of the program's. */
static void leave_out_since(struct seconds from)
{
    const struct seconds to = now();
    preparing.cpu += to.cpu - from.cpu;
    preparing.elapsed += to.elapsed - from.elapsed;
}

__attribute__((noreturn)) static void stop_with(const char *line)
{
    fprintf(stderr, "prepared: %s\n", line);
    exit(1);
}

static void check(int status)
{
    if (status)
        stop_with(gpuranmar_last_error());
}

static inline struct sequence *sequence_of(int iseq)
{
    const unsigned k = (unsigned)iseq - 1;
    if (__builtin_expect(k < SEQUENCES, 1))
        current = &sequences[k];
    return current;
}

static void make_block(struct sequence *s)
{
    if (!s->stream)
        stop_with("RMMARD draws from a sequence that RMMAQD has not started");
    check(gpuranmar_stream_fill(s->stream, s->block, BLOCK));
    s->next = s->block;
    s->end = s->block + BLOCK;
    s->made += BLOCK;
}

static __attribute__((noinline)) void draw_past_block(double *rvec, int n, struct sequence *s)
{
    const struct seconds from = now();
    for (int i = 0; i < n; ++i) {
        if (s->next == s->end)
            make_block(s);
        rvec[i] = *s->next++;
    }
    leave_out_since(from);
}

EXPORT void rmmard_(double *rvec, const int *lenv, const int *iseq);
EXPORT void rmmaqd_(int *iseed, const int *iseq, const char *chopt, long length);

/* This routine is as short as it can be made, since its time is the bound. */
EXPORT void rmmard_(double *rvec, const int *lenv, const int *iseq)
{
    struct sequence *const s = sequence_of(*iseq);
    const double *const from = s->next;
    const int n = *lenv;
    if (__builtin_expect(s->end - from < n, 0)) {
        draw_past_block(rvec, n, s);
        return;
    }
    s->next = from + n;
    if (__builtin_expect(n == 1, 1))
        *rvec = *from;
    else if (n == 2 || n == 3) {
        rvec[0] = from[0];
        rvec[1] = from[1];
        rvec[n - 1] = from[n - 1];
    } else
        memcpy(rvec, from, (size_t)n * sizeof *rvec);
}

static void start(struct sequence *s, const int *iseed)
{
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    options.seed = s->seed = iseed[0];
    s->made = (int64_t)iseed[2] * BILLION + iseed[1];
    options.position = (uint64_t)s->made;
    options.backend = GPURANMAR_CPU;
    options.threads = 1;
    gpuranmar_stream_close(s->stream);
    check(gpuranmar_stream_initialise(&s->stream, &options));
    if (!s->block)
        s->block = aligned_alloc(64, BLOCK * sizeof *s->block);
    if (!s->block)
        stop_with("no memory");
    make_block(s);
}

/* Knows 'S' and 'R' with an ISEQ, and refuses to read or write the complete state. */
EXPORT void rmmaqd_(int *iseed, const int *iseq, const char *chopt, long length)
{
    const struct seconds from = now();
    struct sequence *const s = sequence_of(*iseq);
    if (memchr(chopt, 'V', (size_t)length))
        stop_with("RMMAQD does not know 'V'");
    if (memchr(chopt, 'S', (size_t)length))
        start(s, iseed);
    else if (memchr(chopt, 'R', (size_t)length)) {
        const int64_t drawn = s->made - (s->end - s->next);
        iseed[0] = s->seed;
        iseed[1] = (int)(drawn % BILLION);
        iseed[2] = (int)(drawn / BILLION);
    }
    leave_out_since(from);
}

/* The time to free the blocks is left out too. */
__attribute__((destructor)) static void report(void)
{
    const struct seconds from = now();
    for (int k = 0; k < SEQUENCES; ++k) {
        gpuranmar_stream_close(sequences[k].stream);
        free(sequences[k].block);
    }
    leave_out_since(from);
    const char *const path = getenv("PREPARED_TIME");
    FILE *const file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%.6f %.6f\n", preparing.cpu, preparing.elapsed);
        fclose(file);
    }
}
