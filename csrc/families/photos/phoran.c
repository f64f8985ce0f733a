/* PHORIN and PHORAN of PHOTOS, where PHORAN is a REAL FUNCTION: see phoran.h. */
#define NUMBER float
#include "../phoran.h"
