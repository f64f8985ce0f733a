/* The flavours by number and name, for the host code. */
#ifndef RANMAR_FLAVOUR_H
#define RANMAR_FLAVOUR_H

#include "gpuranmar.h"
#include "gpuranmar_definition.h"

/* The flavour with a number of enum gpuranmar_flavour, or NULL. */
const struct ranmar_flavour *ranmar_flavour(int number);

/* Its name ("double", "single", "extended", "decimated"), or NULL. */
const char *ranmar_flavour_name(int number);

/* The number of the flavour with that name, or -1. */
int ranmar_flavour_number(const char *name);

#endif
