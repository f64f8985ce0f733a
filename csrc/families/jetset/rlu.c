/* U = RLU(IDUMMY), a REAL FUNCTION, with JETSET's COMMON /LUDATR/: see lund.h. */
#define NUMBER float
#define FLAVOUR GPURANMAR_SINGLE
#define NEXT gpuranmar_engine_next_single
#define DRAW rlu_
#define REPORT ranmar_rlu_report
#define COMMON ludatr_
#define NAME "RLU"
#define BLOCK "LUDATR"
#include "../lund.h"
