/* The audit of seeds against brute force: places on cycles by walking, shifts by comparing the bits
 * that the definition's seeding makes, tied numbers by comparing numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "definition/flavour.h"
#include "digits.h"
#include "fill/fill.h"
#include "gpuranmar_seeds.h"
#include "random.h"
#include "seeds/cycles.h"
#include "seeds/ties.h"

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

static void places_follow_the_generator(void **unused)
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
    (void)unused;
}

/* Different seeds have different places; the last seeds are on the short cycle. */
static void places_tell_all_seeds_apart(void **unused)
{
    enum { SOME = 3000000 };
    unsigned char *const seen = calloc((size_t)RANMAR_CYCLES * RANMAR_CYCLE_LENGTH, 1);
    assert_non_null(seen);
    const int64_t start = (int64_t)random_in(0, RANMAR_SEED_MAX - SOME - 30082);
    for (int64_t seed = start; seed < start + SOME; ++seed) {
        const struct ranmar_place p = ranmar_place_of(seed);
        if (p.cycle == RANMAR_SHORT_CYCLE)
            continue;
        unsigned char *const here = seen + (size_t)p.cycle * RANMAR_CYCLE_LENGTH + p.bit;
        assert_int_equal(*here >> p.signs & 1, 0);
        *here |= (unsigned char)(1u << p.signs);
    }
    free(seen);
    assert_int_equal(ranmar_place_of(RANMAR_SEED_MAX).cycle, RANMAR_SHORT_CYCLE);
    (void)unused;
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

static void all_pairs_of_a_range(void **unused)
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
    (void)unused;
}

/* --- The figures of docs/seeds.md --- */

struct figures {
    int64_t words, words_up_to_29, bits_of_first_word, twins_in_place;
};

static int add_figure(const gpuranmar_tie *t, void *context)
{
    struct figures *const f = context;
    f->words += t->kind == GPURANMAR_TIE_WORDS;
    f->words_up_to_29 += t->kind == GPURANMAR_TIE_WORDS && t->words <= 29;
    f->bits_of_first_word += t->kind == GPURANMAR_TIE_BITS && t->words == 0;
    f->twins_in_place += t->kind == GPURANMAR_TIE_TWINS && t->words == 0;
    return 0;
}

static struct figures figures_of(int64_t from, size_t n)
{
    struct figures f = {0};
    gpuranmar_segment *const s = calloc(n, sizeof *s);
    for (size_t i = 0; i < n; ++i)
        s[i].seed = from + (int64_t)i;
    assert_int_equal(gpuranmar_seeds_audit(s, n, GPURANMAR_DOUBLE, add_figure, &f), GPURANMAR_OK);
    free(s);
    return f;
}

static void figures_of_the_documents(void **unused)
{
    struct figures f = figures_of(1, 100000);
    assert_int_equal(f.words_up_to_29, 507);
    assert_int_equal(f.bits_of_first_word, 1689);
    assert_int_equal(f.twins_in_place, 45122);
    f = figures_of(1, 1000000);
    assert_int_equal(f.words_up_to_29, 65065);
    assert_int_equal(f.words, 71149);
    assert_int_equal(f.bits_of_first_word, 39207);
    f = figures_of(INT64_C(3324) * 30082, 30082); /* the instances of ij = 3324 */
    assert_int_equal(f.words, 338);
    assert_int_equal(f.bits_of_first_word, 169);
    (void)unused;
}

/* --- Tied numbers, by the numbers --- */

enum { NUMBERS = 4000 };

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

/* How many of second's numbers are as the tie says, and whether all that it counts are. */
static void check_tie(int64_t a, int64_t b, int flavour, int words, int bits)
{
    static uint64_t x[2][NUMBERS];
    const struct ranmar_flavour *const f = ranmar_flavour(flavour);
    const gpuranmar_segment whole[2] = {{a, 0, 0}, {b, 0, 0}};
    gpuranmar_tie tie;
    make_x(a, f, x[0]);
    make_x(b, f, x[1]);
    assert_int_equal(gpuranmar_seeds_compare(whole, whole + 1, flavour, &tie), GPURANMAR_OK);
    const int stride = (int)f->every;
    uint64_t tied = 0;
    for (int n = 0; n < NUMBERS; ++n) {
        const gpuranmar_segment one = {b, (uint64_t)n, 1};
        gpuranmar_tie t;
        assert_int_equal(gpuranmar_seeds_compare(whole, &one, flavour, &t), GPURANMAR_OK);
        const int like = n - words / stride;
        if (t.tied && t.kind != GPURANMAR_TIE_TWINS) {
            ++tied;
            assert_int_equal(t.position, n);
            assert_int_equal(t.first_position, like);
        }
        if (like < 0 || words % stride != 0) {
            assert_int_equal(t.tied, 0);
            continue;
        }
        const uint64_t error =
            bits >= 0 ? x[1][n] - (x[0][like] << bits) : x[0][like] - (x[1][n] << -bits);
        if (t.tied) /* it is as close as is said */
            assert_true(bits == 0 ? error == 0 : error + (UINT64_C(1) << 44) < UINT64_C(2) << 44);
        else if (bits == 0 && flavour == GPURANMAR_DOUBLE) /* and only these are */
            assert_true(error != 0);
    }
    assert_int_equal(tied, tie.tied);
}

static void tied_numbers_are_those_counted(void **unused)
{
    static const int flavours[] = {GPURANMAR_DOUBLE, GPURANMAR_SINGLE, GPURANMAR_DECIMATED,
                                   GPURANMAR_LUXURY};
    for (int trial = 0; trial < 80; ++trial) {
        const int flavour = flavours[trial % 4];
        const unsigned word = ranmar_flavour(flavour)->bits;
        const int words = trial < 8 ? trial / 4 + 1 : (int)random_in(1, 32);
        const int bits = trial % 2 ? 0 : (int)random_in(1, word) - (int)word / 2;
        int64_t a;
        const int64_t b = moved_on((unsigned)(words * (int)word + bits), &a);
        check_tie(a, b, flavour, words, bits);
    }
    check_tie(54217137, 245729350, GPURANMAR_DOUBLE, 1, 0);
    check_tie(169, 1184, GPURANMAR_DOUBLE, 0, 1);
    (void)unused;
}

/* Seeds that the formula ties have no word in common where a hash makes their words, and no
 * comparison finds a tie; overlaps of one seed stay. */
static void hashed_seeds_have_no_ties(void **unused)
{
    static const int flavours[] = {GPURANMAR_EXTENDED_HASH, GPURANMAR_DECIMATED_HASH,
                                   GPURANMAR_LUXURY_HASH};
    static uint64_t x[2][NUMBERS];
    for (int trial = 0; trial < 30; ++trial) {
        const int flavour = flavours[trial % 3];
        int64_t a;
        const int64_t b = trial < 3 ? 245729350 : moved_on((unsigned)random_in(1, 32) * 48, &a);
        if (trial < 3)
            a = 54217137;
        gpuranmar_segment s[3] = {{a, 0, 0}, {b, 0, 0}, {a, 1000, 0}};
        gpuranmar_tie tie;
        int64_t found = 0;
        assert_int_equal(gpuranmar_seeds_compare(s, s + 1, GPURANMAR_EXTENDED, &tie), GPURANMAR_OK);
        assert_int_equal(tie.kind, GPURANMAR_TIE_WORDS);
        assert_int_equal(gpuranmar_seeds_compare(s, s + 1, flavour, &tie), GPURANMAR_OK);
        assert_int_equal(tie.kind, GPURANMAR_TIE_NONE);
        assert_int_equal(gpuranmar_seeds_audit(s, 2, flavour, count_any, &found), GPURANMAR_OK);
        assert_int_equal(found, 0);
        assert_int_equal(gpuranmar_seeds_audit(s, 3, flavour, count_any, &found), GPURANMAR_OK);
        assert_int_equal(found, 1);

        make_x(a, ranmar_flavour(flavour), x[0]);
        make_x(b, ranmar_flavour(flavour), x[1]);
        for (int w = 0; w <= 32; ++w)
            for (int n = w; n < NUMBERS; ++n)
                assert_true(x[1][n] != x[0][n - w] && x[0][n] != x[1][n - w]);
    }
    (void)unused;
}

static uint64_t tied_of_100(int64_t a, int64_t b, uint64_t position)
{
    const gpuranmar_segment whole = {a, 0, 0}, part = {b, position, 100};
    gpuranmar_tie tie;
    assert_int_equal(gpuranmar_seeds_compare(&whole, &part, GPURANMAR_DOUBLE, &tie), GPURANMAR_OK);
    return tie.tied;
}

static void known_answers(void **unused)
{
    static const struct {
        uint64_t position, tied;
    } known[] = {{0, 95}, {500, 81}, {1000, 66}, {2000, 35}, {3000, 3}, {4000, 0}};
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        assert_int_equal(tied_of_100(54217137, 245729350, known[i].position), known[i].tied);
    /* Words of 24 bits: their shift by one word is half of one of 48. */
    int64_t a;
    const int64_t b = moved_on(24, &a);
    const gpuranmar_segment s[2] = {{a, 0, 0}, {b, 0, 0}};
    gpuranmar_tie tie;
    assert_int_equal(gpuranmar_seeds_compare(s, s + 1, GPURANMAR_SINGLE, &tie), GPURANMAR_OK);
    assert_int_equal(tie.kind, GPURANMAR_TIE_WORDS);
    assert_int_equal(tie.words, 1);
    assert_int_equal(tie.tied, 1537);
    assert_int_equal(tie.last, 97 * 33);
    (void)unused;
}

/* --- Twins, overlaps, the short cycle --- */

static void twins_differ_in_signs(void **unused)
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
        if (trial % 7 == 6) { /* all three: no more alike than any others */
            assert_int_equal(tie.kind, GPURANMAR_TIE_NONE);
            continue;
        }
        assert_int_equal(tie.kind, GPURANMAR_TIE_TWINS);
        assert_int_equal(tie.words, words);
        assert_int_equal(gpuranmar_seeds_compare(whole, &late, GPURANMAR_DOUBLE, &tie),
                         GPURANMAR_OK);
        assert_int_equal(tie.kind, GPURANMAR_TIE_NONE);
    }
    (void)unused;
}

static int keep_last(const gpuranmar_tie *tie, void *kept)
{
    *(gpuranmar_tie *)kept = *tie;
    return 0;
}

static void overlaps_are_found(void **unused)
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
    (void)unused;
}

/* Twins that stand at one place are a pair once, with nothing else on their cycle. */
static void twins_in_place_are_found_once(void **unused)
{
    const gpuranmar_segment s[] = {{54217137, 0, 0}, {54228460, 0, 0}, {57556239, 0, 0}};
    int64_t found = 0;
    assert_int_equal(gpuranmar_seeds_audit(s, 3, GPURANMAR_DOUBLE, count_any, &found), 0);
    assert_int_equal(found, 3);
    (void)unused;
}

/* Where i, j and k are 1 or 178 all seeds are shifts of each other. */
static void the_short_cycle(void **unused)
{
    enum { N = 100 };
    gpuranmar_segment s[N];
    int64_t found = 0, expected = 0;
    for (int i = 0; i < N; ++i) {
        s[i] = (gpuranmar_segment){RANMAR_SEED_MAX - i, 0, 0}; /* i = j = k = 178, l = 168 - i */
        for (int j = 0; j < i; ++j) {
            gpuranmar_tie tie;
            assert_int_equal(gpuranmar_seeds_compare(s + i, s + j, GPURANMAR_DOUBLE, &tie), 0);
            assert_true(tie.kind == GPURANMAR_TIE_NONE || tie.tied > 0);
            expected += tie.kind != GPURANMAR_TIE_NONE;
        }
    }
    assert_int_equal(gpuranmar_seeds_audit(s, N, GPURANMAR_DOUBLE, count_any, &found), 0);
    assert_int_equal(found, expected);
    assert_true(found > N * (N - 1) / 4);
    (void)unused;
}

/* --- Plans --- */

static int by_place(const void *left, const void *right)
{
    const struct ranmar_place a = ranmar_place_of(((const gpuranmar_segment *)left)->seed),
                              b = ranmar_place_of(((const gpuranmar_segment *)right)->seed);
    return a.cycle != b.cycle ? (int)a.cycle - (int)b.cycle : (int)a.bit - (int)b.bit;
}

static void plans_have_nothing_in_common(void **unused)
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
            assert_true(s[i].numbers == plan.numbers);
            assert_true(s[i].position + s[i].numbers <= UINT64_C(2000000000) * 1000000000);
        }
        /* Seeds are 97 words apart. */
        qsort(s, n, sizeof *s, by_place);
        for (size_t i = 1; i < n; ++i) {
            const struct ranmar_place a = ranmar_place_of(s[i - 1].seed),
                                      b = ranmar_place_of(s[i].seed);
            assert_true(a.cycle != b.cycle || b.bit - a.bit >= 97 * 48 ||
                        s[i].seed == s[i - 1].seed);
            assert_true(!plan.by_seed || s[i].seed != s[i - 1].seed);
        }
    }
    (void)unused;
}

static void refuses(void **unused)
{
    gpuranmar_segment s[2] = {{0, 0, 0}, {942438978, 0, 0}};
    gpuranmar_tie tie;
    gpuranmar_plan plan = GPURANMAR_PLAN_INIT;
    assert_int_equal(gpuranmar_seeds_audit(s, 2, 0, count_any, NULL), GPURANMAR_BAD_ARGUMENT);
    assert_string_equal(gpuranmar_last_error(), "gpuranmar_seeds_audit: segments[1].seed = "
                                                "942438978 is not in 0..942438977");
    s[1] = (gpuranmar_segment){1, UINT64_C(1) << 63, 1};
    assert_int_equal(gpuranmar_seeds_compare(s, s + 1, 0, &tie), GPURANMAR_BAD_ARGUMENT);
    assert_int_equal(gpuranmar_seeds_compare(s, s, 9, &tie), GPURANMAR_BAD_ARGUMENT);
    assert_int_equal(gpuranmar_seeds_compare(s, NULL, 0, &tie), GPURANMAR_BAD_ARGUMENT);
    assert_int_equal(gpuranmar_seeds_audit(s, 1, 0, NULL, NULL), GPURANMAR_BAD_ARGUMENT);
    plan.position = 3999;
    assert_int_equal(gpuranmar_seeds_plan(&plan, s, 2), GPURANMAR_BAD_ARGUMENT);
    plan.position = 4000;
    plan.numbers = 0;
    assert_int_equal(gpuranmar_seeds_plan(&plan, s, 2), GPURANMAR_BAD_ARGUMENT);
    assert_int_equal(gpuranmar_seeds_plan(NULL, s, 2), GPURANMAR_BAD_ARGUMENT);
    (void)unused;
}

int main(void)
{
    random_start();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_follow_the_generator),
        cmocka_unit_test(places_tell_all_seeds_apart),
        cmocka_unit_test(all_pairs_of_a_range),
        cmocka_unit_test(figures_of_the_documents),
        cmocka_unit_test(tied_numbers_are_those_counted),
        cmocka_unit_test(hashed_seeds_have_no_ties),
        cmocka_unit_test(known_answers),
        cmocka_unit_test(twins_differ_in_signs),
        cmocka_unit_test(overlaps_are_found),
        cmocka_unit_test(twins_in_place_are_found_once),
        cmocka_unit_test(the_short_cycle),
        cmocka_unit_test(plans_have_nothing_in_common),
        cmocka_unit_test(refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
