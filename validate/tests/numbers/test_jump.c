/* A jump of N equals N draws, and jumps compose. test_proof.c has short ones and powers of two. */
#include <string.h>

#include "definition/flavour.h"
#include "fill/fill.h"
#include "tests.h"

static struct ranmar_state random_state_of(const struct ranmar_flavour *f)
{
    struct ranmar_state s;
    ranmar_seed(&s, f, (int64_t)random_in(0, RANMAR_SEED_MAX));
    return s;
}

static struct ranmar_state jumped(const struct ranmar_state *s, const struct ranmar_flavour *f,
                                  uint64_t distance)
{
    struct ranmar_jump jump;
    struct ranmar_state t = *s;
    ranmar_jump_prepare(&jump, distance, f);
    ranmar_jump_apply(&jump, f, &t);
    return t;
}

static void draw(struct ranmar_state *s, const struct ranmar_flavour *f, uint64_t n)
{
    static double numbers[4096];
    for (; n > 0; n -= n < 4096 ? n : 4096)
        ranmar_fill_scalar(s, f, numbers, n < 4096 ? n : 4096);
}

TEST(jump_equals_draws)
{
    for (int code = GPURANMAR_DOUBLE; code < RANMAR_FLAVOURS; ++code) {
        const struct ranmar_flavour *f = ranmar_flavour(code);
        for (int i = 0; i < 5; ++i) {
            const uint64_t distance = random_in(1000, i == 0 ? 10000000 : 1000000);
            struct ranmar_state s = random_state_of(f), t = jumped(&s, f, distance);
            draw(&s, f, distance);
            if (memcmp(&s, &t, sizeof s) != 0)
                fail_msg("flavour %d: a jump by %llu is not as many draws", code,
                         (unsigned long long)distance);
        }
    }
}

TEST(jumps_compose)
{
    for (int i = 0; i < 100; ++i) {
        const struct ranmar_flavour *f = ranmar_flavour(i % RANMAR_FLAVOURS);
        const uint64_t total = i == 0 ? UINT64_C(1) << 63 : random_size(1, UINT64_C(1) << 63);
        const uint64_t first = random_in(0, total);
        const struct ranmar_state s = random_state_of(f);
        const struct ranmar_state half = jumped(&s, f, first);
        const struct ranmar_state far = jumped(&half, f, total - first),
                                  whole = jumped(&s, f, total);
        assert_memory_equal(&far, &whole, sizeof s);
    }
}

TEST(rewind_undoes)
{
    for (int i = 0; i < 60; ++i) {
        const struct ranmar_flavour *f = ranmar_flavour(i % RANMAR_FLAVOURS);
        const uint64_t n = i < 30 ? (uint64_t)i : random_in(0, 5000);
        const struct ranmar_state s = random_state_of(f);
        struct ranmar_state t = s;
        draw(&t, f, n);
        ranmar_rewind(&t, f, n);
        assert_memory_equal(&s, &t, sizeof s);
    }
}
