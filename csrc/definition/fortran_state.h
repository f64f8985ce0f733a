/* The state in the floating form of the published routines, which Fortran programs keep in COMMON
 * blocks and files, and the counters that go with it. */
#ifndef RANMAR_FORTRAN_STATE_H
#define RANMAR_FORTRAN_STATE_H

#include "gpuranmar_definition.h"

/* What RMMAQD reports of a sequence: its seed, counters and ring index, at the start or now. */
struct ranmar_counters {
    int32_t ijkl, ntot, ntot2; /* the seed, and the position as two counters */
    int i97;                   /* ring index of the Fortran state at that position, 1..97 */
};

/* The ring index after n more numbers: the index runs downwards, and 97 follows 1. */
static inline int ranmar_index_after(int i97, uint64_t n)
{
    const int after = i97 - (int)(n % RANMAR_LONG_LAG);
    return after > 0 ? after : after + RANMAR_LONG_LAG;
}

/* Numbers are counted in two integers, NTOT + 10^9 * NTOT2. A start skips at most 2 * 10^18
 * numbers, so that NTOT2 can still count, for years, what is drawn after it. */
enum { RANMAR_BILLION = 1000000000, RANMAR_NTOT2_MAX = 2000000000 };

static inline uint64_t ranmar_count_of(int32_t ntot, int32_t ntot2)
{
    return (uint64_t)ntot2 * RANMAR_BILLION + (uint64_t)ntot;
}

/* Moves the counters on by n numbers. A start may give an NTOT above 10^9. The carry into NTOT2 is
 * made when numbers are drawn, not before. */
static inline void ranmar_counters_move(struct ranmar_counters *counters, uint64_t n)
{
    if (n > 0) {
        const uint64_t total = ranmar_count_of(counters->ntot, counters->ntot2) + n;
        counters->ntot = (int32_t)(total % RANMAR_BILLION);
        counters->ntot2 = (int32_t)(total / RANMAR_BILLION);
    }
    counters->i97 = ranmar_index_after(counters->i97, n);
}

/* The state as the 103 words that RMMAQD and RMMAQ copy in and out. rmmaqd.f90 has it as a derived
 * type. */
struct ranmar_fortran_state {
    int32_t ijkl, ntot, ntot2, i97, j97;
    double c, u[RANMAR_LONG_LAG];
};

/* Write a state in that form, and read one. Reading returns GPURANMAR_BAD_STATE, with the name of
 * `routine` in the line, unless a sequence of the flavour can have this state. */
void ranmar_to_fortran_state(const struct ranmar_counters *now, const struct ranmar_state *state,
                             const struct ranmar_flavour *f, struct ranmar_fortran_state *s);
int ranmar_from_fortran_state(const char *routine, const struct ranmar_fortran_state *s,
                              const struct ranmar_flavour *f, struct ranmar_counters *counters,
                              struct ranmar_state *state);

#endif
