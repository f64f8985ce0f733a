/* libgpuranmar: the RANMAR random number sequence, bit for bit as published, on any hardware.
 *
 * A stream is a sequence as a program uses it: a seed, a position, and a buffer that serves small
 * requests. The numbers are those of Marsaglia, Zaman, Tsang, Stat. Prob. Lett. 9 (1990) 35
 * and James, Comput. Phys. Commun. 60 (1990) 329, as CORSIKA's RMMARD draws them, whatever back end
 * makes them. CERNLIB's RM48, and its RANMAR in the flavour SINGLE, differ only in exact zeros.
 *
 * Functions that return int return GPURANMAR_OK or another value of enum gpuranmar_error. After an
 * error nothing has changed, and gpuranmar_last_error() has a line that names the function, the
 * argument and its value. No function ends the program, except at the first wrong number if
 * GPURANMAR_VERIFY is set.
 *
 * Threads: separate threads may use separate streams, and separate numbered sequences. Two threads
 * must not use one stream, or one numbered sequence, at the same time. Large requests, of 524288
 * numbers or more, are shared among threads, which the library starts when it needs them and keeps
 * until it is unloaded. If no thread can be started, the same numbers take longer. Do not use
 * pthread_cancel() on a thread that may be drawing.
 *
 * After fork() parent and child each go on with the same numbers, and share large requests among
 * threads of their own. If the parent has used a GPU, the CPU makes the child's numbers, since a
 * GPU's driver does not survive a fork. The child must not use numbers that gpuranmar_stream_draw()
 * returned from a GPU before the fork, because the parent's GPU may overwrite them. A child of
 * _Fork() or clone() must neither draw nor call exit(), because _Fork() and clone() bypass the
 * handlers of fork().
 */
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
    GPURANMAR_BAD_STATE,    /* a state that is damaged, foreign, or of another version */
    GPURANMAR_NOT_SET,      /* a numbered sequence used before it was initialised */
    GPURANMAR_NO_MEMORY,
    GPURANMAR_NO_BACKEND,   /* a GPU cannot be used; only the CUDA and OpenCL calls return this */
    GPURANMAR_TWO_LIBRARIES /* the program has a second library with numbered sequences */
};

/* What an error code means, in a few words. */
GPURANMAR_API const char *gpuranmar_strerror(int error);

/* One line that describes the last error of the calling thread; "" before the first. */
GPURANMAR_API const char *gpuranmar_last_error(void);

/* Which numbers a stream has. DOUBLE is the default: no other flavour is used unless it is asked
 * for. */
enum gpuranmar_flavour {
    GPURANMAR_DOUBLE,   /* the original in double precision: multiples of 2^-48 in (0,1) */
    GPURANMAR_SINGLE,   /* the original in single precision: multiples of 2^-24 in (0,1) */
    GPURANMAR_EXTENDED, /* double precision with a 48-bit arithmetic sequence, modulo 2^48 - 59 */
    GPURANMAR_KEYED     /* 48 bits, from a 64-bit key: every eighth word, XORed with a mask */
};

/* Who makes the numbers. The numbers themselves are the same. If a GPU is missing or fails, the CPU
 * goes on, after a line on standard error. */
enum gpuranmar_backend { GPURANMAR_CPU, GPURANMAR_CUDA, GPURANMAR_OPENCL };

/* What a stream is made of. Start from GPURANMAR_OPTIONS_INIT and change what you need.
 *
 * With more than one instance the stream is made of blocks of `prefetch` numbers. Instances count
 * from 0. The seed of instance p has kl + p (modulo 30082) in place of kl; in the flavour KEYED its
 * sequence starts from a hash of the key and p. A block has a part for each instance, in their
 * order. The first (prefetch mod instances) parts have one number more than the others.
 *
 * Later versions, which may add options at the end, recognise this version's programs by `size`. */
typedef struct gpuranmar_options {
    size_t size;  /* sizeof(gpuranmar_options) as the program was compiled */
    int64_t seed; /* IJKL = 30082*ij + kl, ij 0..31328, kl 0..30081; in the flavour KEYED any 64-bit
                     key, as (int64_t)key */
    uint64_t position; /* numbers to skip first, 0..2^63; takes 0.3 ms or less for an instance */
    int flavour;       /* enum gpuranmar_flavour */
    int backend;       /* enum gpuranmar_backend */
    int64_t instances; /* sequences of different seeds interleaved, 1..30082 (docs/seeds.md) */
    int64_t prefetch;  /* numbers in a block of instances; also how many a GPU makes ahead at least,
                          and the CPU (up to 1024) at most, 1..10^9; 0: the default, 1024, or 2^20
                          where backend is a GPU and there is one instance */
    int threads;       /* for large requests, 1..1024; 0: as many as OpenMP would take */
    int reserved;      /* must be 0 */
} gpuranmar_options;

/* clang-format off */
#define GPURANMAR_OPTIONS_INIT \
    {sizeof(gpuranmar_options), 54217137, 0, GPURANMAR_DOUBLE, GPURANMAR_CPU, 1, 0, 0, 0}
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

/* Reports the options of a stream, with defaults filled in, and its present position.
 *   options  options->size must be set, as by GPURANMAR_OPTIONS_INIT; untouched on error
 * Errors: BAD_ARGUMENT. */
GPURANMAR_API int gpuranmar_stream_options(const gpuranmar_stream *stream,
                                           gpuranmar_options *options);

/* The next n numbers, through the buffer unless n is large: for small requests. Streams of flavour
 * SINGLE have floats, all others doubles.
 * Errors: BAD_ARGUMENT (a null pointer, the wrong precision, past position 2^63). */
GPURANMAR_API int gpuranmar_stream_get(gpuranmar_stream *stream, double *out, size_t n);
GPURANMAR_API int gpuranmar_stream_get_single(gpuranmar_stream *stream, float *out, size_t n);

/* The next n numbers, past the buffer, straight into the caller's array: for large requests.
 * Numbers that the buffer still holds come first. Errors as above. */
GPURANMAR_API int gpuranmar_stream_fill(gpuranmar_stream *stream, double *out, size_t n);
GPURANMAR_API int gpuranmar_stream_fill_single(gpuranmar_stream *stream, float *out, size_t n);

/* The next n numbers, in place; they are copied only if they reach across the end of the buffer.
 *   numbers  set to their address, valid until the next call on the stream; untouched on error
 *   n        1..10^9; an n above 1024, or above a smaller prefetch, takes memory for n numbers
 * Errors: BAD_ARGUMENT as above, and NO_MEMORY. */
GPURANMAR_API int gpuranmar_stream_draw(gpuranmar_stream *stream, const double **numbers, size_t n);
GPURANMAR_API int gpuranmar_stream_draw_single(gpuranmar_stream *stream, const float **numbers,
                                               size_t n);

/* Skips n numbers by jump-ahead; position + n must not exceed 2^63. Errors: BAD_ARGUMENT. */
GPURANMAR_API int gpuranmar_stream_skip(gpuranmar_stream *stream, uint64_t n);

/* Goes to a position, 0..2^63, forward or back. Errors: BAD_ARGUMENT. */
GPURANMAR_API int gpuranmar_stream_seek(gpuranmar_stream *stream, uint64_t position);

/* Sets *position to the position of the next number to be delivered, whatever the buffer holds
 * ahead. Errors: BAD_ARGUMENT. */
GPURANMAR_API int gpuranmar_stream_position(const gpuranmar_stream *stream, uint64_t *position);

/* Bytes of a saved state. */
#define GPURANMAR_SAVED_STATE_SIZE 80

/* Writes the state of a stream, from which a stream in any process on any machine can go on.
 *   saved   GPURANMAR_SAVED_STATE_SIZE bytes, printable text padded with spaces, not terminated
 *   size    of the array, at least GPURANMAR_SAVED_STATE_SIZE bytes
 * Errors: BAD_ARGUMENT. */
GPURANMAR_API int gpuranmar_stream_save(const gpuranmar_stream *stream, char *saved, size_t size);

/* Makes an open stream go on from a saved state. The state gives seed, flavour, instances and
 * position. It also gives the prefetch size if there are several instances, because the sequence
 * then depends on this size. All other options stay. Errors: BAD_STATE (also if size is below
 * GPURANMAR_SAVED_STATE_SIZE), BAD_ARGUMENT, NO_MEMORY. */
GPURANMAR_API int gpuranmar_stream_restore(gpuranmar_stream *stream, const char *saved,
                                           size_t size);

/* Ends a stream; NULL is allowed. */
GPURANMAR_API void gpuranmar_stream_close(gpuranmar_stream *stream);

/* Starts a numbered sequence, or starts it anew. RMMARD and RMMAQD draw from the same sequences.
 * Environment variables give its flavour, back end and threads, and its least start position.
 *   id         1..KSEQ (GPURANMAR_SEQUENCES, 9 unless set)
 *   ij, kl     seeds, 0..31328 and 0..30081
 *   instances  1..30082
 *   prefetch   1..10^9 numbers; 0: GPURANMAR_PREFETCH, or the default
 * Errors: BAD_ARGUMENT, BAD_SETTING, NO_MEMORY, TWO_LIBRARIES. */
GPURANMAR_API int gpuranmar_initialise(int id, int ij, int kl, int instances, int64_t prefetch);

/* Closes a numbered sequence and frees its memory. A sequence that is not set may be closed too.
 * Errors: BAD_ARGUMENT, BAD_SETTING. */
GPURANMAR_API int gpuranmar_close(int id);

/* The next n numbers of a numbered sequence. gpuranmar_get takes them through the buffer and
 * gpuranmar_get_unbuffered past it, as with streams. Errors: BAD_ARGUMENT, BAD_SETTING, NOT_SET,
 * and BAD_STATE if something has written over the sequence's place in COMMON /GRNCOM/. */
GPURANMAR_API int gpuranmar_get(int id, double *out, size_t n);
GPURANMAR_API int gpuranmar_get_unbuffered(int id, double *out, size_t n);

#ifdef __cplusplus
}
#endif

#endif
