/* The table of flavours. */
#include "definition/flavour.h"

#include <string.h>

static const struct ranmar_flavour flavours[] = {
#define FLAVOUR(CODE, name) [GPURANMAR_##CODE] = RANMAR_##CODE##_INIT,
#include "definition/flavours.def"
#undef FLAVOUR
};

const char *const ranmar_flavour_names[] = {
#define FLAVOUR(CODE, name) [GPURANMAR_##CODE] = #name,
#include "definition/flavours.def"
#undef FLAVOUR
    [RANMAR_FLAVOURS] = NULL};

const struct ranmar_flavour *ranmar_flavour(int code)
{
    return code >= 0 && code < RANMAR_FLAVOURS ? &flavours[code] : NULL;
}

const char *ranmar_flavour_name(int code)
{
    return code >= 0 && code < RANMAR_FLAVOURS ? ranmar_flavour_names[code] : NULL;
}

int ranmar_flavour_code(const char *name)
{
    for (int code = 0; code < RANMAR_FLAVOURS; ++code)
        if (strcmp(name, ranmar_flavour_names[code]) == 0)
            return code;
    return -1;
}
