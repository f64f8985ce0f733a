/* What the interfaces in this folder share. Each is a library of its own: README.md has the table.
 * All arguments of the Fortran interfaces are by reference; INTEGER and REAL have four bytes. */
#ifndef RANMAR_FAMILY_H
#define RANMAR_FAMILY_H

#include "definition/fortran_state.h"
#include "definition/ranges.h"
#include "gpuranmar_engine.h"

#define UNLIKELY(condition) __builtin_expect(condition, 0)

/* Behind the definition of the routine that draws: lets the routine that starts check by
 * CHECK_OURS that the program's calls of it arrive here. A copy of the original that was left on
 * the link line, or another family's library before this one, would win without a word. */
#define REMEMBER_OURS(name) __attribute__((used, alias(#name))) static __typeof__(name) ours_##name
#define CHECK_OURS(starts, name, NAME)                                                 \
    if (UNLIKELY((uintptr_t)name != (uintptr_t)ours_##name))                           \
    gpuranmar_stop(starts ": this program's " NAME " is not this library's: take the " \
                          "original's source, or the other library, off the link line")

/* Ends the program unless ij and kl are seeds; IJKL. */
static inline int64_t ranmar_seed_of_two(const char *routine, int ij, int kl)
{
    if (ij < 0 || ij > 31328)
        gpuranmar_stop("%s: seed IJ = %d is not in 0..31328", routine, ij);
    if (kl < 0 || kl >= RANMAR_SECOND_SEEDS)
        gpuranmar_stop("%s: seed KL = %d is not in 0..30081", routine, kl);
    return (int64_t)ij * RANMAR_SECOND_SEEDS + kl;
}

static inline size_t ranmar_length(const char *routine, int len)
{
    if (len < 0)
        gpuranmar_stop("%s: LEN = %d is negative", routine, len);
    return (size_t)len;
}

/* An engine and what CERNLIB's routines report of it: the seed and counters as it was started. */
struct ranmar_counted {
    gpuranmar_engine engine;
    struct ranmar_origin origin;
};

/* Seed and counters now: NTOT2*10^9 + NTOT. */
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
