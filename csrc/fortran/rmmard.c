/* RMMARD and RMMAQD. They are not in fortran.c, because a patched program has routines of the same
 * names, and the linker would refuse the second ones. */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "fortran/draw_from_buffer.h"
#include "fortran/fortran.h"
#include "settings/settings.h"

#define RMMAQD "RMMAQD"
#define LIKELY(condition) __builtin_expect(condition, 1)
#define UNLIKELY(condition) __builtin_expect(condition, 0)

int ranmar_current = 1;
int32_t *ranmar_positions = grncom_.pos - 1;

__attribute__((noinline)) void ranmar_rmmard_slow(double *rvec, const ranmar_integer *lenv,
                                                  const ranmar_integer *iseq)
{
    const int32_t n = ranmar_argument("RMMARD", "LENV", *lenv), id = ranmar_int(*iseq);
    const int kseq = LIKELY(ranmar_sequences) ? ranmar_sequences : ranmar_settings()->sequences;
    if (LIKELY((uint32_t)id - 1 < (uint32_t)kseq))
        ranmar_current = id;
    if (!ranmar_draw_from_buffer(rvec, n, ranmar_current))
        ranmar_draw_past_buffer("RMMARD", rvec, n, ranmar_current);
}

__attribute__((noinline)) void ranmar_rmmard_refill(double *rvec, int id)
{
    const int error = ranmar_sequence_refill("RMMARD", id);
    if (UNLIKELY(error))
        gpuranmar_stop_on(error);
    const int32_t pos = grncom_.pos[id - 1]++;
    *rvec = grncom_.buffer[id - 1][RANMAR_BUFFER + pos];
}

/* Adds one to positions[id]. On x86-64 one instruction can do this. A compiler that has the old
 * value in a register makes three instructions, which take four times as many bytes. */
static inline void count_up(int32_t *positions, size_t id)
{
#ifdef __x86_64__
    __asm__("incl (%0,%1,4)" : : "r"(positions), "r"(id) : "memory", "cc");
#else
    ++positions[id];
#endif
}

/* RMMARD: fortran.h describes the arguments.
 *
 * Nine calls in ten ask for one number of a numbered sequence that is set. On that path no branch
 * is taken, and gcc's code for x86-64 fits into one cache line of 64 bytes, at whose start it
 * stands (machine-code.t checks). Such a call takes 0.1 ns more than an empty function; code that
 * reaches into a second line takes 0.5 ns more. To stay within the line:
 *
 * - the number is copied as bytes, through an integer register;
 * - the address of a buffer is computed from the pointer to the positions;
 * - rare cases are left to functions that get the same arguments. */
__attribute__((aligned(64))) void rmmard_(double *rvec, const ranmar_integer *lenv,
                                          const ranmar_integer *iseq)
{
    const ranmar_unsigned asked = (ranmar_unsigned)*iseq;
    if (UNLIKELY(asked - 1 >= (ranmar_unsigned)ranmar_sequences || *lenv != 1)) {
        ranmar_rmmard_slow(rvec, lenv, iseq);
        return;
    }
    const size_t id = (size_t)asked;
    ranmar_current = (int)id;
    int32_t *const positions = ranmar_positions;
    const int32_t pos = positions[id];
    if (UNLIKELY(pos >= 0)) { /* above 0: something has written over the position */
        ranmar_rmmard_refill(rvec, (int)id);
        return;
    }
    count_up(positions, id);
    const char *const buffers = (const char *)&positions[1] - sizeof grncom_.buffer;
    const size_t end = id * RANMAR_BUFFER; /* where the buffer ends, in numbers */
    memcpy(rvec, buffers + (end + (size_t)pos) * sizeof *rvec, sizeof *rvec);
}

/* A second name for rmmard_. It stands for this library's function even if the program has an
 * rmmard_ of its own. */
__attribute__((used, alias("rmmard_"))) static __typeof__(rmmard_) ours;

/* --- RMMAQD --- */

/* For 'RV' and 'SV'. Unit 11 has counters and ring of one sequence, and the words of all. */
static struct ranmar_fortran_state states[RANMAR_SEQUENCES_MAX];

/* The edit descriptors Z8 and Z16 of Fortran. gfortran takes ten times as long for them. */
static char *put_hex(char *to, int width, uint64_t value)
{
    for (int i = width - 1; i >= 0; --i, value >>= 4)
        to[i] = value || i == width - 1 ? "0123456789ABCDEF"[value % 16] : ' ';
    return to + width;
}

static char *put_double(char *to, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return put_hex(to, 16, bits);
}

/* The lines of the original: (3Z8), (2Z8,Z16) and, for the words of each sequence,
 * (24(4Z16,/),Z16). */
static void write_unit_11(int iseq, int kseq)
{
    enum { HEAD = 24 + 1 + 32 + 1, WORDS = 16 * RANMAR_LONG_LAG + 25 };
    const struct ranmar_fortran_state *const s = &states[iseq - 1];
    const int32_t head[] = {s->ijkl, s->ntot, s->ntot2, s->i97, s->j97};
    char *const text = malloc(HEAD + (size_t)kseq * WORDS), *to = text;
    if (!text)
        gpuranmar_stop(RMMAQD ": CHOPT = RV: no memory for %d states", kseq);
    for (int i = 0; i < 5; ++i) {
        to = put_hex(to, 8, (uint32_t)head[i]);
        if (i == 2)
            *to++ = '\n';
    }
    to = put_double(to, s->c);
    *to++ = '\n';
    for (int k = 0; k < kseq; ++k)
        for (int i = 0; i < RANMAR_LONG_LAG; ++i) {
            to = put_double(to, states[k].u[i]);
            if (i % 4 == 3 || i == RANMAR_LONG_LAG - 1)
                *to++ = '\n';
        }
    ranmar_rmmaqd_write(text, (size_t)(to - text));
    free(text);
}

static void save_states(int iseq)
{
    const int kseq = ranmar_settings()->sequences;
    for (int k = 1; k <= kseq; ++k)
        if (k == iseq || ranmar_sequence_is_set(k))
            ranmar_fortran_get(RMMAQD, k, &states[k - 1]);
        else
            states[k - 1] = (struct ranmar_fortran_state){0};
    write_unit_11(iseq, kseq);
}

/* As in the original, the other sequences keep their counters and ring, but take their words from
 * the file. A sequence that was not set when the file was written has only zeros there, and keeps
 * its own words. */
static void load_states(int iseq)
{
    static const double zeros[RANMAR_LONG_LAG];
    const int kseq = ranmar_settings()->sequences;
    struct ranmar_fortran_state s;
    ranmar_rmmaqd_read(&iseq, &kseq, states);
    ranmar_fortran_put(RMMAQD, iseq, &states[iseq - 1]);
    for (int k = 1; k <= kseq; ++k) {
        const double *const u = states[k - 1].u;
        if (!ranmar_sequence_is_set(k) || memcmp(u, zeros, sizeof zeros) == 0)
            continue;
        ranmar_fortran_get(RMMAQD, k, &s);
        if (memcmp(s.u, u, sizeof s.u) == 0)
            continue;
        memcpy(s.u, u, sizeof s.u);
        ranmar_fortran_put(RMMAQD, k, &s);
    }
}

/* If a program has INTEGERs of eight bytes, its ISEED = s, n, 0 reads as s, 0, n here. A skip of
 * n * 10^9 numbers looks the same, so the program goes on. */
static void check_size(const int32_t iseed[3])
{
    static int said = sizeof(ranmar_integer) > 4;
    if (said || iseed[1] != 0 || iseed[2] <= 0)
        return;
    said = 1;
    fprintf(stderr,
            "gpuranmar: RMMAQD: ISEED = %d, 0, %d skips %d * 10^9 numbers; if this program is "
            "compiled with INTEGERs of eight bytes and is to skip %d, it needs RMMAQD of "
            "-lgpuranmar_ilp64\n",
            iseed[0], iseed[2], iseed[2], iseed[2]);
}

/* Arguments and the current sequence change only when nothing can fail any more. */
void ranmar_rmmaqd(ranmar_integer iseed[3], ranmar_integer *iseq, const char options[12])
{
    static const char *const name[] = {"IJKL", "NTOT", "NTOT2"};
    const int is_default = memcmp(options, "            ", 12) == 0;
    const int is_start = is_default || memchr(options, 'S', 12);
    int32_t seeds[3] = {RANMAR_IJKL_DEFAULT, 0, 0};
    int id = is_default ? 1 : ranmar_current;
    gpuranmar_check_ours(RMMAQD, "RMMARD", (const void *)(uintptr_t)rmmard_,
                         (const void *)(uintptr_t)ours);
    if (!is_start && !memchr(options, 'R', 12))
        return;
    if (is_start)
        ranmar_fortran_check_library(RMMAQD);
    if (*iseq > 0) { /* an ISEQ above KSEQ is refused: the program's own KSEQ may be larger */
        id = ranmar_argument(RMMAQD, "ISEQ", *iseq);
        gpuranmar_check_sequence(RMMAQD, id);
    }
    if (memchr(options, 'V', 12)) {
        is_start ? load_states(id) : save_states(id);
    } else {
        for (int i = 0; is_start && !is_default && i < 3; ++i)
            seeds[i] = ranmar_argument(RMMAQD, name[i], iseed[i]);
        if (is_start)
            check_size(seeds);
        is_start ? ranmar_fortran_set(RMMAQD, id, seeds) : ranmar_fortran_count(RMMAQD, id, seeds);
        for (int i = 0; (is_default || !is_start) && i < 3; ++i)
            iseed[i] = seeds[i];
    }
    ranmar_current = id;
    if (!is_start && *iseq <= 0)
        *iseq = id;
}
