/* An engine: a RANMAR sequence as one family of programs uses it.
 *
 * Programs that draw from RANMAR agree on the sequence and differ in what becomes of an exact zero,
 * in names, and in arguments. An engine knows the first of these; an interface for a program's own
 * names is a few lines around it (csrc/families has a dozen). It serves numbers one at a time from
 * a window that the library refills, at the speed of a load from memory.
 *
 *     static gpuranmar_engine engine;
 *     gpuranmar_engine_start(&engine, "example", GPURANMAR_SINGLE, GPURANMAR_ZERO_REDRAW, 1802, 0);
 *     double u = gpuranmar_engine_next(&engine);
 *
 * An engine is a plain structure of 9 KiB: it may be static, on the stack or part of an object, it
 * may be copied, and it holds nothing that would have to be freed. Separate engines may be used on
 * separate threads. Of the settings GPURANMAR_* only _SIMD, _VERBOSE, _VERIFY and _REPORT
 * matter to engines.
 *
 * Functions that return int return GPURANMAR_OK or another value as described in gpuranmar.h; then
 * gpuranmar_last_error() has a line that begins with `routine`, the caller's own name for what it
 * was doing, and the engine is as it was. */
#ifndef GPURANMAR_ENGINE_H
#define GPURANMAR_ENGINE_H

#include "gpuranmar.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is delivered where the generator makes an exact zero: in 24 bits every 16 777 216th number,
 * in 48 bits none that anybody will see. */
enum gpuranmar_zero {
    GPURANMAR_ZERO_SMALLEST, /* 2^-24 or 2^-48, the smallest number above it, as streams do */
    GPURANMAR_ZERO_KEEP,     /* 0.0 */
    GPURANMAR_ZERO_REDRAW,   /* nothing: the next number takes its place */
    GPURANMAR_ZERO_U2,       /* 2^-24 U(2), the Fortran state's second word, or if that is 0 too
                                2^-48: James 1990 and CERNLIB's RANMAR, 24 bits only */
    GPURANMAR_ZERO_HALF      /* half of the smallest number: 2^-49 in 48 bits, as CERNLIB's RM48 */
};

enum { GPURANMAR_ENGINE_WINDOW = 1024 };

/* Read nothing of it but by the functions below; one that is all zeros has not been started. */
typedef struct gpuranmar_engine {
    int32_t left;    /* numbers of the window, its last ones, that are still to be delivered */
    int32_t flavour; /* enum gpuranmar_flavour */
    int32_t zero;    /* enum gpuranmar_zero */
    int32_t i97;     /* ring index of the Fortran state behind the window, 1..97; 0: not started */
    uint64_t made;   /* numbers of the sequence from its seed or adopted state to there */
    uint64_t x[97];  /* that state: the words, oldest first, as fractions times 2^64, */
    uint64_t c;      /* and the arithmetic part */
    union {
        float single[GPURANMAR_ENGINE_WINDOW];
        double wide[GPURANMAR_ENGINE_WINDOW];
    } window;
} gpuranmar_engine;

/* The state in the floating form of the published routines, as programs keep it in a COMMON block
 * or in a file of their own: u[i97-1] is the oldest word, and the indices run downwards. */
typedef struct gpuranmar_engine_state {
    double u[97], c;
    int32_t i97, j97;
} gpuranmar_engine_state;

/* Starts an engine at a seed.
 *   flavour  enum gpuranmar_flavour: GPURANMAR_SINGLE is 24 bits, the others are 48
 *   zero     enum gpuranmar_zero
 *   seed     IJKL = 30082*ij + kl, ij 0..31328, kl 0..30081
 *   skip     numbers of the sequence to leave out, 0..2^63, zeros counted
 * Errors: BAD_ARGUMENT, BAD_SETTING. */
GPURANMAR_API int gpuranmar_engine_start(gpuranmar_engine *engine, const char *routine, int flavour,
                                         int zero, int64_t seed, uint64_t skip);

/* Has an engine go on from a state that a program kept. Errors: BAD_ARGUMENT, BAD_SETTING, and
 * BAD_STATE for a state that no sequence of the flavour can have. */
GPURANMAR_API int gpuranmar_engine_adopt(gpuranmar_engine *engine, const char *routine, int flavour,
                                         int zero, const gpuranmar_engine_state *state);

/* The state behind the number delivered last. The engine must have been started, here and below. */
GPURANMAR_API void gpuranmar_engine_report(const gpuranmar_engine *engine,
                                           gpuranmar_engine_state *state);

/* The next n numbers. Those of 24 bits fit both types; those of 48 are rounded in single precision,
 * where some become 1.0f. */
GPURANMAR_API void gpuranmar_engine_fill(gpuranmar_engine *engine, double *out, size_t n);
GPURANMAR_API void gpuranmar_engine_fill_single(gpuranmar_engine *engine, float *out, size_t n);

/* Leaves out n numbers of the sequence, zeros counted, by jump-ahead. */
GPURANMAR_API void gpuranmar_engine_skip(gpuranmar_engine *engine, uint64_t n);

/* One number for callers that want a function's address, as NumPy does: itself, times 2^48 or 2^24,
 * and its highest bits. 32 bits are the highest 32 of one number, or the highest 16 of two numbers
 * of 24 bits, the first above; 64 bits are twice 32. */
GPURANMAR_API double gpuranmar_engine_double(gpuranmar_engine *engine);
GPURANMAR_API uint64_t gpuranmar_engine_raw(gpuranmar_engine *engine);
GPURANMAR_API uint32_t gpuranmar_engine_uint32(gpuranmar_engine *engine);
GPURANMAR_API uint64_t gpuranmar_engine_uint64(gpuranmar_engine *engine);

/* Refills the empty window, for gpuranmar_engine_next. */
GPURANMAR_API void gpuranmar_engine_refill(gpuranmar_engine *engine);

/* Prints gpuranmar_last_error() if there was an error, and ends the program: for interfaces that
 * have no way to return one. gpuranmar_stop does so with a line made as by printf. */
GPURANMAR_API void gpuranmar_stop_on(int error);
GPURANMAR_API __attribute__((noreturn, format(printf, 1, 2))) void
gpuranmar_stop(const char *format, ...);

/* End the program the same way unless the seed IJKL is in 0..most and NTOT2*10^9 + NTOT can be
 * skipped, and unless id is one of the numbered sequences, 1..GPURANMAR_SEQUENCES. */
GPURANMAR_API void gpuranmar_check_seed(const char *routine, int ijkl, int most, int ntot,
                                        int ntot2);
GPURANMAR_API void gpuranmar_check_sequence(const char *routine, int id);

/* The same unless the first 12 letters of an option are blank, S, R or V. */
GPURANMAR_API void gpuranmar_check_chopt(const char *routine, const char chopt[12]);

/* Ends the program the same way if a file that the routine has written, up to `bytes` from its
 * start, is shorter: the disk is full. gfortran itself reports that neither when it flushes nor
 * when it closes a unit. What is no regular file is passed over, but /dev/full is not. */
GPURANMAR_API void gpuranmar_check_written(const char *routine, const char *file, int64_t bytes);

static inline int gpuranmar_engine_is_started(const gpuranmar_engine *engine)
{
    return engine->i97 != 0;
}

/* How many numbers of the sequence have been used up since the start, without those that it was
 * told to skip, or since a state was adopted: those delivered, those left out by
 * gpuranmar_engine_skip, and the zeros that were redrawn before them. */
static inline uint64_t gpuranmar_engine_used(const gpuranmar_engine *engine)
{
    return engine->made - (uint64_t)engine->left;
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

/* The same where the flavour is known to be GPURANMAR_SINGLE. */
static inline float gpuranmar_engine_next_single(gpuranmar_engine *engine)
{
    if (__builtin_expect(engine->left == 0, 0))
        gpuranmar_engine_refill(engine);
    return engine->window.single[GPURANMAR_ENGINE_WINDOW - engine->left--];
}

#ifdef __cplusplus
}
#endif

#endif
