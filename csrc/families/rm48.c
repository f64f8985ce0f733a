/* CERNLIB's RM48(VEC,LEN), RM48IN(I1,N1,N2) and RM48UT(I1,N1,N2): the same as RANMAR with counters
 * in counted.c, in double precision. RM48IN skips N2*10^9 + N1 numbers, negative ones count as 0,
 * and writes lines to unit 6 as RM48's own start does.
 *
 * CERNLIB's own code skips (N2+1)*N1 numbers when N2 is positive, which is not what its description
 * says. A program that needs so many skipped calls RM48IN(I1,0,0) and draws them, or gives their
 * count as N1 with N2 = 0. */
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
#include "counted.c"
