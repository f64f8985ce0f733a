/* Starting, reporting and moving sequences from Fortran: GRNSET, GRNCNT, GRNGET and GRNPUT for code
 * patched by corsika-patch, and what RMMAQD (fortran/rmmaqd.f90) needs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "definition/error.h"
#include "definition/flavour.h"
#include "fortran/fortran.h"
#include "stream/settings.h"

/* The Fortran state is U(97), a ring whose two indices stand a distance 64 apart. */
enum { LAG = RANMAR_LONG_LAG, AHEAD = RANMAR_LONG_LAG - RANMAR_SHORT_LAG };

void ranmar_stop(void)
{
    fprintf(stderr, "gpuranmar: %s\n", gpuranmar_last_error());
    exit(EXIT_FAILURE);
}

void ranmar_stop_with(const char *line)
{
    ranmar_error(GPURANMAR_BAD_STATE, "%s", line);
    ranmar_stop();
}

int ranmar_kseq(void) { return ranmar_settings()->sequences; }

void ranmar_check_sequence(int iseq) { ranmar_check(ranmar_sequence_check("RMMAQD", iseq)); }

void ranmar_check_seed(const char *routine, int ijkl, int ijkl_max, int ntot, int ntot2)
{
    int error = GPURANMAR_OK;
    if (ijkl < 0 || ijkl > ijkl_max)
        error = ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: seed IJKL = %d is not in 0..%d", routine,
                             ijkl, ijkl_max);
    else if (ntot < 0 || ntot2 < 0)
        error = ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: numbers to skip: %s = %d is negative",
                             routine, ntot < 0 ? "NTOT" : "NTOT2", ntot < 0 ? ntot : ntot2);
    else if (ntot2 > RANMAR_NTOT2_MAX)
        error = ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: numbers to skip: NTOT2 = %d is above %d",
                             routine, ntot2, RANMAR_NTOT2_MAX);
    ranmar_check(error);
}

/* Starts sequence iseq from IJKL after skipping NTOT2*10^9 + NTOT numbers. */
static void set(const char *routine, int iseq, int ijkl, int ntot, int ntot2)
{
    ranmar_check_seed(routine, ijkl, RANMAR_IJKL_MAX, ntot, ntot2);
    gpuranmar_options options = ranmar_sequence_options();
    options.seed = ijkl;
    options.position = ranmar_count_of(ntot, ntot2);
    const struct ranmar_origin origin = {ijkl, ntot, ntot2, ranmar_turn(LAG, options.position)};
    ranmar_check(ranmar_sequence_start(routine, iseq, &options, &origin));
}

void grnset_(const int32_t *ijkl, const int32_t *ntot, const int32_t *ntot2, const int32_t *iseq)
{
    set("GRNSET", *iseq, *ijkl, *ntot, *ntot2);
}

void ranmar_rmmaqd_set(int iseq, const int32_t iseed[3])
{
    set("RMMAQD", iseq, iseed[0], iseed[1], iseed[2]);
}

static void count(const char *routine, int iseq, int32_t iseed[3])
{
    struct ranmar_origin now;
    ranmar_check(ranmar_sequence_report(routine, iseq, &now));
    iseed[0] = now.ijkl;
    iseed[1] = now.ntot;
    iseed[2] = now.ntot2;
}

void grncnt_(const int32_t *iseq, int32_t *ntot, int32_t *ntot2)
{
    int32_t iseed[3];
    count("GRNCNT", *iseq, iseed);
    *ntot = iseed[1];
    *ntot2 = iseed[2];
}

void ranmar_rmmaqd_report(int iseq, int32_t iseed[3]) { count("RMMAQD", iseq, iseed); }

/* --- The state in the original's floating form ---
 *
 * U(I97) is the oldest word, U(I97-1) the next; J97 points 64 below I97. */

static int j97_of(int i97) { return i97 > AHEAD ? i97 - AHEAD : i97 - AHEAD + LAG; }

/* Index into U of the k-th oldest word. */
static int place(int i97, int k) { return (i97 - 1 - k + LAG) % LAG; }

void ranmar_to_fortran_state(const struct ranmar_origin *now, const struct ranmar_state *state,
                             struct ranmar_fortran_state *s)
{
    s->ijkl = now->ijkl;
    s->ntot = now->ntot;
    s->ntot2 = now->ntot2;
    s->i97 = now->i97;
    s->j97 = j97_of(now->i97);
    s->c = ranmar_to_double(state->c);
    for (int k = 0; k < LAG; ++k)
        s->u[place(now->i97, k)] = ranmar_to_double(state->x[k]);
}

static void get(const char *routine, int iseq, struct ranmar_fortran_state *s)
{
    struct ranmar_origin now;
    struct ranmar_state state;
    ranmar_check(ranmar_sequence_report(routine, iseq, &now));
    ranmar_check(ranmar_sequence_state(routine, iseq, &state));
    ranmar_to_fortran_state(&now, &state, s);
}

/* A number in [0,1) that is a multiple of 2^-bits, as a fraction; 0 if it is none. */
static int to_fraction(double number, unsigned bits, uint64_t *fraction)
{
    const double one = (double)(UINT64_C(1) << bits), scaled = number * one;
    if (!(scaled >= 0.0 && scaled < one) || scaled != (double)(uint64_t)scaled)
        return 0;
    *fraction = (uint64_t)scaled << (64 - bits);
    return 1;
}

/* Stops unless the value is one that a Fortran state can have. */
static void require(int good, const char *routine, const char *name, double value)
{
    if (!good) {
        ranmar_error(GPURANMAR_BAD_STATE,
                     "%s: Fortran state: %s = %.17g is not a RANMAR sequence's", routine, name,
                     value);
        ranmar_stop();
    }
}

/* Whether a sequence's arithmetic part can have that value: another flavour's may be too fine, and
 * the loops would cut off the rest. */
static int is_arithmetic_part(uint64_t c, const struct ranmar_flavour *f)
{
    const uint64_t last_place = f->modulus & -f->modulus;
    return c < f->modulus && c % last_place == 0;
}

void ranmar_from_fortran_state(const char *routine, const struct ranmar_fortran_state *s,
                               const struct ranmar_flavour *f, struct ranmar_origin *origin,
                               struct ranmar_state *state)
{
    require(s->ijkl >= 0, routine, "IJKL", s->ijkl);
    require(s->ntot >= 0, routine, "NTOT", s->ntot);
    require(s->ntot2 >= 0 && s->ntot2 <= RANMAR_NTOT2_MAX, routine, "NTOT2", s->ntot2);
    require(s->i97 >= 1 && s->i97 <= LAG, routine, "I97", s->i97);
    require(s->j97 == j97_of(s->i97), routine, "J97", s->j97);
    require(to_fraction(s->c, f->bits, &state->c) && is_arithmetic_part(state->c, f), routine, "C",
            s->c);
    for (int k = 0; k < LAG; ++k) {
        const double word = s->u[place(s->i97, k)];
        require(to_fraction(word, f->bits, &state->x[k]), routine, "a word of U", word);
    }
    *origin = (struct ranmar_origin){s->ijkl, s->ntot, s->ntot2, s->i97};
}

static void put(const char *routine, int iseq, const struct ranmar_fortran_state *s)
{
    struct ranmar_origin origin;
    struct ranmar_state state;
    ranmar_from_fortran_state(routine, s, ranmar_flavour(ranmar_sequence_options().flavour),
                              &origin, &state);
    ranmar_check(ranmar_sequence_set_state(routine, iseq, &state, &origin));
}

void grnget_(const int32_t *iseq, int32_t *ijkl, int32_t *ntot, int32_t *ntot2, int32_t *i97,
             int32_t *j97, double *c, double *u)
{
    struct ranmar_fortran_state s;
    get("GRNGET", *iseq, &s);
    *ijkl = s.ijkl;
    *ntot = s.ntot;
    *ntot2 = s.ntot2;
    *i97 = s.i97;
    *j97 = s.j97;
    *c = s.c;
    memcpy(u, s.u, sizeof s.u);
}

void grnput_(const int32_t *iseq, const int32_t *ijkl, const int32_t *ntot, const int32_t *ntot2,
             const int32_t *i97, const int32_t *j97, const double *c, const double *u)
{
    struct ranmar_fortran_state s = {
        .ijkl = *ijkl, .ntot = *ntot, .ntot2 = *ntot2, .i97 = *i97, .j97 = *j97, .c = *c};
    memcpy(s.u, u, sizeof s.u);
    put("GRNPUT", *iseq, &s);
}

int ranmar_rmmaqd_get(int iseq, struct ranmar_fortran_state *s)
{
    if (!ranmar_sequence_is_set(iseq))
        return 0;
    get("RMMAQD", iseq, s);
    return 1;
}

void ranmar_rmmaqd_put(int iseq, const struct ranmar_fortran_state *s) { put("RMMAQD", iseq, s); }
