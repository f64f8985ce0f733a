/* The audit of seeds against brute force: places on cycles by walking, shifts by comparing the bits
 * that the definition's seeding makes, tied numbers by comparing numbers. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "definition/flavour.h"
#include "definition/ranges.h"
#include "fill/fill.h"
#include "gpuranmar_seeds.h"
#include "seeds/cycles.h"
#include "seeds/ties.h"
#include "tests.h"

/* --- Walking --- */

/* A seed as the published seeding takes it apart: i, j from IJ, k, l from KL. */
struct digits {
    unsigned i, j, k, l;
};

static inline struct digits digits_of(int64_t seed)
{
    const unsigned ij = (unsigned)(seed / 30082), kl = (unsigned)(seed % 30082);
    return (struct digits){ij / 177 % 177 + 2, ij % 177 + 2, kl / 169 % 178 + 1, kl % 169};
}

/* The seed with these digits, or -1: i and j begin at 2. */
static inline int64_t seed_with(struct digits d)
{
    if (d.i < 2 || d.j < 2)
        return -1;
    return ((int64_t)(d.i - 2) * 177 + (d.j - 2)) * 30082 + (d.k - 1) * 169 + d.l;
}

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

/* --- All pairs, by the bits of their words --- */

/* Random seeds, and seeds that stand near them in every way. */
enum { RANDOM_SEEDS = 2000, SEEDS = 2 * RANDOM_SEEDS, WORDS = 97, BITS_MOST = 48 * WORDS };

/* The bits of a seed in the order in which they are made, and the lowest bits of its words,
 * followed by those of the words that the recurrence run backwards makes. */
struct bits {
    int64_t seed;
    uint64_t x[WORDS]; /* the words, right-justified, the first made first */
    uint8_t made[BITS_MOST], lowest[2 * WORDS];
};

static void make_bits(struct bits *b, int64_t seed, unsigned word)
{
    uint64_t x[WORDS];
    ranmar_formula_words(x, word, seed);
    b->seed = seed;
    for (unsigned w = 0; w < WORDS; ++w) {
        b->x[w] = x[WORDS - 1 - w] >> (64 - word);
        b->lowest[w] = b->x[w] & 1;
        for (unsigned i = 0; i < word; ++i)
            b->made[w * word + i] = b->x[w] >> (word - 1 - i) & 1;
    }
    for (unsigned w = WORDS; w < 2 * WORDS; ++w)
        b->lowest[w] = b->lowest[w - 97] ^ b->lowest[w - 64];
}

/* 64 bits of a row, those of a mask that repeats after four of them. */
static uint64_t key_of(const uint8_t *row, unsigned mask)
{
    uint64_t key = 0;
    for (unsigned i = 0; i < 64; ++i)
        key = key << 1 | (row[i] & (mask >> (3 - i % 4)));
    return key;
}

/* A pair as its bits show it: `second` is `distance` bits further on, and those bits of four that
 * `mask` has are the same. */
struct related {
    int first, second;
    unsigned distance, mask;
};

enum { TABLE = 1 << 14, RELATED_MOST = 400000 };
static struct bits seeds[SEEDS];
static struct related related[RELATED_MOST];
static int related_n, heads[TABLE], next_seed[SEEDS];
static uint64_t keys[SEEDS];

static unsigned slot_of(uint64_t key)
{
    return (unsigned)(key * UINT64_C(0x9e3779b97f4a7c15) >> 50);
}

/* Puts the key of a seed into the table, which the first one empties. */
static void add_key(int i, uint64_t key)
{
    if (i == 0)
        memset(heads, -1, sizeof heads);
    keys[i] = key;
    next_seed[i] = heads[slot_of(key)];
    heads[slot_of(key)] = i;
}

static void add_related(int first, int second, unsigned distance, unsigned mask)
{
    assert_true(related_n < RELATED_MOST);
    related[related_n++] = (struct related){first, second, distance, mask};
}

static int are_same(const uint8_t *a, const uint8_t *b, unsigned n, unsigned mask)
{
    for (unsigned i = 0; i < n; ++i)
        if ((a[i] ^ b[i]) & (mask >> (3 - i % 4)))
            return 0;
    return 1;
}

/* Finds the pairs of which the second begins with bits of the first, `step` bits apart or more. */
static void find_pairs(unsigned mask, unsigned step, unsigned most, unsigned bits)
{
    for (int i = 0; i < SEEDS; ++i)
        add_key(i, key_of(seeds[i].made, mask));
    for (int a = 0; a < SEEDS; ++a)
        for (unsigned d = 0; d <= most; d += step) {
            const uint64_t key = key_of(seeds[a].made + d, mask);
            for (int b = heads[slot_of(key)]; b >= 0; b = next_seed[b]) {
                if (keys[b] != key || (d == 0 && b <= a))
                    continue;
                if (are_same(seeds[a].made + d, seeds[b].made, bits - d, mask) &&
                    (mask == 15 || !are_same(seeds[a].made + d, seeds[b].made, bits - d, 15)))
                    add_related(a, b, d, mask);
            }
        }
}

/* How many pairs have the same lowest bits for ever, shifted by up to 96 words. Each must be one
 * that find_pairs() found. */
static int count_low_pairs(unsigned word)
{
    int pairs = 0;
    for (int i = 0; i < SEEDS; ++i)
        add_key(i, key_of(seeds[i].lowest, 15));
    for (int a = 0; a < SEEDS; ++a)
        for (unsigned w = 0; w < WORDS; ++w) {
            const uint64_t key = key_of(seeds[a].lowest + w, 15);
            for (int b = heads[slot_of(key)]; b >= 0; b = next_seed[b]) {
                if (keys[b] != key || (w == 0 && b <= a) ||
                    memcmp(seeds[a].lowest + w, seeds[b].lowest, WORDS) != 0)
                    continue;
                int known = 0;
                for (int i = 0; i < related_n && !known; ++i)
                    known = related[i].first == a && related[i].second == b &&
                            related[i].distance == w * word;
                assert_true(known);
                ++pairs;
            }
        }
    return pairs;
}

/* How many of the lowest bits all words of a pair that is shifted by whole words have in common. */
static int low_bits_of(const struct related *r, unsigned word)
{
    if (r->distance % word)
        return 0;
    uint64_t a[2 * WORDS], any = 0;
    memcpy(a, seeds[r->first].x, sizeof seeds->x);
    for (unsigned w = WORDS; w < 2 * WORDS; ++w)
        a[w] = a[w - 97] + a[w - 64];
    for (unsigned w = 0; w < WORDS; ++w)
        any |= a[w + r->distance / word] ^ seeds[r->second].x[w];
    any &= (UINT64_C(1) << word) - 1;
    return any ? __builtin_ctzll(any) : (int)word;
}

/* Compares what is said of a pair with its bits. Returns its kind. */
static int check_related(const struct related *r, uint64_t position, int flavour)
{
    const struct ranmar_flavour *const f = ranmar_flavour(flavour);
    const unsigned words = (r->distance + f->bits / 2 - 1) / f->bits;
    const int bits = (int)r->distance - (int)(words * f->bits), low = low_bits_of(r, f->bits);
    const gpuranmar_segment s[2] = {{seeds[r->first].seed, position, 0},
                                    {seeds[r->second].seed, position, 0}};
    gpuranmar_tie tie;
    assert_int_equal(gpuranmar_seeds_compare(s, s + 1, flavour, &tie), GPURANMAR_OK);
    const int twins = r->mask != 15, late = twins ? position >= 200 : position >= 4000;
    if (tie.kind == GPURANMAR_TIE_NONE) {
        assert_int_equal(low, 0);
        assert_true(position > 0 || bits != 0);
        return tie.kind;
    }
    assert_int_equal(tie.words, words);
    assert_int_equal(tie.bits, bits);
    assert_int_equal(tie.low_bits, low);
    assert_true(tie.first == 0 || r->distance == 0);
    if (tie.kind == GPURANMAR_TIE_LOW_BITS) {
        assert_int_equal(tie.position, position + words);
        assert_true(low > 0);
    } else {
        assert_false(late);
        assert_int_equal(tie.kind, twins  ? GPURANMAR_TIE_TWINS
                                   : bits ? GPURANMAR_TIE_BITS
                                          : GPURANMAR_TIE_WORDS);
    }
    return tie.kind;
}

/* A seed near another: by whole words, by bits, with other signs, with another l. */
static int64_t neighbour_of(int64_t seed)
{
    const unsigned far[] = {0, 48 * (unsigned)random_in(0, random_in(0, 1) ? 3 : 96),
                            24 * (unsigned)random_in(0, 70), (unsigned)random_in(0, 1700)};
    const unsigned signs = random_in(0, 1) ? 0 : (unsigned)random_in(1, 7);
    struct digits d = walk(digits_of(seed), far[random_in(0, 3)]);
    d.i = signs & 4 ? 179 - d.i : d.i;
    d.j = signs & 2 ? 179 - d.j : d.j;
    d.k = signs & 1 ? 179 - d.k : d.k;
    d.l = random_in(0, 4) ? d.l : (unsigned)random_in(0, 168);
    return seed_with(d);
}

/* By position: how many pairs of each kind the audit finds. */
static int64_t audited[GPURANMAR_TIE_LOW_BITS + 1];

static int count_kind(const gpuranmar_tie *tie, void *unused)
{
    (void)unused;
    ++audited[tie->kind];
    return 0;
}

static void check_all_pairs(int flavour)
{
    static const uint64_t positions[] = {0, 1500, 4000, 1000000000};
    const unsigned word = ranmar_flavour(flavour)->bits;
    static gpuranmar_segment s[SEEDS];
    related_n = 0;
    for (int i = 0; i < SEEDS; ++i) {
        int64_t seed = -1;
        while (seed < 0)
            seed = i < RANDOM_SEEDS ? (int64_t)random_in(0, RANMAR_SEED_MAX - 338)
                                    : neighbour_of(seeds[random_in(0, (unsigned)i - 1)].seed);
        make_bits(seeds + i, seed, word);
        for (int j = 0; j < i; ++j)
            if (seeds[j].seed == seed) { /* then it is made anew: it would be an overlap */
                --i;
                break;
            }
    }
    find_pairs(15, 1, 32 * word + word / 2, WORDS * word);
    /* The signs of m, i, j and k are those of four successive bits. Where they differ: */
    static const unsigned differ[] = {9, 10, 12, 5, 3, 6}; /* k, j, i; ik, jk, ij */
    for (unsigned i = 0; i < 6; ++i)
        find_pairs(15 & ~differ[i], word, 32 * word, WORDS * word);
    int low_pairs = 0;
    for (int i = 0; i < related_n; ++i)
        low_pairs += low_bits_of(related + i, word) > 0;
    assert_int_equal(count_low_pairs(word), low_pairs);
    for (size_t p = 0; p < sizeof positions / sizeof *positions; ++p) {
        int64_t expected[GPURANMAR_TIE_LOW_BITS + 1] = {0};
        for (int i = 0; i < related_n; ++i)
            ++expected[check_related(related + i, positions[p], flavour)];
        memset(audited, 0, sizeof audited);
        for (int i = 0; i < SEEDS; ++i)
            s[i] = (gpuranmar_segment){seeds[i].seed, positions[p], 0};
        assert_int_equal(gpuranmar_seeds_audit(s, SEEDS, flavour, count_kind, NULL), GPURANMAR_OK);
        print_message("# from %" PRIu64 ": ", positions[p]);
        for (int kind = 1; kind <= GPURANMAR_TIE_LOW_BITS; ++kind) {
            print_message(" %" PRId64, audited[kind]);
            assert_int_equal(audited[kind], expected[kind]);
        }
        print_message(" overlaps, words, bits, twins, lowest bits\n");
    }
}

TEST(all_pairs_by_their_bits)
{
    check_all_pairs(GPURANMAR_DOUBLE);
    check_all_pairs(GPURANMAR_SINGLE);
}

/* A seed shares its lowest bits with that w words further on if the next w lowest bits of the cycle
 * obey the recurrence. On all cycles that is so for at most 27 of them, in words of 24 bits 25. */
TEST(lowest_bits_are_shared_up_to_27_words)
{
    enum { LENGTH = RANMAR_CYCLE_LENGTH };
    struct ranmar_bits *const bits = malloc(sizeof *bits);
    uint8_t *const lowest = malloc(LENGTH + 3 * WORDS);
    assert_true(bits && lowest);
    for (int trial = 0; trial < 8; ++trial) {
        const unsigned word = trial % 2 ? 24 : 48, most = trial % 2 ? 25 : 27;
        const uint32_t cycle = trial < 2 ? 0 : (uint32_t)random_in(0, RANMAR_CYCLES - 1);
        unsigned run = 0, longest = 0;
        ranmar_bits_of_cycle(bits, cycle);
        for (unsigned t = 0, at = 0; t < LENGTH + 3 * WORDS; ++t, at = (at + word) % LENGTH) {
            lowest[t] = bits->by_sign[trial / 2 % 2][at / 64] >> (63 - at % 64) & 1;
            if (t >= WORDS) {
                run = lowest[t] == (lowest[t - 97] ^ lowest[t - 64]) ? run + 1 : 0;
                longest = run > longest ? run : longest;
            }
        }
        assert_true(longest > 15 && longest <= most);
    }
    free(lowest);
    free(bits);
}

/* Seeds of one i, j and k have the bits in common at which their l agree modulo 64. */
TEST(siblings_share_bits)
{
    for (int trial = 0; trial < 100; ++trial) {
        const int64_t a = (int64_t)random_in(0, RANMAR_SEED_MAX), b = a / 169 * 169 + trial;
        static struct bits x[2];
        make_bits(x, a, 48);
        make_bits(x + 1, b, 48);
        unsigned l = (unsigned)(a % 169), m = (unsigned)(b % 169), shared = 0;
        for (int i = 0; i < BITS_MOST; ++i) {
            l = (53 * l + 1) % 169;
            m = (53 * m + 1) % 169;
            if (l % 64 == m % 64)
                assert_int_equal(x[0].made[i], x[1].made[i]);
            shared += l % 64 == m % 64;
        }
        assert_int_equal(ranmar_siblings_share(a, b, BITS_MOST), shared);
    }
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
        assert_memory_equal(&tie, &known[i].tie, sizeof tie);
    }
}

/* --- The audit --- */

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

TEST(an_audit_finds_what_comparisons_find)
{
    static struct pairs found;
    int64_t pairs = 0;
    for (int trial = 0; trial < 100; ++trial) {
        const int flavour = flavour_of(trial);
        gpuranmar_segment s[FEW];
        for (int i = 0; i < FEW; ++i) {
            if (i % 8 == 0) /* every second time so near to the end of a cycle that some go past */
                do
                    s[i].seed = (int64_t)random_in(0, RANMAR_SEED_MAX);
                while (trial % 2 && ranmar_place_of(s[i].seed).bit + 1000 < RANMAR_CYCLE_LENGTH);
            else
                do
                    s[i].seed =
                        neighbour_of(s[i - 1 - (int)random_in(0, (unsigned)i % 8 - 1)].seed);
                while (s[i].seed < 0);
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
                const int swapped = tie.first == 1, either = !tie.words && !tie.bits;
                tie.first = either ? found.tie[i][j].first : swapped ? j : i;
                tie.second = either ? found.tie[i][j].second : swapped ? i : j;
                assert_memory_equal(&found.tie[i][j], &tie, sizeof tie);
            }
    }
    assert_true(pairs > 300);
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
TEST(the_short_cycle)
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
            assert_int_equal(gpuranmar_seeds_compare(s + i, s + j, GPURANMAR_DOUBLE, &tie),
                             GPURANMAR_OK);
            expected += tie.tied;
            if (random_in(0, 63) || tie.kind == GPURANMAR_TIE_TWINS)
                continue;
            const struct ranmar_flavour *const f = ranmar_flavour(GPURANMAR_DOUBLE);
            const uint64_t one = most_near_numbers(s[i].seed, s[j].seed, f),
                           other = most_near_numbers(s[j].seed, s[i].seed, f),
                           most = one > other ? one : other;
            assert_true(tie.tied <= most && tie.tied + 3 >= most); /* up to 3 by chance */
        }
    assert_int_equal(gpuranmar_seeds_audit(s, N, GPURANMAR_DOUBLE, add_tied, &sum), GPURANMAR_OK);
    assert_int_equal(sum, expected);
}

/* --- Plans --- */

TEST(plans_have_nothing_in_common)
{
    enum { N = 10000 }; /* for as many there are always seeds, if each takes a whole one */
    static gpuranmar_segment s[N];
    for (int trial = 0; trial < 4; ++trial) {
        gpuranmar_plan plan = GPURANMAR_PLAN_INIT;
        plan.seed = (int64_t)random_in(0, RANMAR_SEED_MAX);
        plan.by_seed = trial % 2;
        plan.position = random_size(GPURANMAR_SAFE_POSITION, UINT64_C(1) << 50);
        plan.numbers = 2 * random_size(1, UINT64_C(1) << 59);
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

static void refuses(int error, const char *line)
{
    assert_int_equal(error, GPURANMAR_BAD_ARGUMENT);
    assert_string_equal(gpuranmar_last_error(), line);
}

TEST(refuses_segments)
{
    enum { N = 5 };
    static const uint64_t end = UINT64_C(1) << 63;
    static const gpuranmar_segment good = {0, 0, 0}, bad[N] = {{-1, 0, 0},
                                                               {RANMAR_SEED_MAX + 1, 0, 0},
                                                               {1, end + 1, 0},
                                                               {1, end, 1},
                                                               {1, end - 5, 6}};
    static const char *const errors[N] = {
        "seed = -1 is not in 0..942438977", "seed = 942438978 is not in 0..942438977",
        "position = 9223372036854775809 is above 2^63",
        "numbers = 1 from position 9223372036854775808 is past 2^63",
        "numbers = 6 from position 9223372036854775803 is past 2^63"};
    gpuranmar_tie tie;
    for (int i = 0; i < N; ++i) {
        char line[200];
        snprintf(line, sizeof line, "gpuranmar_seeds_compare: second[0].%s", errors[i]);
        refuses(gpuranmar_seeds_compare(&good, bad + i, 0, &tie), line);
    }
    refuses(gpuranmar_seeds_compare(bad, &good, 0, &tie),
            "gpuranmar_seeds_compare: first[0].seed = -1 is not in 0..942438977");
    refuses(gpuranmar_seeds_audit((gpuranmar_segment[]){good, bad[0]}, 2, 0, count_any, NULL),
            "gpuranmar_seeds_audit: segments[1].seed = -1 is not in 0..942438977");
    refuses(gpuranmar_seeds_compare(&good, &good, 9, &tie),
            "gpuranmar_seeds_compare: flavour = 9 is unknown");
    refuses(gpuranmar_seeds_compare(&good, NULL, 0, &tie),
            "gpuranmar_seeds_compare: second is a null pointer");
    refuses(gpuranmar_seeds_audit(&good, 1, 0, NULL, NULL),
            "gpuranmar_seeds_audit: found is a null pointer");
    refuses(gpuranmar_seeds_audit(NULL, 1, 0, count_any, NULL),
            "gpuranmar_seeds_audit: segments is a null pointer");
}

static void refuses_plan(int64_t seed, uint64_t position, uint64_t numbers, const char *line)
{
    gpuranmar_plan plan = GPURANMAR_PLAN_INIT;
    gpuranmar_segment s;
    plan.seed = seed;
    plan.position = position;
    plan.numbers = numbers;
    refuses(gpuranmar_seeds_plan(&plan, &s, 1), line);
}

TEST(refuses_plans)
{
#define PLAN "gpuranmar_seeds_plan: plan->"
    refuses_plan(-1, 4000, 1, PLAN "seed = -1 is not in 0..942438977");
    refuses_plan(RANMAR_SEED_MAX + 1, 4000, 1, PLAN "seed = 942438978 is not in 0..942438977");
    refuses_plan(1, 3999, 1, PLAN "position = 3999 is not in 4000..1999999999999999999");
    refuses_plan(1, POSITION_END, 1,
                 PLAN "position = 2000000000000000000 is not in 4000..1999999999999999999");
    refuses_plan(1, 4000, 0, PLAN "numbers = 0 is not in 1..1999999999999996000");
    refuses_plan(1, 4000, POSITION_END - 3999,
                 PLAN "numbers = 1999999999999996001 is not in 1..1999999999999996000");
    const gpuranmar_plan plan = GPURANMAR_PLAN_INIT;
    refuses(gpuranmar_seeds_plan(NULL, NULL, 1), "gpuranmar_seeds_plan: plan is a null pointer");
    refuses(gpuranmar_seeds_plan(&plan, NULL, 1),
            "gpuranmar_seeds_plan: segments is a null pointer");
}
