/* PHORIN and PHORAN of PHOTOS where PHORAN is a REAL FUNCTION: phoran.h. */
#define NUMBER float
#include "../phoran.h"
