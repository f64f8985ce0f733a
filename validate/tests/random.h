/* Fresh random choices for tests, reproducible from the seed they print: VALIDATE_SEED=n. */
#ifndef VALIDATE_RANDOM_H
#define VALIDATE_RANDOM_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

static uint64_t random_state;

/* Call once, before the tests. */
static inline void random_start(void)
{
    const char *given = getenv("VALIDATE_SEED");
    if (given)
        random_state = strtoull(given, NULL, 10);
    else if (getrandom(&random_state, sizeof random_state, 0) != sizeof random_state)
        abort();
    printf("# VALIDATE_SEED=%llu\n", (unsigned long long)random_state);
}

/* SplitMix64 (Steele, Lea, Flood 2014): not a RANMAR, so that nothing tests itself. */
static inline uint64_t random_word(void)
{
    uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* low .. high */
static inline uint64_t random_in(uint64_t low, uint64_t high)
{
    return low + random_word() % (high - low + 1);
}

/* low .. high with all orders of magnitude as likely */
static inline uint64_t random_size(uint64_t low, uint64_t high)
{
    const uint64_t top = high >> random_in(0, 63);
    return random_in(low, top > low ? top : low);
}

#endif
