/* CERNLIB's names: RANMAR, RMARIN, RMARUT (one sequence) and RMMAR, RMMAQ (numbered ones) in 24
 * bits, RM48, RM48IN, RM48UT in 48. Each family is an object file of its own, so that a program
 * that brings its own RM48, say, still links with the archive.
 *
 * These sequences are CERNLIB's own, apart from RMMARD's, and always the original ones: of the
 * settings GPURANMAR_* only _SIMD and _SEQUENCES (for RMMAR) matter to them. CERNLIB's COMMON
 * blocks (/RANMA1/...) are not kept up: the state is not in them.
 */
#ifndef RANMAR_CERNLIB_H
#define RANMAR_CERNLIB_H

#include "fortran/fortran.h"

/* VEC(1:LEN) becomes the next LEN numbers, 0 or more. The first call seeds RANMAR and RM48 with
 * 54217137, unless RMARIN or RM48IN came before. RMMAR draws from sequence ISEQ, 1..KSEQ, and if
 * that is not positive from the one used last; a sequence must be started by RMMAQ. */
GPURANMAR_API void ranmar_(float *vec, const int32_t *len);
GPURANMAR_API void rmmar_(float *vec, const int32_t *len, const int32_t *iseq);
GPURANMAR_API void rm48_(double *vec, const int32_t *len);

/* Starts from seed IJKL, 0..942377567, skips NTOT2*10^9 + NTOT numbers and counts from there. */
GPURANMAR_API void rmarin_(const int32_t *ijkl, const int32_t *ntot, const int32_t *ntot2);

/* The seed and the count of numbers delivered, NTOT2*10^9 + NTOT: RANMAR's since RMARIN, RM48's
 * with what RM48IN skipped. Before any use they are (0,0,0) and (0,-1,0). */
GPURANMAR_API void rmarut_(int32_t *ijkl, int32_t *ntot, int32_t *ntot2);
GPURANMAR_API void rm48ut_(int32_t *ijkl, int32_t *ntot, int32_t *ntot2);

/* --- Not exported --- */

/* A sequence and a window in front of it. The numbers in the window follow the definition, so an
 * exact zero stands there as the smallest number, which a number may also be by itself. CERNLIB
 * has rules of its own for what a zero becomes; that is looked up when such a number is
 * delivered, from the state behind it. */
struct ranmar_cernlib {
    const struct ranmar_flavour *flavour; /* NULL before the sequence is started */
    struct ranmar_state state;            /* behind the window's last number */
    struct ranmar_origin origin;          /* the seed; counters and ring index where made was 0 */
    uint64_t made;                        /* numbers made since; these are ... */
    int32_t left;                         /* ... delivered but for the last `left` of the window */
    union {
        float single[RANMAR_WINDOW];
        double wide[RANMAR_WINDOW];
    } window;
};

/* What a zero becomes, from the Fortran state behind it. */
typedef double ranmar_zero_rule(const struct ranmar_cernlib *sequence,
                                const struct ranmar_fortran_state *behind);

/* Starts a sequence of a flavour (enum gpuranmar_flavour), as all of CERNLIB's starting routines
 * do: skips NTOT2*10^9 + NTOT numbers, and counts on from there. Stops on bad arguments. */
void ranmar_cernlib_start(const char *routine, struct ranmar_cernlib *s, int flavour, int32_t ijkl,
                          int32_t ijkl_max, int32_t ntot, int32_t ntot2);

/* Goes on from a Fortran state that came from elsewhere. Stops on one that no sequence can have. */
void ranmar_cernlib_put(const char *routine, struct ranmar_cernlib *s, int flavour,
                        const struct ranmar_fortran_state *fortran);

/* The next len numbers, float or double after the flavour. Stops if len is negative. */
void ranmar_cernlib_draw(const char *routine, struct ranmar_cernlib *s, void *vec, int32_t len,
                         ranmar_zero_rule *zero);

/* Seed and counters, and the whole Fortran state, at the number delivered last. */
void ranmar_cernlib_report(const struct ranmar_cernlib *s, struct ranmar_origin *now);
void ranmar_cernlib_get(const struct ranmar_cernlib *s, struct ranmar_fortran_state *fortran);

/* What the 24-bit routines make of a zero: 2^-24 U(2), and if that is zero too 2^-48. */
double ranmar_single_zero(double u2);

/* RM48's: its 2^-49. */
ranmar_zero_rule ranmar_rm48_zero;

/* The next number alone, if the window has it and it is not the smallest: nine calls in ten. */
static inline int ranmar_cernlib_next_single(struct ranmar_cernlib *s, float *out)
{
    if (__builtin_expect(s->left == 0, 0))
        return 0;
    *out = s->window.single[RANMAR_WINDOW - s->left];
    if (__builtin_expect(*out == 0x1p-24f, 0))
        return 0;
    --s->left;
    return 1;
}

static inline int ranmar_cernlib_next_double(struct ranmar_cernlib *s, double *out)
{
    if (__builtin_expect(s->left == 0, 0))
        return 0;
    *out = s->window.wide[RANMAR_WINDOW - s->left];
    if (__builtin_expect(*out == 0x1p-48, 0))
        return 0;
    --s->left;
    return 1;
}

/* For fortran/rm48in.f90 and fortran/rmmaq.f90. */
void ranmar_rm48_start(int32_t i1, int32_t n1, int32_t n2);
void ranmar_rmmaq(int32_t *iseed, int32_t *iseq, const char options[12]);

#endif
