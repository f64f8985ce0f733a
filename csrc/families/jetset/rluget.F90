! RLUGET(LFN,MOVE) and RLUSET(LFN,MOVE), which keep JETSET's state in a file: see lund_file.inc.
#define MODULE ranmar_rlu
#define GET rluget
#define SET rluset
#define DRAW 'RLU'
#define BLOCK ludatr
#define NUMBER c_float
#define REPORT 'ranmar_rlu_report'
#include "../lund_file.inc"
