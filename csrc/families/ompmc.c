/* setRandom of ompMC, which draws one number, with initRandom, getRandom and cleanRandom: one
 * sequence per thread. The seeds come from ompMC's input, "rng seeds", and each thread raises the
 * second by its number. ompMC's struct Random is not updated. */
#include <stdio.h>

#include "gpuranmar_engine.h"

GPURANMAR_API void initRandom(void);
GPURANMAR_API void getRandom(void);
GPURANMAR_API double setRandom(void);
GPURANMAR_API void cleanRandom(void);

extern int getInputValue(char *value, const char *key) __attribute__((weak)); /* ompMC's */
extern int omp_get_thread_num(void) __attribute__((weak));

static _Thread_local gpuranmar_engine engine;

void initRandom(void)
{
    char text[1 << 16] = "";
    int ij = 0, kl = 0;
    if (getInputValue)
        getInputValue(text, "rng seeds");
    if (sscanf(text, "%d %d", &ij, &kl) != 2)
        gpuranmar_stop("initRandom: the input has no two rng seeds");
    kl += omp_get_thread_num ? omp_get_thread_num() : 0;
    if (ij <= 0 || ij > 31328)
        printf("Warning!, setting Marsaglia default for ixx\n"), ij = 1802;
    if (kl <= 0 || kl > 31328)
        printf("Warning!, setting Marsaglia default for jxx\n"), kl = 9373;
    printf("RNG seeds : ixx = %d, jxx = %d\n", ij, kl);
    gpuranmar_stop_on(gpuranmar_engine_start_pair(&engine, "initRandom", GPURANMAR_SINGLE,
                                                  GPURANMAR_ZERO_KEEP, ij, kl % 30082, 0));
}

double setRandom(void)
{
    return gpuranmar_engine_next_single(&engine);
}

/* The original makes the next 128 numbers here; setRandom does not need it. */
void getRandom(void) {}

void cleanRandom(void) {}
