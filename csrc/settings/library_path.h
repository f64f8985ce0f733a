/* Which library serves a program: its version and its path. */
#ifndef RANMAR_LIBRARY_PATH_H
#define RANMAR_LIBRARY_PATH_H

#include "gpuranmar.h"

/* The version as text. */
#define RANMAR_TEXT_OF(x) #x
#define RANMAR_TEXT(x) RANMAR_TEXT_OF(x)
#define RANMAR_VERSION                   \
    RANMAR_TEXT(GPURANMAR_VERSION_MAJOR) \
    "." RANMAR_TEXT(GPURANMAR_VERSION_MINOR) "." RANMAR_TEXT(GPURANMAR_VERSION_PATCH)

/* The file that the library was loaded from: a shared library, or the program that it is linked
 * into. The name is absolute; it is "" where /proc is not mounted. */
const char *ranmar_library_path(void);

#endif
