/* Starting, reporting and moving sequences from Fortran: GRNSET, GRNCNT, GRNGET and GRNPUT for code
 * patched by corsika-patch, and what RMMAQD (fortran/rmmaqd.f90) needs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "definition/error.h"
#include "definition/flavour.h"
#include "fortran/alone.h"
#include "fortran/fortran.h"
#include "stream/settings.h"

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

void ranmar_stop_too_wide(const char *routine, const char *name, ranmar_integer value)
{
    ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: %s = %" PRId64 " does not fit 32 bits", routine, name,
                 (int64_t)value);
    ranmar_stop();
}

void ranmar_check_chopt(const char *routine, const char chopt[12])
{
    for (int i = 0; i < 12; ++i)
        if (!memchr(" SRV", chopt[i], 4))
            ranmar_check(ranmar_error(GPURANMAR_BAD_ARGUMENT,
                                      "%s: CHOPT = '%.12s': '%c' is none of S, R and V", routine,
                                      chopt, chopt[i]));
}

int ranmar_kseq(void)
{
    return ranmar_settings()->sequences;
}

void ranmar_check_sequence(int iseq)
{
    ranmar_check(ranmar_sequence_check("RMMAQD", iseq));
}

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

/* Every routine that starts a sequence calls this before it looks at an INTEGER: the caller may be
 * one whose INTEGERs have another size. */
static void check_alone(const char *routine)
{
    ranmar_check(ranmar_alone(routine));
}

void ranmar_rmmaqd_check_alone(void)
{
    check_alone("RMMAQD");
}

/* Starts sequence iseq from seed IJKL and skips NTOT2*10^9 + NTOT numbers. */
static void set(const char *routine, int iseq, int ijkl, int ntot, int ntot2)
{
    ranmar_check_seed(routine, ijkl, RANMAR_IJKL_MAX, ntot, ntot2);
    gpuranmar_options options = ranmar_sequence_options();
    options.seed = ijkl;
    options.position = ranmar_count_of(ntot, ntot2);
    const struct ranmar_origin origin = {ijkl, ntot, ntot2,
                                         ranmar_turn(RANMAR_LONG_LAG, options.position)};
    ranmar_check(ranmar_sequence_start(routine, iseq, &options, &origin));
}

void grnset_(const ranmar_integer *ijkl, const ranmar_integer *ntot, const ranmar_integer *ntot2,
             const ranmar_integer *iseq)
{
    static const char routine[] = "GRNSET";
    check_alone(routine);
    set(routine, ranmar_argument(routine, "ISEQ", *iseq), ranmar_argument(routine, "IJKL", *ijkl),
        ranmar_argument(routine, "NTOT", *ntot), ranmar_argument(routine, "NTOT2", *ntot2));
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

void grncnt_(const ranmar_integer *iseq, ranmar_integer *ntot, ranmar_integer *ntot2)
{
    int32_t iseed[3];
    count("GRNCNT", ranmar_argument("GRNCNT", "ISEQ", *iseq), iseed);
    *ntot = iseed[1];
    *ntot2 = iseed[2];
}

void ranmar_rmmaqd_report(int iseq, int32_t iseed[3])
{
    count("RMMAQD", iseq, iseed);
}

/* --- The state, out and in --- */

static const struct ranmar_flavour *flavour_of_sequences(void)
{
    return ranmar_flavour(ranmar_sequence_options().flavour);
}

static void get(const char *routine, int iseq, struct ranmar_fortran_state *s)
{
    struct ranmar_origin now;
    struct ranmar_state state;
    ranmar_check(ranmar_sequence_report(routine, iseq, &now));
    ranmar_check(ranmar_sequence_state(routine, iseq, &state));
    ranmar_to_fortran_state(&now, &state, flavour_of_sequences(), s);
}

static void put(const char *routine, int iseq, const struct ranmar_fortran_state *s)
{
    struct ranmar_origin origin;
    struct ranmar_state state;
    ranmar_check(ranmar_from_fortran_state(routine, s, flavour_of_sequences(), &origin, &state));
    ranmar_check(ranmar_sequence_set_state(routine, iseq, &state, &origin));
}

void grnget_(const ranmar_integer *iseq, ranmar_integer *ijkl, ranmar_integer *ntot,
             ranmar_integer *ntot2, ranmar_integer *i97, ranmar_integer *j97, double *c, double *u)
{
    struct ranmar_fortran_state s;
    get("GRNGET", ranmar_argument("GRNGET", "ISEQ", *iseq), &s);
    *ijkl = s.ijkl;
    *ntot = s.ntot;
    *ntot2 = s.ntot2;
    *i97 = s.i97;
    *j97 = s.j97;
    *c = s.c;
    memcpy(u, s.u, sizeof s.u);
}

void grnput_(const ranmar_integer *iseq, const ranmar_integer *ijkl, const ranmar_integer *ntot,
             const ranmar_integer *ntot2, const ranmar_integer *i97, const ranmar_integer *j97,
             const double *c, const double *u)
{
    check_alone("GRNPUT");
    struct ranmar_fortran_state s = {.ijkl = ranmar_argument("GRNPUT", "IJKL", *ijkl),
                                     .ntot = ranmar_argument("GRNPUT", "NTOT", *ntot),
                                     .ntot2 = ranmar_argument("GRNPUT", "NTOT2", *ntot2),
                                     .i97 = ranmar_argument("GRNPUT", "I97", *i97),
                                     .j97 = ranmar_argument("GRNPUT", "J97", *j97),
                                     .c = *c};
    memcpy(s.u, u, sizeof s.u);
    put("GRNPUT", ranmar_argument("GRNPUT", "ISEQ", *iseq), &s);
}

int ranmar_rmmaqd_get(int iseq, struct ranmar_fortran_state *s)
{
    if (!ranmar_sequence_is_set(iseq))
        return 0;
    get("RMMAQD", iseq, s);
    return 1;
}

void ranmar_rmmaqd_put(int iseq, const struct ranmar_fortran_state *s)
{
    put("RMMAQD", iseq, s);
}
