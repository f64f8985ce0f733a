/* The definition: the rules that no known answer shows. test_fill.c has the known answers,
 * test_proof.c the conversion and the zeros. */
#include <string.h>

#include "backends/plugin.h"
#include "definition/flavour.h"
#include "definition/interleave.h"
#include "definition/jump.h"
#include "fill/fill.h"
#include "tests.h"

/* Every eighth word of a sequence x[n] = x[n-97] - x[n-33] is a word of the flavour keyed, whose
 * numbers are masked as docs/concept.md says. All words of x give the numbers here, and a jump in x
 * gives the words after a jump. */
TEST(keyed_numbers)
{
    enum { N = 300, EVERY = 8, LAG = RANMAR_LONG_LAG };
    const struct ranmar_flavour *const e = ranmar_flavour(GPURANMAR_EXTENDED),
                                       *const f = ranmar_flavour(GPURANMAR_KEYED);
    const uint64_t m = (UINT64_C(1) << 48) - 59, low = (UINT64_C(1) << 48) - 1;
    for (int trial = 0; trial < 20; ++trial) {
        static uint64_t all[EVERY * (LAG + N)], x[LAG + N];
        static double u[N];
        const uint64_t distance = random_size(0, UINT64_C(1) << 60);
        struct ranmar_state in_all, keyed, made;
        ranmar_seed(&in_all, e, (int64_t)random_in(0, RANMAR_SEED_MAX));
        ranmar_seed(&keyed, f, (int64_t)random_word());
        memcpy(all, in_all.x, sizeof in_all.x);
        for (size_t i = LAG; i < EVERY * (LAG + N); ++i)
            all[i] = all[i - LAG] - all[i - RANMAR_SHORT_LAG];
        for (size_t i = 0; i < LAG + N; ++i)
            x[i] = all[EVERY * i];
        memcpy(keyed.x, x, sizeof keyed.x);

        made = keyed;
        ranmar_fill_scalar(&made, f, u, N);
        uint64_t c = keyed.c >> 16;
        for (size_t i = LAG; i < LAG + N; ++i) {
            const uint64_t a = x[i - 92] >> 32, b = x[i - 96] >> 32 | 1;
            c = (c + m - 8 * UINT64_C(128418219713277) % m) % m;
            const uint64_t w = ((x[i] >> 16) - c) & low;
            assert_true(u[i - LAG] == (double)(w ^ (a * b >> 8 & low)) * 0x1p-48);
        }

        struct ranmar_jump by = {0}, by_eight = {0};
        ranmar_jump_by(&by_eight, EVERY * distance, e, &in_all);
        ranmar_jump_by(&by, distance, f, &keyed);
        for (size_t i = 0; EVERY * i < LAG; ++i)
            assert_true(in_all.x[EVERY * i] == keyed.x[i]);
    }
}

/* 2k + 1 steps are k steps twice and one more, from 1 to 2^64 - 1. */
TEST(strides_of_the_arithmetic_part)
{
    for (int code = 0; code <= GPURANMAR_KEYED; ++code) {
        const struct ranmar_flavour *const f = ranmar_flavour(code);
        const uint64_t m = f->modulus;
        assert_true(ranmar_arithmetic_stride(1, f) == f->step);
        for (uint64_t k = 1; k < UINT64_MAX; k = 2 * k + 1) {
            const uint64_t stride = ranmar_arithmetic_stride(k, f);
            const uint64_t twice = ranmar_arithmetic(stride, m - stride, m);
            assert_true(ranmar_arithmetic_stride(2 * k + 1, f) ==
                        ranmar_arithmetic(twice, m - f->step, m));
        }
    }
}

/* The hash is Threefry-2x64 with 20 rounds, as in Random123: a known answer that Random123 comes
 * with, and two that were computed by it. The words of a key are the hash's. */
TEST(hash_is_threefry)
{
    uint64_t x[2];
    ranmar_threefry(0, 0, 0, x);
    assert_true(x[0] == UINT64_C(0xc2b6e3a8c2c69865) && x[1] == UINT64_C(0x6f81ed42f350084d));
    ranmar_threefry(54217137, 0, 3, x);
    assert_true(x[0] == UINT64_C(0xffaf3540a7fadedb) && x[1] == UINT64_C(0x7613ff72131ef657));
    ranmar_threefry(UINT64_C(0xfedcba9876543210), 5, 48, x);
    assert_true(x[0] == UINT64_C(0xfad8088dfcb809c4) && x[1] == UINT64_C(0x39a72beef02451c1));

    const struct ranmar_flavour *const f = ranmar_flavour(GPURANMAR_KEYED);
    struct ranmar_state s, first;
    ranmar_seed_instance(&s, f, (int64_t)UINT64_C(0xfedcba9876543210), 5);
    assert_true(s.x[96] == (x[0] & ~UINT64_C(0xffff)) && s.c == (x[1] & ~UINT64_C(0xffff)));
    ranmar_seed(&s, f, 54217137);
    assert_true(s.x[6] == UINT64_C(0xffaf3540a7fa0000) && s.x[7] == UINT64_C(0x7613ff72131e0000));
    ranmar_seed_instance(&first, f, 54217137, 0);
    assert_memory_equal(&first, &s, sizeof s);
}

/* A plugin that makes other numbers than the library must be refused. Who changes the numbers of a
 * flavour raises RANMAR_PLUGIN_ABI, and then the sum here. */
TEST(plugins_make_these_numbers)
{
    uint64_t sum = 0;
    for (int code = 0; code <= GPURANMAR_KEYED; ++code) {
        const struct ranmar_flavour *const f = ranmar_flavour(code);
        struct ranmar_state s;
        ranmar_seed(&s, f, 54217137);
        for (int i = 0; i < 1000; ++i) {
            double u = 0;
            float v = 0;
            ranmar_fill_scalar(&s, f, f->bits == 24 ? (void *)&v : &u, 1);
            sum = (sum ^ (uint64_t)((u + v) * 0x1p48)) * UINT64_C(0x100000001b3);
        }
    }
    assert_true(RANMAR_PLUGIN_ABI == 11 && sum == UINT64_C(0x1e4eb07d2b96e50e));
}
