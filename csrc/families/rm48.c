/* CERNLIB's RM48, RM48IN and RM48UT: RANMAR with counters (ranmar_rmarut.c) in double precision.
 * RM48IN skips N2*10^9 + N1 numbers, as CERNLIB describes it; CERNLIB's own code skips (N2+1)*N1 if
 * N2 is positive. */
#undef FAMILY_cernlib
#define FAMILY_rm48
#undef DRAW
#define DRAW rm48_
#undef DRAW_NAME
#define DRAW_NAME RM48
#undef START
#define START rm48in_
#undef START_NAME
#define START_NAME RM48IN
#undef STATUS
#define STATUS rm48ut_
#undef NUMBER
#define NUMBER double
#undef FLAVOUR
#define FLAVOUR GPURANMAR_DOUBLE
#undef ZERO
#define ZERO GPURANMAR_ZERO_HALF
#include "ranmar_rmarut.c"
