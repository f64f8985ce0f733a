/* An engine: a RANMAR sequence as one family of programs uses it.
 *
 * Programs that draw from RANMAR agree on the sequence. They differ in what replaces an exact zero,
 * and in the names and arguments of their routines. An engine replaces zeros as asked. A few lines
 * of code around an engine give it a program's own names, as in csrc/families. An engine delivers
 * numbers from a buffer that the library refills, so that one number costs a load from memory.
 *
 *     static gpuranmar_engine engine;
 *     gpuranmar_engine_start(&engine, "example", GPURANMAR_SINGLE, GPURANMAR_ZERO_REDRAW, 1802, 0);
 *     double u = gpuranmar_engine_next(&engine);
 *
 * An engine is a plain structure of 9 KiB. It may be static, on the stack or part of an object, it
 * may be copied by assignment, and it never has to be freed. Separate threads may use separate
 * engines. Engines use only the settings GPURANMAR_SIMD, _VERBOSE and _VERIFY. If a setting that
 * changes numbers is set, one line on standard error says that engines ignore it.
 *
 * Functions that return int return GPURANMAR_OK or another value of enum gpuranmar_error. After an
 * error the engine is as it was, and gpuranmar_last_error() has a line that begins with `routine`,
 * the name of the caller's own routine. */
#ifndef GPURANMAR_ENGINE_H
#define GPURANMAR_ENGINE_H

#include "gpuranmar.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What an engine delivers when the generator makes an exact zero: one number in 2^24 or 2^48. */
enum gpuranmar_zero {
    GPURANMAR_ZERO_SMALLEST, /* 2^-24 or 2^-48, the smallest number above 0, as in streams */
    GPURANMAR_ZERO_KEEP,     /* 0.0 */
    GPURANMAR_ZERO_REDRAW,   /* nothing: the next number takes its place */
    GPURANMAR_ZERO_U2,       /* 2^-24 U(2), or 2^-48 if U(2) is 0 too, where U(2) is the second word
                                of the Fortran state: James 1990, CERNLIB's RANMAR; 24 bits only */
    GPURANMAR_ZERO_HALF      /* half of the smallest number: 2^-49 in 48 bits, as CERNLIB's RM48 */
};

enum { GPURANMAR_ENGINE_WINDOW = 1024 };

/* Only the functions below may use the fields. An engine that is all zeros is not started. */
typedef struct gpuranmar_engine {
    int32_t left;    /* how many numbers at the buffer's end are still to be delivered */
    int32_t flavour; /* enum gpuranmar_flavour */
    int32_t zero;    /* enum gpuranmar_zero */
    /* The state at the end of the buffer: */
    int32_t i97;     /* ring index of the Fortran state, 1..97; 0: the engine is not started */
    uint64_t made;   /* numbers made since gpuranmar_engine_start or _adopt */
    uint64_t stride; /* one number of every `stride` is delivered; 1 unless the engine was split */
    uint64_t x[97];  /* the words, oldest first, times 2^64 */
    uint64_t c;      /* the arithmetic part, times 2^64 */
    union {
        float single[GPURANMAR_ENGINE_WINDOW];
        double wide[GPURANMAR_ENGINE_WINDOW];
    } window;
} gpuranmar_engine;

/* The state in the floating form of the published routines, as programs keep it in a COMMON block
 * or in a file. u[i97-1] is the oldest word. The next younger word has the next lower index, and
 * u[96] comes after u[0]. */
typedef struct gpuranmar_engine_state {
    double u[97], c;
    int32_t i97, j97;
} gpuranmar_engine_state;

/* Starts an engine from a seed.
 *   routine  the caller's own name, for error lines
 *   flavour  enum gpuranmar_flavour: GPURANMAR_SINGLE is 24 bits, the others are 48
 *   zero     enum gpuranmar_zero
 *   seed     IJKL = 30082*ij + kl, ij 0..31328, kl 0..30081; in the flavour KEYED any 64 bits
 *   skip     how many numbers of the sequence to leave out first, 0..2^63, zeros counted
 * Errors: BAD_ARGUMENT, BAD_SETTING. */
GPURANMAR_API int gpuranmar_engine_start(gpuranmar_engine *engine, const char *routine, int flavour,
                                         int zero, int64_t seed, uint64_t skip);

/* The same from the two seeds of the published routine, ij 0..31328 and kl 0..30081. A pair out of
 * range is an error, because its IJKL is that of another pair. */
GPURANMAR_API int gpuranmar_engine_start_pair(gpuranmar_engine *engine, const char *routine,
                                              int flavour, int zero, int ij, int kl, uint64_t skip);

/* Makes an engine go on from a state that a program kept. Errors: BAD_ARGUMENT, BAD_SETTING, and
 * BAD_STATE for a state that no sequence of the flavour can have. */
GPURANMAR_API int gpuranmar_engine_adopt(gpuranmar_engine *engine, const char *routine, int flavour,
                                         int zero, const gpuranmar_engine_state *state);

/* Writes the state after the last number delivered. This function, and those below that deliver or
 * skip a number, end the program with a line on standard error if the engine is not started.
 * gpuranmar_engine_split returns an error instead. */
GPURANMAR_API void gpuranmar_engine_report(const gpuranmar_engine *engine,
                                           gpuranmar_engine_state *state);

/* The next n numbers. Numbers of 24 bits are exact in both types. Numbers of 48 bits are rounded in
 * single precision, and some become 1.0f. */
GPURANMAR_API void gpuranmar_engine_fill(gpuranmar_engine *engine, double *out, size_t n);
GPURANMAR_API void gpuranmar_engine_fill_single(gpuranmar_engine *engine, float *out, size_t n);

/* Leaves out n numbers of the sequence, zeros counted, by jump-ahead. */
GPURANMAR_API void gpuranmar_engine_skip(gpuranmar_engine *engine, uint64_t n);

/* Leapfrog, for s workers on one sequence. From now on the engine delivers only the numbers n,
 * n + s, n + 2 s ... of those that it would have delivered, counted from 0.
 *   s  1..65536; if the engine was split before, the product of all s is 1..65536
 *   n  0..s-1
 * A split engine makes all numbers and discards most, so a number takes s times as long; a
 * jump-ahead has no such cost. A skip then counts only the numbers that the engine delivers, but
 * gpuranmar_engine_used() counts all. A state has no s: after an adopt, split again, with n = 0.
 * Errors: BAD_ARGUMENT, also if zeros are redrawn: numbers then have no fixed place. */
GPURANMAR_API int gpuranmar_engine_split(gpuranmar_engine *engine, const char *routine, uint64_t s,
                                         uint64_t n);

/* Functions whose addresses a caller can pass on, for instance to NumPy:
 *   double  the next number
 *   raw     the next number times 2^48 or 2^24
 *   uint32  the highest 32 bits of a number of 48 bits, or the highest 16 of each of two numbers of
 *           24 bits, the first number in the upper half
 *   uint64  uint32 twice, the first in the upper half */
GPURANMAR_API double gpuranmar_engine_double(gpuranmar_engine *engine);
GPURANMAR_API uint64_t gpuranmar_engine_raw(gpuranmar_engine *engine);
GPURANMAR_API uint32_t gpuranmar_engine_uint32(gpuranmar_engine *engine);
GPURANMAR_API uint64_t gpuranmar_engine_uint64(gpuranmar_engine *engine);

/* Refills the buffer, which must be empty. The inline functions below call it. */
GPURANMAR_API void gpuranmar_engine_refill(gpuranmar_engine *engine);

/* --- For interfaces that cannot return an error ---
 *
 * These functions end the program with a line on standard error and a non-zero exit status.
 * gpuranmar_stop takes the line's text as printf does. gpuranmar_stop_on does nothing if the error
 * is GPURANMAR_OK, and prints gpuranmar_last_error() otherwise. */
GPURANMAR_API void gpuranmar_stop_on(int error);
GPURANMAR_API __attribute__((noreturn, format(printf, 1, 2))) void
gpuranmar_stop(const char *format, ...);

/* Each function below ends the program in the same way if the condition in its comment is not met.
 *
 * The seed IJKL and NTOT are 0 or more, and NTOT2 is in 0..2*10^9. */
GPURANMAR_API void gpuranmar_check_seed(const char *routine, int ijkl, int ntot, int ntot2);

/* The number of a sequence is in 1..GPURANMAR_SEQUENCES. */
GPURANMAR_API void gpuranmar_check_sequence(const char *routine, int id);

/* The file that the routine wrote has at least `bytes` bytes. It has fewer if the disk is full;
 * gfortran does not report that, neither when it flushes a unit nor when it closes one. All that is
 * not a regular file passes, except /dev/full. */
GPURANMAR_API void gpuranmar_check_written(const char *routine, const char *file, int64_t bytes);

/* The program can read the first and the last of `bytes` bytes at an address, and write them too if
 * `written` is not 0. This finds most callers that pass too few arguments. The system is asked once
 * for each page of memory, and 256 times at most in a process, so that calls in a loop cost
 * nothing. */
GPURANMAR_API void gpuranmar_check_address(const char *routine, const char *argument,
                                           const void *address, size_t bytes, int written);

/* Calls of the routine `name` reach the library's own routine: `called` is the address that they
 * reach, `own` the address of the library's routine. A routine of the same name in an executable
 * replaces a shared library's, and the linker does not say so. */
GPURANMAR_API void gpuranmar_check_ours(const char *routine, const char *name, const void *called,
                                        const void *own);

/* C has no other casts than those that C++ calls old-style. */
#if defined(__cplusplus)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

static inline int gpuranmar_engine_is_started(const gpuranmar_engine *engine)
{
    return engine->i97 != 0;
}

/* How many numbers of the sequence were used since gpuranmar_engine_start or _adopt: delivered,
 * skipped by gpuranmar_engine_skip, left out by a split, and zeros that were redrawn. */
static inline uint64_t gpuranmar_engine_used(const gpuranmar_engine *engine)
{
    return engine->made - (uint64_t)engine->left * engine->stride;
}

/* The next number. */
static inline double gpuranmar_engine_next(gpuranmar_engine *engine)
{
    if (__builtin_expect(engine->left == 0, 0))
        gpuranmar_engine_refill(engine);
    const int at = GPURANMAR_ENGINE_WINDOW - engine->left--;
    return engine->flavour == GPURANMAR_SINGLE ? (double)engine->window.single[at]
                                               : engine->window.wide[at];
}

/* The next number of an engine whose flavour is GPURANMAR_SINGLE. */
static inline float gpuranmar_engine_next_single(gpuranmar_engine *engine)
{
    if (__builtin_expect(engine->left == 0, 0))
        gpuranmar_engine_refill(engine);
    return engine->window.single[GPURANMAR_ENGINE_WINDOW - engine->left--];
}

#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif

#endif
