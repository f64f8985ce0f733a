#include "definition/flavour.h"

#include <string.h>

static const struct {
    const char *name;
    struct ranmar_flavour flavour;
} flavours[] = {
    [GPURANMAR_DOUBLE] = {"double", RANMAR_DOUBLE_INIT},
    [GPURANMAR_SINGLE] = {"single", RANMAR_SINGLE_INIT},
    [GPURANMAR_EXTENDED] = {"extended", RANMAR_EXTENDED_INIT},
    [GPURANMAR_DECIMATED] = {"decimated", RANMAR_DECIMATED_INIT},
};

enum { FLAVOURS = sizeof flavours / sizeof *flavours };

const struct ranmar_flavour *ranmar_flavour(int number)
{
    return number >= 0 && number < FLAVOURS ? &flavours[number].flavour : NULL;
}

const char *ranmar_flavour_name(int number)
{
    return number >= 0 && number < FLAVOURS ? flavours[number].name : NULL;
}

int ranmar_flavour_number(const char *name)
{
    for (int i = 0; i < FLAVOURS; ++i)
        if (strcmp(name, flavours[i].name) == 0)
            return i;
    return -1;
}
