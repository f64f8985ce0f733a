/* The relation between four numbers that no arithmetic part can hide. Subtracting the recurrence at
 * n - 33 from that at n cancels u[n-33]; what is left of the arithmetic part are four terms that
 * cancel too, but for a constant:
 *
 *     u[n] - u[n-66] - u[n-97] + u[n-130] = 33 d  mod 1, up to wraps of m, each 1 - m
 *
 * The decimated sequence has no such relation of four. Its own recurrence, subtracted from that at
 * n - 32, leaves one of six, two of them three times. It shows 180 times less, from bit 20 on 30
 * times and from bit 28 on 23 times:
 *
 *     v[n] - v[n-32] - v[n-33] + 3 v[n-65] - 3 v[n-97] + v[n-129] = 32 d' mod 1,  d' = 2 d
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "definition/flavour.h"
#include "fill/fill.h"
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

static uint64_t fraction(double v)
{
    return (uint64_t)(v * 0x1p48) << 16;
}

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

/* What is left of the six numbers of the decimated sequence, whose lowest 16 bits are mixed, agrees
 * with the constant to that many places, up to wraps, which do not show in them. */
static void decimated_has_one_of_six(void **unused)
{
    const struct ranmar_flavour *f = ranmar_flavour(GPURANMAR_DECIMATED);
    make(GPURANMAR_DECIMATED);
    const uint64_t constant = ranmar_arithmetic_stride(32, f), most = UINT64_C(16) << 32;
    for (size_t i = SPAN; i < N + SPAN; ++i) {
        const uint64_t r = fraction(u[i]) - fraction(u[i - 32]) - fraction(u[i - 33]) +
                           3 * fraction(u[i - 65]) - 3 * fraction(u[i - 97]) + fraction(u[i - 129]);
        assert_true(r - constant + most < 2 * most);
    }
    (void)unused;
}

/* What BigCrush's tests 59, 60 and 61 see of such a relation: whether u < 1/4, less its first r =
 * 0, 20 or 28 bits, at its places together. Numbers that are independent have the mean 0 of the
 * product of the (indicator - 1/4), up to sigma. The relation alone, sum k_i u[n-l_i] = constant,
 * makes it
 *
 *     sum over h != 0 of  prod a_(h k_i)  cos(2 pi h 2^r constant),   a_h = sin(pi h / 4) / (pi h)
 *
 * being the Fourier coefficients of the indicator. Wraps of a modulus of 48 bits are too small to
 * show, also 2^28 times as large. */
struct relation {
    int terms, lag[6], coefficient[6];
    uint64_t distance; /* the constant is that many steps of the arithmetic part */
};

static const struct relation four = {4, {0, 66, 97, 130}, {1, -1, -1, 1}, 33};
static const struct relation six = {6, {0, 32, 33, 65, 97, 129}, {1, -1, -1, 3, -3, 1}, 32};

static double mean_of(const struct relation *r, int first_bit)
{
    double sum = 0;
    for (size_t i = SPAN; i < N + SPAN; ++i) {
        double product = 1;
        for (int t = 0; t < r->terms; ++t)
            product *= (fraction(u[i - (size_t)r->lag[t]]) << first_bit >> 62 == 0) - 0.25;
        sum += product;
    }
    return sum / N;
}

static double expected_of(const struct relation *r, const struct ranmar_flavour *f, int first_bit)
{
    const double constant =
        (double)(ranmar_arithmetic_stride(r->distance, f) << first_bit) * 0x1p-64;
    double sum = 0;
    for (int h = 1; h < 1000; ++h) {
        double product = 2 * cos(2 * M_PI * h * constant);
        for (int t = 0; t < r->terms; ++t) {
            const double k = M_PI * h * abs(r->coefficient[t]);
            product *= sin(k / 4) / k;
        }
        sum += product;
    }
    return sum;
}

static void explains_the_correlations(void **unused)
{
    for (int number = GPURANMAR_DOUBLE; number < RANMAR_FLAVOURS; ++number) {
        if (number == GPURANMAR_SINGLE || ranmar_flavour(number)->every == 8)
            continue;
        const struct ranmar_flavour *f = ranmar_flavour(number);
        const struct relation *r = f->every == 2 ? &six : &four;
        const int first_bits[] = {0, 20, 28}, wide = number != GPURANMAR_DOUBLE;
        make(number);
        for (int i = 0; i < (wide ? 3 : 1); ++i) {
            const double mean = mean_of(r, first_bits[i]),
                         expected = expected_of(r, f, first_bits[i]);
            const double sigma = pow(0.1875, r->terms / 2.0) / sqrt(N);
            print_message("# %s, r = %d: mean of %d %.3e, expected %.3e, sigma %.1e\n",
                          ranmar_flavour_name(number), first_bits[i], r->terms, mean, expected,
                          sigma);
            assert_true(fabs(mean - expected) < 6 * sigma);
            if (f->every == 2) /* and no relation of four */
                assert_true(fabs(mean_of(&four, first_bits[i])) < 6 * pow(0.1875, 2) / sqrt(N));
        }
    }
    (void)unused;
}

int main(void)
{
    random_start();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holds_for_every_number),
        cmocka_unit_test(decimated_is_free_of_it),
        cmocka_unit_test(decimated_has_one_of_six),
        cmocka_unit_test(explains_the_correlations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
