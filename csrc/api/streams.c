/* The public calls on streams and on the library as a whole: the calls check their arguments, and
 * stream/stream.c does the work. */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/ranges.h"
#include "definition/flavour.h"
#include "settings/library_path.h"
#include "stream/saved_state.h"
#include "stream/stream.h"

/* --- The library --- */

const char *gpuranmar_strerror(int error)
{
    static const char *const words[] = {[GPURANMAR_OK] = "success",
                                        [GPURANMAR_BAD_ARGUMENT] = "bad argument",
                                        [GPURANMAR_BAD_SETTING] = "bad environment variable",
                                        [GPURANMAR_BAD_STATE] = "bad state",
                                        [GPURANMAR_NOT_SET] = "sequence not initialised",
                                        [GPURANMAR_NO_MEMORY] = "out of memory",
                                        [GPURANMAR_NO_BACKEND] = "back end not available",
                                        [GPURANMAR_TWO_LIBRARIES] =
                                            "two libraries with numbered sequences in one program"};
    return error >= 0 && error < (int)(sizeof words / sizeof *words) ? words[error]
                                                                     : "unknown error";
}

const char *gpuranmar_version(void)
{
    return RANMAR_VERSION;
}

/* --- Checks --- */

static int check_pointer(const char *routine, const char *argument, const void *pointer)
{
    if (!pointer)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: %s is a null pointer", routine, argument);
    return GPURANMAR_OK;
}

static int check_stream(const char *routine, const gpuranmar_stream *s)
{
    return check_pointer(routine, "stream", s);
}

static int check_stream_and(const char *routine, const gpuranmar_stream *s, const char *argument,
                            const void *pointer)
{
    const int error = check_stream(routine, s);
    return error ? error : check_pointer(routine, argument, pointer);
}

/* Returns an error unless the stream is there and n more numbers end at the last position or
 * before. */
static int check_count(const char *routine, const gpuranmar_stream *s, uint64_t n)
{
    const int error = check_stream(routine, s);
    return error ? error : ranmar_check_count(routine, ranmar_stream_position(s), n);
}

/* The same, and an error unless the stream's words have that many bits. */
static int check_request(const char *routine, const gpuranmar_stream *s, unsigned bits, size_t n)
{
    const int error = check_count(routine, s, n);
    if (!error && bits != s->flavour->bits)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: a stream of flavour %s has no %s numbers",
                            routine, ranmar_flavour_name(s->options.flavour),
                            bits == 24 ? "single" : "double");
    return error;
}

/* --- Opening and closing --- */

int gpuranmar_stream_initialise(gpuranmar_stream **stream, const gpuranmar_options *options)
{
    const gpuranmar_options usual = GPURANMAR_OPTIONS_INIT;
    const int error = check_pointer(__func__, "stream", stream);
    return error ? error : ranmar_stream_open(stream, options ? options : &usual, NULL, __func__);
}

/* The options with which another stream would go on from where this one is. */
static gpuranmar_options options_now(const gpuranmar_stream *s)
{
    gpuranmar_options options = s->options;
    options.position = ranmar_stream_position(s);
    return options;
}

int gpuranmar_stream_copy(gpuranmar_stream **copy, const gpuranmar_stream *stream)
{
    int error = check_pointer(__func__, "copy", copy);
    if (!error)
        error = check_stream(__func__, stream);
    if (error)
        return error;
    const gpuranmar_options options = options_now(stream);
    return ranmar_stream_open(copy, &options, stream, __func__);
}

int gpuranmar_stream_options(const gpuranmar_stream *stream, gpuranmar_options *options)
{
    int error = check_stream_and(__func__, stream, "options", options);
    if (!error)
        error = ranmar_check_size(__func__, options);
    if (!error)
        *options = options_now(stream);
    return error;
}

void gpuranmar_stream_close(gpuranmar_stream *stream)
{
    ranmar_stream_close(stream);
}

/* --- Drawing --- */

typedef void deliver_function(gpuranmar_stream *s, void *out, size_t n);

static int deliver(const char *routine, deliver_function *function, gpuranmar_stream *s,
                   unsigned bits, void *out, size_t n)
{
    int error = check_request(routine, s, bits, n);
    if (!error && n > 0)
        error = check_pointer(routine, "out", out);
    if (error)
        return error;
    function(s, out, n);
    return GPURANMAR_OK;
}

/* Sets *numbers, a pointer to double or float, to the address of the next n numbers. */
static int check_and_draw(const char *routine, gpuranmar_stream *s, unsigned bits, void *numbers,
                          size_t n)
{
    int error = check_request(routine, s, bits, n);
    if (!error)
        error = check_pointer(routine, "numbers", numbers);
    if (error)
        return error;
    if (n < 1 || n > (size_t)RANMAR_PREFETCH_MAX)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: n = %zu is not in 1..%" PRId64, routine, n,
                            RANMAR_PREFETCH_MAX);
    const void *const drawn = ranmar_stream_draw(s, n);
    if (!drawn)
        return ranmar_error(GPURANMAR_NO_MEMORY, "%s: no memory for n = %zu, prefetch = %" PRId64,
                            routine, n, s->options.prefetch);
    memcpy(numbers, &drawn, sizeof drawn);
    return GPURANMAR_OK;
}

int gpuranmar_stream_get(gpuranmar_stream *stream, double *out, size_t n)
{
    return deliver(__func__, ranmar_stream_get, stream, 48, out, n);
}

int gpuranmar_stream_get_single(gpuranmar_stream *stream, float *out, size_t n)
{
    return deliver(__func__, ranmar_stream_get, stream, 24, out, n);
}

int gpuranmar_stream_fill(gpuranmar_stream *stream, double *out, size_t n)
{
    return deliver(__func__, ranmar_stream_fill, stream, 48, out, n);
}

int gpuranmar_stream_fill_single(gpuranmar_stream *stream, float *out, size_t n)
{
    return deliver(__func__, ranmar_stream_fill, stream, 24, out, n);
}

int gpuranmar_stream_draw(gpuranmar_stream *stream, const double **numbers, size_t n)
{
    return check_and_draw(__func__, stream, 48, numbers, n);
}

int gpuranmar_stream_draw_single(gpuranmar_stream *stream, const float **numbers, size_t n)
{
    return check_and_draw(__func__, stream, 24, numbers, n);
}

/* --- Moving --- */

int gpuranmar_stream_skip(gpuranmar_stream *stream, uint64_t n)
{
    const int error = check_count(__func__, stream, n);
    if (!error)
        ranmar_stream_seek(stream, ranmar_stream_position(stream) + n);
    return error;
}

int gpuranmar_stream_seek(gpuranmar_stream *stream, uint64_t position)
{
    int error = check_stream(__func__, stream);
    if (!error)
        error = ranmar_check_position(__func__, "position", position);
    if (!error)
        ranmar_stream_seek(stream, position);
    return error;
}

int gpuranmar_stream_position(const gpuranmar_stream *stream, uint64_t *position)
{
    const int error = check_stream_and(__func__, stream, "position", position);
    if (!error)
        *position = ranmar_stream_position(stream);
    return error;
}

/* --- Saving --- */

int gpuranmar_stream_save(const gpuranmar_stream *stream, char *saved, size_t size)
{
    const int error = check_stream_and(__func__, stream, "saved", saved);
    if (error)
        return error;
    if (size < GPURANMAR_SAVED_STATE_SIZE)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: size = %zu is below %d", __func__, size,
                            GPURANMAR_SAVED_STATE_SIZE);
    const gpuranmar_options options = options_now(stream);
    ranmar_write_state(saved, &options);
    return GPURANMAR_OK;
}

/* With one instance the prefetch does not change the numbers, so the stream keeps its own. */
int gpuranmar_stream_restore(gpuranmar_stream *stream, const char *saved, size_t size)
{
    int error = check_stream_and(__func__, stream, "saved", saved);
    if (error)
        return error;
    if (size < GPURANMAR_SAVED_STATE_SIZE)
        return ranmar_error(GPURANMAR_BAD_STATE, "%s: size = %zu: a saved state has %d bytes",
                            __func__, size, GPURANMAR_SAVED_STATE_SIZE);
    gpuranmar_options options = stream->options;
    if (!ranmar_read_state(saved, &options))
        return ranmar_error(GPURANMAR_BAD_STATE,
                            "%s: saved state '%.20s...' is damaged or of another version", __func__,
                            saved);
    if (options.instances == 1)
        options.prefetch = stream->options.prefetch;
    gpuranmar_stream *restored;
    error = ranmar_stream_open(&restored, &options, stream, __func__);
    if (!error)
        ranmar_stream_replace(stream, restored);
    return error;
}
