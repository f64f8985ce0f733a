/* U = PYR(IDUMMY), a DOUBLE PRECISION FUNCTION, of pythia6's COMMON /PYDATR/: ../lund.h. */
#define NUMBER double
#define FLAVOUR GPURANMAR_DOUBLE
#define NEXT gpuranmar_engine_next
#define DRAW pyr_
#define REPORT ranmar_pyr_report
#define COMMON pydatr_
#define NAME "PYR"
#define BLOCK "PYDATR"
#include "../lund.h"
