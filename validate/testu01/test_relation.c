/* The relation between four numbers that no arithmetic part can hide. Subtracting the recurrence at
 * n - 33 from that at n cancels u[n-33]; what is left of the arithmetic part are four terms that
 * cancel too, but for a constant:
 *
 *     u[n] - u[n-66] - u[n-97] + u[n-130] = 33 d  mod 1, up to wraps of m, each 1 - m
 *
 * The decimated flavour delivers no four such numbers near each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "fill.h"
#include "flavour.h"
#include "random.h"

enum { N = 1 << 20, SPAN = 130 };
static double u[N + SPAN];

static void make(int number)
{
    const struct ranmar_flavour *f = ranmar_flavour(number);
    struct ranmar_state s;
    struct ranmar_jump jump;
    ranmar_seed(&s, f, (int64_t)random_in(0, RANMAR_SEED_MAX));
    ranmar_jump_prepare(&jump, random_size(0, UINT64_C(1) << 63), f);
    ranmar_jump_apply(&jump, f, &s);
    ranmar_fill(&s, f, u, N + SPAN);
}

static uint64_t fraction(double v) { return (uint64_t)(v * 0x1p48) << 16; }

/* What is left of the four numbers up to u[i]. */
static uint64_t rest(const double *v)
{
    return fraction(v[0]) - fraction(v[-66]) - fraction(v[-97]) + fraction(v[-130]);
}

/* How many of the rests are the constant, up to two wraps to either side. An exact zero that became
 * 2^-48 breaks four of them. */
static size_t predicted(const struct ranmar_flavour *f)
{
    const uint64_t constant = ranmar_arithmetic_stride(33, f), wrap = 0 - f->modulus;
    size_t count = 0;
    for (size_t i = SPAN; i < N + SPAN; ++i) {
        const uint64_t r = rest(u + i) - constant;
        count += r == 0 || r == wrap || r == 2 * wrap || r == 0 - wrap || r == 0 - 2 * wrap;
    }
    return count;
}

static void holds_for_every_number(void **unused)
{
    for (int number = GPURANMAR_DOUBLE; number <= GPURANMAR_EXTENDED; ++number) {
        if (number == GPURANMAR_SINGLE)
            continue;
        make(number);
        assert_true(predicted(ranmar_flavour(number)) >= N - 4);
    }
    (void)unused;
}

static void decimated_is_free_of_it(void **unused)
{
    make(GPURANMAR_DECIMATED);
    assert_true(predicted(ranmar_flavour(GPURANMAR_DECIMATED)) <= 1);
    (void)unused;
}

/* What BigCrush's test 59 sees of it: whether u < 1/4, at the four places together. Independent
 * numbers have the mean 0 of the product of the four (indicator - 1/4), up to sigma. The relation
 * alone makes it  sum over h != 0 of |a_h|^4 cos(2 pi h 33 d),  a_h = sin(pi h / 4) / (pi h)  being
 * the Fourier coefficients of the indicator. */
static double four_point_mean(void)
{
    double sum = 0;
    for (size_t i = SPAN; i < N + SPAN; ++i) {
        const double *v = u + i;
        sum += ((v[0] < 0.25) - 0.25) * ((v[-66] < 0.25) - 0.25) * ((v[-97] < 0.25) - 0.25) *
               ((v[-130] < 0.25) - 0.25);
    }
    return sum / N;
}

static void explains_the_four_point_correlation(void **unused)
{
    const double sigma = 0.1875 * 0.1875 / sqrt(N);
    for (int number = GPURANMAR_DOUBLE; number <= GPURANMAR_DECIMATED; ++number) {
        if (number == GPURANMAR_SINGLE)
            continue;
        const struct ranmar_flavour *f = ranmar_flavour(number);
        const double constant = (double)ranmar_arithmetic_stride(33, f) * 0x1p-64;
        double expected = 0;
        for (int h = 1; h < 1000 && !f->decimated; ++h)
            expected += 2 * pow(sin(M_PI * h / 4) / (M_PI * h), 4) * cos(2 * M_PI * h * constant);
        make(number);
        const double mean = four_point_mean();
        print_message("# %s: four-point mean %.5f, expected %.5f, sigma %.5f\n",
                      ranmar_flavour_name(number), mean, expected, sigma);
        assert_true(fabs(mean - expected) < 6 * sigma);
    }
    (void)unused;
}

int main(void)
{
    random_start();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holds_for_every_number),
        cmocka_unit_test(decimated_is_free_of_it),
        cmocka_unit_test(explains_the_four_point_correlation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
