/* Finds the tied numbers of two sequences from their places on a cycle: see ties.h. */
#include "seeds/ties.h"

#include <string.h>

#include "gpuranmar_definition.h"

/* --- Which numbers are tied ---
 *
 * Let the seed `second` stand 48 w + s bits further on than `first`, where s is at most half a
 * word. Then the words of second are those of first, shifted by w words and s bits. The difference
 *
 *     e[n] = x_second[n] - 2^s x_first[n-w]  mod 1
 *
 * is below 2^(s-48) for all but the w oldest words: it consists of the s lowest bits of second's
 * word, where the shift has put zeros into first's word. If s is above half a word, a shift by
 * w + 1 words and s - 48 bits is closer, with the roles exchanged:
 * e[n] = x_first[n-w-1] - 2^(48-s) x_second[n].
 *
 * Both sequences obey the recurrence, and so does e. A number is tied as long as |e| is below
 * 2^-20. The differences of the 97 first words are taken as signed integers, in units of 2^-48, and
 * the recurrence is run on them modulo 2^64, not 2^48. So a difference that has grown beyond 1 and
 * is small again modulo 1, which happens by chance to one number in 2^19, is not taken for a tie.
 */

enum { TIED_BELOW = -20 };

/* Ties are counted below this position; docs/seeds-evidence.md covers the numbers beyond. */
enum { COUNTED = GPURANMAR_SAFE_POSITION };

/* Twins differ in one or two of the three signs. Seeds that differ in all three are no twins: each
 * m of one is 179 - m of the other, half of the bits agree (l decides which), and the first 80
 * numbers are correlated too weakly to be called tied (docs/seeds.md). Their lowest bits differ. */
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

/* Sets the positions of a tie to a range, of which `tied` numbers are tied. */
static void set_range(gpuranmar_tie *tie, struct range r, uint64_t tied)
{
    tie->tied = tied;
    tie->position = r.from;
    tie->last = r.to - 1;
    tie->first_position = r.from - (unsigned)tie->words;
}

/* How many of their lowest bits the first words share. All later words share them too, because the
 * recurrence carries nothing downwards. */
static int shared_low_bits(const uint64_t *difference, const struct ranmar_flavour *f)
{
    uint64_t any = 0;
    for (unsigned i = 0; i < RANMAR_LONG_LAG; ++i)
        any |= difference[i];
    return any ? __builtin_ctzll(any) : (int)f->bits;
}

/* Compares second's words with those of first, shifted.
 *
 * In all words of twins but the s.words oldest ones, half of the bits come from equal m, in a
 * pattern of period four. Half of the other bits are equal by chance. A number of twins counts as
 * tied if it is made of such words only. The lowest bit depends on the sign of k: twins whose signs
 * of k are the same share it, and the next bit if their signs of j are the same too. */
static void compare_shifted(const struct ranmar_candidate *first,
                            const struct ranmar_candidate *second, const struct ranmar_flavour *f,
                            struct ranmar_bits *bits, struct shift s, int are_twins,
                            gpuranmar_tie *tie)
{
    /* Only numbers near the start can be tied. Further on, lowest bits can be shared, but only if
     * the shift is by whole words. */
    const struct range all =
        range_of(first->segment, second->segment, s.words, RANMAR_POSITION_MAX);
    struct range r = range_of(first->segment, second->segment, s.words,
                              are_twins ? RANMAR_TWINS_REACH : COUNTED);
    if (r.from == r.to && s.bits != 0)
        return;
    uint64_t difference[RANMAR_LONG_LAG + COUNTED], *const e = difference + RANMAR_LONG_LAG;
    char is_unlike[RANMAR_LONG_LAG + COUNTED] = {0}, *const unlike = is_unlike + RANMAR_LONG_LAG;
    memset(is_unlike, 1, s.words); /* the oldest words of twins */
    compare_words(first, second, f, bits, s, difference);
    const uint64_t below = UINT64_C(1) << ((int)f->bits + TIED_BELOW);
    for (ptrdiff_t n = 0; n < (ptrdiff_t)r.to; ++n) {
        e[n] = e[n - RANMAR_LONG_LAG] - e[n - RANMAR_SHORT_LAG];
        unlike[n] = are_twins
                        ? unlike[n - RANMAR_LONG_LAG] | unlike[n - RANMAR_SHORT_LAG]
                        : e[n] + below - 1 >= 2 * below - 1; /* e[n] is signed: |e[n]| >= below */
    }
    while (r.from < r.to && unlike[r.from])
        ++r.from;
    while (r.from < r.to && unlike[r.to - 1])
        --r.to;
    uint64_t tied = 0;
    for (uint64_t n = r.from; n < r.to; ++n)
        tied += !unlike[n];
    tie->kind = are_twins ? GPURANMAR_TIE_TWINS : s.bits ? GPURANMAR_TIE_BITS : GPURANMAR_TIE_WORDS;
    if (s.bits == 0)
        tie->low_bits = shared_low_bits(difference, f);
    if (tied > 0)
        set_range(tie, r, tied);
    else if (tie->low_bits > 0) {
        tie->kind = GPURANMAR_TIE_LOW_BITS;
        set_range(tie, all, all.to - all.from);
    }
}

/* Whether a tie is stronger than another. Tied numbers are stronger than shared lowest bits; else
 * the tie with more numbers is the stronger. */
static int is_stronger(const gpuranmar_tie *tie, const gpuranmar_tie *than)
{
    const int low = tie->kind == GPURANMAR_TIE_LOW_BITS,
              low_than = than->kind == GPURANMAR_TIE_LOW_BITS;
    if (tie->tied == 0 || than->tied == 0 || low == low_than)
        return tie->tied > than->tied;
    return low_than;
}

/* Sets *tie to the tie of two seeds of one cycle, of which `second` is further on, if their tie is
 * stronger than *tie. On the short cycle there is a distance for each whole turn. */
static void find_stronger(const struct ranmar_candidate *first,
                          const struct ranmar_candidate *second, const struct ranmar_flavour *f,
                          struct ranmar_bits *bits, gpuranmar_tie *tie)
{
    for (uint32_t distance = ranmar_distance(&first->place, &second->place);
         distance <= ranmar_distance_max(f->bits);
         distance += ranmar_cycle_length(first->place.cycle)) {
        const unsigned differ =
            ranmar_signs_after(first->place.signs, distance) ^ second->place.signs;
        const struct shift s = shift_of(distance, f->bits);
        gpuranmar_tie t = {
            .first = first->index, .second = second->index, .words = (int)s.words, .bits = s.bits};
        if (differ == 0 || (differ != ALL_SIGNS && s.bits == 0))
            compare_shifted(first, second, f, bits, s, differ != 0, &t);
        if (is_stronger(&t, tie))
            *tie = t;
    }
}

void ranmar_tie_of(const struct ranmar_candidate *first, const struct ranmar_candidate *second,
                   const struct ranmar_flavour *f, struct ranmar_bits *bits, gpuranmar_tie *tie)
{
    *tie = (gpuranmar_tie){.kind = GPURANMAR_TIE_NONE};
    find_stronger(first, second, f, bits, tie);
    if (first->place.cycle == RANMAR_SHORT_CYCLE) /* `first` is further on too */
        find_stronger(second, first, f, bits, tie);
}
