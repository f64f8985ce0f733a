/* gpuranmar_stream_restore on any text. A text that it accepts it must write again in the same
 * words. A text that it refuses leaves the stream where it was. If the
 * first byte is odd the checksum is made right, so that the text behind it is read. */
#include "stream/saved_state.h"
#include "fuzz.h"
#include "gpuranmar.h"

enum { SIZE = GPURANMAR_SAVED_STATE_SIZE };

static uint64_t position(const gpuranmar_stream *s)
{
    uint64_t at;
    REQUIRE(gpuranmar_stream_position(s, &at) == GPURANMAR_OK);
    return at;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    /* The exact size lets a sanitizer see what is read beyond it. */
    const size_t given = size - 1;
    char *const text = malloc(given);
    memcpy(text, data + 1, given);
    if (data[0] & 1 && given >= SIZE)
        ranmar_write_checksum(text);

    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    options.backend = GPURANMAR_CPU;
    options.threads = 1;
    options.position = 77;
    gpuranmar_stream *s, *other;
    REQUIRE(gpuranmar_stream_initialise(&s, &options) == GPURANMAR_OK);
    if (gpuranmar_stream_restore(s, text, given) != GPURANMAR_OK) {
        REQUIRE(*gpuranmar_last_error() && !strchr(gpuranmar_last_error(), '\n'));
        REQUIRE(position(s) == 77);
    } else {
        char again[SIZE], third[SIZE];
        REQUIRE(gpuranmar_stream_save(s, again, SIZE) == GPURANMAR_OK);
        REQUIRE(gpuranmar_stream_initialise(&other, &options) == GPURANMAR_OK);
        REQUIRE(gpuranmar_stream_restore(other, again, SIZE) == GPURANMAR_OK);
        REQUIRE(position(s) == position(other));
        REQUIRE(gpuranmar_stream_save(other, third, SIZE) == GPURANMAR_OK);
        REQUIRE(memcmp(again, third, SIZE) == 0);
        gpuranmar_stream_close(other);
    }
    gpuranmar_stream_close(s);
    free(text);
    return 0;
}
