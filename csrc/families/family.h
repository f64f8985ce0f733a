/* What the interfaces in this folder share. Each interface is a library of its own: README.md has
 * the table. Arguments of Fortran interfaces are by reference; INTEGER and REAL have four bytes. */
#ifndef RANMAR_FAMILY_H
#define RANMAR_FAMILY_H

#include "definition/fortran_state.h"
#include "definition/ranges.h"
#include "gpuranmar_engine.h"

#define UNLIKELY(condition) __builtin_expect(condition, 0)

/* A copy of the original that was left on the link line, or another family's library before this
 * one, would replace the routine that draws without a word. REMEMBER_OURS(name) remembers the one
 * of this library. CHECK_OURS, in the routine that starts, ends the program if its calls arrive
 * elsewhere. */
#define REMEMBER_OURS(name) __attribute__((used, alias(#name))) static __typeof__(name) ours_##name
#define CHECK_OURS(starts, name, NAME)                                                 \
    if (UNLIKELY((uintptr_t)name != (uintptr_t)ours_##name))                           \
    gpuranmar_stop(starts ": this program's " NAME " is not this library's: take the " \
                          "original's source, or the other library, off the link line")

/* Returns a length; ends the program if it is negative. */
static inline size_t ranmar_length(const char *routine, int len)
{
    if (len < 0)
        gpuranmar_stop("%s: LEN = %d is negative", routine, len);
    return (size_t)len;
}

/* An engine, and the seed and counters with which it was started: CERNLIB's routines report
 * them. */
struct ranmar_counted {
    gpuranmar_engine engine;
    struct ranmar_origin origin;
};

/* Sets the seed and the counters, NTOT2*10^9 + NTOT, to what they are now. */
static inline void ranmar_counted_report(const struct ranmar_counted *s, int32_t *ijkl,
                                         int32_t *ntot, int32_t *ntot2)
{
    struct ranmar_origin now = s->origin;
    now.i97 = RANMAR_LONG_LAG;
    ranmar_origin_move(&now, gpuranmar_engine_used(&s->engine));
    *ijkl = now.ijkl;
    *ntot = now.ntot;
    *ntot2 = now.ntot2;
}

#endif
