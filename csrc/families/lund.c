/* U = PYR(IDUMMY) of PYTHIA 6, and RLU of JETSET and SOPHIA; a zero is redrawn.
 *
 * The program controls the generator through a COMMON block of MR(6) and RR(100). MR(1) is the
 * seed, 0 or more. MR(2) = 0 asks for a start from the seed. MR(3) counts the numbers up to 10^9,
 * and MR(2) is 1 more than the number of times that MR(3) has reached 10^9. MR(1) to MR(3) are up
 * to date after every number.
 *
 * The ring, that is RR, MR(4) and MR(5), is only written by PYRGET. In between RR(98) has a mark of
 * -1 or less, which no state has. The next call of PYR adopts a state that the program has put into
 * the block, from a file or from its own copy. It refuses a copy that has a mark, since that was
 * made without PYRGET. */
#include "family.h"

#ifdef FAMILY_pythia6
#define COMMON pydatr_
#define BLOCK "PYDATR"
#define REPORT ranmar_pyr_report
#else
#define COMMON ludatr_
#define BLOCK "LUDATR"
#define REPORT ranmar_rlu_report
#endif

GPURANMAR_API NUMBER DRAW(const int32_t *idummy);
void REPORT(void);

extern GPURANMAR_API struct {
    int32_t mr[6];
    NUMBER rr[100];
} COMMON;

static NUMBER mark = -1; /* another one after each start and each state that is adopted */
static gpuranmar_engine engine;
static int32_t count; /* MR(3) after the last number */

static void start_from_common(void)
{
    /* The program's BLOCK DATA sets MR(1) and MR(4). A BLOCK DATA in a shared library that is
     * linked after this one sets another copy of the block. */
    if (COMMON.mr[0] == 0 && COMMON.mr[3] == 0)
        gpuranmar_stop(DRAW_TEXT ": COMMON /" BLOCK
                                 "/ has zeros, not the values of BLOCK DATA: link "
                                 "the BLOCK DATA before this library, or set a seed above 0");
    if (COMMON.mr[0] < 0)
        gpuranmar_stop(DRAW_TEXT ": seed = %d in COMMON /" BLOCK "/ is negative", COMMON.mr[0]);
    const int ij = COMMON.mr[0] / RANMAR_SECOND_SEEDS % 31329;
    const int kl = COMMON.mr[0] % RANMAR_SECOND_SEEDS;
    gpuranmar_stop_on(gpuranmar_engine_start_pair(&engine, DRAW_TEXT, FLAVOUR, ZERO, ij, kl, 0));
    COMMON.mr[1] = 1;
    COMMON.mr[2] = 0;
}

static void adopt_common(void)
{
    gpuranmar_engine_state state = {.c = COMMON.rr[97], .i97 = COMMON.mr[3], .j97 = COMMON.mr[4]};
    if (COMMON.rr[97] <= -1) /* the present mark or an earlier one */
        gpuranmar_stop(DRAW_TEXT ": COMMON /" BLOCK
                                 "/ was put back from a copy that was made without " DRAW_TEXT
                                 "GET and has no state in it");
    for (int i = 0; i < RANMAR_LONG_LAG; ++i)
        state.u[i] = COMMON.rr[i];
    gpuranmar_stop_on(gpuranmar_engine_adopt(&engine, DRAW_TEXT, FLAVOUR, ZERO, &state));
}

/* Writes the ring to the COMMON block, for PYRGET. */
void REPORT(void)
{
    if (COMMON.rr[97] != mark)
        return;
    gpuranmar_engine_state state;
    gpuranmar_engine_report(&engine, &state);
    for (int i = 0; i < RANMAR_LONG_LAG; ++i)
        COMMON.rr[i] = (NUMBER)state.u[i];
    COMMON.rr[97] = (NUMBER)state.c;
    COMMON.rr[98] = (NUMBER)(7654321 / 0x1p24);
    COMMON.rr[99] = (NUMBER)(16777213 / 0x1p24);
    COMMON.mr[3] = state.i97;
    COMMON.mr[4] = state.j97;
}

/* Starts or adopts a state. The program has changed the block. */
__attribute__((noinline)) static void start_or_adopt(void)
{
    if (COMMON.mr[1] == 0)
        start_from_common();
    else
        adopt_common();
    mark = mark > -1000000 ? mark - 1 : -1;
    COMMON.rr[97] = mark;
    count = COMMON.mr[2];
}

NUMBER DRAW(const int32_t *idummy)
{
    (void)idummy;
    if (UNLIKELY(COMMON.mr[1] == 0 || COMMON.mr[2] != count || COMMON.rr[97] != mark))
        start_or_adopt();
    if (UNLIKELY(++count == RANMAR_BILLION)) {
        ++COMMON.mr[1];
        count = 0;
    }
    COMMON.mr[2] = count;
    return NEXT(&engine);
}
