/* What RM48 makes of a zero, which no seed brings within reach: states are made in which a number
 * is zero, or the smallest by itself. (validate/cernlib.t has the rest.) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fortran/cernlib.h"
#include "fill/fill.h"
#include "definition/flavour.h"
#include "definition/jump.h"
#include "random.h"

enum { MOST = 200000 };
static double expected[MOST], got[MOST];

/* A state `at` numbers before one that is `steps` of 2^-48. */
static struct ranmar_state before(uint64_t at, uint64_t steps)
{
    const struct ranmar_flavour *f = ranmar_flavour(GPURANMAR_DOUBLE);
    struct ranmar_state s;
    for (int i = 0; i < RANMAR_LONG_LAG; ++i)
        s.x[i] = random_word() << 16;
    s.c = random_in(0, 16777212) << 40;
    s.x[RANMAR_LONG_LAG - 1] = s.c + (steps << 16);
    ranmar_rewind(&s, f, at + 1);
    return s;
}

static void zeros_of_rm48(void **unused)
{
    for (int round = 0; round < 200; ++round) {
        const uint64_t at = random_size(0, MOST - 1), steps = random_in(0, 1);
        struct ranmar_cernlib s = {.flavour = ranmar_flavour(GPURANMAR_DOUBLE)};
        struct ranmar_state scalar = s.state = before(at, steps);
        ranmar_fill_scalar(&scalar, s.flavour, expected, MOST);
        assert_true(expected[at] == 0x1p-48);
        if (steps == 0)
            expected[at] = 0x1p-49;
        for (uint64_t done = 0; done < MOST;) {
            const uint64_t n = random_size(1, MOST - done);
            if (n > 1 || !ranmar_cernlib_next_double(&s, got + done))
                ranmar_cernlib_draw("test", &s, got + done, (int32_t)n, ranmar_rm48_zero);
            done += n;
        }
        for (size_t i = 0; i < MOST; ++i)
            if (got[i] != expected[i])
                fail_msg("zero at %zu: number %zu is %a, not %a", (size_t)at, i, got[i], expected[i]);
    }
    (void)unused;
}

int main(void)
{
    random_start();
    const struct CMUnitTest tests[] = {cmocka_unit_test(zeros_of_rm48)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
