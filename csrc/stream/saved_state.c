/* Writes and reads saved states. */
#include "stream/saved_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "definition/flavour.h"

/* Adler-32 (RFC 1950) of the bytes before it. */
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

void ranmar_write_state(char saved[GPURANMAR_SAVED_STATE_SIZE], const gpuranmar_options *o)
{
    char line[GPURANMAR_SAVED_STATE_SIZE + 1];
    const int length =
        snprintf(line, sizeof line, "RANMAR1 %s %" PRId64 " %" PRId64 " %" PRId64 " %" PRIu64,
                 ranmar_flavour_name(o->flavour), o->seed, o->instances, o->prefetch, o->position);
    memset(line + length, ' ', (size_t)(CHECKED_SIZE - length));
    snprintf(line + CHECKED_SIZE, CHECKSUM_SIZE + 1, "%08x", checksum(line, CHECKED_SIZE));
    memcpy(saved, line, GPURANMAR_SAVED_STATE_SIZE);
}

int ranmar_read_state(const char saved[GPURANMAR_SAVED_STATE_SIZE], gpuranmar_options *o)
{
    char line[GPURANMAR_SAVED_STATE_SIZE + 1], flavour[16];
    memcpy(line, saved, GPURANMAR_SAVED_STATE_SIZE);
    line[GPURANMAR_SAVED_STATE_SIZE] = '\0';
    unsigned sum;
    return sscanf(line, "RANMAR1 %15s %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNu64 " %x", flavour,
                  &o->seed, &o->instances, &o->prefetch, &o->position, &sum) == 6 &&
           sum == checksum(line, CHECKED_SIZE) && (o->flavour = ranmar_flavour_code(flavour)) >= 0;
}
