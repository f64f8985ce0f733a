/* RMMARD: how CORSIKA draws its numbers. */
#include "definition/error.h"
#include "fortran/draw.h"
#include "fortran/fortran.h"
#include "stream/settings.h"

#define LIKELY(condition) __builtin_expect(condition, 1)
#define UNLIKELY(condition) __builtin_expect(condition, 0)

int ranmar_current = 1;
int32_t *ranmar_positions = grncom_.pos - 1;

__attribute__((noinline)) void ranmar_rmmard_any(double *rvec, const ranmar_integer *lenv,
                                                 const ranmar_integer *iseq)
{
    const int32_t n = ranmar_argument("RMMARD", "LENV", *lenv), id = ranmar_int(*iseq);
    if (LIKELY((uint32_t)id - 1 < (uint32_t)ranmar_sequences))
        ranmar_current = id;
    else if (!ranmar_sequences && id >= 1 && id <= ranmar_settings()->sequences)
        ranmar_current = id; /* which an error line then names */
    if (!ranmar_draw_from_window(rvec, n, ranmar_current))
        ranmar_draw_past_window("RMMARD", rvec, n, ranmar_current);
}

__attribute__((noinline)) void ranmar_rmmard_refill(double *rvec, int id)
{
    const int error = ranmar_sequence_refill("RMMARD", id);
    if (UNLIKELY(error))
        gpuranmar_stop_on(error);
    const int32_t pos = grncom_.pos[id - 1]++;
    *rvec = grncom_.buffer[id - 1][RANMAR_WINDOW + pos];
}

/* Adds one to positions[id]. On x86-64 this can be one instruction. If the old value is in a
 * register, a compiler makes three instructions, four times as long. */
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
 * stands (quiet.t looks). Such a call takes 0.1 ns more than an empty function; code that reaches
 * into a second line takes 0.5 ns more. To stay within the line:
 *
 * - the number is copied as bytes, through an integer register;
 * - the address of a window is computed from the pointer to the positions;
 * - rare cases are left to functions that get the same arguments. */
__attribute__((aligned(64))) void rmmard_(double *rvec, const ranmar_integer *lenv,
                                          const ranmar_integer *iseq)
{
    const ranmar_unsigned asked = (ranmar_unsigned)*iseq;
    if (UNLIKELY(asked - 1 >= (ranmar_unsigned)ranmar_sequences || *lenv != 1)) {
        ranmar_rmmard_any(rvec, lenv, iseq);
        return;
    }
    const size_t id = (size_t)asked;
    ranmar_current = (int)id;
    int32_t *const positions = ranmar_positions;
    const int32_t pos = positions[id];
    if (UNLIKELY(pos >= 0)) { /* above 0 something has written over it */
        ranmar_rmmard_refill(rvec, (int)id);
        return;
    }
    count_up(positions, id);
    const char *const buffers = (const char *)&positions[1] - sizeof grncom_.buffer;
    const size_t end = id * RANMAR_WINDOW; /* of the window, in numbers */
    memcpy(rvec, buffers + (end + (size_t)pos) * sizeof *rvec, sizeof *rvec);
}

/* A second name for rmmard_. It stands for this library's function even if the program has an
 * rmmard_ of its own. */
__attribute__((used, alias("rmmard_"))) static __typeof__(rmmard_) ours;

/* These are here and not in fortran.c, because a patched program has an RMMARD of its own and links
 * no other. */
int ranmar_rmmaqd_current(void)
{
    return ranmar_current;
}

void ranmar_rmmaqd_select(int iseq)
{
    ranmar_current = iseq;
}

void ranmar_check_rmmard(void)
{
    gpuranmar_check_ours("RMMAQD", "RMMARD", (const void *)(uintptr_t)rmmard_,
                         (const void *)(uintptr_t)ours);
}
