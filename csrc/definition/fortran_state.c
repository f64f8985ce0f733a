/* Converts a state to the original's floating form and back.
 *
 * A Fortran state is U(97), a ring of words with two indices that stand 64 apart: U(I97) is the
 * oldest word, U(I97-1) the next oldest, and J97 points 64 places below I97. */
#include "definition/fortran_state.h"

#include "base/error.h"
#include "definition/flavour.h"

enum { LAG = RANMAR_LONG_LAG, AHEAD = RANMAR_LONG_LAG - RANMAR_SHORT_LAG };

static int j97_of(int i97)
{
    return i97 > AHEAD ? i97 - AHEAD : i97 - AHEAD + LAG;
}

/* In the original J97 follows from I97. For a flavour that the original does not have, 100 times
 * its code is added to J97, because nothing else in a Fortran state would tell an extended sequence
 * from a keyed one. */
static int j97_with_flavour(int i97, const struct ranmar_flavour *f)
{
    int code = RANMAR_FLAVOURS - 1;
    while (code > GPURANMAR_SINGLE && ranmar_flavour(code) != f)
        --code;
    return j97_of(i97) + (code > GPURANMAR_SINGLE ? 100 * code : 0);
}

/* Index into U of the k-th oldest word. */
static int index_in_u(int i97, int k)
{
    return (i97 - 1 - k + LAG) % LAG;
}

void ranmar_to_fortran_state(const struct ranmar_counters *now, const struct ranmar_state *state,
                             const struct ranmar_flavour *f, struct ranmar_fortran_state *s)
{
    s->ijkl = now->ijkl;
    s->ntot = now->ntot;
    s->ntot2 = now->ntot2;
    s->i97 = now->i97;
    s->j97 = j97_with_flavour(now->i97, f);
    s->c = ranmar_to_double(state->c);
    for (int k = 0; k < LAG; ++k)
        s->u[index_in_u(now->i97, k)] = ranmar_to_double(state->x[k]);
}

/* Sets *fraction to a number that is in [0,1) and a multiple of 2^-bits; returns 0 for any other
 * number. */
static int to_fraction(double number, unsigned bits, uint64_t *fraction)
{
    const double one = (double)(UINT64_C(1) << bits), scaled = number * one;
    if (!(scaled >= 0.0 && scaled < one) || scaled != (double)(uint64_t)scaled)
        return 0;
    *fraction = (uint64_t)scaled << (64 - bits);
    return 1;
}

static int refuse_variable(const char *routine, const char *name, double value)
{
    return ranmar_error(GPURANMAR_BAD_STATE, "%s: Fortran state: no RANMAR sequence has %s = %.17g",
                        routine, name, value);
}

static int check_ranges_of(const char *routine, const struct ranmar_fortran_state *s,
                           const struct ranmar_flavour *f)
{
    const int wanted = j97_with_flavour(s->i97, f);
    const int64_t above = (int64_t)s->j97 - j97_of(s->i97); /* J97 has not been checked yet */
    const char *const name = ranmar_flavour_name((int)(above / 100));
    if (s->j97 != wanted && name && s->j97 % 100 == wanted % 100)
        return ranmar_error(GPURANMAR_BAD_STATE,
                            "%s: Fortran state: J97 = %d: a sequence of flavour %s cannot go "
                            "on with the flavour of this run",
                            routine, s->j97, name);
    return s->j97 == wanted ? GPURANMAR_OK : refuse_variable(routine, "J97", s->j97);
}

/* Whether the arithmetic part of this flavour can have the value c. A value from another flavour
 * may have more bits, which the loops would cut off. */
static int is_arithmetic_part(uint64_t c, const struct ranmar_flavour *f)
{
    const uint64_t unit = f->modulus & -f->modulus;
    return c < f->modulus && c % unit == 0;
}

int ranmar_from_fortran_state(const char *routine, const struct ranmar_fortran_state *s,
                              const struct ranmar_flavour *f, struct ranmar_counters *counters,
                              struct ranmar_state *state)
{
#define REQUIRE(good, name, value) \
    if (!(good))                   \
    return refuse_variable(routine, name, value)
    REQUIRE(s->ijkl >= 0, "IJKL", s->ijkl);
    REQUIRE(s->ntot >= 0, "NTOT", s->ntot);
    REQUIRE(s->ntot2 >= 0 && s->ntot2 <= RANMAR_NTOT2_MAX, "NTOT2", s->ntot2);
    REQUIRE(s->i97 >= 1 && s->i97 <= LAG, "I97", s->i97);
    const int error = check_ranges_of(routine, s, f);
    if (error)
        return error;
    REQUIRE(to_fraction(s->c, f->bits, &state->c) && is_arithmetic_part(state->c, f), "C", s->c);
    uint64_t any = 0;
    for (int k = 0; k < LAG; ++k) {
        const double word = s->u[index_in_u(s->i97, k)];
        REQUIRE(to_fraction(word, f->bits, &state->x[k]), "a word of U", word);
        any |= state->x[k];
    }
    REQUIRE(any != 0, "all words of U", 0);
#undef REQUIRE
    *counters = (struct ranmar_counters){s->ijkl, s->ntot, s->ntot2, s->i97};
    return GPURANMAR_OK;
}
