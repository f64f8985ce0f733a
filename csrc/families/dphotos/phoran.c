/* PHORIN and PHORAN of PHOTOS, where PHORAN is a DOUBLE PRECISION FUNCTION: see phoran.h. */
#define NUMBER double
#include "../phoran.h"
