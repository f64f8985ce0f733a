/* The calls here find what seeds have in common, and plan the seeds and positions for the jobs of a
 * production, so that an audit of these jobs finds nothing in common.
 *
 * The seeding of RANMAR (James, Comput. Phys. Commun. 60 (1990) 329) fills the 97 first words with
 * the bits of a small generator that runs on cycles. A seed is a place on such a cycle. If a second
 * seed stands 48 w bits further on than a first, its words are the first's, shifted by w words. The
 * recurrence needs thousands of numbers to make the two sequences differ. Until then the difference
 *
 *     u_second[n] - u_first[n-w]
 *
 * has one of two known values for many n. These values are 3 * 2^-24 apart (extended: 59 * 2^-48),
 * because the arithmetic part is modulo 2^24 - 3 (2^48 - 59). The calls here find all such pairs
 * from the places of the seeds, and count the tied numbers. The calls look at equal numbers, at
 * numbers tied by shifts of words or bits, at twins, and at lowest bits. They do not look at sums
 * of several numbers, which tie other seeds (docs/seeds.md). They refuse the flavour keyed, in
 * which only equal keys have numbers in common.
 *
 * Several threads may use all calls at once. The calls return GPURANMAR_OK or another value of enum
 * gpuranmar_error; after an error gpuranmar_last_error() has a line. */
#ifndef GPURANMAR_SEEDS_H
#define GPURANMAR_SEEDS_H

#include "gpuranmar.h"

#ifdef __cplusplus
extern "C" {
#endif

/* From this position on the calls look only at equal seeds and at lowest bits
 * (GPURANMAR_TIE_LOW_BITS). From there on, numbers of two seeds are near each other only as often
 * as by chance, except in rare pairs of seeds (docs/seeds-evidence.md). */
#define GPURANMAR_SAFE_POSITION 4000

/* Successive numbers of a sequence: what a job, a rank or a shower may draw. */
typedef struct gpuranmar_segment {
    int64_t seed;      /* IJKL = 30082*ij + kl, 0..942438977 */
    uint64_t position; /* of the first number, 0..2^63 */
    uint64_t numbers;  /* how many, up to position 2^63; 0: all of them */
} gpuranmar_segment;

/* What two segments have in common. */
enum gpuranmar_tie_kind {
    GPURANMAR_TIE_NONE,
    GPURANMAR_TIE_OVERLAP, /* one seed: the same numbers */
    GPURANMAR_TIE_WORDS,   /* u_second[n] - u_first[n-words] modulo 1 is one of two constants, to
                              2^-20 and mostly to the last bit */
    GPURANMAR_TIE_BITS,    /* x_second[n] = 2^bits x_first[n-words] if bits is positive, and
                              x_first[n-words] = 2^-bits x_second[n] if bits is negative, modulo 1
                              and to 2^-20. x is a number plus the arithmetic part, which all
                              seeds share. A shift by more bits than half a word counts as one
                              word more and negative bits */
    GPURANMAR_TIE_TWINS,   /* one or two of second's i, j, k are 179 minus first's: three of four
                              bits of second's words are first's, shifted by `words`, and numbers
                              below position 200 are correlated */
    GPURANMAR_TIE_LOW_BITS /* a word shift or twins without a tied number in the segments: the
                              lowest `low_bits` bits of x_second[n] are those of x_first[n-words]
                              for ever, and in `double` also up to 24 lowest bits of the numbers */
};

typedef struct gpuranmar_tie {
    size_t first, second; /* indices of the segments */
    int kind;             /* enum gpuranmar_tie_kind */
    int words, bits;      /* the shift of second's words against first's */
    int low_bits;         /* of a word shift or twins: how many lowest bits are the same for ever */
    uint64_t tied;        /* numbers of second tied to one of first (LOW_BITS: that share bits) */
    uint64_t position, last; /* positions of the first and the last tied number of second */
    uint64_t first_position; /* of first's number that is tied to second's number at `position` */
} gpuranmar_tie;

/* What two segments have in common.
 *   first, second  the segments; in `tie` their indices are 0 and 1
 *   flavour        enum gpuranmar_flavour, of both
 *   tie            set to what the segments have in common; tie->second is the one whose seed is
 *                  further on; kind is NONE and tied is 0 if they have nothing in common
 * Errors: BAD_ARGUMENT, NO_MEMORY. */
GPURANMAR_API int gpuranmar_seeds_compare(const gpuranmar_segment *first,
                                          const gpuranmar_segment *second, int flavour,
                                          gpuranmar_tie *tie);

/* Called for each pair that has something in common. The audit ends early if this function returns
 * a value other than 0. */
typedef int gpuranmar_tie_function(const gpuranmar_tie *tie, void *context);

/* Finds every pair of segments that has something in common, by sorting and comparing neighbours:
 * 10^6 random seeds take less than 20 s of one core.
 *   segments  n of them
 *   flavour   enum gpuranmar_flavour, of all
 *   found     called for each pair, with `context`, in no particular order
 * Errors: BAD_ARGUMENT (names the segment), NO_MEMORY. */
GPURANMAR_API int gpuranmar_seeds_audit(const gpuranmar_segment *segments, size_t n, int flavour,
                                        gpuranmar_tie_function *found, void *context);

/* Which segments the jobs of a production get. Start from GPURANMAR_PLAN_INIT. Its seed is a prime
 * that a word of 24 bits holds: CORSIKA's headers do not hold RMMAQD's 54217137 exactly. */
typedef struct gpuranmar_plan {
    size_t size;       /* sizeof(gpuranmar_plan), for later versions */
    int64_t seed;      /* the first seed to be tried, 0..942438977 */
    uint64_t position; /* where the first segment starts: 4000 or later, below 2 * 10^18 */
    uint64_t numbers;  /* how many a segment may draw: 1 or more, position + numbers <= 2 * 10^18 */
    int by_seed;       /* 0: segments of one seed, end to end. Their starts are an odd distance
                          apart: `numbers`, plus 1 if it is even (docs/seeds.md). The next seed
                          takes over at position 2 * 10^18, the furthest that RMMAQD skips.
                          Else: a seed for each segment, all at `position`, for programs that skip
                          by drawing and so cannot go far */
    uint64_t skip;     /* how many segments to leave out: those of earlier jobs */
} gpuranmar_plan;

#define GPURANMAR_PLAN_INIT                                                         \
    {                                                                               \
        sizeof(gpuranmar_plan), 16777213, 1000000000, UINT64_C(1000000000000), 0, 0 \
    }

/* Makes n segments that do not overlap, among which gpuranmar_seeds_audit() finds no pair. Two
 * different seeds are 97 words or more apart on the cycles, and never twins.
 *   segments  set to the segments skip, skip + 1, ... skip + n - 1 of the plan
 * Errors: BAD_ARGUMENT (also if there are too few seeds; then the segments up to the last seed have
 * been set), NO_MEMORY. */
GPURANMAR_API int gpuranmar_seeds_plan(const gpuranmar_plan *plan, gpuranmar_segment *segments,
                                       size_t n);

#ifdef __cplusplus
}
#endif

#endif
