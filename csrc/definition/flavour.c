/* The table of flavours. */
#include "definition/flavour.h"

#include <string.h>

static const struct {
    const char *name;
    struct ranmar_flavour flavour;
} flavours[RANMAR_FLAVOURS] = {
#define FLAVOUR(CODE, name) [GPURANMAR_##CODE] = {#name, RANMAR_##CODE##_INIT},
#include "definition/flavours.def"
#undef FLAVOUR
};

const struct ranmar_flavour *ranmar_flavour(int code)
{
    return code >= 0 && code < RANMAR_FLAVOURS ? &flavours[code].flavour : NULL;
}

const char *ranmar_flavour_name(int code)
{
    return code >= 0 && code < RANMAR_FLAVOURS ? flavours[code].name : NULL;
}

int ranmar_flavour_code(const char *name)
{
    for (int code = 0; code < RANMAR_FLAVOURS; ++code)
        if (strcmp(name, flavours[code].name) == 0)
            return code;
    return -1;
}
