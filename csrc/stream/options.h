/* Checks of the options of a stream. All calls return GPURANMAR_OK or GPURANMAR_BAD_ARGUMENT;
 * errors name `routine`. */
#ifndef RANMAR_OPTIONS_H
#define RANMAR_OPTIONS_H

#include "gpuranmar.h"
#include "gpuranmar_definition.h"

/* Refuses options of a program that was compiled with the header of another version. */
int ranmar_check_size(const char *routine, const gpuranmar_options *options);

/* Refuses another size and what is out of range. */
int ranmar_check_options(const gpuranmar_options *options, const char *routine);

/* Returns GPURANMAR_BAD_ARGUMENT unless a sequence of the flavour can have that seed. */
int ranmar_check_seed(const char *routine, const struct ranmar_flavour *f, int64_t seed);

#endif
