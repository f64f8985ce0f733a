/* The table of flavours. */
#include "definition/flavour.h"

#include <string.h>

static const struct {
    const char *name;
    struct ranmar_flavour flavour;
} flavours[RANMAR_FLAVOURS] = {
    [GPURANMAR_DOUBLE] = {"double", RANMAR_DOUBLE_INIT},
    [GPURANMAR_SINGLE] = {"single", RANMAR_SINGLE_INIT},
    [GPURANMAR_EXTENDED] = {"extended", RANMAR_EXTENDED_INIT},
    [GPURANMAR_KEYED] = {"keyed", RANMAR_KEYED_INIT},
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
