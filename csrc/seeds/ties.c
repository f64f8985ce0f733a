/* Finds the tied numbers of two sequences from their places on a cycle: see ties.h. */
#include "seeds/ties.h"

#include <string.h>

#include "gpuranmar_definition.h"

/* --- Which numbers are tied ---
 *
 * Let the seed `second` stand 48 w + s bits further on than `first`, where s is at most half a
 * word. Then its words are those of first, moved by w places, with the highest s bits cut off:
 *
 *     x_second[n] = 2^s x_first[n-w] + e[n] mod 1,   e[n] < 2^(s-48),   n >= w - 97
 *
 * where e[n] are the s bits that follow. If s is above half a word, w + 1 words and s - 48 bits are
 * the better description, with the roles exchanged: x_first[n-w-1] = 2^(48-s) x_second[n] + e[n].
 *
 * Both sequences obey the recurrence, and so does e. Of the w oldest words of second, first does
 * not have the like, so that e is unknown there. So e[n] is a sum of unknown words, times integers,
 * and of small errors. A number is tied if all unknown words cancel and the errors are below
 * 2^-20. */

#define TIED_BELOW (UINT64_C(1) << 44) /* 2^-20, times 2^64 */
#define TOO_MUCH (UINT64_C(1) << 62)   /* larger errors are not distinguished */

/* The signs of twins differ, but not all three. Where i, j and k all become 179 minus themselves,
 * so does every m: then half the bits agree, as in unrelated sequences
 * (validate/results/neighbouring-seeds.md). */
enum { ALL_SIGNS = 7 };

struct shift {
    unsigned words;
    int bits;
};

/* A distance in bits as a shift by words and by at most half a word of bits. */
static struct shift shift_of(uint32_t distance, unsigned word_bits)
{
    struct shift s = {distance / word_bits, (int)(distance % word_bits)};
    if (s.bits > (int)word_bits / 2) {
        ++s.words;
        s.bits -= (int)word_bits;
    }
    return s;
}

/* A word in the place of an unknown one. It is odd and in no simple relation to others, so that
 * sums of such words are 0 only where they cancel. (Steps of SplitMix64, Steele, Lea, Flood, OOPSLA
 * 2014, 453.) */
static uint64_t unknown(unsigned i)
{
    uint64_t z = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    return z | 1;
}

/* Marks the tied numbers of second: position n is bit n % 64 of word n / 64. */
static void mark(struct ranmar_tied *tied, struct shift s, unsigned word_bits)
{
    /* The unknown part of e[n], and the sum of the largest errors, both times 2^64. Index n + 97 is
     * for position n. */
    uint64_t part[RANMAR_LONG_LAG + RANMAR_REACH], most[RANMAR_LONG_LAG + RANMAR_REACH];
    const int bits = s.bits < 0 ? -s.bits : s.bits;
    const uint64_t copied = bits == 0 ? 0 : UINT64_C(1) << (64 - (int)word_bits + bits);
    for (unsigned i = 0; i < RANMAR_LONG_LAG; ++i) {
        part[i] = i < s.words ? unknown(i) : 0;
        most[i] = i < s.words ? 0 : copied;
    }
    memset(tied, 0, sizeof *tied);
    tied->known = 1;
    for (unsigned n = 0; n < RANMAR_REACH; ++n) {
        const unsigned i = n + RANMAR_LONG_LAG;
        const uint64_t sum = most[i - RANMAR_LONG_LAG] + most[i - RANMAR_SHORT_LAG];
        most[i] = sum < TOO_MUCH ? sum : TOO_MUCH;
        part[i] = part[i - RANMAR_LONG_LAG] - part[i - RANMAR_SHORT_LAG];
        tied->mark[n / 64] |= (uint64_t)(part[i] == 0 && sum < TIED_BELOW) << n % 64;
    }
}

/* Counts the tied numbers that both segments have. */
static void count(const struct ranmar_candidate *first, const struct ranmar_candidate *second,
                  struct shift s, const struct ranmar_tied *tied, unsigned stride, uint32_t reach,
                  gpuranmar_tie *tie)
{
    /* Positions n of x with n - words in first's segment and n in second's. */
    uint32_t from = first->from + s.words, to = first->to + s.words;
    from = from > second->from ? from : second->from;
    to = to < second->to ? to : second->to;
    to = to < reach ? to : reach;
    if (s.words % stride != 0) /* first does not deliver the numbers to which second's are tied */
        return;
    for (uint32_t at = from / 64 * 64; at < to; at += 64) {
        /* One bit of every `stride`, the lowest of each. */
        uint64_t some = tied->mark[at / 64] & UINT64_MAX / ((1u << stride) - 1);
        if (from > at)
            some = some >> (from - at) << (from - at);
        if (to - at < 64)
            some &= (UINT64_C(1) << (to - at)) - 1;
        if (!some)
            continue;
        const uint32_t lowest = at + (uint32_t)__builtin_ctzll(some);
        const uint32_t highest = at + 63 - (uint32_t)__builtin_clzll(some);
        if (tie->tied == 0) {
            tie->position = lowest / stride;
            tie->first_position = (lowest - s.words) / stride;
        }
        tie->last = highest / stride;
        tie->tied += (uint64_t)__builtin_popcountll(some);
    }
}

void ranmar_tie_of(const struct ranmar_candidate *first, const struct ranmar_candidate *second,
                   unsigned word_bits, unsigned stride, struct ranmar_tied *memo,
                   gpuranmar_tie *tie)
{
    memset(tie, 0, sizeof *tie);
    tie->first = first->index;
    tie->second = second->index;
    if (first->place.cycle != second->place.cycle)
        return;
    /* The short cycle is so short that second is ahead by several distances: the best one
     * counts. */
    const uint32_t length = ranmar_cycle_length(first->place.cycle);
    for (uint32_t distance = ranmar_distance(&first->place, &second->place);
         distance <= ranmar_distance_max(word_bits); distance += length) {
        const unsigned differ =
            ranmar_signs_after(first->place.signs, distance) ^ second->place.signs;
        const struct shift s = shift_of(distance, word_bits);
        gpuranmar_tie t = *tie;
        t.tied = 0;
        t.words = (int)s.words;
        t.bits = s.bits;
        if (differ == ALL_SIGNS || (differ != 0 && s.bits != 0))
            continue;
        struct ranmar_tied here, *const tied = memo ? memo + distance : &here;
        if (!memo || !tied->known)
            mark(tied, s, word_bits);
        t.kind = differ ? GPURANMAR_TIE_TWINS : s.bits ? GPURANMAR_TIE_BITS : GPURANMAR_TIE_WORDS;
        count(first, second, s, tied, stride, differ ? RANMAR_TWINS_REACH : RANMAR_REACH, &t);
        if (t.tied > tie->tied)
            *tie = t;
    }
}
