/* The numbered sequences of Fortran: each is a stream whose buffer is in the Fortran COMMON
 * /GRNCOM/, so that patched code can draw without a call.
 *
 * Buffer k holds the next numbers of sequence k, right-justified. pos[k] is minus the number of
 * these. It counts up to 0, where the buffer is empty. A COMMON that starts as zeros has empty
 * buffers.
 *
 * Functions that return int return a value of enum gpuranmar_error unless something else is said.
 * The line on an error begins with `routine`. */
#ifndef RANMAR_REGISTRY_H
#define RANMAR_REGISTRY_H

#include "base/ranges.h"
#include "definition/fortran_state.h"
#include "gpuranmar.h"
#include "gpuranmar_definition.h"
#include "stream/buffer.h"

struct ranmar_grncom {
    double buffer[RANMAR_SEQUENCES_MAX][RANMAR_BUFFER];
    int32_t pos[RANMAR_SEQUENCES_MAX];
};

/* The COMMON /GRNCOM/. It is exported, so that a Fortran program that declares it shares it. */
extern GPURANMAR_API struct ranmar_grncom grncom_;

/* For variables that files share. Hidden visibility saves the load of their address. */
#define RANMAR_HIDDEN __attribute__((visibility("hidden")))

/* KSEQ (GPURANMAR_SEQUENCES) once a sequence was set. Before that it is 0, and all buffers are
 * empty. */
extern RANMAR_HIDDEN int ranmar_sequences;

/* Where the next number of sequence id stands, if its buffer is not empty. */
static inline const double *ranmar_grncom_next(int id)
{
    return grncom_.buffer[id - 1] + RANMAR_BUFFER + grncom_.pos[id - 1];
}

/* Refuses an id that is not in 1..KSEQ, and wrong environment variables. The other calls take any
 * id in 1..256, since patched code has a KSEQ of its own. */
int ranmar_sequence_check(const char *routine, int id);

/* Returns whether a sequence has been started. */
int ranmar_sequence_is_set(int id);

/* Starts a sequence with these options, at GPURANMAR_START_POSITION at least. `counters` is what
 * RMMAQD reports of options->position. A sequence that was set before is closed. The caller must
 * have called ranmar_check_only_library(). */
int ranmar_sequence_start(const char *routine, int id, const gpuranmar_options *options,
                          const struct ranmar_counters *counters);

/* Closes a sequence, if it is set. */
int ranmar_sequence_close(const char *routine, int id);

/* Returns the options that the environment variables give. */
gpuranmar_options ranmar_sequence_options(void);

/* Returns the seed of a stream with these options that has the numbers of IJKL, which is 0 or more.
 * A flavour that is keyed takes each IJKL for a key of its own. */
int64_t ranmar_sequence_seed(const gpuranmar_options *options, int32_t ijkl);

/* Refills the buffer if it is empty, and does nothing otherwise. */
int ranmar_sequence_refill(const char *routine, int id);

/* Write the next n numbers to out: get() through the buffer unless n is large, fill()
 * past it. Numbers that the buffer still holds come first. */
int ranmar_sequence_get(const char *routine, int id, double *out, size_t n);
int ranmar_sequence_fill(const char *routine, int id, double *out, size_t n);

/* Sets *now to what RMMAQD reports: the seed, the numbers delivered and skipped since the start as
 * NTOT + 10^9 * NTOT2, and the ring index. */
int ranmar_sequence_report(const char *routine, int id, struct ranmar_counters *now);

/* Writes the state at the position of the next number, and makes a sequence go on from a state that
 * came from elsewhere. The caller of the second must have called ranmar_check_only_library(). */
int ranmar_sequence_state(const char *routine, int id, struct ranmar_state *state);
int ranmar_sequence_set_state(const char *routine, int id, const struct ranmar_state *state,
                              const struct ranmar_counters *counters);

#endif
