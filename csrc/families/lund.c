/* PYR of PYTHIA 6 and RLU of JETSET and SOPHIA: U = PYR(IDUMMY), a FUNCTION of type NUMBER; a zero
 * is redrawn.
 *
 * The program has the state in a COMMON block, MR(6) and RR(100), and controls the generator
 * through it. MR(1) is the seed, 0 or more. MR(2) = 0 asks for a start from the seed. MR(3) counts
 * the numbers up to 10^9, and MR(2) how often MR(3) reached that, plus 1. MR(1) to MR(3) are up to
 * date after every number.
 *
 * The ring, that is RR, MR(4) and MR(5), is not updated. While numbers are drawn, RR(98) has a mark
 * of -1 or less, which no state has. PYRGET writes the ring to the block. If the program puts a
 * state there, from a file or from its own copy, the next number adopts it. A copy that was made
 * without PYRGET has the mark, and is refused when it is put back. */
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

static NUMBER mark = -1; /* differs for each start and each state that is adopted */
static gpuranmar_engine engine;
static int32_t count; /* MR(3) after the last number */

static void start(void)
{
    /* BLOCK DATA sets MR(1) and MR(4). If a shared library has the BLOCK DATA and this library
     * precedes it, that library sets another block than this one reads. */
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

static void adopt(void)
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

/* Starts or adopts a state, when the program has changed the block. */
__attribute__((noinline)) static void look(void)
{
    if (COMMON.mr[1] == 0)
        start();
    else
        adopt();
    mark = mark > -1000000 ? mark - 1 : -1;
    COMMON.rr[97] = mark;
    count = COMMON.mr[2];
}

NUMBER DRAW(const int32_t *idummy)
{
    (void)idummy;
    if (UNLIKELY(COMMON.mr[1] == 0 || COMMON.mr[2] != count || COMMON.rr[97] != mark))
        look();
    if (UNLIKELY(++count == RANMAR_BILLION)) {
        ++COMMON.mr[1];
        count = 0;
    }
    COMMON.mr[2] = count;
    return NEXT(&engine);
}
