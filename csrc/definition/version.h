/* A macro's value as text, and the library's version as text. */
#ifndef RANMAR_VERSION_H
#define RANMAR_VERSION_H

#include "gpuranmar.h"

#define RANMAR_TEXT_OF(x) #x
#define RANMAR_TEXT(x) RANMAR_TEXT_OF(x)

#define RANMAR_VERSION                   \
    RANMAR_TEXT(GPURANMAR_VERSION_MAJOR) \
    "." RANMAR_TEXT(GPURANMAR_VERSION_MINOR) "." RANMAR_TEXT(GPURANMAR_VERSION_PATCH)

#endif
