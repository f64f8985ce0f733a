/* The numbered sequences: the calls by sequence id, and drawing from a buffer as patched Fortran
 * does, mixed. */
#include <pthread.h>
#include <string.h>

#include "child.h"
#include "definition/flavour.h"
#include "fill/fill.h"
#include "fortran/fortran.h"
#include "gpuranmar_engine.h"
#include "tests.h"

/* The address of a value, as Fortran passes arguments. */
#define OF(value) (&(const int32_t){value})
/* The arguments of GRNSTA and GRNPUT for a state. */
#define STATE(s) &s.ijkl, &s.ntot, &s.ntot2, &s.i97, &s.j97, &s.c, s.u

enum { MOST = 20000, SEQUENCES = 9 };
static double expected[SEQUENCES + 1][MOST];
static size_t at[SEQUENCES + 1];

static void start(int id, int64_t prefetch)
{
    const int ij = (int)random_in(0, 31328), kl = (int)random_in(0, 30081);
    struct ranmar_state s;
    ranmar_seed(&s, ranmar_flavour(GPURANMAR_DOUBLE), ij * 30082 + kl);
    ranmar_fill_scalar(&s, ranmar_flavour(GPURANMAR_DOUBLE), expected[id], MOST);
    at[id] = 0;
    assert_int_equal(gpuranmar_initialise(id, ij, kl, 1, prefetch), GPURANMAR_OK);
}

static void draw_inline(double *out, int32_t n, int id)
{
    for (int32_t i = 0; i < n; ++i) {
        if (grncom_.pos[id - 1] == 0)
            grnfl1_(&id, grncom_.pos);
        out[i] = *ranmar_grncom_next(id);
        ++grncom_.pos[id - 1];
    }
}

/* This test runs before any sequence is set. RMMARD's error then names the sequence that it was
 * asked for, from the first to the last one; beyond that the current one. */
TEST(used_before_set)
{
    double u[1];
    STOPS("RMMARD: sequence = 1 is used before it is set", ranmar_current = 3,
          rmmard_(u, OF(1), OF(1)));
    STOPS("RMMARD: sequence = 9 is used before it is set", rmmard_(u, OF(1), OF(9)));
    STOPS("RMMARD: sequence = 1 is used before it is set", rmmard_(u, OF(1), OF(10)));
    /* A sequence that does not exist is refused even if no number is asked for. The memory before
     * the positions is 0 here, which would be the position of an empty buffer. */
    for (int32_t none = -1; none <= 257; none += none == 0 ? 257 : 1)
        STOPS("is not in 1..256", grnvec_(NULL, OF(0), &none));
    expect(gpuranmar_get(4, u, 1), GPURANMAR_NOT_SET, "sequence = 4");
    expect(gpuranmar_get_unbuffered(4, u, 1), GPURANMAR_NOT_SET, "sequence = 4");
}

/* A draw writes the numbers that were asked for, and nothing before or behind them. */
TEST(mixed_draws)
{
    for (int round = 0; round < 10; ++round) {
        for (int id = 1; id <= SEQUENCES; ++id)
            start(id, (int64_t)random_size(0, 100000));
        for (int i = 0; i < 2000; ++i) {
            const int id = (int)random_in(1, SEQUENCES);
            const int32_t n = (int32_t)random_size(0, random_in(0, 20) ? 100 : 5000);
            double memory[5002], *const got = memory + 1;
            if (at[id] + (size_t)n > MOST)
                continue;
            memory[0] = got[n] = -1;
            if (random_in(0, 9) == 0)
                grnfl1_(&id, grncom_.pos); /* a buffer that is not empty stays as it is */
            switch (random_in(0, 4)) {
            case 0:
                assert_int_equal(gpuranmar_get(id, got, (size_t)n), GPURANMAR_OK);
                break;
            case 1:
                assert_int_equal(gpuranmar_get_unbuffered(id, got, (size_t)n), GPURANMAR_OK);
                break;
            case 2:
                rmmard_(got, &n, &id);
                assert_true(n == 0 || ranmar_current == id);
                break;
            case 3:
                grnvec_(got, &n, &id);
                break;
            default:
                draw_inline(got, n, id);
            }
            assert_true(memory[0] == -1 && got[n] == -1);
            for (int32_t k = 0; k < n; ++k)
                if (got[k] != expected[id][at[id] + (size_t)k])
                    fail_msg("sequence %d: number %zu is the first to differ", id,
                             at[id] + (size_t)k);
            at[id] += (size_t)n;
            int32_t ntot, ntot2;
            grncnt_(&id, &ntot, &ntot2);
            assert_int_equal(ntot, at[id]);
            assert_int_equal(ntot2, 0);
        }
    }
}

/* A place outside the buffer is found at the next call. */
TEST(damaged_place)
{
    static const int32_t places[] = {1, 4096, -1025, INT32_MAX, INT32_MIN};
    const char *const words = "sequence = 1: its offset in COMMON /GRNCOM/ is ";
    double u[1025];
    int32_t ntot, ntot2;
    start(1, 0);
    assert_int_equal(gpuranmar_get(1, u, 3), GPURANMAR_OK);
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
        grncom_.pos[0] = places[i];
        expect(gpuranmar_get(1, u, 1025), GPURANMAR_BAD_STATE, words);
        expect(gpuranmar_get_unbuffered(1, u, 1), GPURANMAR_BAD_STATE, words);
        STOPS(words, grncnt_(OF(1), &ntot, &ntot2));
        STOPS(words, rmmard_(u, OF(2), OF(1)));
        STOPS(words, grnvec_(u, OF(2), OF(1)));
        if (places[i] > 0)
            STOPS(words, rmmard_(u, OF(1), OF(1)));
    }
    grncom_.pos[0] = 3 - RANMAR_BUFFER;
    assert_int_equal(gpuranmar_get(1, u, 1025), GPURANMAR_OK);
    assert_memory_equal(u, expected[1] + 3, sizeof u);
    STOPS("GRNFL1: sequence = 1: its offset in COMMON /GRNCOM/ is -11, which is not in -10..0",
          start(1, 10), grncom_.pos[0] = -11, grnfl1_(OF(1), grncom_.pos));
}

/* GRNSTA at any point of a buffer gives a state from which GRNPUT goes on. Patched code has a KSEQ
 * of its own, up to 256: its routines take sequences above GPURANMAR_SEQUENCES. */
TEST(state_out_and_in)
{
    for (int i = 0; i < 100; ++i) {
        /* A prefetch below 1024 makes the buffer smaller. */
        start(1, i % 2 ? 1024 : (int64_t)random_size(0, 1023));
        const int32_t n = (int32_t)random_in(0, 9000), one = 1, two = 256, more = 1000;
        double numbers[9000];
        int32_t ntot, ntot2;
        struct ranmar_fortran_state s;
        rmmard_(numbers, &n, &one);
        grnsta_(&one, STATE(s));
        assert_int_equal(s.ntot, n);
        assert_int_equal(s.i97, 97 - n % 97);
        grnput_(&two, STATE(s));
        grnvec_(numbers, &more, &two);
        for (int k = 0; k < more; ++k)
            assert_true(numbers[k] == expected[1][n + k]);
        grncnt_(&two, &ntot, &ntot2);
        assert_int_equal(ntot, n + more);
    }
}

/* NTOT is carried into NTOT2 at 10^9, and counters are reported as they were given. No request
 * passes the last position, however large. */
TEST(counters)
{
    const int32_t id = 9, n = 25;
    int32_t a, b;
    double u[25];
    grnset_(OF(1), OF(999999990), OF(2000000000), &id);
    grncnt_(&id, &a, &b);
    assert_true(a == 999999990 && b == 2000000000);
    grnvec_(u, &n, &id);
    grncnt_(&id, &a, &b);
    assert_true(a == 15 && b == 2000000001);
    expect(gpuranmar_get(id, u, SIZE_MAX), GPURANMAR_BAD_ARGUMENT,
           "gpuranmar_get: n = -1 is not in 0..2^63");
    expect(gpuranmar_get_unbuffered(id, u, UINT64_C(7223372036854775809)), GPURANMAR_BAD_ARGUMENT,
           "n = 7223372036854775809");
    assert_int_equal(gpuranmar_get(id, u, 1), GPURANMAR_OK);
}

TEST(closed)
{
    double u[1];
    start(1, 0);
    start(2, 0);
    assert_int_equal(gpuranmar_get(1, u, 1), GPURANMAR_OK);
    assert_int_equal(gpuranmar_close(1), GPURANMAR_OK);
    expect(gpuranmar_get(1, u, 1), GPURANMAR_NOT_SET, "sequence = 1");
    STOPS("RMMARD: sequence = 1 is used before it is set", rmmard_(u, OF(1), OF(1)));
    assert_int_equal(gpuranmar_close(1), GPURANMAR_OK);
    expect(gpuranmar_close(0), GPURANMAR_BAD_ARGUMENT, "gpuranmar_close: sequence = 0");
    assert_int_equal(gpuranmar_get(2, u, 1), GPURANMAR_OK);
    assert_true(u[0] == expected[2][0]);
}

static void *draw_all(void *which)
{
    const int32_t id = (int32_t)(intptr_t)which, n = 10;
    double u[10];
    intptr_t wrong = 0;
    for (size_t i = 0; i < MOST; i += 10) {
        if (id % 2)
            grnvec_(u, &n, &id);
        else
            gpuranmar_get(id, u, 10);
        wrong += memcmp(u, expected[id] + i, sizeof u) != 0;
    }
    return (void *)wrong;
}

/* Separate threads may draw from separate sequences by all calls but RMMARD. */
TEST(sequences_on_threads)
{
    pthread_t thread[SEQUENCES + 1];
    for (int id = 1; id <= SEQUENCES; ++id)
        start(id, id < 5 ? 0 : 5000);
    for (int id = 1; id <= SEQUENCES; ++id)
        assert_int_equal(pthread_create(&thread[id], NULL, draw_all, (void *)(intptr_t)id), 0);
    for (int id = 1; id <= SEQUENCES; ++id) {
        void *wrong;
        pthread_join(thread[id], &wrong);
        assert_null(wrong);
    }
}

TEST(stops)
{
    double u;
    struct ranmar_fortran_state s = {0};
    STOPS("GRNVEC: sequence = 257 is not in 1..256", grnvec_(&u, OF(1), OF(257)));
    STOPS("GRNSTA: sequence = 1 has 2 instances, which a Fortran state",
          gpuranmar_initialise(1, 1, 1, 2, 0), grnsta_(OF(1), STATE(s)));
    STOPS("GRNSET: numbers to skip: NTOT2 = 2000000001 is above 2000000000",
          grnset_(OF(0), OF(0), OF(2000000001), OF(1)));
    grnset_(OF(0), OF(0), OF(0), OF(1));
    grnset_(OF(INT32_MAX), OF(0), OF(0), OF(1));
    STOPS("GRNSET: seed IJKL = -1 is negative", grnset_(OF(-1), OF(0), OF(0), OF(1)));
    STOPS("GRNFL1: COMMON /GRNCOM/ of this program is not", grnfl1_(OF(1), OF(0)));
    STOPS("GRNSTA: sequence = 0 is not in 1..256", grnsta_(OF(0), STATE(s)));
#define PUT(ijkl, ntot, ntot2) \
    grnput_(OF(2), OF(ijkl), OF(ntot), OF(ntot2), &s.i97, &s.j97, &s.c, s.u)
    STOPS("GRNPUT: Fortran state: no RANMAR sequence has IJKL = -1", PUT(-1, 0, 0));
    STOPS("GRNPUT: Fortran state: no RANMAR sequence has NTOT = -1", PUT(0, -1, 0));
    STOPS("GRNPUT: Fortran state: no RANMAR sequence has NTOT2 = -1", PUT(0, 0, -1));
    STOPS("no RANMAR sequence has NTOT2 = 2000000001", PUT(0, 0, 2000000001));
    STOPS("GRNPUT: Fortran state: no RANMAR sequence has I97 = 0", PUT(0, 0, 2000000000));
}

TEST(errors)
{
    double u[2];
    start(1, 0);
    expect(gpuranmar_initialise(0, 1, 1, 1, 0), GPURANMAR_BAD_ARGUMENT, "sequence = 0");
    expect(gpuranmar_initialise(1, 31329, 1, 1, 0), GPURANMAR_BAD_ARGUMENT, "seed IJ = 31329");
    expect(gpuranmar_initialise(1, 1, 1, 0, 0), GPURANMAR_BAD_ARGUMENT, "instances = 0");
    expect(gpuranmar_initialise(1, 1, 1, 1, -1), GPURANMAR_BAD_ARGUMENT, "prefetch = -1");
    expect(gpuranmar_initialise(1, 1, 1, 3, -5), GPURANMAR_BAD_ARGUMENT, "prefetch = -5 ");
    expect(gpuranmar_get(10, u, 1), GPURANMAR_BAD_ARGUMENT, "sequence = 10");
    expect(gpuranmar_get(1, NULL, 1), GPURANMAR_BAD_ARGUMENT, "out is a null pointer");
    expect(gpuranmar_get_unbuffered(1, NULL, 1), GPURANMAR_BAD_ARGUMENT, "out is a null pointer");
    assert_int_equal(gpuranmar_get(1, NULL, 0), GPURANMAR_OK);
    assert_int_equal(gpuranmar_get_unbuffered(1, NULL, 0), GPURANMAR_OK);
    assert_int_equal(gpuranmar_get(1, u, 2), GPURANMAR_OK);
    assert_true(u[0] == expected[1][0] && u[1] == expected[1][1]);
}
