/* The entry points for Fortran, by the names that gfortran gives to external routines. Arguments
 * are INTEGER and DOUBLE PRECISION by reference. An error stops the program with one line on
 * standard error.
 *
 * Threads. RMMARD and RMMAQD keep the current sequence in one place for the whole program: two
 * threads must not be in either of them at once. GRNVEC, GRNFL1, GRNCNT, GRNSTA, and draws from a
 * buffer without a call, touch only the sequence that they are given: separate sequences may be
 * used on separate threads, also beside gpuranmar_get(). The same holds for GRNSET and GRNPUT once
 * a first sequence has been started. */
#ifndef RANMAR_FORTRAN_H
#define RANMAR_FORTRAN_H

#include "fortran/registry.h"

/* A Fortran INTEGER. It has 64 bits in libgpuranmar_ilp64, which is for programs that are compiled
 * with -fdefault-integer-8 or its like. */
#ifdef RANMAR_ILP64
typedef int64_t ranmar_integer;
typedef uint64_t ranmar_unsigned;
#else
typedef int32_t ranmar_integer;
typedef uint32_t ranmar_unsigned;
#endif

/* An INTEGER in 32 bits, for ISEQ of RMMARD. A value that does not fit becomes the largest or the
 * smallest one that does: these are no sequences either. All other arguments go through
 * ranmar_argument(), which stops the program. */
static inline int32_t ranmar_int(ranmar_integer n)
{
    const int64_t wide = n;
    return wide > INT32_MAX ? INT32_MAX : wide < INT32_MIN ? INT32_MIN : (int32_t)wide;
}

/* RMMARD: RVEC(1:LENV) becomes the next LENV numbers of sequence ISEQ. LENV is 0 or more. ISEQ in
 * 1..KSEQ becomes the current sequence; any other ISEQ stands for the current one. */
GPURANMAR_API void rmmard_(double *rvec, const ranmar_integer *lenv, const ranmar_integer *iseq);

/* GRNVEC: the same for sequence ISEQ, 1..256. The current sequence stays what it is. */
GPURANMAR_API void grnvec_(double *rvec, const ranmar_integer *lenv, const ranmar_integer *iseq);

/* GRNFL1: refills the buffer of sequence ISEQ if it is empty. GRNPOS is that of COMMON /GRNCOM/ as
 * the caller has it: a program whose COMMON is not the library's is stopped. Every draw in line
 * calls it, so that its name has the version of all that hooks use: whoever changes /GRNCOM/ or the
 * arguments of a routine GRN... raises the number, and hooks of another version do not link. */
GPURANMAR_API void grnfl1_(const ranmar_integer *iseq, const int32_t *grnpos);

/* GRNSET: starts sequence ISEQ from seed IJKL, 0 or more, and skips NTOT2*10^9 + NTOT numbers,
 * where NTOT2 is at most 2*10^9. */
GPURANMAR_API void grnset_(const ranmar_integer *ijkl, const ranmar_integer *ntot,
                           const ranmar_integer *ntot2, const ranmar_integer *iseq);

/* GRNCNT: sets the counters to the numbers delivered and skipped since the start, NTOT2*10^9 +
 * NTOT. */
GPURANMAR_API void grncnt_(const ranmar_integer *iseq, ranmar_integer *ntot, ranmar_integer *ntot2);

/* GRNSTA and GRNPUT: what the original keeps in COMMON /CRRANMA4/ for sequence ISEQ, 1..256, out
 * and in: the seed, the counters, the ring indices I97 and J97, the arithmetic part C and U(97).
 * GRNSTA is for whatever used to read the COMMON. It gives zeros for a sequence that is not set, as
 * the COMMON has them, and stops the program if the sequence has several instances, whose state has
 * no such form. */
GPURANMAR_API void grnsta_(const ranmar_integer *iseq, ranmar_integer *ijkl, ranmar_integer *ntot,
                           ranmar_integer *ntot2, ranmar_integer *i97, ranmar_integer *j97,
                           double *c, double *u);
GPURANMAR_API void grnput_(const ranmar_integer *iseq, const ranmar_integer *ijkl,
                           const ranmar_integer *ntot, const ranmar_integer *ntot2,
                           const ranmar_integer *i97, const ranmar_integer *j97, const double *c,
                           const double *u);

/* --- What the entry points share; not exported --- */

/* Stops the program if COMMON /CRRANMA3/ no longer has RANMAR's constants. */
void ranmar_check_constants(const char *routine);

/* The current sequence of RMMARD and RMMAQD (JSEQ in CORSIKA). It is 1 at the start. */
extern RANMAR_HIDDEN int ranmar_current;

/* GRNPOS of the COMMON, counted from 1 as in Fortran. It is a variable because an instruction that
 * addresses through it is shorter than one with an offset from the start of the COMMON. */
extern RANMAR_HIDDEN int32_t *ranmar_positions;

/* The slow paths of RMMARD. ranmar_rmmard_slow() takes any request. ranmar_rmmard_refill()
 * takes one number of the sequence `id`, which has become the current one and has an empty buffer.
 * They are not static, so that no compiler changes how they get their arguments. */
void ranmar_rmmard_slow(double *rvec, const ranmar_integer *lenv, const ranmar_integer *iseq);
void ranmar_rmmard_refill(double *rvec, int id);

/* Prints a line and ends the program, for rmmaqd.f90: Fortran calls no variadic function safely. */
_Noreturn void ranmar_stop_with(const char *line);

/* To be called before a numbered sequence starts. If a process has two copies of the library, the
 * first receives all calls by Fortran's names. Returns GPURANMAR_TWO_LIBRARIES if this one is not
 * the first, or if the next one is for INTEGERs of another size, for which the program may have
 * been compiled. Copies that a program loads by dlopen() with RTLD_LOCAL do not see each other:
 * each has numbered sequences of its own. */
int ranmar_check_only_library(const char *routine);

/* Stops the program with a line on an argument that does not fit 32 bits. */
_Noreturn void ranmar_stop_too_wide(const char *routine, const char *name, ranmar_integer value);

/* An argument in 32 bits. */
static inline int32_t ranmar_argument(const char *routine, const char *name, ranmar_integer value)
{
    if (ranmar_int(value) != value)
        ranmar_stop_too_wide(routine, name, value);
    return (int32_t)value;
}

/* Stops the program if ranmar_check_only_library() refuses, or if the program has COMMON
 * /CRRANMA4/, in which nobody keeps a state. A routine that starts a sequence calls this before it
 * reads an INTEGER, which may have another size in the caller. */
void ranmar_fortran_check_library(const char *routine);

/* Starts sequence iseq from IJKL, NTOT and NTOT2; reports them. */
void ranmar_fortran_set(const char *routine, int iseq, const int32_t iseed[3]);
void ranmar_fortran_count(const char *routine, int iseq, int32_t iseed[3]);

/* The state of a sequence, out and in. */
void ranmar_fortran_get(const char *routine, int iseq, struct ranmar_fortran_state *s);
void ranmar_fortran_put(const char *routine, int iseq, const struct ranmar_fortran_state *s);

/* --- Between RMMAQD in C and in Fortran (rmmaqd.f90); not exported --- */

void ranmar_rmmaqd(ranmar_integer iseed[3], ranmar_integer *iseq, const char options[12]);

/* Write lines to unit 11, or read from there counters and ring of sequence iseq and the words of
 * all. They are weak for a library that is built without Fortran, where nobody calls RMMAQD. */
void ranmar_rmmaqd_write(const char *text, size_t length) __attribute__((weak));
void ranmar_rmmaqd_read(const int *iseq, const int *kseq, struct ranmar_fortran_state *s)
    __attribute__((weak));

/* Stops the program unless a file has these bytes in one piece. A file that cannot be opened, and
 * what is no regular file, such as a pipe, is not checked. */
void ranmar_rmmaqd_check_written(const char *name, const char *text, size_t length);

#endif
