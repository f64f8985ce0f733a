/* The numbered sequences that Fortran refers to, each a stream with a window in front of it.
 *
 * The windows stand in the Fortran COMMON /GRNCOM/, so that patched code can draw without a call:
 * window k holds the next numbers of sequence k, right-justified, and pos[k] counts up from minus
 * how many there are to 0, when it is empty. A COMMON that starts as zeros has empty windows.
 */
#ifndef RANMAR_REGISTRY_H
#define RANMAR_REGISTRY_H

#include "definition/fortran_state.h"
#include "definition/ranges.h"
#include "gpuranmar.h"
#include "gpuranmar_definition.h"

enum { RANMAR_WINDOW = 1024 }; /* numbers, GRNWIN of the COMMON: 8 KiB, a quarter of an L1 cache */

struct ranmar_windows {
    double buffer[RANMAR_SEQUENCES_MAX][RANMAR_WINDOW];
    int32_t pos[RANMAR_SEQUENCES_MAX];
};

/* The COMMON /GRNCOM/. Exported, so that a Fortran program that has it too shares it. */
extern GPURANMAR_API struct ranmar_windows grncom_;

/* KSEQ once a sequence is set; 0 before, when all windows are empty. */
extern int ranmar_sequences;

/* The next number of sequence id stands here, if its window is not empty. */
static inline const double *ranmar_window_next(int id)
{
    return grncom_.buffer[id - 1] + RANMAR_WINDOW + grncom_.pos[id - 1];
}

/* All return an enum gpuranmar_error; the line on it bears the name of `routine`. */

/* id must be in 1..KSEQ, and the environment variables right. The other calls take any id in 1..64:
 * code that is patched brings a KSEQ of its own. */
int ranmar_sequence_check(const char *routine, int id);

/* Whether a sequence has been started. */
int ranmar_sequence_is_set(int id);

/* Starts a sequence, not before GPURANMAR_START_POSITION. */
int ranmar_sequence_start(const char *routine, int id, const gpuranmar_options *options,
                          const struct ranmar_origin *origin);

/* Closes a sequence, if it is set. */
int ranmar_sequence_close(const char *routine, int id);

/* The options that the environment variables give. */
gpuranmar_options ranmar_sequence_options(void);

/* Refills the window if it is empty; what it still holds is not lost. */
int ranmar_sequence_refill(const char *routine, int id);

/* The next n numbers, through the window and past it. */
int ranmar_sequence_get(const char *routine, int id, double *out, size_t n);
int ranmar_sequence_fill(const char *routine, int id, double *out, size_t n);

/* What RMMAQD reports: the seed, and numbers delivered since as NTOT + 10^9 * NTOT2; i97 now. */
int ranmar_sequence_report(const char *routine, int id, struct ranmar_origin *now);

/* The state at the position delivered, and from there on with a state that came from elsewhere. */
int ranmar_sequence_state(const char *routine, int id, struct ranmar_state *state);
int ranmar_sequence_set_state(const char *routine, int id, const struct ranmar_state *state,
                              const struct ranmar_origin *origin);

#endif
