/* PHORIN and PHORAN of PHOTOS where PHORAN is a DOUBLE PRECISION FUNCTION: phoran.h. */
#define NUMBER double
#include "../phoran.h"
