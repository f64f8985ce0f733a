/* The bound of a generator's speed: RMMARD and RMMAQD that hand out numbers which lie in memory.
 *
 * They are the sequential routine's numbers, so a program that is linked with this library instead
 * does the same work and writes the same bytes. They are made by libgpuranmar, a block at a time,
 * and the CPU time that this takes is counted apart: at the end it is written, in seconds, to the
 * file that the environment variable PREPARED_TIME names. Whoever measures subtracts it, and what
 * remains is the program with a generator that costs no more than a call and a copy. A block fits a
 * second-level cache: larger ones must be fetched from memory, and with smaller ones reading the
 * clock disturbs more than it shows. */
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

static double preparing; /* seconds */

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check(int error)
{
    if (error) {
        fprintf(stderr, "prepared: %s\n", gpuranmar_last_error());
        exit(1);
    }
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
    check(gpuranmar_stream_fill(s->stream, s->block, BLOCK));
    s->next = s->block;
    s->end = s->block + BLOCK;
    s->made += BLOCK;
}

static __attribute__((noinline)) void draw_past_block(double *rvec, int n, struct sequence *s)
{
    const double from = cpu_seconds();
    for (int i = 0; i < n; ++i) {
        if (s->next == s->end)
            make_block(s);
        rvec[i] = *s->next++;
    }
    preparing += cpu_seconds() - from;
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
    options.threads = 1;
    gpuranmar_stream_close(s->stream);
    check(gpuranmar_stream_initialise(&s->stream, &options));
    if (!s->block)
        s->block = aligned_alloc(64, BLOCK * sizeof *s->block);
    make_block(s);
}

/* Knows 'S' and 'R'. */
EXPORT void rmmaqd_(int *iseed, const int *iseq, const char *chopt, long length)
{
    const double from = cpu_seconds();
    struct sequence *const s = sequence_of(*iseq);
    if (memchr(chopt, 'S', (size_t)length))
        start(s, iseed);
    else if (memchr(chopt, 'R', (size_t)length)) {
        const int64_t drawn = s->made - (s->end - s->next);
        iseed[0] = s->seed;
        iseed[1] = (int)(drawn % BILLION);
        iseed[2] = (int)(drawn / BILLION);
    }
    preparing += cpu_seconds() - from;
}

__attribute__((destructor)) static void report(void)
{
    const char *const path = getenv("PREPARED_TIME");
    FILE *const file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%.6f\n", preparing);
        fclose(file);
    }
}
