/* Where a seed stands on the cycles of the seeding's bit generator.
 *
 * Each bit comes from m = i j k mod 179, after which j, k, m replace i, j, k, and from l = 53 l + 1
 * mod 169 (ranmar_formula_words() of the definition). The numbers 1..178 are the powers of 2 modulo
 * 179, so with their exponents, i = 2^a and so on, a step is
 *
 *     a, b, c  ->  b, c, a + b + c  mod 178,   178 = 2 * 89
 *
 * Modulo 89 these exponents run on 88 cycles of 8011 places, and on one cycle of a single place,
 * where all of them are 0. Modulo 2 they are the signs of i, j, k: since -1 = 2^89, the exponents
 * of i and 179 - i differ only modulo 2. l runs through all of its 169 values. 8011 and 169 have no
 * common divisor, so exponents modulo 89 and l together run on 88 cycles of 8011 * 169 places. */
#ifndef RANMAR_CYCLES_H
#define RANMAR_CYCLES_H

#include <stdint.h>

enum {
    RANMAR_CYCLES = 88,
    RANMAR_CYCLE_LENGTH = 8011 * 169, /* bits */
    /* The number of the cycle with a = b = c = 0 modulo 89, where only l moves: */
    RANMAR_SHORT_CYCLE = RANMAR_CYCLES,
    RANMAR_SHORT_CYCLE_LENGTH = 169
};

struct ranmar_place {
    uint32_t cycle; /* 0..RANMAR_CYCLES */
    uint32_t bit;   /* place on it: a seed whose bits start b bits later stands b further on */
    unsigned signs; /* 4 * sign of i + 2 * sign of j + sign of k, before the first bit */
};

/* The place of a seed, 0..RANMAR_SEED_MAX. */
struct ranmar_place ranmar_place_of(int64_t seed);

/* The signs after `bits` more steps. */
unsigned ranmar_signs_after(unsigned signs, uint32_t bits);

enum {
    RANMAR_SEED_BITS = 97 * 48, /* these make the first words of a seed; `single` takes 97 * 24 */
    /* 64-bit words for the bits of a cycle, and for a copy of its first bits behind them: a seed
     * near the end of the cycle takes these too. */
    RANMAR_BIT_WORDS = (RANMAR_CYCLE_LENGTH + RANMAR_SEED_BITS) / 64 + 2
};

/* The bits that the generator makes along a cycle, the first in the highest bit of word 0. m and
 * 179 - m have the same exponent modulo 89, so there are two versions: by_sign[0] for even
 * exponents and by_sign[1] for odd ones. */
struct ranmar_bits {
    uint32_t cycle;
    uint64_t by_sign[2][RANMAR_BIT_WORDS];
};

/* Makes the bits of a cycle, which takes milliseconds. */
void ranmar_bits_of_cycle(struct ranmar_bits *bits, uint32_t cycle);

/* The first 97 words of the seed at a place, as ranmar_formula_words() makes them. The place is on
 * the cycle of `bits`. */
void ranmar_words_at(const struct ranmar_bits *bits, struct ranmar_place place, unsigned word_bits,
                     uint64_t words[97]);

static inline uint32_t ranmar_cycle_length(uint32_t cycle)
{
    return cycle == RANMAR_SHORT_CYCLE ? RANMAR_SHORT_CYCLE_LENGTH : RANMAR_CYCLE_LENGTH;
}

#endif
