/* Converts the options of a stream between versions of the library, and checks their ranges. All
 * calls return GPURANMAR_OK or GPURANMAR_BAD_ARGUMENT; errors name `routine`. */
#ifndef RANMAR_OPTIONS_H
#define RANMAR_OPTIONS_H

#include "gpuranmar.h"
#include "gpuranmar_definition.h"

/* Makes options of this version from those of a program that was compiled with this header or a
 * newer one. NULL stands for GPURANMAR_OPTIONS_INIT. Refuses a size that no version has, and an
 * option of a newer version that is set. */
int ranmar_complete_options(gpuranmar_options *options, const gpuranmar_options *given,
                            const char *routine);

/* The other way round: writes the options as the program's version has them, whose size is in
 * given->size. Options of a newer version become zero. */
int ranmar_options_for_caller(gpuranmar_options *given, const gpuranmar_options *options,
                              const char *routine);

/* Refuses what is out of range. */
int ranmar_check_options(const gpuranmar_options *options, const char *routine);

/* Returns GPURANMAR_BAD_ARGUMENT unless a sequence of the flavour can have that seed. */
int ranmar_check_seed(const char *routine, const struct ranmar_flavour *f, int64_t seed);

#endif
