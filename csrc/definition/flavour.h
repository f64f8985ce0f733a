/* The flavours, by code and by name: the one table of them that all host code uses. */
#ifndef RANMAR_FLAVOUR_H
#define RANMAR_FLAVOUR_H

#include <stddef.h>

#include "gpuranmar.h"
#include "gpuranmar_definition.h"

/* Codes run from 0 to RANMAR_FLAVOURS - 1. */
enum {
    RANMAR_FLAVOURS = 0
#define FLAVOUR(CODE, name) +1
#include "definition/flavours.def"
#undef FLAVOUR
};

/* The flavour with a code of enum gpuranmar_flavour, or NULL. */
const struct ranmar_flavour *ranmar_flavour(int code);

/* The names of the flavours as users write them, by code, and then NULL. */
extern const char *const ranmar_flavour_names[];

/* The name of a flavour, or NULL. */
const char *ranmar_flavour_name(int code);

/* The code of the flavour with that name, or -1. */
int ranmar_flavour_code(const char *name);

/* Bytes of one number of a flavour: a float where words have 24 bits, a double otherwise. */
static inline size_t ranmar_number_size(const struct ranmar_flavour *f)
{
    return f->bits == 24 ? sizeof(float) : sizeof(double);
}

#endif
