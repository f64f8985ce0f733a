/* Walks the cycles of the seeding's bit generator: cycles.h describes them. */
#include "seeds/cycles.h"

#include <pthread.h>
#include <string.h>

#include "gpuranmar_definition.h"

enum { PRIME = 179, HALF = 89, STATES = HALF * HALF * HALF, EXPONENT_CYCLE = 8011, L_CYCLE = 169 };

/* The discrete logarithms of 1..178 to the base 2, modulo 179. */
static uint8_t exponent[PRIME];
/* For each l its place on its cycle, which begins with l = 0. */
static uint8_t l_place[L_CYCLE];
/* For each state of the three exponents modulo 89: 8011 * cycle + place. */
static uint32_t state_place[STATES];
/* For each cycle the state at its place 0. */
static uint32_t cycle_start[RANMAR_CYCLES + 1];

static pthread_once_t once = PTHREAD_ONCE_INIT;

static uint32_t state_of(uint32_t a, uint32_t b, uint32_t c)
{
    return (a % HALF * HALF + b % HALF) * HALF + c % HALF;
}

static uint32_t next_state(uint32_t s)
{
    const uint32_t a = s / (HALF * HALF), b = s / HALF % HALF, c = s % HALF;
    return state_of(b, c, a + b + c);
}

static void walk_the_cycles(void)
{
    unsigned power = 1;
    for (unsigned e = 0; e < PRIME - 1; ++e) {
        exponent[power] = (uint8_t)e;
        power = 2 * power % PRIME;
    }
    unsigned l = 0;
    for (unsigned p = 0; p < L_CYCLE; ++p) {
        l_place[l] = (uint8_t)p;
        l = (53 * l + 1) % L_CYCLE;
    }
    /* State 0 is a cycle of its own, which gets the last number. Each other cycle is walked from
     * its lowest state. The entry 0 marks a state that no walk has reached. The entry of
     * state 1, place 0 of cycle 0, is 0 too, but the loop reads that entry only once. */
    state_place[0] = RANMAR_SHORT_CYCLE * EXPONENT_CYCLE;
    uint32_t cycle = 0;
    for (uint32_t start = 1; start < STATES; ++start) {
        if (state_place[start] != 0)
            continue;
        uint32_t s = start, place = cycle * EXPONENT_CYCLE;
        cycle_start[cycle] = start;
        do {
            state_place[s] = place++;
            s = next_state(s);
        } while (s != start);
        ++cycle;
    }
}

struct ranmar_place ranmar_place_of(int64_t seed)
{
    pthread_once(&once, walk_the_cycles);

    unsigned four[4];
    ranmar_four_seeds(four, seed);
    const uint32_t a = exponent[four[0]], b = exponent[four[1]], c = exponent[four[2]],
                   l = l_place[four[3]];
    const uint32_t place = state_place[state_of(a, b, c)];

    struct ranmar_place at = {place / EXPONENT_CYCLE, l, (a % 2) << 2 | (b % 2) << 1 | c % 2};
    /* Chinese remainder theorem: the places modulo 8011 and modulo 169 give the bit. */
    if (at.cycle != RANMAR_SHORT_CYCLE) {
        enum { INVERSE = 87 }; /* of 8011 modulo 169 */
        const uint32_t p = place % EXPONENT_CYCLE;
        const uint32_t turns = (l + L_CYCLE - p % L_CYCLE) * INVERSE % L_CYCLE;
        at.bit = p + EXPONENT_CYCLE * turns;
    }
    return at;
}

unsigned ranmar_signs_after(unsigned signs, uint32_t bits)
{
    for (bits %= 4; bits > 0; --bits) { /* four steps give the same signs again */
        const unsigned next = (signs >> 2 ^ signs >> 1 ^ signs) & 1;
        signs = (signs << 1 | next) & 7;
    }
    return signs;
}

void ranmar_bits_of_cycle(struct ranmar_bits *bits, uint32_t cycle)
{
    pthread_once(&once, walk_the_cycles);
    memset(bits, 0, sizeof *bits);
    bits->cycle = cycle;
    unsigned m[HALF][2], l_at[L_CYCLE]; /* m by exponent and sign; l by place */
    for (unsigned i = 1; i < PRIME; ++i)
        m[exponent[i] % HALF][exponent[i] % 2] = i;
    for (unsigned l = 0; l < L_CYCLE; ++l)
        l_at[l_place[l]] = l;
    uint32_t a = cycle_start[cycle] / (HALF * HALF), b = cycle_start[cycle] / HALF % HALF,
             c = cycle_start[cycle] % HALF;
    for (uint32_t bit = 0; bit < 64 * RANMAR_BIT_WORDS; ++bit) {
        const uint32_t next = (a + b + c) % HALF;
        a = b;
        b = c;
        c = next;
        const unsigned l = l_at[(bit + 1) % L_CYCLE];
        for (int sign = 0; sign < 2; ++sign)
            bits->by_sign[sign][bit / 64] |= (uint64_t)(l * m[c][sign] % 64 >= 32)
                                             << (63 - bit % 64);
    }
}

void ranmar_words_at(const struct ranmar_bits *bits, struct ranmar_place place, unsigned word_bits,
                     uint64_t words[97])
{
    /* The sign of m repeats every four bits: it is that of i j k, i, j, k. `odd` has the sign for
     * each bit of a word, whose length is a multiple of four. */
    const unsigned first = (place.signs >> 2 ^ place.signs >> 1 ^ place.signs) & 1;
    const uint64_t odd = (first << 3 | place.signs) * UINT64_C(0x1111111111111111);
    for (unsigned w = 0; w < 97; ++w) {
        const uint32_t at = (place.bit + w * word_bits) / 64,
                       shift = (place.bit + w * word_bits) % 64;
        uint64_t word[2];
        for (int sign = 0; sign < 2; ++sign) {
            const uint64_t *const two = bits->by_sign[sign] + at;
            word[sign] = shift ? two[0] << shift | two[1] >> (64 - shift) : two[0];
        }
        words[96 - w] = ((word[0] & ~odd) | (word[1] & odd)) >> (64 - word_bits)
                                                                    << (64 - word_bits);
    }
}
