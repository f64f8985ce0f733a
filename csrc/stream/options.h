/* The options of a stream: of any version of the library, complete, in range. */
#ifndef RANMAR_OPTIONS_H
#define RANMAR_OPTIONS_H

#include "gpuranmar.h"

/* Makes options of this version from those of a program that was compiled with an older or newer
 * header; NULL stands for GPURANMAR_OPTIONS_INIT. Refuses a size that no version has, and a newer
 * option that is set. Errors bear the name of `routine`. */
int ranmar_complete_options(gpuranmar_options *options, const gpuranmar_options *given,
                            const char *routine);

/* The other way round: writes as many of the options as the program's version has, which is in
 * given->size, and zeros to what is newer than this one. */
int ranmar_report_options(gpuranmar_options *given, const gpuranmar_options *options,
                          const char *routine);

/* Refuses what is out of range. */
int ranmar_check_options(const gpuranmar_options *options, const char *routine);

#endif
