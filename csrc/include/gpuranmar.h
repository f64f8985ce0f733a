/* libgpuranmar: the RANMAR random number sequence, the user's own, bit for bit, on any hardware.
 *
 * A stream is a sequence as a program uses it: a seed, a position, and a prefetch cache that
 * serves small requests. The numbers are those of Marsaglia, Zaman, Tsang, Stat. Prob. Lett. 9
 * (1990) 35 and James, Comput. Phys. Commun. 60 (1990) 329, as CORSIKA's RMMARD and CERNLIB's RM48
 * and RANMAR draw them; whichever back end makes them, they are the same.
 *
 * Functions that return int return GPURANMAR_OK or another value of enum gpuranmar_error; then
 * gpuranmar_last_error() has a line that names the function, the argument and its value, and
 * nothing has changed. No function ends the program, unless GPURANMAR_VERIFY is set and finds a
 * wrong number. Separate streams may be used on separate threads, and so may separate numbered
 * sequences; one stream, or one numbered sequence, must not be used by two threads at once.
 *
 * Large requests are shared among threads, which the library starts when it needs them and keeps
 * until it is unloaded. Where they cannot be started the same numbers take longer.
 *
 * After fork() parent and child each go on with the same numbers, the child without the parent's
 * GPU: CUDA does not survive a fork, so a block that a GPU has delivered in advance must be used up
 * before it. */
#ifndef GPURANMAR_H
#define GPURANMAR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GPURANMAR_VERSION_MAJOR 1
#define GPURANMAR_VERSION_MINOR 0
#define GPURANMAR_VERSION_PATCH 0

#if defined(__GNUC__)
#define GPURANMAR_API __attribute__((visibility("default")))
#else
#define GPURANMAR_API
#endif

/* The version of the library that is linked, "major.minor.patch". */
GPURANMAR_API const char *gpuranmar_version(void);

enum gpuranmar_error {
    GPURANMAR_OK = 0,
    GPURANMAR_BAD_ARGUMENT, /* out of range, or a null pointer */
    GPURANMAR_BAD_SETTING,  /* an environment variable GPURANMAR_* is unknown or has a bad value */
    GPURANMAR_BAD_STATE,    /* saved state that is damaged, foreign, or of another version */
    GPURANMAR_NOT_SET,      /* a numbered sequence used before it was initialised */
    GPURANMAR_NO_MEMORY,
    GPURANMAR_NO_BACKEND,   /* CUDA is not to be had: only from the calls of gpuranmar_cuda.h */
    GPURANMAR_TWO_LIBRARIES /* another copy of this library has numbered sequences */
};

/* A few words on an error. */
GPURANMAR_API const char *gpuranmar_strerror(int error);

/* One line on the last error in this thread, "" before the first. */
GPURANMAR_API const char *gpuranmar_last_error(void);

/* Which numbers: only ever other than the first when asked for. */
enum gpuranmar_flavour {
    GPURANMAR_DOUBLE,    /* the original in double precision: multiples of 2^-48 in (0,1) */
    GPURANMAR_SINGLE,    /* the original in single precision: multiples of 2^-24 in (0,1) */
    GPURANMAR_EXTENDED,  /* double precision with a 48-bit arithmetic sequence, modulo 2^48 - 59 */
    GPURANMAR_DECIMATED, /* every second number of EXTENDED, lowest 16 bits mixed with the highest
                          */
    GPURANMAR_LUXURY,    /* every eighth number of EXTENDED, mixed likewise */
    /* The same three, with their first words from a hash of the seed: no ties of seeds are known.
     */
    GPURANMAR_EXTENDED_HASH,
    GPURANMAR_DECIMATED_HASH,
    GPURANMAR_LUXURY_HASH
};

/* Who makes the numbers; it does not change them. */
enum gpuranmar_backend {
    GPURANMAR_AUTO, /* whichever is fastest for the request */
    GPURANMAR_CPU,
    GPURANMAR_CUDA
};

/* What a stream is made of. Start from GPURANMAR_OPTIONS_INIT and change what you need.
 *
 * With more than one instance the stream is made of blocks of `prefetch` numbers. Instance p is a
 * sequence of its own, with the second seed raised by p (modulo 30082), and fills the p-th of
 * `instances` contiguous parts of each block, parts as even as possible, the first ones longer.
 *
 * Later versions may add options at the end. A program that was compiled before then has them at
 * their defaults; one that was compiled after then works with an older library as long as it leaves
 * them at zero, which stands for the default. */
typedef struct gpuranmar_options {
    size_t size;       /* sizeof(gpuranmar_options) as the program was compiled */
    int64_t seed;      /* IJKL = 30082*ij + kl, ij 0..31328, kl 0..30081 */
    uint64_t position; /* numbers to skip before the first, 0..2^63; takes 0.1 ms an instance */
    int flavour;       /* enum gpuranmar_flavour */
    int backend;       /* enum gpuranmar_backend */
    int64_t instances; /* sequences of different seeds interleaved, 1..30082 (docs/seeds.md) */
    int64_t prefetch;  /* size of the cache and of a block, 1..10^9 numbers; 0: the default, 1024,
                          or 2^20 where backend is CUDA and there is one instance */
    int threads;       /* for requests large enough, 1..1024; 0: as many as OpenMP would take */
    int reserved;      /* 0 */
} gpuranmar_options;

/* clang-format off */
#define GPURANMAR_OPTIONS_INIT \
    {sizeof(gpuranmar_options), 54217137, 0, GPURANMAR_DOUBLE, GPURANMAR_AUTO, 1, 0, 0, 0}
/* clang-format on */

typedef struct gpuranmar_stream gpuranmar_stream;

/* Makes a stream.
 *   stream   set to the new stream, to be closed; untouched on error
 *   options  NULL for GPURANMAR_OPTIONS_INIT
 * Errors: BAD_ARGUMENT, BAD_SETTING, NO_MEMORY. */
GPURANMAR_API int gpuranmar_stream_initialise(gpuranmar_stream **stream,
                                              const gpuranmar_options *options);

/* Makes a second stream that goes on from where the first one is, with the same options.
 *   copy  set to the new stream, to be closed; untouched on error
 * Errors: BAD_ARGUMENT, NO_MEMORY. */
GPURANMAR_API int gpuranmar_stream_copy(gpuranmar_stream **copy, const gpuranmar_stream *stream);

/* The options that a stream has, defaults filled in, and its position as it is now.
 *   options  options->size must be set, as by GPURANMAR_OPTIONS_INIT; untouched on error
 * Errors: BAD_ARGUMENT. */
GPURANMAR_API int gpuranmar_stream_options(const gpuranmar_stream *stream,
                                           gpuranmar_options *options);

/* The next n numbers, through the cache: for requests smaller than it.
 *   out  n numbers are written; SINGLE streams and all others have a call each
 * Errors: BAD_ARGUMENT (a null pointer, the wrong precision, past position 2^63). */
GPURANMAR_API int gpuranmar_stream_get(gpuranmar_stream *stream, double *out, size_t n);
GPURANMAR_API int gpuranmar_stream_get_single(gpuranmar_stream *stream, float *out, size_t n);

/* The same numbers, past the cache, straight into the caller's array: for large requests. What
 * the cache still holds comes first. Errors as above. */
GPURANMAR_API int gpuranmar_stream_fill(gpuranmar_stream *stream, double *out, size_t n);
GPURANMAR_API int gpuranmar_stream_fill_single(gpuranmar_stream *stream, float *out, size_t n);

/* The next n numbers without a copy (but for those across the end of the cache).
 *   numbers  set to where they stand until the next call on the stream; untouched on error
 *   n        1..10^9; more than the prefetch size takes memory for as many
 * Errors: BAD_ARGUMENT as above, and NO_MEMORY. */
GPURANMAR_API int gpuranmar_stream_draw(gpuranmar_stream *stream, const double **numbers, size_t n);
GPURANMAR_API int gpuranmar_stream_draw_single(gpuranmar_stream *stream, const float **numbers,
                                               size_t n);

/* Skips n numbers by jump-ahead; position + n must not exceed 2^63. */
GPURANMAR_API int gpuranmar_stream_skip(gpuranmar_stream *stream, uint64_t n);

/* Goes to a position, 0..2^63, forward or back. */
GPURANMAR_API int gpuranmar_stream_seek(gpuranmar_stream *stream, uint64_t position);

/* Numbers delivered and skipped so far (never those prefetched). */
GPURANMAR_API int gpuranmar_stream_position(const gpuranmar_stream *stream, uint64_t *position);

/* Bytes of a saved state. */
#define GPURANMAR_SAVED_STATE_SIZE 80

/* Writes the state of a stream, from which it goes on in the same or another process, on any
 * machine.
 *   saved   GPURANMAR_SAVED_STATE_SIZE bytes, printable text padded with spaces, not terminated
 *   size    of the array, at least GPURANMAR_SAVED_STATE_SIZE bytes */
GPURANMAR_API int gpuranmar_stream_save(const gpuranmar_stream *stream, char *saved, size_t size);

/* Makes an open stream go on from a saved state: with its sequence, flavour, instances and
 * position, and with several instances its prefetch, which is part of the sequence then. Everything
 * else stays. Errors: BAD_STATE, BAD_ARGUMENT, NO_MEMORY. */
GPURANMAR_API int gpuranmar_stream_restore(gpuranmar_stream *stream, const char *saved,
                                           size_t size);

/* Ends a stream; NULL is allowed. */
GPURANMAR_API void gpuranmar_stream_close(gpuranmar_stream *stream);

/* The numbered sequences, which Fortran's RMMARD and RMMAQD use too.
 *   id         1..KSEQ (GPURANMAR_SEQUENCES, 9 unless set)
 *   ij, kl     seeds, 0..31328 and 0..30081
 *   instances  1..30082
 *   prefetch   1..10^9 numbers; 0: GPURANMAR_PREFETCH, or the default
 * Errors: BAD_ARGUMENT, BAD_SETTING, NO_MEMORY. A sequence that is initialised again
 * starts anew. Flavour, back end and threads are those of the environment variables. */
GPURANMAR_API int gpuranmar_initialise(int id, int ij, int kl, int instances, int64_t prefetch);

/* Closes a numbered sequence, which is not set after that, and frees what it has. One that is not
 * set may be closed too. Errors: BAD_ARGUMENT, BAD_SETTING. */
GPURANMAR_API int gpuranmar_close(int id);

/* The next n numbers of a numbered sequence: through the cache, and past it. Errors:
 * BAD_ARGUMENT, BAD_SETTING, NOT_SET. */
GPURANMAR_API int gpuranmar_get(int id, double *out, size_t n);
GPURANMAR_API int gpuranmar_get_unbuffered(int id, double *out, size_t n);

#ifdef __cplusplus
}
#endif

#endif
