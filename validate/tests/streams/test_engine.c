/* Engines. Each rule for zeros is compared with the original routine, number by number, from states
 * that lead to single zeros, to several in a row, and to zeros at the end of a request. The states
 * that an engine reports and adopts are compared too. */
#include <string.h>
#include <sys/mman.h>

#include "child.h"
#include "definition/flavour.h"
#include "definition/fortran_state.h"
#include "definition/jump.h"
#include "fill/fill.h"
#include "gpuranmar_engine.h"
#include "temporary.h"
#include "tests.h"

enum { ROUNDS = 300, MOST = RANMAR_ARRAY + 5000 };

static unsigned zeros_seen[5]; /* by rule */
static uint64_t drawn;         /* numbers, with the zeros that are redrawn */

/* The original routine, in floating point: the next number from a Fortran state. */
static double draw(gpuranmar_engine_state *s, int zero, double smallest)
{
    double u;
    do {
        ++drawn;
        u = s->u[s->i97 - 1] - s->u[s->j97 - 1];
        if (u < 0)
            u += 1;
        s->u[s->i97 - 1] = u;
        s->i97 = s->i97 > 1 ? s->i97 - 1 : 97;
        s->j97 = s->j97 > 1 ? s->j97 - 1 : 97;
        s->c -= 7654321 / 0x1p24;
        if (s->c < 0)
            s->c += 16777213 / 0x1p24;
        u -= s->c;
        if (u < 0)
            u += 1;
        zeros_seen[zero] += u == 0;
    } while (u == 0 && zero == GPURANMAR_ZERO_REDRAW);
    if (u == 0 && zero == GPURANMAR_ZERO_SMALLEST)
        u = smallest;
    if (u == 0 && zero == GPURANMAR_ZERO_HALF)
        u = smallest / 2;
    if (u == 0 && zero == GPURANMAR_ZERO_U2)
        u = s->u[1] > 0 ? 0x1p-24 * s->u[1] : 0x1p-48;
    return u;
}

/* A state from which some of the next 97 numbers are zeros, or are made as the smallest number.
 * Each is one of these with probability 1/8, and in one state of ten all are: their words are
 * chosen, and a rewind gives the state before them. */
static void make_state(gpuranmar_engine_state *s, const struct ranmar_flavour *f)
{
    const double one = (double)(UINT64_C(1) << f->bits);
    const uint64_t mask = (UINT64_C(1) << f->bits) - 1;
    struct ranmar_state state, ahead;
    uint64_t x[2 * RANMAR_LONG_LAG];
    for (int i = 0; i < RANMAR_LONG_LAG; ++i)
        state.x[i] = (random_word() & mask) << (64 - f->bits);
    state.c = random_in(0, 16777212) << 40;
    const uint64_t often = random_in(0, 9) == 0 ? 1 : 8;
    ahead = state;
    memcpy(x, state.x, sizeof state.x);
    for (int i = 0; i < RANMAR_LONG_LAG; ++i) {
        uint64_t *const next = x + RANMAR_LONG_LAG + i;
        ahead.c = ranmar_arithmetic(ahead.c, f->step, f->modulus);
        *next = ranmar_lagged(x + i, f->every);
        if (random_in(1, often) == 1)
            *next = ahead.c + (random_in(0, 2) == 0 ? UINT64_C(1) << (64 - f->bits) : 0);
    }
    memcpy(ahead.x, x + RANMAR_LONG_LAG, sizeof ahead.x);
    /* Back to the state before those 97 numbers, or to one in their midst. */
    ranmar_rewind(&ahead, f, random_in(0, RANMAR_LONG_LAG));
    struct ranmar_counters counters = {0, 0, 0, (int)random_in(1, 97)};
    struct ranmar_fortran_state kept;
    ranmar_to_fortran_state(&counters, &ahead, f, &kept);
    memcpy(s->u, kept.u, sizeof s->u);
    s->c = kept.c;
    s->i97 = kept.i97;
    s->j97 = kept.j97;
    if (random_in(0, 3) == 0)
        s->u[1] = random_in(0, 1) ? 0 : 1 / one;
}

static void same_state(const gpuranmar_engine_state *a, const gpuranmar_engine_state *b)
{
    assert_int_equal(a->i97, b->i97);
    assert_int_equal(a->j97, b->j97);
    assert_true(a->c == b->c);
    assert_memory_equal(a->u, b->u, sizeof a->u);
}

static void every_rule(int flavour, int zero)
{
    static double got[MOST + 1];
    static float got_single[MOST + 1];
    const struct ranmar_flavour *const f = ranmar_flavour(flavour);
    const double smallest = flavour == GPURANMAR_SINGLE ? 0x1p-24 : 0x1p-48;
    for (int round = 0; round < ROUNDS; ++round) {
        gpuranmar_engine engine;
        gpuranmar_engine_state state, now;
        make_state(&state, f);
        drawn = 0;
        assert_int_equal(gpuranmar_engine_adopt(&engine, "test", flavour, zero, &state), 0);
        gpuranmar_engine_report(&engine, &now);
        same_state(&now, &state);
        /* The first request is an array, which the widest loop makes in pieces. */
        for (size_t done = 0; done < 4500;) {
            const size_t n = round == 0 && done == 0 ? random_in(RANMAR_ARRAY, MOST)
                             : random_in(0, 2)       ? random_in(0, 3)
                                                     : random_size(1, 4500);
            const uint64_t how = random_in(0, 2);
            got[n] = got_single[n] = -1;
            if (how == 0) {
                for (size_t i = 0; i < n; ++i)
                    got[i] = gpuranmar_engine_next(&engine);
            } else if (how == 1) {
                gpuranmar_engine_fill(&engine, got, n);
            } else {
                gpuranmar_engine_fill_single(&engine, got_single, n);
                for (size_t i = 0; i < n; ++i)
                    got[i] = got_single[i];
            }
            assert_true(got[n] < 0 && got_single[n] < 0); /* nothing is written behind */
            for (size_t i = 0; i < n; ++i) {
                double u = draw(&state, zero, smallest);
                if (u != (double)(float)u && how == 2)
                    u = (float)u;
                if (got[i] != u)
                    fail_msg("flavour %d, zero %d: number %zu is %a, not %a", flavour, zero,
                             done + i, got[i], u);
            }
            gpuranmar_engine_report(&engine, &now);
            same_state(&now, &state);
            assert_true(gpuranmar_engine_used(&engine) == drawn);
            done += n;
        }
    }
}

TEST(rules)
{
    for (int zero = GPURANMAR_ZERO_SMALLEST; zero <= GPURANMAR_ZERO_HALF; ++zero) {
        every_rule(GPURANMAR_SINGLE, zero);
        if (zero != GPURANMAR_ZERO_U2)
            every_rule(GPURANMAR_DOUBLE, zero);
    }
    for (int zero = GPURANMAR_ZERO_SMALLEST; zero <= GPURANMAR_ZERO_HALF; ++zero)
        assert_true(zeros_seen[zero] > 1000);
}

static void same_states(const gpuranmar_engine *engine, const gpuranmar_engine *other)
{
    gpuranmar_engine_state a, b;
    gpuranmar_engine_report(engine, &a);
    gpuranmar_engine_report(other, &b);
    same_state(&a, &b);
}

/* An engine that starts at a position has a stream's numbers from there, and the state of an engine
 * that draws and skips to there. */
TEST(starts)
{
    enum { MANY = 3000 };
    for (int round = 0; round < 50; ++round) {
        gpuranmar_engine there, moved;
        double expected[MANY], got[MANY];
        const int64_t seed = (int64_t)random_in(0, RANMAR_SEED_MAX);
        const uint64_t from = random_word() >> 2, n = random_in(0, MANY);
        const uint64_t skip = random_in(0, 1) ? random_in(0, 2000) : random_size(0, 1000000);
        const int flavour = random_in(0, 1) ? GPURANMAR_DOUBLE : GPURANMAR_EXTENDED;
        gpuranmar_stream *const stream =
            OPEN(.seed = seed, .position = from + n + skip, .flavour = flavour);
        gpuranmar_engine_start(&there, "test", flavour, 0, seed, from + n + skip);
        gpuranmar_engine_start(&moved, "test", flavour, 0, seed, from);
        gpuranmar_engine_fill(&moved, got, n);
        gpuranmar_engine_skip(&moved, skip);
        same_states(&there, &moved);
        assert_true(gpuranmar_engine_used(&moved) == n + skip);
        gpuranmar_stream_get(stream, expected, MANY);
        gpuranmar_engine_fill(&moved, got, MANY);
        assert_memory_equal(expected, got, sizeof got);
        gpuranmar_stream_close(stream);
    }
}

/* A share's state and count are those of the whole sequence, also after more than 2^64 numbers. */
TEST(shares)
{
    gpuranmar_engine share, whole;
    double u[20];
    for (int round = 0; round < 50; ++round) {
        const uint64_t s = random_size(1, 40), n = random_in(0, s - 1);
        const uint64_t drawn = random_in(0, 20), far = random_word() >> 1;
        gpuranmar_engine_start(&whole, "test", GPURANMAR_DOUBLE, GPURANMAR_ZERO_KEEP, round, 0);
        gpuranmar_engine_fill(&whole, u, 1);
        share = whole;
        assert_int_equal(gpuranmar_engine_split(&share, "test", s, n), GPURANMAR_OK);
        gpuranmar_engine_fill(&share, u, drawn);
        gpuranmar_engine_skip(&whole, n + drawn * s);
        same_states(&share, &whole);
        assert_true(gpuranmar_engine_used(&share) == gpuranmar_engine_used(&whole));
        gpuranmar_engine_skip(&share, far);
        for (uint64_t i = 0; i < s; ++i)
            gpuranmar_engine_skip(&whole, far);
        same_states(&share, &whole);
        assert_true(gpuranmar_engine_used(&share) == gpuranmar_engine_used(&whole));
    }
    gpuranmar_engine_start(&whole, "test", GPURANMAR_DOUBLE, GPURANMAR_ZERO_REDRAW, 1802, 0);
    expect(gpuranmar_engine_split(&whole, "test", 2, 0), GPURANMAR_BAD_ARGUMENT, "redrawn");
    expect(gpuranmar_engine_split(NULL, "test", 2, 0), GPURANMAR_BAD_ARGUMENT, "not started");
}

/* A file that is shorter than what was written is refused. (families-misuse.t has /dev/full.) */
TEST(check_files)
{
    char name[PATH_MAX];
    temporary_name(name);
    const int file = mkstemp(name);
    assert_int_equal(write(file, "12345", 5), 5);
    gpuranmar_check_written("TEST", name, 5);
    STOPS(" lacks a part of what was written\n", gpuranmar_check_written("TEST", name, 6));
    close(file);
    unlink(name);
}

/* An array may end where the program's memory ends, and no byte later. */
TEST(check_addresses)
{
    const size_t size = (size_t)sysconf(_SC_PAGESIZE);
    char *const page =
        size + (char *)mmap(NULL, 3 * size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(page - size, size);
    munmap(page + size, size);
    ENDS_WELL(gpuranmar_check_address("TEST", "U", page, size, 0));
    STOPS(" bytes: the call does not fit", gpuranmar_check_address("TEST", "U", page, size + 1, 0));
    STOPS("TEST: U is at ", gpuranmar_check_address("TEST", "U", page - 1, 2, 0));
    STOPS(" bytes to write: the call", gpuranmar_check_address("TEST", "U", page, size, 1));
    mprotect(page, size, PROT_READ | PROT_WRITE);
    gpuranmar_check_address("TEST", "U", page, size, 1);
    munmap(page, size);
}

/* An error leaves the engine as it was, and says what is wrong. */
TEST(errors)
{
    gpuranmar_engine engine = {0}, before = {0};
    gpuranmar_engine_state state;
    assert_false(gpuranmar_engine_is_started(&engine));
    assert_int_equal(gpuranmar_engine_start(&engine, "test", 0, 0, 0, UINT64_C(1) << 63), 0);
    assert_int_equal(gpuranmar_engine_start(&engine, "test", 0, 0, 942438977, 0), 0);
    gpuranmar_engine_start(&before, "test", 0, 0, 31328 * 30082 + 30081, 5);
    assert_int_equal(gpuranmar_engine_start_pair(&engine, "test", 0, 0, 31328, 30081, 5), 0);
    assert_memory_equal(&engine, &before, sizeof engine);
    gpuranmar_engine_start(&engine, "test", GPURANMAR_SINGLE, GPURANMAR_ZERO_KEEP, 1, 2);
    gpuranmar_engine_report(&engine, &state);
    before = engine;
#define REFUSED(call, line) expect(call, GPURANMAR_BAD_ARGUMENT, "TEST: " line)
#define START(...) gpuranmar_engine_start(&engine, "TEST", __VA_ARGS__)
#define PAIR(ij, kl) gpuranmar_engine_start_pair(&engine, "TEST", 0, 0, ij, kl, 0)
    REFUSED(START(0, 0, -1, 0), "seed = -1 is not in 0..942438977");
    REFUSED(START(0, 0, 942438978, 0), "seed = 942438978 is not in 0..942438977");
    REFUSED(START(99, 0, 1, 0), "flavour = 99 is none of enum gpuranmar_flavour");
    REFUSED(START(0, 5, 1, 0), "zero = 5 is none of enum gpuranmar_zero");
    REFUSED(START(0, GPURANMAR_ZERO_U2, 1, 0), "zero = 3, 2^-24 U(2), needs flavour = 1");
    REFUSED(START(0, 0, 1, (UINT64_C(1) << 63) + 1),
            "numbers to skip = -9223372036854775807 is not in 0..2^63");
    REFUSED(PAIR(31329, 0), "seed IJ = 31329 is not in 0..31328");
    REFUSED(PAIR(-1, 0), "seed IJ = -1 is not in 0..31328");
    REFUSED(PAIR(1802, 30082), "seed KL = 30082 is not in 0..30081");
    REFUSED(PAIR(1802, -1), "seed KL = -1 is not in 0..30081");
    REFUSED(gpuranmar_engine_start(NULL, "TEST", 0, 0, 1, 0), "engine is a null pointer");
    REFUSED(gpuranmar_engine_adopt(NULL, "TEST", 0, 0, &state), "engine is a null pointer");
    REFUSED(gpuranmar_engine_adopt(&engine, "TEST", 0, 0, NULL), "state is a null pointer");
#define IS_NO_STATE(flavour, field, value, name, good)                                       \
    state.field = value;                                                                     \
    expect(gpuranmar_engine_adopt(&engine, "TEST", flavour, 0, &state), GPURANMAR_BAD_STATE, \
           "TEST: Fortran state: no RANMAR sequence has " name);                             \
    state.field = good
    IS_NO_STATE(GPURANMAR_SINGLE, u[5], 0x1p-30, "a word of U = 9.3132257461547852e-10", 0.5);
    IS_NO_STATE(GPURANMAR_DOUBLE, u[5], 1, "a word of U = 1", 0.5);
    IS_NO_STATE(GPURANMAR_SINGLE, c, 16777213 * 0x1p-24, "C = 0.99999982118606567", 0);
    IS_NO_STATE(GPURANMAR_DOUBLE, c, 0x1p-30, "C = 9.3132257461547852e-10", 0);
    IS_NO_STATE(GPURANMAR_DOUBLE, i97, 0, "I97 = 0", 97);
    assert_memory_equal(&engine, &before, sizeof engine);
}

/* An engine that is all zeros is not started: no call takes numbers from it. */
TEST(used_before_start)
{
    static const char line[] =
        "gpuranmar: gpuranmar_engine: an engine is used before it is started\n";
    gpuranmar_engine engine = {.flavour = GPURANMAR_SINGLE};
    gpuranmar_engine_state state;
    float out[GPURANMAR_ENGINE_WINDOW];
    STOPS(line, gpuranmar_engine_next(&engine));
    STOPS(line, gpuranmar_engine_fill_single(&engine, out, GPURANMAR_ENGINE_WINDOW));
    STOPS(line, gpuranmar_engine_skip(&engine, 1));
    STOPS(line, gpuranmar_engine_report(&engine, &state));
}
