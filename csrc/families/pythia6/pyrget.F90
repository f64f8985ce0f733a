! PYRGET(LFN,MOVE) and PYRSET(LFN,MOVE), which keep PYTHIA 6's state in a file: see lund_file.inc.
#define MODULE ranmar_pyr
#define GET pyrget
#define SET pyrset
#define DRAW 'PYR'
#define BLOCK pydatr
#define NUMBER c_double
#define REPORT 'ranmar_pyr_report'
#include "../lund_file.inc"
