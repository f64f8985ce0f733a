/* RANMAR_GET and INIT_RANMAR of EGSnrc. RANMAR_GET puts the next 128 numbers, as integers, and the
 * state behind them into COMMON /RANDOMM/, from which EGSnrc's macros draw, store and retrieve. */
#include <string.h>

#include "family.h"

GPURANMAR_API void DRAW(void);
GPURANMAR_API void START(void);
SAVE_OWN_ADDRESS(DRAW);

enum { BLOCK = 128, ONE_24 = 1 << 24, STEP = 7654321, MODULUS = 16777213, LAG = RANMAR_LONG_LAG };

GPURANMAR_API struct {
    int32_t numbers[BLOCK], u[LAG], c, step, modulus, i4opt, i97, j97, fool;
    float twom24;
    int32_t next;
} randomm_ __attribute__((common));

static gpuranmar_engine engine;
static int32_t words[LAG], c, i97; /* those that the last call put into the COMMON block */

/* Goes on from the state in the COMMON block, which the program has changed. */
__attribute__((noinline)) static void adopt_randomm(void)
{
    gpuranmar_engine_state state = {
        .c = randomm_.c / 0x1p24, .i97 = randomm_.i97, .j97 = randomm_.j97};
    if (randomm_.step != STEP || randomm_.modulus != MODULUS)
        gpuranmar_stop(DRAW_TEXT ": COMMON /RANDOMM/ has no state: call INIT_RANMAR first");
    for (int i = 0; i < LAG; ++i)
        state.u[i] = randomm_.u[i] / 0x1p24;
    gpuranmar_stop_on(gpuranmar_engine_adopt(&engine, DRAW_TEXT, FLAVOUR, ZERO, &state));
}

/* The seeds are in I97 and J97. One that is out of range becomes Marsaglia's own, as in the
 * original. */
void START(void)
{
    gpuranmar_engine_state state;
    CHECK_OURS(START_TEXT);
    const int ij = randomm_.i97 <= 0 || randomm_.i97 > 31328 ? 1802 : randomm_.i97;
    const int kl = randomm_.j97 <= 0 || randomm_.j97 > 30081 ? 9373 : randomm_.j97;
    gpuranmar_stop_on(gpuranmar_engine_start_pair(&engine, START_TEXT, FLAVOUR, ZERO, ij, kl, 0));
    gpuranmar_engine_report(&engine, &state);
    for (int i = 0; i < LAG; ++i)
        words[i] = randomm_.u[i] = (int32_t)(state.u[i] * 0x1p24);
    c = randomm_.c = 362436;
    randomm_.step = STEP;
    randomm_.modulus = MODULUS;
    randomm_.twom24 = 0x1p-24f;
    i97 = randomm_.i97 = state.i97;
    randomm_.j97 = state.j97;
    randomm_.next = BLOCK + 1;
}

/* Inlined, this copy would be `rep movs`, which starts slowly; here the compiler calls memcpy. */
__attribute__((noinline)) static void put(int32_t *ring, const int32_t *word, size_t count)
{
    memcpy(ring, word, count * sizeof *word);
}

/* Each new word of the ring is the sum of a number and its arithmetic part, modulo 2^24. */
void DRAW(void)
{
    static int32_t steps[BLOCK]; /* how far each number's arithmetic part is below the old one */
    float number[BLOCK];
    int32_t word[BLOCK];
    if (randomm_.next == 999999)
        START();
    if (!gpuranmar_engine_is_started(&engine) || randomm_.c != c || randomm_.i97 != i97 ||
        memcmp(words, randomm_.u, sizeof words) != 0)
        adopt_randomm();
    for (int64_t i = 0; steps[0] == 0 && i < BLOCK; ++i)
        steps[BLOCK - 1 - i] = (int32_t)((BLOCK - i) * STEP % MODULUS);
    gpuranmar_engine_fill_single(&engine, number, BLOCK);
    for (int i = 0; i < BLOCK; ++i) {
        const int32_t part = randomm_.c - steps[i], n = (int32_t)(number[i] * 0x1p24f);
        randomm_.numbers[i] = n;
        word[BLOCK - 1 - i] = (n + part + (part < 0 ? MODULUS : 0)) & (ONE_24 - 1);
    }
    /* The ring has the youngest word, word[0], just above the new I97. */
    const int young = (randomm_.i97 + 2 * LAG - BLOCK) % LAG;
    put(words + young, word, (size_t)(LAG - young));
    put(words, word + LAG - young, (size_t)young);
    put(randomm_.u, words, LAG);
    randomm_.c -= steps[BLOCK - 1];
    randomm_.c += randomm_.c < 0 ? MODULUS : 0;
    c = randomm_.c;
    i97 = randomm_.i97 = (randomm_.i97 + 2 * LAG - BLOCK - 1) % LAG + 1;
    randomm_.j97 = (randomm_.j97 + 2 * LAG - BLOCK - 1) % LAG + 1;
    randomm_.next = 1;
}
