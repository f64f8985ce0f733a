/* Four numbers obey a relation that the arithmetic part cannot hide. The recurrence at n minus the
 * recurrence at n - 33 cancels u[n-33], and the arithmetic part leaves only a constant:
 *
 *     u[n] - u[n-66] - u[n-97] + u[n-130] = 33 d  mod 1, up to wraps of m, each 1 - m
 */
#include <math.h>
#include <string.h>

#include "definition/flavour.h"
#include "fill/fill.h"
#include "tests.h"

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

/* The relation's left side, for the four numbers that end with *v. */
static uint64_t left_side(const double *v)
{
    return fraction(v[0]) - fraction(v[-66]) - fraction(v[-97]) + fraction(v[-130]);
}

/* Counts the numbers where the left side is the constant, up to two wraps to either side. A zero
 * that was replaced by 2^-48 breaks the relation four times. */
static size_t predicted(const struct ranmar_flavour *f)
{
    const uint64_t constant = ranmar_arithmetic_stride(33, f), wrap = 0 - f->modulus;
    size_t count = 0;
    for (size_t i = SPAN; i < N + SPAN; ++i) {
        const uint64_t r = left_side(u + i) - constant;
        count += r == 0 || r == wrap || r == 2 * wrap || r == 0 - wrap || r == 0 - 2 * wrap;
    }
    return count;
}

TEST(holds_for_every_number)
{
    for (int number = GPURANMAR_DOUBLE; number <= GPURANMAR_EXTENDED; ++number) {
        if (number == GPURANMAR_SINGLE)
            continue;
        make(number);
        assert_true(predicted(ranmar_flavour(number)) >= N - 4);
    }
}

/* Tests 59, 60 and 61 of BigCrush see this relation. They drop the first r = 0, 20 or 28 bits of
 * each number, and ask whether the rest is below 1/4. The product of (indicator - 1/4) of the four
 * numbers has the mean 0 if they are independent. The relation makes the mean
 *
 *     sum over h != 0 of  a_h^4 cos(2 pi h 2^r constant),   a_h = sin(pi h / 4) / (pi h),
 *
 * where a_h are the Fourier coefficients of the indicator. The wraps of a modulus of 48 bits are
 * too small to show, even multiplied by 2^28. */
enum { TERMS = 4, DISTANCE = 33 }; /* the constant is that many steps of the arithmetic part */
static const int lags[TERMS] = {0, 66, 97, 130};

static double mean_of(int first_bit)
{
    double sum = 0;
    for (size_t i = SPAN; i < N + SPAN; ++i) {
        double product = 1;
        for (int t = 0; t < TERMS; ++t)
            product *= (fraction(u[i - (size_t)lags[t]]) << first_bit >> 62 == 0) - 0.25;
        sum += product;
    }
    return sum / N;
}

static double expected_of(const struct ranmar_flavour *f, int first_bit)
{
    const double constant = (double)(ranmar_arithmetic_stride(DISTANCE, f) << first_bit) * 0x1p-64;
    double sum = 0;
    for (int h = 1; h < 1000; ++h) {
        double product = 2 * cos(2 * M_PI * h * constant);
        product *= pow(sin(M_PI * h / 4) / (M_PI * h), TERMS);
        sum += product;
    }
    return sum;
}

TEST(explains_the_correlations)
{
    for (int number = GPURANMAR_DOUBLE; number <= GPURANMAR_EXTENDED; ++number) {
        if (number == GPURANMAR_SINGLE)
            continue;
        const struct ranmar_flavour *f = ranmar_flavour(number);
        const int first_bits[] = {0, 20, 28}, wide = number != GPURANMAR_DOUBLE;
        make(number);
        for (int i = 0; i < (wide ? 3 : 1); ++i) {
            const double mean = mean_of(first_bits[i]), expected = expected_of(f, first_bits[i]);
            const double sigma = pow(0.1875, TERMS / 2.0) / sqrt(N);
            print_message("# %s, r = %d: mean %.3e, expected %.3e, sigma %.1e\n",
                          ranmar_flavour_name(number), first_bits[i], mean, expected, sigma);
            assert_true(fabs(mean - expected) < 6 * sigma);
        }
    }
}

/* The bit that is most biased in the XOR of three numbers at the lags 0, 33, 97, or the XOR of two
 * such bits. The lowest bits of words obey x[n] + x[n-33] + x[n-97] = 0 modulo 2 in every flavour,
 * and the mask of keyed must hide that. With `b` the numbers are the differences a - b, from which
 * an arithmetic part that all seeds share cancels. */
static int most_biased(const double *a, const double *b, double *sigmas)
{
    enum { BITS = 48, TERMS_ALL = BITS * (BITS + 1) / 2 };
    static int64_t ones[TERMS_ALL];
    memset(ones, 0, sizeof ones);
    for (size_t n = 97; n < N; ++n) {
        uint64_t sum = 0;
        for (size_t k = 0; k < 3; ++k) {
            const size_t at = n - (size_t[]){0, 33, 97}[k];
            sum ^= (fraction(a[at]) - (b ? fraction(b[at]) : 0)) >> 16;
        }
        int64_t *count = ones;
        for (int i = 0; i < BITS; ++i, sum >>= 1) {
            *count++ += (int64_t)(sum & 1);
            const uint64_t differs = sum & 1 ? ~sum : sum;
            for (int j = 1; j < BITS - i; ++j)
                *count++ += (int64_t)(differs >> j & 1);
        }
    }
    int worst = 0;
    *sigmas = 0;
    for (int i = 0; i < TERMS_ALL; ++i) {
        const double deviation = fabs(2.0 * (double)ones[i] - (N - 97)) / sqrt(N - 97);
        if (deviation > *sigmas) {
            *sigmas = deviation;
            worst = i;
        }
    }
    return worst;
}

TEST(keyed_hides_what_is_linear)
{
    static double other[N + SPAN];
    double sigmas;
    for (int flavour = GPURANMAR_EXTENDED; flavour <= GPURANMAR_KEYED; ++flavour) {
        const struct ranmar_flavour *const f = ranmar_flavour(flavour);
        for (int differences = 0; differences <= 1; ++differences) {
            struct ranmar_state s, t;
            ranmar_seed(&s, f, (int64_t)random_in(0, RANMAR_SEED_MAX));
            ranmar_seed(&t, f, (int64_t)random_in(0, RANMAR_SEED_MAX));
            ranmar_fill(&s, f, u, N + SPAN);
            ranmar_fill(&t, f, other, N + SPAN);
            const int worst = most_biased(u, differences ? other : NULL, &sigmas);
            print_message("# %s, %s: %.1f sigma, of 1176 bits and pairs number %d\n",
                          ranmar_flavour_name(flavour), differences ? "differences" : "numbers",
                          sigmas, worst);
            if (flavour == GPURANMAR_KEYED)
                assert_true(sigmas < 7);
            else if (differences)
                assert_true(sigmas > 100 && worst == 0);
        }
    }
}
