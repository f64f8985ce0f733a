/* Writes and reads saved states. */
#include "stream/saved_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "definition/flavour.h"

/* CRC-32 (RFC 1952): it differs for any two texts that differ within four bytes in a row. */
static uint32_t crc32(const char *text, size_t size)
{
    uint32_t crc = ~UINT32_C(0);
    for (size_t i = 0; i < size; ++i) {
        crc ^= (unsigned char)text[i];
        for (int bit = 0; bit < 8; ++bit)
            crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
    }
    return ~crc;
}

enum { CHECKSUM_SIZE = 8, CHECKED_SIZE = GPURANMAR_SAVED_STATE_SIZE - CHECKSUM_SIZE };

void ranmar_write_checksum(char saved[GPURANMAR_SAVED_STATE_SIZE])
{
    char digits[CHECKSUM_SIZE + 1];
    snprintf(digits, sizeof digits, "%08" PRIx32, crc32(saved, CHECKED_SIZE));
    memcpy(saved + CHECKED_SIZE, digits, CHECKSUM_SIZE);
}

void ranmar_write_state(char saved[GPURANMAR_SAVED_STATE_SIZE], const gpuranmar_options *o)
{
    char line[GPURANMAR_SAVED_STATE_SIZE + 1];
    memset(line, ' ', sizeof line);
    snprintf(line, sizeof line, "RANMAR2 %s %" PRIu64 " %" PRId64 " %" PRId64 " %" PRIu64,
             ranmar_flavour_name(o->flavour), (uint64_t)o->seed, o->instances, o->prefetch,
             o->position);
    line[strlen(line)] = ' ';
    memcpy(saved, line, CHECKED_SIZE);
    ranmar_write_checksum(saved);
}

/* Writes again what it has read: a text that differs, though it means the same, is refused. */
int ranmar_read_state(const char saved[GPURANMAR_SAVED_STATE_SIZE], gpuranmar_options *o)
{
    char line[GPURANMAR_SAVED_STATE_SIZE + 1], again[GPURANMAR_SAVED_STATE_SIZE], flavour[16];
    gpuranmar_options read = *o;
    uint64_t seed;
    memcpy(line, saved, GPURANMAR_SAVED_STATE_SIZE);
    line[GPURANMAR_SAVED_STATE_SIZE] = '\0';
    if (sscanf(line, "RANMAR2 %15s %" SCNu64 " %" SCNd64 " %" SCNd64 " %" SCNu64, flavour, &seed,
               &read.instances, &read.prefetch, &read.position) != 5 ||
        (read.flavour = ranmar_flavour_code(flavour)) < 0)
        return 0;
    read.seed = (int64_t)seed;
    ranmar_write_state(again, &read);
    if (memcmp(saved, again, sizeof again) != 0)
        return 0;
    *o = read;
    return 1;
}
