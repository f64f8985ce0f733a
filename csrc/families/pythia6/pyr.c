/* U = PYR(IDUMMY), a DOUBLE PRECISION FUNCTION, with PYTHIA 6's COMMON /PYDATR/: see lund.h. */
#define NUMBER double
#define FLAVOUR GPURANMAR_DOUBLE
#define NEXT gpuranmar_engine_next
#define DRAW pyr_
#define REPORT ranmar_pyr_report
#define COMMON pydatr_
#define NAME "PYR"
#define BLOCK "PYDATR"
#include "../lund.h"
