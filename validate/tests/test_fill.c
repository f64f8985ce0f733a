/* Every fill path makes the numbers and the state that the scalar definition makes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "fill/fill.h"
#include "definition/flavour.h"
#include "random.h"

enum { MOST = 1 << 20 };
static char expected[MOST * sizeof(double)] __attribute__((aligned(64))),
    got[MOST * sizeof(double) + 64] __attribute__((aligned(64)));

/* Fails with the first index at which two arrays of n numbers differ. */
static void compare_arrays(const char *path, const char *a, const char *b, size_t n, size_t size)
{
    for (size_t i = 0; i < n; ++i)
        if (memcmp(a + i * size, b + i * size, size) != 0)
            fail_msg("%s: number %zu of %zu is the first to differ", path, i, n);
}

static void compare(const char *path, size_t offset, size_t n, size_t size)
{
    compare_arrays(path, got + offset, expected, n, size);
}

/* Where an array starts: behind 0 to 8 numbers, and one in four times a byte more. */
static size_t random_offset(size_t size)
{
    return random_in(0, 8) * size + (random_in(0, 3) == 0);
}

/* Bytes around the array keep their value. */
enum { GUARD = 0x5a };

static void one_level(const struct ranmar_simd *level, int number)
{
    const struct ranmar_flavour *f = ranmar_flavour(number);
    const size_t size = ranmar_number_size(f);
    ranmar_fill_function *fill = f->bits == 24 ? level->fill_single : level->fill_double;
    struct ranmar_state s, t;
    ranmar_seed(&s, f, (int64_t)random_in(0, RANMAR_SEED_MAX));
    struct ranmar_jump jump;
    ranmar_jump_prepare(&jump, random_size(0, UINT64_C(1) << 63), f);
    ranmar_jump_apply(&jump, f, &s);

    for (int piece = 0; piece < 20; ++piece) {
        const size_t n = random_size(1, 20000);
        const size_t offset = random_offset(size);
        t = s;
        memset(got, GUARD, offset + n * size + 32);
        ranmar_fill_scalar(&s, f, expected, n);
        fill(&t, f, got + offset, n);
        compare(level->name, offset, n, size);
        assert_memory_equal(&s, &t, sizeof s);
        for (size_t i = 0; i < offset; ++i)
            assert_int_equal(got[i], GUARD);
        for (size_t i = 0; i < 32; ++i)
            assert_int_equal(got[offset + n * size + i], GUARD);
    }
}

static void simd_levels(void **unused)
{
    for (const struct ranmar_simd *level = ranmar_simd_levels; level->name; ++level) {
        if (!level->supported()) {
            print_message("# this CPU has no %s\n", level->name);
            continue;
        }
        for (int number = GPURANMAR_DOUBLE; number <= GPURANMAR_DECIMATED; ++number)
            for (int i = 0; i < 20; ++i)
                one_level(level, number);
    }
    (void)unused;
}

/* A state whose number `at` is an exact zero, which no seed brings within reach. */
static struct ranmar_state state_before_zero(const struct ranmar_flavour *f, uint64_t at)
{
    struct ranmar_state s;
    for (int i = 0; i < RANMAR_LONG_LAG; ++i)
        s.x[i] = random_word() << (64 - f->bits);
    s.c = ranmar_arithmetic_stride(random_word(), f);
    s.x[RANMAR_LONG_LAG - 1] = s.c;
    ranmar_rewind(&s, f, at + 1);
    return s;
}

static void zeros(void **unused)
{
    for (const struct ranmar_simd *level = ranmar_simd_levels; level->name; ++level)
        for (int i = 0; level->supported() && i < 400; ++i) {
            const struct ranmar_flavour *f = ranmar_flavour(i % 4);
            const size_t size = ranmar_number_size(f);
            const uint64_t at = random_size(0, 9999);
            const size_t n = at + random_size(1, 4000);
            struct ranmar_state s = state_before_zero(f, at), t = s;
            ranmar_fill_scalar(&s, f, expected, n);
            assert_true(f->bits == 24 ? ((float *)expected)[at] == 0x1p-24f
                                      : ((double *)expected)[at] == 0x1p-48);
            (f->bits == 24 ? level->fill_single : level->fill_double)(&t, f, got, n);
            compare(level->name, 0, n, size);
            assert_memory_equal(&s, &t, sizeof s);
        }
    (void)unused;
}

/* Arrays so large that they are stored past the caches, at any alignment, even of a byte, and with a
 * zero. */
static void large_arrays(void **unused)
{
    for (const struct ranmar_simd *level = ranmar_simd_levels; level->name; ++level)
        for (int number = GPURANMAR_DOUBLE; level->supported() && number <= GPURANMAR_DECIMATED;
             ++number) {
            const struct ranmar_flavour *f = ranmar_flavour(number);
            const size_t size = ranmar_number_size(f);
            const size_t offset = random_offset(size);
            const size_t n = ranmar_cache_share() / size + random_in(1, 5000);
            char *const a = malloc(n * size), *const b = malloc(offset + n * size + 1);
            assert_true(a && b);
            b[offset + n * size] = GUARD;
            struct ranmar_state s = state_before_zero(f, random_in(0, 99999)), t = s;
            ranmar_fill_scalar(&s, f, a, n);
            (f->bits == 24 ? level->fill_single : level->fill_double)(&t, f, b + offset, n);
            compare_arrays(level->name, b + offset, a, n, size);
            assert_memory_equal(&s, &t, sizeof s);
            assert_int_equal(b[offset + n * size], GUARD);
            free(a);
            free(b);
        }
    (void)unused;
}

static void chosen_level(void **unused)
{
    const struct ranmar_simd *level = ranmar_simd_level();
    assert_true(level->supported());
    for (int number = GPURANMAR_DOUBLE; number <= GPURANMAR_DECIMATED; ++number) {
        const struct ranmar_flavour *f = ranmar_flavour(number);
        struct ranmar_state s, t;
        ranmar_seed(&s, f, (int64_t)random_in(0, RANMAR_SEED_MAX));
        t = s;
        for (int piece = 0; piece < 20; ++piece) {
            const size_t n = random_size(1, 5000);
            ranmar_fill_scalar(&s, f, expected, n);
            ranmar_fill(&t, f, got, n);
            compare(ranmar_flavour_name(number), 0, n, ranmar_number_size(f));
            ranmar_fill(&t, f, NULL, 0);
            assert_memory_equal(&s, &t, sizeof s);
        }
    }
    (void)unused;
}

static void threads(void **unused)
{
    for (int i = 0; i < 12; ++i) {
        const int number = i % 4;
        const struct ranmar_flavour *f = ranmar_flavour(number);
        struct ranmar_state s, t;
        struct ranmar_jump memo = {0};
        ranmar_seed(&s, f, (int64_t)random_in(0, RANMAR_SEED_MAX));
        t = s;
        for (int call = 0; call < 3; ++call) {
            const size_t n = random_in(0, 3) ? random_in(MOST / 2, MOST) : MOST;
            ranmar_fill_scalar(&s, f, expected, n);
            ranmar_fill_threads(&t, f, got, n, (int)random_in(1, 9), &memo);
            compare("threads", 0, n, ranmar_number_size(f));
            assert_memory_equal(&s, &t, sizeof s);
        }
    }
    (void)unused;
}

int main(void)
{
    random_start();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simd_levels),
        cmocka_unit_test(zeros),
        cmocka_unit_test(large_arrays),
        cmocka_unit_test(chosen_level),
        cmocka_unit_test(threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
