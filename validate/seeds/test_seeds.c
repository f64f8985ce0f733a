/* The audit of seeds against brute force: places on cycles by walking, shifts by comparing the bits
 * that the definition's seeding makes, tied numbers by comparing numbers. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "definition/flavour.h"
#include "definition/jump.h"
#include "definition/ranges.h"
#include "digits.h"
#include "fill/fill.h"
#include "gpuranmar_seeds.h"
#include "seeds/cycles.h"
#include "seeds/ties.h"
#include "tests.h"

/* --- Walking --- */

static struct digits walk(struct digits d, unsigned bits)
{
    while (bits-- > 0)
        d = (struct digits){d.j, d.k, d.i * d.j % 179 * d.k % 179, (53 * d.l + 1) % 169};
    return d;
}

/* A seed that is `bits` further on than the one returned in *from. */
static int64_t moved_on(unsigned bits, int64_t *from)
{
    int64_t to;
    do {
        *from = (int64_t)random_in(0, RANMAR_SEED_MAX);
        to = seed_with(walk(digits_of(*from), bits));
    } while (to < 0);
    return to;
}

TEST(places_follow_the_generator)
{
    for (int trial = 0; trial < 2000; ++trial) {
        int64_t from;
        const unsigned bits = (unsigned)random_in(0, 5000);
        const int64_t to = moved_on(bits, &from);
        const struct ranmar_place a = ranmar_place_of(from), b = ranmar_place_of(to);
        assert_int_equal(a.cycle, b.cycle);
        assert_int_equal(b.bit, (a.bit + bits) % ranmar_cycle_length(a.cycle));
        assert_int_equal(ranmar_signs_after(a.signs, bits), b.signs);
    }
    for (int l = 0; l < 169; ++l) { /* the last seeds are on the short cycle */
        const int64_t from = RANMAR_SEED_MAX - l, to = seed_with(walk(digits_of(from), 1));
        const struct ranmar_place a = ranmar_place_of(from), b = ranmar_place_of(to);
        assert_int_equal(a.cycle, RANMAR_SHORT_CYCLE);
        assert_int_equal(b.bit, (a.bit + 1) % RANMAR_SHORT_CYCLE_LENGTH);
    }
}

/* Places are counted from where they always were: `gpuranmar seeds explain` prints them. */
TEST(places_have_an_origin)
{
    static const struct {
        int64_t seed;
        struct ranmar_place at;
    } known[] = {{54217137, {68, 609999, 2}},
                 {942438000, {19, 1241705, 6}},
                 {RANMAR_SEED_MAX, {RANMAR_SHORT_CYCLE, 116, 7}}};
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        const struct ranmar_place p = ranmar_place_of(known[i].seed);
        assert_int_equal(p.cycle, known[i].at.cycle);
        assert_int_equal(p.bit, known[i].at.bit);
        assert_int_equal(p.signs, known[i].at.signs);
    }
}

/* --- All pairs, by their bits --- */

enum { SEEDS = 12000, TABLE = 1 << 17 };

/* Two ranges, one with bit shifts and one with word shifts. */
static int64_t seed_at(int i)
{
    return i < 2000 ? 100 + i : 38000 + i;
}

static uint64_t *stream_bits(int64_t seed, uint64_t *words)
{
    struct ranmar_state s;
    ranmar_seed(&s, ranmar_flavour(GPURANMAR_DOUBLE), seed);
    for (int w = 0; w < RANMAR_LONG_LAG; ++w) /* in the order in which they are made */
        words[w] = s.x[RANMAR_LONG_LAG - 1 - w] >> 16;
    return words;
}

/* The 48 bits from `bit` on. */
static uint64_t bits_at(const uint64_t *words, unsigned bit)
{
    const unsigned w = bit / 48, b = bit % 48;
    const uint64_t two = b ? words[w] << b | words[w + 1] >> (48 - b) : words[w];
    return two & ((UINT64_C(1) << 48) - 1);
}

static struct {
    uint64_t key;
    int64_t seed;
} table[TABLE];

static size_t slot_of(uint64_t key)
{
    return key * UINT64_C(0x9e3779b97f4a7c15) >> 47;
}

static int64_t pairs_by_audit[3];

static int count_pair(const gpuranmar_tie *tie, void *segments)
{
    const gpuranmar_segment *const s = segments;
    if (tie->kind != GPURANMAR_TIE_WORDS && tie->kind != GPURANMAR_TIE_BITS)
        return 0;
    /* The pair must have the bits that it is said to have. */
    uint64_t first[RANMAR_LONG_LAG], second[RANMAR_LONG_LAG];
    stream_bits(s[tie->first].seed, first);
    stream_bits(s[tie->second].seed, second);
    const unsigned distance = (unsigned)(tie->words * 48 + tie->bits);
    for (unsigned bit = 0; bit + distance + 48 < 97 * 48; bit += 47)
        assert_true(bits_at(first, bit + distance) == bits_at(second, bit));
    ++pairs_by_audit[tie->bits != 0];
    return 0;
}

TEST(all_pairs_of_a_range)
{
    static gpuranmar_segment s[SEEDS];
    for (int i = 0; i < SEEDS; ++i) {
        s[i] = (gpuranmar_segment){seed_at(i), 0, 0};
        uint64_t words[RANMAR_LONG_LAG];
        const uint64_t key = bits_at(stream_bits(seed_at(i), words), 0);
        size_t slot = slot_of(key);
        while (table[slot].key)
            slot = (slot + 1) % TABLE;
        table[slot].key = key;
        table[slot].seed = seed_at(i);
    }
    /* Which seed begins with the bits that this one has somewhere in its first 33 words? */
    int64_t by_words = 0, by_bits = 0;
    for (int i = 0; i < SEEDS; ++i) {
        uint64_t words[RANMAR_LONG_LAG];
        stream_bits(seed_at(i), words);
        for (unsigned bit = 1; bit <= 33 * 48; ++bit) {
            const uint64_t key = bits_at(words, bit);
            for (size_t slot = slot_of(key); table[slot].key; slot = (slot + 1) % TABLE)
                if (table[slot].key == key) {
                    const gpuranmar_segment other = {table[slot].seed, 0, 0};
                    gpuranmar_tie tie;
                    assert_int_equal(gpuranmar_seeds_compare(s + i, &other, GPURANMAR_DOUBLE, &tie),
                                     0);
                    /* A shift that ties nothing is not to be reported. */
                    by_words += bit % 48 == 0 && tie.kind == GPURANMAR_TIE_WORDS;
                    by_bits += bit % 48 != 0 && tie.kind == GPURANMAR_TIE_BITS;
                    if (bit <= 24)
                        assert_int_equal(tie.kind, GPURANMAR_TIE_BITS);
                    if (bit % 48 == 0)
                        assert_true((tie.kind == GPURANMAR_TIE_WORDS) == (bit <= 32 * 48));
                }
        }
    }
    assert_int_equal(gpuranmar_seeds_audit(s, SEEDS, GPURANMAR_DOUBLE, count_pair, s),
                     GPURANMAR_OK);
    print_message("# %d seeds: %" PRId64 " word shifts, %" PRId64 " bit shifts\n", SEEDS, by_words,
                  by_bits);
    assert_true(by_words > 100 && by_bits > 100);
    assert_int_equal(pairs_by_audit[0], by_words);
    assert_int_equal(pairs_by_audit[1], by_bits);
}

/* --- Tied numbers, by the numbers --- */

enum { NUMBERS = 4000 };

/* A flavour whose seeds are places on cycles, each in its turn. */
static int flavour_of(int trial)
{
    int codes[RANMAR_FLAVOURS], n = 0;
    for (int code = 0; code < RANMAR_FLAVOURS; ++code)
        if (!ranmar_flavour(code)->keyed)
            codes[n++] = code;
    return codes[trial % n];
}

/* x, a number without its arithmetic part, at the positions of a flavour. */
static void make_x(int64_t seed, const struct ranmar_flavour *f, uint64_t *x)
{
    struct ranmar_state s;
    ranmar_seed(&s, f, seed);
    uint64_t ring[RANMAR_LONG_LAG + NUMBERS];
    memcpy(ring, s.x, sizeof s.x);
    for (int n = RANMAR_LONG_LAG; n < RANMAR_LONG_LAG + NUMBERS; ++n)
        ring[n] = ranmar_lagged(ring + n - RANMAR_LONG_LAG, f->every);
    memcpy(x, ring + RANMAR_LONG_LAG, NUMBERS * sizeof *x);
}

static int count_any(const gpuranmar_tie *tie, void *count)
{
    (void)tie;
    ++*(int64_t *)count;
    return 0;
}

/* Whether x_second[n] and 2^bits x_first[like] are within 2^-20. */
static int is_near(uint64_t x[2][NUMBERS], uint64_t n, int64_t like, int bits)
{
    const uint64_t error =
        bits >= 0 ? x[1][n] - (x[0][like] << bits) : x[0][like] - (x[1][n] << -bits);
    return error + (UINT64_C(1) << 44) - 1 < (UINT64_C(2) << 44) - 1;
}

/* How many numbers were compared, and how many of them are within 2^-20 of each other although no
 * tie is counted: by chance that is one in 2^19. */
static uint64_t compared, by_chance;

/* Compares the numbers of two segments with what is said of them. b is `words` words and `bits`
 * bits further on than a. */
static void check_segments(uint64_t x[2][NUMBERS], const gpuranmar_segment *a,
                           const gpuranmar_segment *b, int flavour, int words, int bits)
{
    uint64_t tied = 0, first = 0, last = 0;
    for (uint64_t n = b->position; n < b->position + b->numbers; ++n) {
        const int64_t like = (int64_t)n - words;
        if (like < (int64_t)a->position || like >= (int64_t)(a->position + a->numbers))
            continue;
        ++compared;
        if (!is_near(x, n, like, bits))
            continue;
        first = tied++ ? first : n;
        last = n;
    }
    gpuranmar_tie tie;
    assert_int_equal(gpuranmar_seeds_compare(a, b, flavour, &tie), GPURANMAR_OK);
    if (tie.kind == GPURANMAR_TIE_LOW_BITS)
        tie.tied = 0;
    assert_true(tie.tied <= tied);
    if (tie.tied < tied) {
        by_chance += tied - tie.tied;
        return;
    }
    if (tied == 0)
        return;
    assert_int_equal(tie.kind, bits ? GPURANMAR_TIE_BITS : GPURANMAR_TIE_WORDS);
    assert_int_equal(tie.words, words);
    assert_int_equal(tie.bits, bits);
    assert_int_equal(tie.position, first);
    assert_int_equal(tie.last, last);
    assert_int_equal(tie.first_position, first - (uint64_t)words);
}

static void check_tie(int64_t a, int64_t b, int flavour, int words, int bits)
{
    static uint64_t x[2][NUMBERS];
    make_x(a, ranmar_flavour(flavour), x[0]);
    make_x(b, ranmar_flavour(flavour), x[1]);
    gpuranmar_segment s[2] = {{a, 0, NUMBERS}, {b, 0, NUMBERS}};
    for (int part = 0; part < 10; ++part) {
        check_segments(x, s, s + 1, flavour, words, bits);
        for (int i = 0; i < 2; ++i) {
            s[i].position = random_in(0, NUMBERS - 1);
            s[i].numbers = random_in(1, NUMBERS - s[i].position);
        }
    }
}

TEST(tied_numbers_are_those_counted)
{
    for (int trial = 0; trial < 400; ++trial) {
        const int flavour = flavour_of(trial);
        const unsigned word = ranmar_flavour(flavour)->bits;
        const int half = (int)word / 2, words = trial % 3 ? 0 : (int)random_in(1, 32);
        int bits = trial % 2 ? 0 : (int)random_in(1, word) - half;
        if (words == 0)
            bits = (int)random_in(1, (unsigned)half);
        int64_t a;
        const int64_t b = moved_on((unsigned)(words * (int)word + bits), &a);
        check_tie(a, b, flavour, words, bits);
    }
    check_tie(54217137, 245729350, GPURANMAR_DOUBLE, 1, 0);
    check_tie(169, 1184, GPURANMAR_DOUBLE, 0, 1);
    check_tie(460401085, 819433462, GPURANMAR_DOUBLE, 0, 2);
    print_message("# %" PRIu64 " of %" PRIu64 " numbers are near each other by chance\n", by_chance,
                  compared);
    assert_true(by_chance <= 20 + compared / (1 << 17));
}

/* The lowest bits of all numbers far along, as the tie says and not one more. */
TEST(lowest_bits_stay_tied)
{
    int64_t a = 214774411, b = 198893438;
    int words = 1, some = 0;
    for (int trial = 0; trial < 60; ++trial) {
        const uint64_t far = random_size(GPURANMAR_SAFE_POSITION, RANMAR_POSITION_MAX / 2);
        const struct ranmar_flavour *const f = ranmar_flavour(GPURANMAR_DOUBLE);
        const gpuranmar_segment s[2] = {{a, far, 500}, {b, far + (unsigned)words, 500}};
        gpuranmar_tie tie;
        assert_int_equal(gpuranmar_seeds_compare(s, s + 1, GPURANMAR_DOUBLE, &tie), GPURANMAR_OK);
        uint64_t any = 0;
        struct ranmar_state x[2];
        struct ranmar_jump jump;
        for (int i = 0; i < 2; ++i) {
            ranmar_seed(&x[i], f, s[i].seed);
            ranmar_jump_prepare(&jump, s[i].position, f);
            ranmar_jump_apply(&jump, f, &x[i]);
        }
        for (int i = 0; i < RANMAR_LONG_LAG; ++i)
            any |= (x[0].x[i] ^ x[1].x[i]) >> 16;
        const int shared = __builtin_ctzll(any);
        assert_int_equal(tie.kind, shared ? GPURANMAR_TIE_LOW_BITS : GPURANMAR_TIE_NONE);
        assert_int_equal(tie.low_bits, shared);
        assert_int_equal(tie.tied, shared ? 500 : 0);
        if (trial == 0)
            assert_int_equal(shared, 31);
        some += shared > 0;
        words = (int)random_in(1, 3);
        b = moved_on((unsigned)words * 48, &a);
    }
    assert_true(some > 5);
}

/* All but the indices. */
static void assert_same_tie(const gpuranmar_tie *got, const gpuranmar_tie *expected)
{
    assert_int_equal(got->kind, expected->kind);
    assert_int_equal(got->words, expected->words);
    assert_int_equal(got->bits, expected->bits);
    assert_int_equal(got->low_bits, expected->low_bits);
    assert_int_equal(got->tied, expected->tied);
    assert_int_equal(got->position, expected->position);
    assert_int_equal(got->last, expected->last);
    assert_int_equal(got->first_position, expected->first_position);
}

/* All that a comparison says. */
TEST(ties_in_full)
{
    enum { A = 54217137, B = 245729350 }; /* B is one word further on */
    static const struct {
        gpuranmar_segment first, second;
        int flavour;
        gpuranmar_tie tie;
    } known[] = {
        {{5, 1000, 1000},
         {5, 1500, 0},
         0,
         {0, 1, GPURANMAR_TIE_OVERLAP, 0, 0, 0, 500, 1500, 1999, 1500}},
        {{5, 1000, 1000}, {5, 2000, 0}, 0, {0, 1, GPURANMAR_TIE_NONE, 0, 0, 0, 0, 0, 0, 0}},
        {{5, 2000, 0}, {5, 1000, 1000}, 0, {0, 1, GPURANMAR_TIE_NONE, 0, 0, 0, 0, 0, 0, 0}},
        {{1, 0, 0}, {2, 0, 0}, 0, {0, 1, GPURANMAR_TIE_NONE, 0, 0, 0, 0, 0, 0, 0}},
        {{A, 0, 0}, {B, 4000, 0}, 0, {0, 1, GPURANMAR_TIE_NONE, 0, 0, 0, 0, 0, 0, 0}},
        {{A, 0, 0}, {B, 0, 0}, 0, {0, 1, GPURANMAR_TIE_WORDS, 1, 0, 0, 1537, 1, 3201, 0}},
        {{B, 0, 0}, {A, 0, 0}, 0, {1, 0, GPURANMAR_TIE_WORDS, 1, 0, 0, 1537, 1, 3201, 0}},
        {{A, 0, 10}, {B, 5, 0}, 0, {0, 1, GPURANMAR_TIE_WORDS, 1, 0, 0, 6, 5, 10, 4}},
        {{169, 0, 0}, {1184, 7, 93}, 0, {0, 1, GPURANMAR_TIE_BITS, 0, 1, 0, 93, 7, 99, 7}}};
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        gpuranmar_tie tie;
        memset(&tie, 0x55, sizeof tie);
        assert_int_equal(
            gpuranmar_seeds_compare(&known[i].first, &known[i].second, known[i].flavour, &tie),
            GPURANMAR_OK);
        assert_int_equal(tie.first, known[i].tie.first);
        assert_int_equal(tie.second, known[i].tie.second);
        assert_same_tie(&tie, &known[i].tie);
    }
}

/* --- Twins, overlaps, the short cycle --- */

TEST(twins_differ_in_signs)
{
    static const struct digits signs[] = {{0, 0, 1, 0}, {0, 1, 0, 0}, {0, 1, 1, 0}, {1, 0, 0, 0},
                                          {1, 0, 1, 0}, {1, 1, 0, 0}, {1, 1, 1, 0}};
    for (int trial = 0; trial < 300; ++trial) {
        int64_t a;
        const int words = (int)random_in(0, 32);
        struct digits d = digits_of(moved_on((unsigned)words * 48, &a));
        const struct digits s = signs[trial % 7];
        d.i = s.i ? 179 - d.i : d.i;
        d.j = s.j ? 179 - d.j : d.j;
        d.k = s.k ? 179 - d.k : d.k;
        const int64_t b = seed_with(d);
        if (b < 0)
            continue;
        const gpuranmar_segment whole[2] = {{a, 0, 0}, {b, 0, 0}};
        const gpuranmar_segment late = {b, RANMAR_TWINS_REACH, 0};
        gpuranmar_tie tie;
        assert_int_equal(gpuranmar_seeds_compare(whole, whole + 1, GPURANMAR_DOUBLE, &tie),
                         GPURANMAR_OK);
        uint64_t x[2][RANMAR_LONG_LAG];
        int differ = 0;
        ranmar_formula_words(x[0], 48, a);
        ranmar_formula_words(x[1], 48, b);
        for (int w = words; w < RANMAR_LONG_LAG; ++w)
            differ += __builtin_popcountll(x[1][w] ^ x[0][w - words]);
        const double agree = 1 - differ / (48.0 * (RANMAR_LONG_LAG - words));
        assert_true(trial % 7 == 6 ? agree < 0.57 : agree > 0.68 && agree < 0.82);
        if (trial % 7 == 6) { /* all three: as many bits agree as of any others */
            assert_int_equal(tie.kind, GPURANMAR_TIE_NONE);
            continue;
        }
        assert_int_equal(tie.kind, GPURANMAR_TIE_TWINS);
        assert_int_equal(tie.words, words);
        assert_int_equal(gpuranmar_seeds_compare(whole, &late, GPURANMAR_DOUBLE, &tie),
                         GPURANMAR_OK);
        assert_int_equal(tie.kind, GPURANMAR_TIE_NONE);
    }
}

static int keep_last(const gpuranmar_tie *tie, void *kept)
{
    *(gpuranmar_tie *)kept = *tie;
    return 0;
}

TEST(overlaps_are_found)
{
    gpuranmar_segment s[] = {{5, 1000, 1000}, {7, 0, 0}, {5, 1999, 5}, {5, 2004, 0}, {5, 0, 1000}};
    gpuranmar_tie tie = {0};
    assert_int_equal(gpuranmar_seeds_audit(s, 5, GPURANMAR_DOUBLE, keep_last, &tie), 0);
    assert_int_equal(tie.kind, GPURANMAR_TIE_OVERLAP);
    assert_int_equal(tie.tied, 1);
    assert_int_equal(tie.position, 1999);
    assert_true(tie.first == 0 && tie.second == 2);
    s[2].position = 2000;
    memset(&tie, 0, sizeof tie);
    assert_int_equal(gpuranmar_seeds_audit(s, 5, GPURANMAR_DOUBLE, keep_last, &tie), 0);
    assert_int_equal(tie.kind, GPURANMAR_TIE_OVERLAP); /* 2000..2004 and 2004.. */
    s[2].numbers = 4;
    memset(&tie, 0, sizeof tie);
    assert_int_equal(gpuranmar_seeds_audit(s, 5, GPURANMAR_DOUBLE, keep_last, &tie), 0);
    assert_int_equal(tie.kind, GPURANMAR_TIE_NONE);
}

static int stop_later(const gpuranmar_tie *tie, void *more)
{
    (void)tie;
    return --*(int *)more == 0;
}

TEST(an_audit_ends_when_it_is_told_to)
{
    const gpuranmar_segment s[] = {
        {54217137, 0, 0}, {54217137, 9, 0}, {245729350, 0, 0}, {169, 0, 0}, {1184, 0, 0}};
    enum { FOUND = 4 }; /* an overlap, two word shifts, a bit shift */
    for (int calls = 1; calls <= FOUND + 1; ++calls) {
        int more = calls;
        assert_int_equal(gpuranmar_seeds_audit(s, 5, GPURANMAR_DOUBLE, stop_later, &more), 0);
        assert_int_equal(more, calls > FOUND);
    }
}

/* --- The audit against comparisons of all pairs --- */

enum { FEW = 16 };

struct pairs {
    int times[FEW][FEW]; /* by the lower and the higher index */
    gpuranmar_tie tie[FEW][FEW];
};

static int keep_pair(const gpuranmar_tie *tie, void *kept)
{
    struct pairs *const p = kept;
    const size_t low = tie->first < tie->second ? tie->first : tie->second,
                 high = tie->first < tie->second ? tie->second : tie->first;
    ++p->times[low][high];
    p->tie[low][high] = *tie;
    return 0;
}

/* The same seed, one further on, or one of these with other signs. */
static int64_t relative_of(int64_t seed)
{
    for (;;) {
        const unsigned far[] = {0, 48 * (unsigned)random_in(0, 33), (unsigned)random_in(0, 1700)};
        const unsigned signs = random_in(0, 1) ? 0 : (unsigned)random_in(1, 7);
        struct digits d = walk(digits_of(seed), far[random_in(0, 2)]);
        d.i = signs & 4 ? 179 - d.i : d.i;
        d.j = signs & 2 ? 179 - d.j : d.j;
        d.k = signs & 1 ? 179 - d.k : d.k;
        const int64_t relative = seed_with(d);
        if (relative >= 0)
            return relative;
    }
}

TEST(an_audit_finds_what_comparisons_find)
{
    static struct pairs found;
    int64_t pairs = 0;
    for (int trial = 0; trial < 200; ++trial) {
        const int flavour = flavour_of(trial);
        gpuranmar_segment s[FEW];
        for (int i = 0; i < FEW; ++i) {
            if (i % 8 == 0) /* every second time so near to the end of a cycle that some go past */
                do
                    s[i].seed = (int64_t)random_in(0, RANMAR_SEED_MAX);
                while (trial % 2 && ranmar_place_of(s[i].seed).bit + 1000 < RANMAR_CYCLE_LENGTH);
            else
                s[i].seed = relative_of(s[i - 1 - (int)random_in(0, (unsigned)i % 8 - 1)].seed);
            s[i].position = random_size(0, 5000);
            s[i].numbers = random_in(0, 1) ? 0 : random_size(1, 5000);
        }
        memset(&found, 0, sizeof found);
        assert_int_equal(gpuranmar_seeds_audit(s, FEW, flavour, keep_pair, &found), GPURANMAR_OK);
        for (size_t i = 0; i < FEW; ++i)
            for (size_t j = i + 1; j < FEW; ++j) {
                gpuranmar_tie tie;
                assert_int_equal(gpuranmar_seeds_compare(s + i, s + j, flavour, &tie),
                                 GPURANMAR_OK);
                assert_int_equal(found.times[i][j], tie.kind != GPURANMAR_TIE_NONE);
                if (tie.kind == GPURANMAR_TIE_NONE)
                    continue;
                ++pairs;
                assert_same_tie(&found.tie[i][j], &tie);
                if (tie.words || tie.bits) /* else neither is further on */
                    assert_int_equal(found.tie[i][j].first, tie.first == 0 ? i : j);
            }
    }
    assert_true(pairs > 1000);
}

/* The audit finds pairs up to the largest distance at which anything is tied: 32 words and a half
 * in 48 bits. (It looks half a word further.) */
TEST(the_largest_distance)
{
    enum { MOST = 32 * 48 + 24 };
    for (unsigned distance = MOST - 1; distance <= 33 * 48 + 1; ++distance) {
        gpuranmar_segment s[2] = {{0, 0, 0}, {-1, 0, 0}};
        while (s[1].seed < 0) {
            s[0].seed = (int64_t)random_in(0, RANMAR_SEED_MAX);
            s[1].seed = seed_with(walk(digits_of(s[0].seed), distance));
        }
        int64_t found = 0;
        gpuranmar_seeds_audit(s, 2, GPURANMAR_DOUBLE, count_any, &found);
        assert_int_equal(found, distance <= MOST);
    }
}

/* Twins that stand at one place are a pair once, with nothing else on their cycle. */
TEST(twins_in_place_are_found_once)
{
    const gpuranmar_segment s[] = {{54217137, 0, 0}, {54228460, 0, 0}, {57556239, 0, 0}};
    int64_t found = 0;
    assert_int_equal(gpuranmar_seeds_audit(s, 3, GPURANMAR_DOUBLE, count_any, &found), 0);
    assert_int_equal(found, 3);
}

/* One pair is tied, around the end of cycle 31. One seed stands on cycle 9, and one far from the
 * pair, from where nothing is tied. */
TEST(an_audit_goes_around_each_cycle)
{
    const gpuranmar_segment s[] = {
        {54248662, 0, 0}, {54248142, 0, 0}, {107503314, 0, 0}, {54248143, 4000, 0}};
    gpuranmar_tie tie = {0};
    assert_int_equal(gpuranmar_seeds_audit(s, 4, GPURANMAR_DOUBLE, keep_last, &tie), 0);
    assert_int_equal(tie.kind, GPURANMAR_TIE_WORDS);
    assert_int_equal(tie.words, 1);
    assert_int_equal(tie.first, 1);
    assert_int_equal(tie.second, 2);
}

static int add_tied(const gpuranmar_tie *tie, void *sum)
{
    *(uint64_t *)sum += tie->tied;
    return 0;
}

/* The most that are at one of the distances by which b is further on than a. */
static uint64_t most_near_numbers(int64_t a, int64_t b, const struct ranmar_flavour *f)
{
    static uint64_t x[2][NUMBERS];
    make_x(a, f, x[0]);
    make_x(b, f, x[1]);
    uint64_t most = 0;
    const int word = (int)f->bits;
    for (int distance = 1; distance <= 33 * word; ++distance) {
        if (seed_with(walk(digits_of(a), (unsigned)distance)) != b)
            continue;
        const int up = distance % word > word / 2;
        uint64_t tied = 0;
        for (int words = distance / word + up, n = words; n < NUMBERS; ++n)
            tied += (uint64_t)is_near(x, (uint64_t)n, n - words, distance % word - (up ? word : 0));
        most = tied > most ? tied : most;
    }
    return most;
}

/* Where i, j and k are 1 or 178 all seeds are shifts of each other, in both directions and by
 * several distances: the one that ties most counts. */
static void check_the_short_cycle(int flavour)
{
    enum { N = 80 };
    gpuranmar_segment s[N] = {{0}};
    uint64_t sum = 0, expected = 0;
    const int64_t start = (int64_t)random_in(0, 168);
    for (int i = 0; i < N; ++i) /* i = j = 178, k = 1 or 178, and different l */
        s[i].seed = RANMAR_SEED_MAX - (i % 2 * 177 * 169 + (start + 2 * i) % 169);
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < i; ++j) {
            gpuranmar_tie tie;
            assert_int_equal(gpuranmar_seeds_compare(s + i, s + j, flavour, &tie), GPURANMAR_OK);
            expected += tie.tied;
            if (random_in(0, 15) || tie.kind == GPURANMAR_TIE_TWINS)
                continue;
            const struct ranmar_flavour *const f = ranmar_flavour(flavour);
            const uint64_t one = most_near_numbers(s[i].seed, s[j].seed, f),
                           other = most_near_numbers(s[j].seed, s[i].seed, f),
                           most = one > other ? one : other;
            assert_true(tie.tied <= most && tie.tied + 3 >= most); /* up to 3 by chance */
        }
    assert_int_equal(gpuranmar_seeds_audit(s, N, flavour, add_tied, &sum), GPURANMAR_OK);
    assert_int_equal(sum, expected);
}

TEST(the_short_cycle)
{
    check_the_short_cycle(GPURANMAR_DOUBLE);
}

/* --- Plans --- */

TEST(plans_have_nothing_in_common)
{
    enum { N = 20000 };
    static gpuranmar_segment s[N];
    for (int trial = 0; trial < 4; ++trial) {
        gpuranmar_plan plan = GPURANMAR_PLAN_INIT;
        plan.seed = (int64_t)random_in(0, RANMAR_SEED_MAX);
        plan.by_seed = trial % 2;
        plan.position = random_size(GPURANMAR_SAFE_POSITION, UINT64_C(1) << 50);
        plan.numbers = random_size(1, UINT64_C(1) << 60);
        const size_t n = plan.by_seed ? 3000 : 1 + random_in(0, N - 1);
        assert_int_equal(gpuranmar_seeds_plan(&plan, s, n), GPURANMAR_OK);
        int64_t found = 0;
        assert_int_equal(gpuranmar_seeds_audit(s, n, GPURANMAR_DOUBLE, count_any, &found), 0);
        assert_int_equal(found, 0);
        for (size_t i = 0; i < n && !plan.by_seed; ++i) {
            if (i && s[i].seed == s[i - 1].seed)
                assert_int_equal((s[i].position - s[i - 1].position) % 2, 1);
            assert_true(s[i].numbers == plan.numbers);
            assert_true(s[i].position + s[i].numbers <= UINT64_C(2000000000) * 1000000000);
        }
    }
}

/* The lowest bits of three states, where they are the sum of each other: 0. */
static uint64_t sum_of_lowest_bits(const uint64_t position[3])
{
    const struct ranmar_flavour *const f = ranmar_flavour(GPURANMAR_DOUBLE);
    uint64_t sum[RANMAR_LONG_LAG] = {0}, any = 0;
    for (int i = 0; i < 3; ++i) {
        struct ranmar_state state;
        struct ranmar_jump jump;
        ranmar_seed(&state, f, 54217137);
        ranmar_jump_prepare(&jump, position[i], f);
        ranmar_jump_apply(&jump, f, &state);
        for (int w = 0; w < RANMAR_LONG_LAG; ++w)
            sum[w] ^= state.x[w] >> 16 & 1;
    }
    for (int w = 0; w < RANMAR_LONG_LAG; ++w)
        any |= sum[w];
    return any;
}

/* At distances of a power of two the lowest bits of three segments are linear; a plan's are not. */
TEST(planned_distances_are_odd)
{
    const uint64_t far = UINT64_C(1) << 40, at = 1000000000;
    gpuranmar_segment s[98];
    gpuranmar_plan plan = GPURANMAR_PLAN_INIT;
    plan.numbers = far;
    assert_int_equal(gpuranmar_seeds_plan(&plan, s, 98), GPURANMAR_OK);
    assert_int_equal(sum_of_lowest_bits((uint64_t[]){at, at + 64 * far, at + 97 * far}), 0);
    assert_int_equal(
        sum_of_lowest_bits((uint64_t[]){s[0].position, s[64].position, s[97].position}), 1);
}

/* A plan by seeds takes each that stands 97 words or more from all that it took before. */
static void check_plan(const gpuranmar_plan *plan, const gpuranmar_segment *s, int n)
{
    enum { NEAR = 97 * 48, ROW = RANMAR_CYCLE_LENGTH + 2 * NEAR };
    /* The places that are taken. Each cycle's row begins with the end of the cycle and ends with
     * its beginning. */
    unsigned char *const rows = calloc(RANMAR_CYCLES, ROW);
    assert_non_null(rows);
    int64_t seed = plan->seed;
    for (int i = 0; i < n; ++seed) {
        const struct ranmar_place p = ranmar_place_of(seed);
        if (p.cycle == RANMAR_SHORT_CYCLE)
            continue;
        unsigned char *const here = rows + (size_t)p.cycle * ROW + NEAR + p.bit;
        if (memchr(here - (NEAR - 1), 1, 2 * NEAR - 1))
            continue;
        assert_int_equal(s[i].seed, seed);
        assert_int_equal(s[i].position, plan->position);
        assert_int_equal(s[i++].numbers, plan->numbers);
        *here = 1;
        if (p.bit < NEAR)
            here[RANMAR_CYCLE_LENGTH] = 1;
        if (p.bit >= RANMAR_CYCLE_LENGTH - NEAR)
            here[-RANMAR_CYCLE_LENGTH] = 1;
    }
    free(rows);
}

TEST(a_plan_skips_only_seeds_that_are_too_near)
{
    /* The seeds of one i, j and k, 169 of them, stand 8011 bits apart. Of 54217137 and most others,
     * the next ones on the cycle are too near to all of them or to none. From these seeds on, which
     * begin within 169 of them, some of the next ones stand 4655 or 4656 bits from one alone. */
    static const int64_t starts[] = {58203600 + 84, 58183151 + 84, 107550417 + 84, 107565289 + 84};
    enum { SOME = 600, ALL = 14872 }; /* of all: docs/seeds.md */
    static gpuranmar_segment s[ALL + 1], few[101];
    gpuranmar_plan plan = GPURANMAR_PLAN_INIT;
    plan.by_seed = 1;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; ++i) {
        plan.seed = starts[i];
        assert_int_equal(gpuranmar_seeds_plan(&plan, s, SOME), GPURANMAR_OK);
        check_plan(&plan, s, SOME);
    }
    plan.seed = 54217137;
    assert_int_equal(gpuranmar_seeds_plan(&plan, s, ALL + 1), GPURANMAR_BAD_ARGUMENT);
    assert_string_equal(gpuranmar_last_error(),
                        "gpuranmar_seeds_plan: skip = 0, n = 14873: there are no more "
                        "than 14872 segments");
    check_plan(&plan, s, ALL);
    /* The same plan gives the same ones, whatever n, and no more than n. */
    few[100].seed = -5;
    assert_int_equal(gpuranmar_seeds_plan(&plan, few, 100), GPURANMAR_OK);
    assert_memory_equal(few, s, 100 * sizeof *s);
    assert_int_equal(few[100].seed, -5);
    assert_int_equal(gpuranmar_seeds_plan(&plan, few + 100, 1), GPURANMAR_OK);
    assert_memory_equal(few + 100, s, sizeof *s);
    assert_int_equal(gpuranmar_seeds_plan(&plan, NULL, 0), GPURANMAR_OK);
}

#define POSITION_END (UINT64_C(2000000000) * 1000000000)

/* Three segments fill a seed. After the seeds of the short cycle, the last ones, comes seed 0. */
TEST(segments_lie_end_to_end)
{
    enum { N = 7 };
    static const int64_t seeds[] = {RANMAR_SEED_MAX - 169, 0, 1};
    gpuranmar_segment s[N];
    gpuranmar_plan plan = GPURANMAR_PLAN_INIT;
    plan.seed = seeds[0];
    plan.position = POSITION_END / 2 + 1;
    plan.numbers = (POSITION_END - plan.position) / 3;
    assert_int_equal(gpuranmar_seeds_plan(&plan, s, N), GPURANMAR_OK);
    for (int i = 0; i < N; ++i) {
        assert_int_equal(s[i].seed, seeds[i / 3]);
        assert_int_equal(s[i].position, plan.position + (uint64_t)(i % 3) * plan.numbers);
        assert_int_equal(s[i].numbers, plan.numbers);
    }
    assert_true(s[2].position + s[2].numbers == POSITION_END);
}

TEST(takes_the_largest_and_the_smallest)
{
    static const gpuranmar_segment plans[] = {
        {0, 4000, 1}, {RANMAR_SEED_MAX, 4000, POSITION_END - 4000}, {0, POSITION_END - 1, 1}};
    for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i) {
        gpuranmar_plan plan = GPURANMAR_PLAN_INIT;
        plan.seed = plans[i].seed;
        plan.position = plans[i].position;
        plan.numbers = plans[i].numbers;
        gpuranmar_segment s;
        assert_int_equal(gpuranmar_seeds_plan(&plan, &s, 1), GPURANMAR_OK);
        assert_int_equal(s.seed, 0); /* the largest seed is on the short cycle */
        assert_int_equal(s.position, plans[i].position);
        assert_int_equal(s.numbers, plans[i].numbers);
    }
    static const uint64_t end = UINT64_C(1) << 63;
    const gpuranmar_segment s[] = {{0, end, 0}, {RANMAR_SEED_MAX, 0, end}, {1, end - 5, 5}};
    int64_t found = 0;
    assert_int_equal(gpuranmar_seeds_audit(s, 3, GPURANMAR_DOUBLE, count_any, &found),
                     GPURANMAR_OK);
    assert_int_equal(found, 0);
    assert_int_equal(gpuranmar_seeds_audit(NULL, 0, GPURANMAR_DOUBLE, count_any, NULL),
                     GPURANMAR_OK);
}

TEST(refuses_segments)
{
    static const uint64_t end = UINT64_C(1) << 63;
    static const struct {
        gpuranmar_segment bad;
        const char *error;
    } refused[] = {
        {{-1, 0, 0}, "].seed = -1 is not in 0..942438977"},
        {{942438978, 0, 0}, "].seed = 942438978 is not in 0..942438977"},
        {{1, end + 1, 0}, "].position = 9223372036854775809 is above 2^63"},
        {{1, end, 1}, "].numbers = 1 from position 9223372036854775808 is past 2^63"},
        {{1, end - 5, 6}, "].numbers = 6 from position 9223372036854775803 is past 2^63"}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
        const gpuranmar_segment good = {0, 0, 0}, s[] = {refused[i].bad, good, refused[i].bad};
        gpuranmar_tie tie;
        char error[200];
        assert_int_equal(gpuranmar_seeds_compare(s, &good, GPURANMAR_DOUBLE, &tie),
                         GPURANMAR_BAD_ARGUMENT);
        snprintf(error, sizeof error, "gpuranmar_seeds_compare: first[0%s", refused[i].error);
        assert_string_equal(gpuranmar_last_error(), error);
        assert_int_equal(gpuranmar_seeds_compare(&good, s, GPURANMAR_DOUBLE, &tie),
                         GPURANMAR_BAD_ARGUMENT);
        snprintf(error, sizeof error, "gpuranmar_seeds_compare: second[0%s", refused[i].error);
        assert_string_equal(gpuranmar_last_error(), error);
        for (size_t from = 0; from < 2; ++from) { /* the bad one is the first, or the second */
            assert_int_equal(gpuranmar_seeds_audit(s + from, 2, GPURANMAR_DOUBLE, count_any, NULL),
                             GPURANMAR_BAD_ARGUMENT);
            snprintf(error, sizeof error, "gpuranmar_seeds_audit: segments[%zu%s", from,
                     refused[i].error);
            assert_string_equal(gpuranmar_last_error(), error);
        }
    }
}

TEST(refuses_plans)
{
    static const struct {
        int64_t seed;
        uint64_t position, numbers;
        const char *error;
    } refused[] = {
        {-1, 4000, 1, "seed = -1 is not in 0..942438977"},
        {942438978, 4000, 1, "seed = 942438978 is not in 0..942438977"},
        {1, 3999, 1, "position = 3999 is not in 4000..1999999999999999999"},
        {1, POSITION_END, 1, "position = 2000000000000000000 is not in 4000..1999999999999999999"},
        {1, 4000, 0, "numbers = 0 is not in 1..1999999999999996000"},
        {1, 4000, POSITION_END - 3999,
         "numbers = 1999999999999996001 is not in 1..1999999999999996000"}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
        gpuranmar_plan plan = GPURANMAR_PLAN_INIT;
        gpuranmar_segment s;
        char error[200];
        plan.seed = refused[i].seed;
        plan.position = refused[i].position;
        plan.numbers = refused[i].numbers;
        assert_int_equal(gpuranmar_seeds_plan(&plan, &s, 1), GPURANMAR_BAD_ARGUMENT);
        snprintf(error, sizeof error, "gpuranmar_seeds_plan: plan->%s", refused[i].error);
        assert_string_equal(gpuranmar_last_error(), error);
    }
}

TEST(refuses_what_is_missing)
{
    const gpuranmar_segment s = {0, 0, 0};
    const gpuranmar_plan plan = GPURANMAR_PLAN_INIT;
    gpuranmar_tie tie;
#define REFUSES(call, error)                                \
    do {                                                    \
        assert_int_equal(call, GPURANMAR_BAD_ARGUMENT);     \
        assert_string_equal(gpuranmar_last_error(), error); \
    } while (0)
    REFUSES(gpuranmar_seeds_compare(&s, &s, 9, &tie),
            "gpuranmar_seeds_compare: flavour = 9: there is none");
    REFUSES(gpuranmar_seeds_compare(&s, NULL, 0, &tie),
            "gpuranmar_seeds_compare: second is a null pointer");
    REFUSES(gpuranmar_seeds_audit(&s, 1, 0, NULL, NULL),
            "gpuranmar_seeds_audit: found is a null pointer");
    REFUSES(gpuranmar_seeds_audit(NULL, 1, 0, count_any, NULL),
            "gpuranmar_seeds_audit: segments is a null pointer");
    REFUSES(gpuranmar_seeds_plan(NULL, NULL, 1), "gpuranmar_seeds_plan: plan is a null pointer");
    REFUSES(gpuranmar_seeds_plan(&plan, NULL, 1),
            "gpuranmar_seeds_plan: segments is a null pointer");
#undef REFUSES
}
