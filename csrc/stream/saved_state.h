/* Saved states are a line of text. A stream is a pure function of its options and its position, so
 * nothing else has to be saved. */
#ifndef RANMAR_SAVED_STATE_H
#define RANMAR_SAVED_STATE_H

#include "gpuranmar.h"

/* Writes flavour, seed, instances, prefetch and position. */
void ranmar_write_state(char saved[GPURANMAR_SAVED_STATE_SIZE], const gpuranmar_options *options);

/* Sets these fields of *options. Returns 0, and sets nothing, unless the text is byte for byte
 * what ranmar_write_state writes for them. */
int ranmar_read_state(const char saved[GPURANMAR_SAVED_STATE_SIZE], gpuranmar_options *options);

/* Makes the last eight bytes of a text the checksum of the others; for tests too. */
void ranmar_write_checksum(char saved[GPURANMAR_SAVED_STATE_SIZE]);

#endif
