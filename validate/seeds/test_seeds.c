/* The audit of seeds against brute force: walking finds how far one seed is from another, and
 * comparing all numbers finds those that are tied. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/ranges.h"
#include "definition/flavour.h"
#include "fill/fill.h"
#include "gpuranmar_seeds.h"
#include "seeds/cycles.h"
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

/* --- All pairs of some seeds --- */

enum { N = 256, CLUSTER = 80, NUMBERS = 4000, BITS_MOST = 33 * 48 };

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

/* A segment, and what is made of its seed. */
struct entry {
    gpuranmar_segment segment;
    uint32_t path[BITS_MOST]; /* the digits after so many steps: see key_of() */
    uint64_t x[NUMBERS];      /* the numbers without their arithmetic part, right-justified */
};

/* The digits, with their signs in the three lowest bits: seeds that differ only in these are at one
 * place of a cycle. */
static uint32_t key_of(struct digits d)
{
    uint32_t key = d.l, signs = 0;
    const unsigned ijk[] = {d.i, d.j, d.k};
    for (int n = 0; n < 3; ++n) {
        key = 90 * key + (ijk[n] < 90 ? ijk[n] : 179 - ijk[n]);
        signs = 2 * signs + (ijk[n] >= 90);
    }
    return 8 * key + signs;
}

static void make_entry(struct entry *e, const struct ranmar_flavour *f)
{
    struct digits d = digits_of(e->segment.seed);
    for (int bits = 0; bits < BITS_MOST; ++bits, d = walk(d, 1))
        e->path[bits] = key_of(d);
    struct ranmar_state s;
    ranmar_seed(&s, f, e->segment.seed);
    uint64_t words[RANMAR_LONG_LAG + NUMBERS];
    memcpy(words, s.x, sizeof s.x);
    for (int n = 0; n < NUMBERS; ++n) {
        words[RANMAR_LONG_LAG + n] = ranmar_lagged(words + n, f->every);
        e->x[n] = words[RANMAR_LONG_LAG + n] >> (64 - f->bits);
    }
}

/* What the numbers and the walks of two entries show: `second` is further on by a distance. */
struct shown {
    int words, bits, low_bits;
    unsigned signs;             /* those that differ */
    uint64_t from, to;          /* the positions of second that have a counterpart in first */
    uint64_t near, first, last; /* how many numbers of them are near, the first and the last */
};

static uint64_t end_of(const gpuranmar_segment *s)
{
    return s->numbers ? s->position + s->numbers : UINT64_C(1) << 63;
}

static struct shown compare(const struct entry *first, const struct entry *second, int distance,
                            const struct ranmar_flavour *f)
{
    const int word = (int)f->bits, words = (distance + word / 2 - 1) / word;
    struct shown s = {.words = words, .bits = distance - words * word};
    const uint64_t here = second->segment.position,
                   there = first->segment.position + (uint64_t)words,
                   end_here = end_of(&second->segment),
                   end_there = end_of(&first->segment) + (uint64_t)words;
    s.from = here > there ? here : there;
    s.to = end_here < end_there ? end_here : end_there;
    s.signs = first->path[distance] ^ second->path[0];
    uint64_t differ = s.bits == 0 ? 0 : 1;
    for (int n = words; n < words + RANMAR_LONG_LAG; ++n)
        differ |= first->x[n - words] ^ second->x[n];
    s.low_bits = differ ? __builtin_ctzll(differ) : word;
    for (uint64_t n = s.from; n < s.to && n < NUMBERS; ++n) {
        const uint64_t a = first->x[n - (uint64_t)words], b = second->x[n],
                       error = (s.bits >= 0 ? b - (a << s.bits) : a - (b << -s.bits))
                               << (64 - word);
        if (error + (UINT64_C(1) << 44) - 1 >= (UINT64_C(2) << 44) - 1) /* 2^-20 or more */
            continue;
        s.first = s.near++ ? s.first : n;
        s.last = n;
    }
    return s;
}

/* How many numbers were compared, and how many of them are near each other although no tie is
 * counted: by chance that is one in 2^19. */
static uint64_t compared, by_chance;

/* Checks a tie against what is shown. */
static void check_tie(const gpuranmar_tie *tie, const struct shown *s)
{
    const int is_twin = s->signs > 0 && s->signs < 7 && s->bits == 0;
    uint64_t tied = tie->tied;
    switch (tie->kind) {
    case GPURANMAR_TIE_NONE:
        assert_true(s->low_bits == 0 || s->from >= s->to);
        assert_false(is_twin && s->from < 33 && s->from < s->to);
        break;
    case GPURANMAR_TIE_LOW_BITS:
        assert_true(s->low_bits > 0);
        assert_int_equal(tie->position, s->from);
        assert_int_equal(tie->last, s->to - 1);
        assert_int_equal(tie->tied, s->to - s->from);
        tied = 0;
        break;
    case GPURANMAR_TIE_TWINS:
        assert_true(is_twin && tie->position >= s->from && tie->last < s->to && tie->last < 200);
        break;
    default:
        assert_int_equal(s->signs, 0);
        assert_int_equal(tie->kind, s->bits ? GPURANMAR_TIE_BITS : GPURANMAR_TIE_WORDS);
    }
    if (tie->kind != GPURANMAR_TIE_NONE) {
        assert_int_equal(tie->low_bits, s->low_bits);
        assert_int_equal(tie->first_position, tie->position - (uint64_t)s->words);
    }
    if (s->signs)
        return;
    compared += s->from < NUMBERS ? NUMBERS - s->from : 0;
    assert_true(tied <= s->near);
    by_chance += s->near - tied;
    if (tied > 0 && tied == s->near) {
        assert_int_equal(tie->position, s->first);
        assert_int_equal(tie->last, s->last);
    }
}

/* Checks what is said of a pair at each distance at which one of the two is further on. The short
 * cycle has several such distances, of which the one with the most tied numbers counts. */
static void check_pair(const struct entry *a, const struct entry *b, const gpuranmar_tie *tie,
                       const struct ranmar_flavour *f)
{
    int matched = tie->kind == GPURANMAR_TIE_NONE;
    if (a->segment.seed == b->segment.seed) {
        const struct shown s = compare(a, b, 0, f);
        assert_int_equal(tie->kind, s.from < s.to ? GPURANMAR_TIE_OVERLAP : GPURANMAR_TIE_NONE);
        assert_int_equal(tie->position, matched ? 0 : s.from);
        assert_int_equal(tie->first_position, matched ? 0 : s.from);
        assert_int_equal(tie->last, matched ? 0 : s.to - 1);
        assert_int_equal(tie->tied, matched ? 0 : s.to - s.from);
        return;
    }
    for (int side = 0; side < 2; ++side)
        for (int distance = side; distance <= 32 * (int)f->bits + (int)f->bits / 2; ++distance) {
            const struct entry *const first = side ? b : a, *const second = side ? a : b;
            if (first->path[distance] / 8 != second->path[0] / 8)
                continue;
            const struct shown s = compare(first, second, distance, f);
            const int is_this = s.words == tie->words && s.bits == tie->bits &&
                                ((int)tie->first == side || distance == 0);
            if (tie->kind == GPURANMAR_TIE_NONE || is_this)
                check_tie(tie, &s);
            else
                assert_true(s.signs || s.near <= tie->tied + 3); /* up to 3 by chance */
            matched |= is_this;
        }
    assert_true(matched);
}

static gpuranmar_tie found[N][N]; /* by the lower and the higher index */

static int keep_pair(const gpuranmar_tie *tie, void *unused)
{
    (void)unused;
    const size_t low = tie->first < tie->second ? tie->first : tie->second;
    gpuranmar_tie *const kept = &found[low][tie->first + tie->second - low];
    assert_int_equal(kept->kind, GPURANMAR_TIE_NONE); /* each pair is found once */
    *kept = *tie;
    return 0;
}

/* Sets the segments of a trial: three clusters of neighbours, so large that the audit makes the
 * bits of their cycle at once, and a small one. The second is on the short cycle in the first
 * trial. The third begins near the end of a cycle and goes on past it. */
static void make_segments(gpuranmar_segment *s, int trial)
{
    for (int i = 0; i < N; ++i) {
        const int n = i % CLUSTER;
        do
            if (n > 0)
                s[i].seed = neighbour_of(s[i - 1 - (int)random_in(0, (unsigned)n - 1)].seed);
            else if (trial == 0 && i == CLUSTER)
                s[i].seed = RANMAR_SEED_MAX - (int64_t)random_in(0, 168);
            else
                s[i].seed = (int64_t)random_in(0, RANMAR_SEED_MAX);
        while (s[i].seed < 0 ||
               (i == 2 * CLUSTER && ranmar_place_of(s[i].seed).bit + 1000 < RANMAR_CYCLE_LENGTH));
        s[i].position = trial % 2 ? random_size(0, 5000) : 2000 * (uint64_t)trial;
        s[i].numbers = trial % 2 && random_in(0, 1) ? random_size(1, 5000) : 0;
    }
}

static int is_on_short_cycle(const gpuranmar_segment *s)
{
    return ranmar_place_of(s->seed).cycle == RANMAR_SHORT_CYCLE;
}

TEST(all_pairs_are_found)
{
    static struct entry e[N];
    gpuranmar_segment s[N];
    int64_t pairs[GPURANMAR_TIE_LOW_BITS + 1] = {0};
    for (int trial = 0; trial < 6; ++trial) {
        const int flavour = trial % 3; /* double, single, extended */
        const struct ranmar_flavour *const f = ranmar_flavour(flavour);
        make_segments(s, trial);
        for (int i = 0; i < N; ++i) {
            e[i].segment = s[i];
            make_entry(e + i, f);
        }
        memset(found, 0, sizeof found);
        assert_int_equal(gpuranmar_seeds_audit(s, N, flavour, keep_pair, NULL), GPURANMAR_OK);
        for (size_t i = 0; i < N; ++i)
            for (size_t j = i + 1; j < N; ++j) {
                gpuranmar_tie tie, *const kept = &found[i][j];
                memset(&tie, 0x55, sizeof tie);
                assert_int_equal(gpuranmar_seeds_compare(s + i, s + j, flavour, &tie),
                                 GPURANMAR_OK);
                check_pair(e + i, e + j, &tie, f);
                ++pairs[tie.kind];
                if (kept->kind != tie.kind || is_on_short_cycle(s + i)) {
                    /* Of equally strong ties there, either may be found. */
                    assert_true(is_on_short_cycle(s + i) && kept->tied == tie.tied);
                    continue;
                }
                const int is_either = tie.words == 0 && tie.bits == 0;
                if (kept->kind != GPURANMAR_TIE_NONE) {
                    assert_true(is_either || kept->first == (tie.first ? j : i));
                    kept->first = tie.first;
                    kept->second = tie.second;
                } else
                    tie.first = tie.second = 0;
                assert_memory_equal(kept, &tie, sizeof tie);
            }
    }
    for (int kind = 0; kind <= GPURANMAR_TIE_LOW_BITS; ++kind) {
        print_message("# pairs of kind %d: %" PRId64 "\n", kind, pairs[kind]);
        assert_true(pairs[kind] > 0);
    }
    print_message("# %" PRIu64 " of %" PRIu64 " numbers are near each other by chance\n", by_chance,
                  compared);
    assert_true(by_chance <= 20 + compared / (1 << 17));
}

/* 32 words and half a word: numbers 32 and 65 are tied. A bit further on, nothing is. */
TEST(the_largest_distance)
{
    for (unsigned further = 0; further <= 1; ++further) {
        gpuranmar_segment s[2] = {{0}};
        gpuranmar_tie tie;
        do {
            s[0].seed = (int64_t)random_in(0, RANMAR_SEED_MAX);
            s[1].seed = seed_with(walk(digits_of(s[0].seed), 32 * 48 + 24 + further));
        } while (s[1].seed < 0);
        assert_int_equal(gpuranmar_seeds_compare(s, s + 1, GPURANMAR_DOUBLE, &tie), GPURANMAR_OK);
        assert_int_equal(tie.tied, further ? 0 : 2);
        assert_int_equal(tie.position, further ? 0 : 32);
        assert_int_equal(tie.last, further ? 0 : 65);
        assert_int_equal(tie.bits, further ? 0 : 24);
    }
}

/* Seeds of the short cycle are tied at several distances. Its one tied number is a stronger tie
 * than the lowest bits that 300 numbers share, whichever is found first. */
TEST(the_stronger_of_two_ties)
{
    const gpuranmar_segment s[] = {
        {942438816, 1500, 300}, {942438809, 0, 0}, {942438848, 0, 0}, {942438850, 1500, 300}};
    gpuranmar_tie tie;
    for (int i = 0; i < 4; ++i) {
        assert_int_equal(gpuranmar_seeds_compare(s + i, s + (i ^ 1), GPURANMAR_DOUBLE, &tie),
                         GPURANMAR_OK);
        assert_int_equal(tie.kind, GPURANMAR_TIE_BITS);
    }
}

/* --- The audit --- */

static int count_any(const gpuranmar_tie *tie, void *count)
{
    (void)tie;
    ++*(int64_t *)count;
    return 0;
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

/* --- Plans --- */

#define POSITION_END (UINT64_C(2000000000) * 1000000000)

TEST(plans_have_nothing_in_common)
{
    enum { MOST = 10000 }; /* there are always seeds for that many segments, one for each */
    static gpuranmar_segment s[MOST];
    for (int trial = 0; trial < 4; ++trial) {
        gpuranmar_plan plan = GPURANMAR_PLAN_INIT;
        plan.seed = (int64_t)random_in(0, RANMAR_SEED_MAX);
        plan.by_seed = trial % 2;
        plan.position = random_size(GPURANMAR_SAFE_POSITION, UINT64_C(1) << 50);
        plan.numbers = random_size(trial ? 1 : UINT64_C(1) << 57, UINT64_C(1) << 60);
        const size_t n = plan.by_seed ? 3000 : 1 + random_in(0, MOST - 1);
        assert_int_equal(gpuranmar_seeds_plan(&plan, s, n), GPURANMAR_OK);
        int64_t found = 0;
        assert_int_equal(gpuranmar_seeds_audit(s, n, GPURANMAR_DOUBLE, count_any, &found), 0);
        assert_int_equal(found, 0);
        for (size_t i = 0; i < n && !plan.by_seed; ++i) {
            const uint64_t next = i ? s[i - 1].position + (plan.numbers | 1) : POSITION_END,
                           is_on = next + plan.numbers <= POSITION_END;
            assert_int_equal(s[i].position, is_on ? next : plan.position);
            assert_true(i == 0 || (s[i].seed == s[i - 1].seed) == is_on);
            assert_int_equal(s[i].numbers, plan.numbers);
        }
    }
}

/* A plan by seeds takes each that stands 97 words or more from all that it took before. */
static void check_plan(const gpuranmar_plan *plan, const gpuranmar_segment *s, int n)
{
    enum { NEAR = 97 * 48, ROW = RANMAR_CYCLE_LENGTH + 2 * NEAR };
    /* The places taken. A cycle's row begins with the cycle's end, and ends with its start. */
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
    /* The 169 seeds with one i, j and k stand 8011 bits apart. In most cases, as of 54217137, the
     * next ones on the cycle are too near to all of the 169 or to none. From these starts on, each
     * in the middle of its 169, some of the next ones stand 4655 or 4656 bits from one alone. */
    static const int64_t starts[] = {58203600 + 84, 58183151 + 84, 107550417 + 84, 107565289 + 84};
    enum { SOME = 600, ALL = 14872 }; /* of all: docs/seeds.md */
    static gpuranmar_segment s[ALL + 1];
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
}

static void refuses(int error, const char *line)
{
    assert_int_equal(error, GPURANMAR_BAD_ARGUMENT);
    assert_string_equal(gpuranmar_last_error(), line);
}

TEST(segments_at_their_bounds)
{
    static const uint64_t end = UINT64_C(1) << 63;
    static const gpuranmar_segment good[] = {
        {0, end, 0}, {RANMAR_SEED_MAX, 0, end}, {1, end - 5, 5}};
    static const struct {
        gpuranmar_segment segment;
        const char *line;
    } bad[] = {{{-1, 0, 0}, "seed = -1 is not in 0..942438977"},
               {{RANMAR_SEED_MAX + 1, 0, 0}, "seed = 942438978 is not in 0..942438977"},
               {{1, end + 1, 0}, "position = 9223372036854775809 is above 2^63"},
               {{1, end, 1}, "numbers = 1 from position 9223372036854775808 is past 2^63"},
               {{1, end - 5, 6}, "numbers = 6 from position 9223372036854775803 is past 2^63"}};
    gpuranmar_tie tie;
    int64_t pairs = 0;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        char line[200];
        snprintf(line, sizeof line, "gpuranmar_seeds_compare: segments[1].%s", bad[i].line);
        refuses(gpuranmar_seeds_compare(good, &bad[i].segment, 0, &tie), line);
    }
    refuses(gpuranmar_seeds_compare(&bad[0].segment, good, 0, &tie),
            "gpuranmar_seeds_compare: segments[0].seed = -1 is not in 0..942438977");
    refuses(gpuranmar_seeds_audit((gpuranmar_segment[]){good[0], bad[0].segment}, 2, 0, count_any,
                                  NULL),
            "gpuranmar_seeds_audit: segments[1].seed = -1 is not in 0..942438977");
    refuses(gpuranmar_seeds_compare(good, good, 9, &tie),
            "gpuranmar_seeds_compare: flavour = 9 is none of enum gpuranmar_flavour");
    refuses(gpuranmar_seeds_compare(good, NULL, 0, &tie),
            "gpuranmar_seeds_compare: second is a null pointer");
    refuses(gpuranmar_seeds_audit(good, 1, 0, NULL, NULL),
            "gpuranmar_seeds_audit: found is a null pointer");
    refuses(gpuranmar_seeds_audit(NULL, 1, 0, count_any, NULL),
            "gpuranmar_seeds_audit: segments is a null pointer");
    assert_int_equal(gpuranmar_seeds_audit(NULL, 0, 0, count_any, NULL), GPURANMAR_OK);
    assert_int_equal(gpuranmar_seeds_audit(good, 3, 0, count_any, &pairs), GPURANMAR_OK);
    assert_int_equal(pairs, 0);
}

/* A plan of one segment, or the line that refuses it. */
TEST(plans_at_their_bounds)
{
#define OF_PLAN(what) "gpuranmar_seeds_plan: plan->" what
    static const struct {
        gpuranmar_segment plan;
        const char *line; /* NULL: the segment is made, on seed 0: the last seeds are left out */
    } plans[] = {
        {{0, 4000, 1}, NULL},
        {{RANMAR_SEED_MAX, 4000, POSITION_END - 4000}, NULL},
        {{0, POSITION_END - 1, 1}, NULL},
        {{-1, 4000, 1}, OF_PLAN("seed = -1 is not in 0..942438977")},
        {{RANMAR_SEED_MAX + 1, 4000, 1}, OF_PLAN("seed = 942438978 is not in 0..942438977")},
        {{1, 3999, 1}, OF_PLAN("position = 3999 is not in 4000..1999999999999999999")},
        {{1, POSITION_END, 1},
         OF_PLAN("position = 2000000000000000000 is not in 4000..1999999999999999999")},
        {{1, 4000, 0}, OF_PLAN("numbers = 0 is not in 1..1999999999999996000")},
        {{1, 4000, POSITION_END - 3999},
         OF_PLAN("numbers = 1999999999999996001 is not in 1..1999999999999996000")}};
    gpuranmar_plan plan = GPURANMAR_PLAN_INIT;
    gpuranmar_segment s;
    for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i) {
        gpuranmar_segment expected = plans[i].plan;
        plan.seed = expected.seed;
        plan.position = expected.position;
        plan.numbers = expected.numbers;
        expected.seed = 0;
        const int error = gpuranmar_seeds_plan(&plan, &s, 1);
        if (plans[i].line) {
            refuses(error, plans[i].line);
            continue;
        }
        assert_int_equal(error, GPURANMAR_OK);
        assert_memory_equal(&s, &expected, sizeof s);
    }
    refuses(gpuranmar_seeds_plan(NULL, NULL, 1), "gpuranmar_seeds_plan: plan is a null pointer");
    refuses(gpuranmar_seeds_plan(&plan, NULL, 1),
            "gpuranmar_seeds_plan: segments is a null pointer");
}
