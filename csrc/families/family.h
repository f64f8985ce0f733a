/* What the interfaces in this folder share. Each interface is a library of its own: README.md has
 * the table. Arguments of Fortran interfaces are by reference; INTEGER and REAL have four bytes. */
#ifndef RANMAR_FAMILY_H
#define RANMAR_FAMILY_H

#include "base/ranges.h"
#include "definition/fortran_state.h"
#include "gpuranmar_engine.h"

#define UNLIKELY(condition) __builtin_expect(condition, 0)

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)
#define JOINED_OF(a, b) a##b
#define JOINED(a, b) JOINED_OF(a, b)

/* What the row of a family defines (families.awk): the routine that draws and the one that starts
 * (DRAW, START, and DRAW_NAME, START_NAME, FAMILY in messages), NUMBER, FLAVOUR and ZERO. */
#define DRAW_TEXT TEXT(DRAW_NAME)
#define START_TEXT TEXT(START_NAME)
#define LIBRARY "libgpuranmar_" TEXT(FAMILY)
#define NEXT(engine)                                                            \
    (FLAVOUR == GPURANMAR_SINGLE ? (NUMBER)gpuranmar_engine_next_single(engine) \
                                 : (NUMBER)gpuranmar_engine_next(engine))

#define FILL(engine, out, n) \
    _Generic((out), float *                              \
             : gpuranmar_engine_fill_single, double *    \
             : gpuranmar_engine_fill)(engine, out, n)

/* CHECK_OURS, in the routine that starts, ends a program that would print wrong numbers:
 *
 * - A copy of the original that was left on the link line, or another family's library before this
 *   one, has replaced the routine that draws. SAVE_OWN_ADDRESS(name) saves this library's.
 * - The program has one of the COMMON blocks in which the original keeps its state (STATES of the
 *   row). The block would be empty. It is found by a weak reference, which the linker resolves.
 *
 * In a static program `gpuranmar which` recognises the library by the text of this error. */
#define SAVE_OWN_ADDRESS(name) \
    __attribute__((used, alias(TEXT(name)))) static __typeof__(name) JOINED(ours_, name)
#define CHECK_OURS(starts) CHECK_OURS_OF(starts, DRAW, DRAW_TEXT)
#define CHECK_OURS_OF(starts, draws, NAME)                                   \
    do {                                                                     \
        gpuranmar_check_ours(starts, NAME, (const void *)(uintptr_t)draws,   \
                             (const void *)(uintptr_t)JOINED(ours_, draws)); \
        ranmar_check_states(starts);                                         \
    } while (0)

#define S(block, BLOCK) extern char block[] __attribute__((weak));
STATES
#undef S

static inline void ranmar_check_states(const char *routine)
{
#define S(block, BLOCK)                                                                           \
    if (block)                                                                                    \
        gpuranmar_stop("%s: this program has COMMON /" #BLOCK "/, the original's state: " LIBRARY \
                       " keeps its own, and what reads or draws from the block would find "       \
                       "nothing; take out all code that has it, or do not link the library",      \
                       routine);
    STATES
#undef S
        (void)
    routine;
}

/* Returns a length, 0 if it is negative. The first call after a start also checks
 * the addresses of the length and of so many numbers, of `size` bytes each. It ends a program that
 * calls the routine with other arguments, if one of these addresses cannot be used. */
static inline size_t ranmar_length(const char *routine, const gpuranmar_engine *engine,
                                   const void *numbers, size_t size, const int32_t *len)
{
    if (engine->made == 0)
        gpuranmar_check_address(routine, "LEN", len, sizeof *len, 0);
    if (*len <= 0)
        return 0;
    if (engine->made == 0)
        gpuranmar_check_address(routine, "RVEC", numbers, size * (size_t)*len, 1);
    return (size_t)*len;
}

/* The same for routines that count: the originals count a negative length too, backwards, and some
 * then start again from the default seed. This ends the program. */
static inline size_t ranmar_counted_length(const char *routine, const gpuranmar_engine *engine,
                                           const void *numbers, size_t size, const int32_t *len)
{
    const size_t n = ranmar_length(routine, engine, numbers, size, len);
    if (*len < 0)
        gpuranmar_stop("%s: LEN = %d is negative", routine, *len);
    return n;
}

/* An engine, and the seed and counters with which it was started: CERNLIB's routines report
 * them. */
struct ranmar_counted {
    gpuranmar_engine engine;
    struct ranmar_counters counters;
};

/* Sets the seed and the counters, NTOT2*10^9 + NTOT, to what they are now. */
static inline void ranmar_counted_report(const struct ranmar_counted *s, int32_t *ijkl,
                                         int32_t *ntot, int32_t *ntot2)
{
    struct ranmar_counters now = s->counters;
    now.i97 = RANMAR_LONG_LAG;
    ranmar_counters_move(&now, gpuranmar_engine_used(&s->engine));
    *ijkl = now.ijkl;
    *ntot = now.ntot;
    *ntot2 = now.ntot2;
}

#endif
