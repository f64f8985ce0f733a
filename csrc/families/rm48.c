/* CERNLIB's RM48(VEC,LEN), RM48IN(I1,N1,N2) and RM48UT(I1,N1,N2): RANMAR with counters (counted.c)
 * in double precision. RM48IN skips N2*10^9 + N1 numbers, taking negative arguments as 0. RM48IN,
 * and RM48 if it starts the sequence itself, write lines to unit 6.
 *
 * If N2 is positive, CERNLIB's own code skips (N2+1)*N1 numbers, contrary to its description. A
 * program that needs that skip gives (N2+1)*N1 as N1, with N2 = 0, or draws the numbers. */
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
