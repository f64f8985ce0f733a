/* Finds the tied numbers of two sequences from their places on a cycle: see ties.h. */
#include "seeds/ties.h"

#include <string.h>

#include "gpuranmar_definition.h"

/* --- Which numbers are tied ---
 *
 * Let the seed `second` stand 48 w + s bits further on than `first`, where s is at most half a
 * word. Then its words are those of first, shifted by w places and s bits, and their difference
 *
 *     e[n] = x_second[n] - 2^s x_first[n-w]  mod 1
 *
 * is below 2^(s-48) for all but the w oldest words: it is the s lowest bits of second's word, which
 * the shift has filled with zeros in first's word. If s is above half a word, a shift by w + 1
 * words and s - 48 bits is closer, with the roles exchanged:
 * e[n] = x_first[n-w-1] - 2^(48-s) x_second[n].
 *
 * Both sequences obey the recurrence, and so does e. A number is tied as long as |e| is below
 * 2^-20. The differences of the 97 first words are taken as signed integers, in units of 2^-48, and
 * the recurrence is run on them modulo 2^64, not 2^48. So a difference that has grown beyond 1 and
 * is small again modulo 1, which happens by chance to one number in 2^19, is not taken for a tie.
 */

enum { TIED_BELOW = -20 };

/* Ties are counted below this position; docs/from-4000.md covers the numbers beyond. */
enum { COUNTED = GPURANMAR_SAFE_POSITION };

/* Twins differ in one or two of the three signs. If all three differ, each m of one is 179 - m of
 * the other. Then half of the bits agree (l decides which), and the first 80 numbers are
 * correlated, too weakly to be called tied (docs/seeds.md). The lowest bits are not the same. */
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

static void words_of(const struct ranmar_candidate *c, const struct ranmar_flavour *f,
                     struct ranmar_bits *bits, uint64_t words[RANMAR_LONG_LAG])
{
    if (!bits) {
        ranmar_formula_words(words, f->bits, c->segment->seed);
        return;
    }
    if (bits->cycle != c->place.cycle)
        ranmar_bits_of_cycle(bits, c->place.cycle);
    ranmar_words_at(bits, c->place, f->bits, words);
}

/* The differences of the first words, as integers: e[n] is difference[n + 97]. */
static void compare_words(const struct ranmar_candidate *first,
                          const struct ranmar_candidate *second, const struct ranmar_flavour *f,
                          struct ranmar_bits *bits, struct shift s, uint64_t *difference)
{
    /* first's words, after those that the backward recurrence makes. */
    uint64_t a[RANMAR_WORDS_MAX + RANMAR_LONG_LAG], b[RANMAR_LONG_LAG];
    uint64_t *const oldest = a + RANMAR_WORDS_MAX;
    words_of(first, f, bits, oldest);
    words_of(second, f, bits, b);
    for (uint64_t *x = oldest - 1; x >= oldest - s.words; --x)
        *x = ranmar_lagged_back(x, x[RANMAR_LONG_LAG], 1);
    for (unsigned i = 0; i < RANMAR_LONG_LAG; ++i) {
        const uint64_t like = oldest[(int)i - (int)s.words];
        const uint64_t e = s.bits >= 0 ? b[i] - (like << s.bits) : like - (b[i] << -s.bits);
        difference[i] = (uint64_t)((int64_t)e >> (64 - f->bits));
    }
}

/* A range of positions of `second` in which each number is compared with a number of first's
 * segment. */
struct range {
    uint64_t from, to;
};

static struct range range_of(const gpuranmar_segment *first, const gpuranmar_segment *second,
                             unsigned words, uint64_t end)
{
    const uint64_t from = first->position + words, to = ranmar_segment_end(first) + words,
                   second_to = ranmar_segment_end(second);
    struct range r = {from > second->position ? from : second->position,
                      to < second_to ? to : second_to};
    r.to = r.to < end ? r.to : end;
    r.from = r.from < r.to ? r.from : r.to;
    return r;
}

/* Sets the numbers and positions of a tie to a range. */
static void set_range(gpuranmar_tie *tie, struct range r, uint64_t tied, unsigned words)
{
    tie->tied = tied;
    if (tied == 0)
        return;
    tie->position = r.from;
    tie->last = r.to - 1;
    tie->first_position = r.from - words;
}

/* Sets a tie to the tied numbers of a range, those with unlike[n] == 0. */
static void set_tied(gpuranmar_tie *tie, struct range r, const char *unlike, unsigned words)
{
    while (r.from < r.to && unlike[r.from])
        ++r.from;
    while (r.from < r.to && unlike[r.to - 1])
        --r.to;
    uint64_t tied = 0;
    for (uint64_t n = r.from; n < r.to; ++n)
        tied += !unlike[n];
    set_range(tie, r, tied, words);
}

/* Counts the tied numbers. difference[0..96] is given, and `difference` has room for COUNTED more.
 */
static void count_tied(uint64_t *difference, const struct ranmar_flavour *f, struct range r,
                       unsigned words, gpuranmar_tie *tie)
{
    const uint64_t below = UINT64_C(1) << ((int)f->bits + TIED_BELOW);
    uint64_t *const e = difference + RANMAR_LONG_LAG;
    char unlike[COUNTED];
    for (ptrdiff_t n = 0; n < (ptrdiff_t)r.to; ++n) {
        e[n] = e[n - RANMAR_LONG_LAG] - e[n - RANMAR_SHORT_LAG];
        unlike[n] = e[n] + below - 1 >= 2 * below - 1; /* e[n] is signed: |e[n]| >= below */
    }
    set_tied(tie, r, unlike, words);
}

/* How many of the lowest bits the first words have in common, and therefore all later ones, because
 * the recurrence carries nothing downwards. */
static int shared_low_bits(const uint64_t *difference, const struct ranmar_flavour *f)
{
    uint64_t any = 0;
    for (unsigned i = 0; i < RANMAR_LONG_LAG; ++i)
        any |= difference[i];
    return any ? __builtin_ctzll(any) : (int)f->bits;
}

/* If no number is tied as a whole, makes a tie of the lowest bits. */
static void set_low_bits(gpuranmar_tie *tie, struct range all)
{
    if (tie->tied > 0 || tie->low_bits == 0)
        return;
    tie->kind = GPURANMAR_TIE_LOW_BITS;
    set_range(tie, all, all.to - all.from, (unsigned)tie->words);
}

/* Compares second's words with those of first, shifted. */
static void compare_shifted(const struct ranmar_candidate *first,
                            const struct ranmar_candidate *second, const struct ranmar_flavour *f,
                            struct ranmar_bits *bits, struct shift s, gpuranmar_tie *tie)
{
    /* Only numbers below COUNTED can be tied, and only a shift by whole words can leave lowest bits
     * shared beyond: */
    const struct range near = range_of(first->segment, second->segment, s.words, COUNTED),
                       all =
                           range_of(first->segment, second->segment, s.words, RANMAR_POSITION_MAX);
    if (near.from == near.to && (s.bits != 0 || all.from == all.to))
        return;
    uint64_t difference[RANMAR_LONG_LAG + COUNTED];
    compare_words(first, second, f, bits, s, difference);
    if (s.bits == 0)
        tie->low_bits = shared_low_bits(difference, f);
    count_tied(difference, f, near, s.words, tie);
    tie->kind = s.bits ? GPURANMAR_TIE_BITS : GPURANMAR_TIE_WORDS;
    set_low_bits(tie, all);
}

/* Compares twins that are shifted by whole words. In all words but the `words` oldest, half of the
 * bits are the same, in a pattern of period four, and half of the others agree. A number counts as
 * tied if it is made of such words only. The lowest bit depends on the sign of k: twins with the
 * same k share it, and the next bit if they have the same j too. */
static void compare_twins(const struct ranmar_candidate *first,
                          const struct ranmar_candidate *second, const struct ranmar_flavour *f,
                          struct ranmar_bits *bits, unsigned words, gpuranmar_tie *tie)
{
    const struct range all = range_of(first->segment, second->segment, words, RANMAR_POSITION_MAX);
    if (all.from == all.to)
        return;
    uint64_t difference[RANMAR_LONG_LAG];
    compare_words(first, second, f, bits, (struct shift){words, 0}, difference);
    tie->low_bits = shared_low_bits(difference, f);
    char unlike[RANMAR_LONG_LAG + RANMAR_TWINS_REACH] = {0};
    memset(unlike, 1, words);
    for (unsigned n = RANMAR_LONG_LAG; n < sizeof unlike; ++n)
        unlike[n] = unlike[n - RANMAR_LONG_LAG] | unlike[n - RANMAR_SHORT_LAG];
    const struct range r = range_of(first->segment, second->segment, words, RANMAR_TWINS_REACH);
    set_tied(tie, r, unlike + RANMAR_LONG_LAG, words);
    tie->kind = GPURANMAR_TIE_TWINS;
    set_low_bits(tie, all);
}

int ranmar_tie_is_stronger(const gpuranmar_tie *tie, const gpuranmar_tie *than)
{
    const int low = tie->kind == GPURANMAR_TIE_LOW_BITS,
              low_than = than->kind == GPURANMAR_TIE_LOW_BITS;
    if (tie->tied == 0 || than->tied == 0 || low == low_than)
        return tie->tied > than->tied;
    return low_than;
}

void ranmar_tie_of(const struct ranmar_candidate *first, const struct ranmar_candidate *second,
                   const struct ranmar_flavour *f, struct ranmar_bits *bits, gpuranmar_tie *tie)
{
    const gpuranmar_tie none = {.first = first->index, .second = second->index};
    *tie = none;
    if (first->place.cycle != second->place.cycle)
        return;
    /* The short cycle is shorter than the largest distance, so `second` is ahead by several
     * distances: the strongest tie counts. */
    const uint32_t length = ranmar_cycle_length(first->place.cycle);
    for (uint32_t distance = ranmar_distance(&first->place, &second->place);
         distance <= ranmar_distance_max(f->bits); distance += length) {
        const unsigned differ =
            ranmar_signs_after(first->place.signs, distance) ^ second->place.signs;
        const struct shift s = shift_of(distance, f->bits);
        gpuranmar_tie t = none;
        t.words = (int)s.words;
        t.bits = s.bits;
        if (differ == 0)
            compare_shifted(first, second, f, bits, s, &t);
        else if (differ != ALL_SIGNS && s.bits == 0)
            compare_twins(first, second, f, bits, s.words, &t);
        if (ranmar_tie_is_stronger(&t, tie))
            *tie = t;
    }
}
