/* The public calls on streams: checks, then stream.c. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "definition/error.h"
#include "definition/flavour.h"
#include "definition/ranges.h"
#include "stream/stream.h"

int gpuranmar_stream_initialise(gpuranmar_stream **stream, const gpuranmar_options *options)
{
    static const gpuranmar_options defaults = GPURANMAR_OPTIONS_INIT;
    if (!stream)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: stream is a null pointer", __func__);
    return ranmar_stream_open(stream, options ? options : &defaults, __func__);
}

static int check_stream(const char *routine, const gpuranmar_stream *s)
{
    if (!s)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: stream is a null pointer", routine);
    return GPURANMAR_OK;
}

/* n more numbers must not pass the last position. */
static int check_count(const char *routine, const gpuranmar_stream *s, uint64_t n)
{
    const uint64_t position = ranmar_stream_position(s);
    if (n > RANMAR_POSITION_MAX - position)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT,
                            "%s: n = %" PRIu64 " from position %" PRIu64 " is past 2^63", routine,
                            n, position);
    return GPURANMAR_OK;
}

/* And they must be of the stream's precision. */
static int check_request(const char *routine, const gpuranmar_stream *s, unsigned bits, size_t n)
{
    int error = check_stream(routine, s);
    if (!error)
        error = check_count(routine, s, n);
    if (!error && bits != s->flavour->bits)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: a stream of flavour %s has no %s numbers",
                            routine, ranmar_flavour_name(s->options.flavour),
                            bits == 24 ? "single" : "double");
    return error;
}

typedef void deliver_function(gpuranmar_stream *s, void *out, size_t n);

static int deliver(const char *routine, deliver_function *function, gpuranmar_stream *s,
                   unsigned bits, void *out, size_t n)
{
    const int error = check_request(routine, s, bits, n);
    if (error)
        return error;
    if (!out && n > 0)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: out is a null pointer", routine);
    function(s, out, n);
    return GPURANMAR_OK;
}

/* *drawn becomes where n numbers stand. */
static int draw(const char *routine, gpuranmar_stream *s, unsigned bits, const void *numbers,
                size_t n, const void **drawn)
{
    const int error = check_request(routine, s, bits, n);
    if (error)
        return error;
    if (!numbers)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: numbers is a null pointer", routine);
    if (n < 1 || n > (size_t)s->options.prefetch)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT,
                            "%s: n = %zu is not in 1..%" PRId64 ", the prefetch size", routine, n,
                            s->options.prefetch);
    *drawn = ranmar_stream_draw(s, n);
    return *drawn ? GPURANMAR_OK
                  : ranmar_error(GPURANMAR_NO_MEMORY, "%s: no memory for prefetch = %" PRId64,
                                 routine, s->options.prefetch);
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
    const void *drawn;
    const int error = draw(__func__, stream, 48, numbers, n, &drawn);
    if (!error)
        *numbers = drawn;
    return error;
}

int gpuranmar_stream_draw_single(gpuranmar_stream *stream, const float **numbers, size_t n)
{
    const void *drawn;
    const int error = draw(__func__, stream, 24, numbers, n, &drawn);
    if (!error)
        *numbers = drawn;
    return error;
}

int gpuranmar_stream_skip(gpuranmar_stream *stream, uint64_t n)
{
    int error = check_stream(__func__, stream);
    if (!error)
        error = check_count(__func__, stream, n);
    if (!error)
        ranmar_stream_skip(stream, n);
    return error;
}

int gpuranmar_stream_position(const gpuranmar_stream *stream, uint64_t *position)
{
    const int error = check_stream(__func__, stream);
    if (error)
        return error;
    if (!position)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: position is a null pointer", __func__);
    *position = ranmar_stream_position(stream);
    return GPURANMAR_OK;
}

/* --- Saved state: a line of text ---
 *
 * A stream is a pure function of its options and its position, so these are all there is to
 * save. The checksum is Fletcher's over the bytes before it. */

static unsigned checksum(const char *text, size_t size)
{
    unsigned a = 1, b = 0;
    for (size_t i = 0; i < size; ++i) {
        a = (a + (unsigned char)text[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

enum { CHECKSUM_SIZE = 8, CHECKED_SIZE = GPURANMAR_SAVED_STATE_SIZE - CHECKSUM_SIZE };

int gpuranmar_stream_save(const gpuranmar_stream *stream, char *saved, size_t size)
{
    const int error = check_stream(__func__, stream);
    if (error)
        return error;
    if (!saved)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: saved is a null pointer", __func__);
    if (size < GPURANMAR_SAVED_STATE_SIZE)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: size = %zu is below %d", __func__, size,
                            GPURANMAR_SAVED_STATE_SIZE);
    const gpuranmar_options *o = &stream->options;
    char line[GPURANMAR_SAVED_STATE_SIZE + 1];
    const int length =
        snprintf(line, sizeof line, "RANMAR1 %s %" PRId64 " %" PRId64 " %" PRId64 " %" PRIu64,
                 ranmar_flavour_name(o->flavour), o->seed, o->instances, o->prefetch,
                 ranmar_stream_position(stream));
    memset(line + length, ' ', (size_t)(CHECKED_SIZE - length));
    snprintf(line + CHECKED_SIZE, CHECKSUM_SIZE + 1, "%08x", checksum(line, CHECKED_SIZE));
    memcpy(saved, line, GPURANMAR_SAVED_STATE_SIZE);
    return GPURANMAR_OK;
}

int gpuranmar_stream_restore(gpuranmar_stream *stream, const char *saved, size_t size)
{
    const int error = check_stream(__func__, stream);
    if (error)
        return error;
    if (!saved)
        return ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: saved is a null pointer", __func__);
    if (size < GPURANMAR_SAVED_STATE_SIZE)
        return ranmar_error(GPURANMAR_BAD_STATE, "%s: size = %zu: truncated, %d are needed",
                            __func__, size, GPURANMAR_SAVED_STATE_SIZE);

    char line[GPURANMAR_SAVED_STATE_SIZE + 1], flavour[16];
    memcpy(line, saved, GPURANMAR_SAVED_STATE_SIZE);
    line[GPURANMAR_SAVED_STATE_SIZE] = '\0';
    gpuranmar_options o = stream->options;
    unsigned sum;
    if (sscanf(line, "RANMAR1 %15s %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNu64 " %x", flavour,
               &o.seed, &o.instances, &o.prefetch, &o.position, &sum) != 6 ||
        sum != checksum(line, CHECKED_SIZE) || (o.flavour = ranmar_flavour_code(flavour)) < 0)
        return ranmar_error(GPURANMAR_BAD_STATE,
                            "%s: saved state '%.20s...' is damaged or of another version", __func__,
                            line);
    gpuranmar_stream *restored;
    const int failed = ranmar_stream_open(&restored, &o, __func__);
    if (failed)
        return failed;
    const gpuranmar_stream old = *stream;
    *stream = *restored;
    *restored = old;
    gpuranmar_stream_close(restored);
    return GPURANMAR_OK;
}
