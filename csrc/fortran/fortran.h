/* The entry points for Fortran. Arguments are INTEGER and DOUBLE PRECISION by reference, named as
 * gfortran names external routines. There is no way to return an error here: whatever is wrong
 * stops the program with one line on standard error.
 *
 * Threads. RMMARD and RMMAQD keep the current sequence in one place for the whole program, as the
 * originals do: not two threads at once in either of them, whatever the sequence. GRNVEC, GRNFIL,
 * GRNCNT, GRNGET, and what is drawn inline from a window, touch only the sequence that they are
 * given: separate sequences may be used on separate threads, also beside gpuranmar_get(). So do
 * GRNSET and GRNPUT once a first sequence has been started. The CERNLIB names
 * (csrc/families/cernlib) each have their one sequence or current sequence: not two threads at once
 * in the same family (RANMAR, RMARIN, RMARUT; RMMAR, RMMAQ; RM48, RM48IN, RM48UT). */
#ifndef RANMAR_FORTRAN_H
#define RANMAR_FORTRAN_H

#include "fortran/registry.h"

/* A Fortran INTEGER: of 64 bits in libgpuranmar_ilp64, for programs that are compiled with
 * -fdefault-integer-8 or its like. */
#ifdef RANMAR_ILP64
typedef int64_t ranmar_integer;
typedef uint64_t ranmar_unsigned;
#else
typedef int32_t ranmar_integer;
typedef uint32_t ranmar_unsigned;
#endif

/* An INTEGER in 32 bits: what does not fit becomes the largest or the smallest value, which is out
 * of every argument's range, as the value itself is. */
static inline int32_t ranmar_int(ranmar_integer n)
{
    const int64_t wide = n;
    return wide > INT32_MAX ? INT32_MAX : wide < INT32_MIN ? INT32_MIN : (int32_t)wide;
}

/* RVEC(1:LENV) becomes the next LENV numbers, 0 or more, of sequence ISEQ, 1..KSEQ, which becomes
 * the current one; any other ISEQ means the current one. */
GPURANMAR_API void rmmard_(double *rvec, const ranmar_integer *lenv, const ranmar_integer *iseq);

/* The same for sequence ISEQ, without touching the current one. */
GPURANMAR_API void grnvec_(double *rvec, const ranmar_integer *lenv, const ranmar_integer *iseq);

/* Refills the window of sequence ISEQ if it is empty. */
GPURANMAR_API void grnfil_(const ranmar_integer *iseq);

/* Starts sequence ISEQ from seed IJKL, 0..942377567, and skips NTOT2*10^9 + NTOT numbers, NTOT2 up
 * to 2*10^9. */
GPURANMAR_API void grnset_(const ranmar_integer *ijkl, const ranmar_integer *ntot,
                           const ranmar_integer *ntot2, const ranmar_integer *iseq);

/* Counters of the numbers delivered and skipped since: NTOT2*10^9 + NTOT. */
GPURANMAR_API void grncnt_(const ranmar_integer *iseq, ranmar_integer *ntot, ranmar_integer *ntot2);

/* The state in the original's floating form, out and in: U(97), the ring indices I97 and J97, the
 * arithmetic part C. */
GPURANMAR_API void grnget_(const ranmar_integer *iseq, ranmar_integer *ijkl, ranmar_integer *ntot,
                           ranmar_integer *ntot2, ranmar_integer *i97, ranmar_integer *j97,
                           double *c, double *u);
GPURANMAR_API void grnput_(const ranmar_integer *iseq, const ranmar_integer *ijkl,
                           const ranmar_integer *ntot, const ranmar_integer *ntot2,
                           const ranmar_integer *i97, const ranmar_integer *j97, const double *c,
                           const double *u);

/* --- Not exported: what the entry points share --- */

/* The current sequence of RMMARD and RMMAQD (JSEQ of CORSIKA), 1 at the start. */
extern int ranmar_current;

/* Prints gpuranmar_last_error(), or the line, and ends by exit(), so that Fortran units are
 * flushed. */
_Noreturn void ranmar_stop(void);
_Noreturn void ranmar_stop_with(const char *line);

/* Stops if there was an error. */
static inline void ranmar_check(int error)
{
    if (error)
        ranmar_stop();
}

/* Stops unless the first 12 letters of CHOPT are blank, S, R or V. (In the originals others, and
 * lower case, mean nothing, so that a sequence stays unset.) */
void ranmar_check_chopt(const char *routine, const char chopt[12]);

/* Stops unless seed and skip are in range. */
void ranmar_check_seed(const char *routine, int ijkl, int ijkl_max, int ntot, int ntot2);

/* For fortran/rmmaqd.f90. */

/* Stops unless the program's calls of RMMARD arrive in this library. An RMMARD of the program's own
 * takes its place in the shared library without a word from the linker, and would draw zeros, as
 * nobody sets its state. */
void ranmar_check_rmmard(void);
int ranmar_rmmaqd_current(void);
void ranmar_rmmaqd_select(int iseq);
int ranmar_kseq(void);
void ranmar_check_sequence(int iseq);
void ranmar_rmmaqd_set(int iseq, const int32_t iseed[3]);
void ranmar_rmmaqd_report(int iseq, int32_t iseed[3]);
int ranmar_rmmaqd_get(int iseq, struct ranmar_fortran_state *s); /* 0 if the sequence is not set */
void ranmar_rmmaqd_put(int iseq, const struct ranmar_fortran_state *s);

/* Whether a file has these bytes in one piece. 1 for what is no file, a pipe say, and cannot be
 * read again. */
int ranmar_file_has_text(const char *name, const char *text, size_t length);

#endif
