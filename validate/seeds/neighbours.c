/* How alike are the sequences of neighbouring seeds? Prints the tables of
 * validate/results/neighbouring-seeds.md.
 *
 *     build/neighbours words     bits in which the first words of neighbouring seeds agree
 *     build/neighbours numbers   number n of seed s, of seed s + step, of seed s + 2 step, ...
 *     build/neighbours alike     number n of the most similar pairs of neighbours, and of others
 *     build/neighbours twins     number n of seeds whose i, j, k differ by signs
 *     build/neighbours tied      data of docs/tied.svg: share of tied numbers, and distance
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "definition/flavour.h"
#include "definition/jump.h"
#include "digits.h"
#include "fill/fill.h"

enum { WORDS = RANMAR_LONG_LAG, BITS = 48, SERIES = 1 << 20, FIRST_SEED = 54217137 };

/* Seeds are IJKL = 30082 IJ + KL; KL gives k and l, 169 values of l for each k. */
static const struct {
    const char *name;
    int64_t step;
} neighbours[] = {{"ISEED + 1 (l, in KL)", 1},
                  {"ISEED + 2", 2},
                  {"ISEED + 13", 13},
                  {"ISEED + 169 (k, in KL)", 169},
                  {"ISEED + 30082 (j, in IJ)", 30082},
                  {"ISEED + 177 * 30082 (i, in IJ)", 177 * 30082},
                  {"ISEED + 123456789", 123456789}};

enum { NEIGHBOURS = sizeof neighbours / sizeof *neighbours };

static int64_t wrapped(int64_t seed)
{
    return seed % (RANMAR_SEED_MAX + 1);
}

/* --- The words of the state --- */

static void words(void)
{
    enum { PAIRS = 20000 };
    const struct ranmar_flavour *f = ranmar_flavour(GPURANMAR_DOUBLE);
    puts("| second seed | bits that agree | least, most of a pair | equal words | most equal bits "
         "in a "
         "row |");
    puts("|---|---:|---:|---:|---:|");
    for (int i = 0; i < NEIGHBOURS; ++i) {
        double sum = 0;
        int least = WORDS * BITS, most = 0, equal_words = 0, longest = 0;
        for (int p = 0; p < PAIRS; ++p) {
            const int64_t seed = wrapped((int64_t)p * 47119 + 11); /* all over the range */
            struct ranmar_state a, b;
            ranmar_seed(&a, f, seed);
            ranmar_seed(&b, f, wrapped(seed + neighbours[i].step));
            int agree = 0, row = 0;
            for (int w = WORDS - 1; w >= 0; --w) { /* in the order in which they are made */
                equal_words += a.x[w] == b.x[w];
                for (int bit = 63; bit >= 16; --bit) {
                    const int same = !((a.x[w] ^ b.x[w]) >> bit & 1);
                    agree += same;
                    row = same ? row + 1 : 0;
                    if (row > longest)
                        longest = row;
                }
            }
            sum += agree;
            if (agree < least)
                least = agree;
            if (agree > most)
                most = agree;
        }
        const double all = WORDS * BITS;
        printf("| %s | %.2f %% | %.1f %%, %.1f %% | %d | %d |\n", neighbours[i].name,
               100 * sum / PAIRS / all, 100 * least / all, 100 * most / all, equal_words, longest);
    }
}

/* --- The numbers --- */

static const int places[] = {1, 2, 3, 4, 10, 33, 34, 64, 97, 98, 131, 200, 500, 1000, 10000};

enum { PLACES = sizeof places / sizeof *places, LAST = 10000 };

static float series[PLACES][SERIES];

static void take(struct ranmar_state s, const struct ranmar_flavour *f, int i)
{
    static double u[LAST];
    ranmar_fill(&s, f, u, LAST);
    for (int p = 0; p < PLACES; ++p)
        series[p][i] = (float)u[places[p] - 1];
}

/* The correlation of numbers `lag` apart. It is standard normal if v has independent numbers. */
static double correlation(const float *v, int lag)
{
    double sum = 0;
    for (int i = 0; i + lag < SERIES; ++i)
        sum += (v[i] - 0.5) * (v[i + lag] - 0.5);
    return sum * 12 / sqrt(SERIES - lag);
}

/* The chi-square of groups of `dimension` numbers in cells of side 1 / side. It too is about
 * standard normal if the numbers are independent. */
static double serial(const float *v, int dimension, int side)
{
    int cells = 1;
    for (int d = 0; d < dimension; ++d)
        cells *= side;
    int *const count = calloc((size_t)cells, sizeof *count);
    if (!count)
        abort();
    const int groups = SERIES / dimension;
    for (int g = 0; g < groups; ++g) {
        int cell = 0;
        for (int d = 0; d < dimension; ++d) {
            const int c = (int)(v[g * dimension + d] * (float)side);
            cell = cell * side + (c < side ? c : side - 1);
        }
        ++count[cell];
    }
    const double expected = (double)groups / cells;
    double chi = 0;
    for (int c = 0; c < cells; ++c)
        chi += (count[c] - expected) * (count[c] - expected) / expected;
    free(count);
    return (chi - (cells - 1)) / sqrt(2.0 * (cells - 1));
}

static void table(const char *title)
{
    printf("\n%s\n\n", title);
    puts("| number | correlation, lag 1 | lag 2 | lag 3 | lag 13 | lag 169 | 1-d, 256 cells | 2-d, "
         "64^2 "
         "| 3-d, 16^3 |");
    puts("|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (int p = 0; p < PLACES; ++p) {
        const float *v = series[p];
        printf("| %d |", places[p]);
        static const int lags[] = {1, 2, 3, 13, 169};
        for (int l = 0; l < (int)(sizeof lags / sizeof *lags); ++l)
            printf(" %.1f |", correlation(v, lags[l]));
        printf(" %.1f | %.1f | %.1f |\n", serial(v, 1, 256), serial(v, 2, 64), serial(v, 3, 16));
    }
}

static void numbers(void)
{
    const struct ranmar_flavour *f = ranmar_flavour(GPURANMAR_DOUBLE);
    static const int64_t steps[] = {1, 30082};
    for (int t = 0; t < 2; ++t) {
        for (int i = 0; i < SERIES; ++i) {
            struct ranmar_state s;
            /* Past the last IJ it goes on with the first IJ and the next KL. */
            const int64_t seed = FIRST_SEED + i * steps[t];
            ranmar_seed(&s, f, wrapped(seed + seed / (RANMAR_SEED_MAX + 1)));
            take(s, f, i);
        }
        char title[100];
        snprintf(title, sizeof title,
                 "Number n of ISEED = %d, and of %d more, each %" PRId64 " higher", FIRST_SEED,
                 SERIES - 1, steps[t]);
        table(title);
    }

    struct ranmar_state s;
    struct ranmar_jump jump;
    ranmar_seed(&s, f, FIRST_SEED);
    ranmar_jump_prepare(&jump, UINT64_C(1000000000), f);
    for (int i = 0; i < SERIES; ++i) {
        take(s, f, i);
        ranmar_jump_apply(&jump, f, &s);
    }
    char title[100];
    snprintf(title, sizeof title,
             "Number n of %d segments of the sequence ISEED = %d, each 10^9 further on", SERIES,
             FIRST_SEED);
    table(title);
}

/* --- Pairs of seeds --- */

static float other[PLACES][SERIES];

/* Pairs of seeds that differ by `step`, with the digit of k (or of j or i) held at a value. For the
 * multiplicative generator, m = i j k mod 179, k = 90 is -89. So two seeds with k = 89 and k = 90
 * give the same m for two steps, m and 179 - m for two, and so on: every second pair of bits of
 * their first words is the same. The same holds for j and i. */
static void pairs(const char *name, int64_t unit, int64_t values, int64_t k, int64_t step)
{
    const struct ranmar_flavour *f = ranmar_flavour(GPURANMAR_DOUBLE);
    static double u[LAST];
    for (int i = 0; i < SERIES; ++i) {
        /* Seeds from all over the range; then the digit is set to k. */
        int64_t seed = (int64_t)i * 887 % (RANMAR_SEED_MAX / 4 * 3);
        if (k >= 0)
            seed += (k - seed / unit % values) * unit;
        struct ranmar_state s;
        ranmar_seed(&s, f, seed);
        take(s, f, i);
        ranmar_seed(&s, f, seed + step);
        ranmar_fill(&s, f, u, LAST);
        for (int p = 0; p < PLACES; ++p)
            other[p][i] = (float)u[places[p] - 1];
    }
    printf("\n%s\n\n| number | correlation | difference mod 1, 256 cells |\n|---:|---:|---:|\n",
           name);
    for (int p = 0; p < PLACES; ++p) {
        double sum = 0;
        for (int i = 0; i < SERIES; ++i) {
            sum += (series[p][i] - 0.5) * (other[p][i] - 0.5);
            series[p][i] -= other[p][i];
            series[p][i] -= floorf(series[p][i]);
        }
        printf("| %d | %.1f | %.1f |\n", places[p], sum * 12 / sqrt(SERIES),
               serial(series[p], 1, 256));
    }
}

static void alike(void)
{
    /* The digits of a seed: k - 1 in KL / 169, j - 2 in IJ % 177, i - 2 in IJ / 177. */
    pairs("ISEED with k = 89 and ISEED + 169", 169, 178, 88, 169);
    pairs("ISEED with j = 89 and ISEED + 30082", 30082, 177, 87, 30082);
    pairs("ISEED and ISEED + 1", 1, 1, -1, 1);
    pairs("ISEED and ISEED + 169", 1, 1, -1, 169);
}

/* --- Twins: i, j or k taken from 179 --- */

static double bits_that_agree(int64_t a, int64_t b)
{
    const struct ranmar_flavour *f = ranmar_flavour(GPURANMAR_DOUBLE);
    struct ranmar_state s, t;
    ranmar_seed(&s, f, a);
    ranmar_seed(&t, f, b);
    int differ = 0;
    for (int w = 0; w < WORDS; ++w)
        differ += __builtin_popcountll(s.x[w] ^ t.x[w]);
    return 1 - (double)differ / (WORDS * BITS);
}

static void twins(void)
{
    enum { PAIRS = 1 << 18 };
    static const int some[] = {1, 10, 33, 34, 64, 97, 98, 131, 164, 200, 300, 500};
    enum { SOME = sizeof some / sizeof *some };
    const struct ranmar_flavour *f = ranmar_flavour(GPURANMAR_DOUBLE);
    fputs("| 179 less | bits that agree |", stdout);
    for (int p = 0; p < SOME; ++p)
        printf(" n = %d |", some[p]);
    puts("");
    for (int signs = 1; signs < 8; ++signs) {
        double agree = 0, sum[SOME] = {0};
        int pairs = 0;
        for (int t = 0; t < PAIRS; ++t) {
            const int64_t a = (int64_t)t * 3571 + 17;
            struct digits d = digits_of(a);
            d.i = signs & 4 ? 179 - d.i : d.i;
            d.j = signs & 2 ? 179 - d.j : d.j;
            d.k = signs & 1 ? 179 - d.k : d.k;
            const int64_t b = seed_with(d);
            if (b < 0)
                continue;
            static double u[2][500];
            struct ranmar_state s;
            ranmar_seed(&s, f, a);
            ranmar_fill(&s, f, u[0], 500);
            ranmar_seed(&s, f, b);
            ranmar_fill(&s, f, u[1], 500);
            agree += bits_that_agree(a, b);
            for (int p = 0; p < SOME; ++p)
                sum[p] += (u[0][some[p] - 1] - 0.5) * (u[1][some[p] - 1] - 0.5);
            ++pairs;
        }
        printf("| %s%s%s | %.1f %% |", signs & 4 ? "i" : "", signs & 2 ? "j" : "",
               signs & 1 ? "k" : "", 100 * agree / pairs);
        for (int p = 0; p < SOME; ++p)
            printf(" %.3f |", 12 * sum[p] / pairs);
        puts("");
    }
    printf("\n%d pairs a line; the statistical error of a correlation is %.3f.\n", PAIRS,
           1 / sqrt(PAIRS));
}

/* --- How long numbers stay tied --- */

enum { STEPS = 5000, WINDOW = 97 };

/* The words of a seed and of one that is `bits` further on its cycle, and STEPS numbers of each
 * without their arithmetic part. */
static void shifted(unsigned bits, uint64_t x[2][WORDS + STEPS])
{
    int64_t seed = FIRST_SEED - 1, other;
    do {
        struct digits d = digits_of(++seed);
        for (unsigned b = 0; b < bits; ++b)
            d = (struct digits){d.j, d.k, d.i * d.j % 179 * d.k % 179, (53 * d.l + 1) % 169};
        other = seed_with(d);
    } while (other < 0);
    const int64_t seeds[2] = {seed, other};
    for (int i = 0; i < 2; ++i) {
        struct ranmar_state s;
        ranmar_seed(&s, ranmar_flavour(GPURANMAR_DOUBLE), seeds[i]);
        memcpy(x[i], s.x, sizeof s.x);
        for (int n = WORDS; n < WORDS + STEPS; ++n)
            x[i][n] = ranmar_lagged(x[i] + n - RANMAR_LONG_LAG, 1);
    }
}

/* x_second[n] - 2^left x_first[n - words], as a fraction in [-1/2, 1/2). */
static double error_at(uint64_t x[2][WORDS + STEPS], int n, int words, int left)
{
    return (double)(int64_t)(x[1][n + WORDS] - (x[0][n + WORDS - words] << left)) * 0x1p-64;
}

static void tied(void)
{
    static const int words[] = {1, 2, 4, 8, 16}, lefts[] = {1, 4, 8, 16};
    static uint64_t x[2][WORDS + STEPS];
    puts("# position, share of tied numbers of the 97 from there: shifts by 1, 2, 4, 8, 16 words;\n"
         "# mean distance |x_second - 2^b x_first|, times 4: shifts by b = 1, 4, 8, 16 bits");
    static double share[5][STEPS / WINDOW], distance[4][STEPS / WINDOW];
    for (int k = 0; k < 5; ++k) {
        shifted((unsigned)(48 * words[k]), x);
        for (int n = words[k]; n < STEPS / WINDOW * WINDOW; ++n)
            share[k][n / WINDOW] += (error_at(x, n, words[k], 0) == 0) / (double)WINDOW;
    }
    for (int k = 0; k < 4; ++k) {
        shifted((unsigned)lefts[k], x);
        for (int n = 0; n < STEPS / WINDOW * WINDOW; ++n)
            distance[k][n / WINDOW] += 4 * fabs(error_at(x, n, 0, lefts[k])) / WINDOW;
    }
    for (int w = 0; w < STEPS / WINDOW; ++w) {
        printf("%d", w * WINDOW);
        for (int k = 0; k < 5; ++k)
            printf(" %.3f", share[k][w]);
        for (int k = 0; k < 4; ++k)
            printf(" %.3g", distance[k][w]);
        puts("");
    }
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "words") == 0) {
        words();
    } else if (argc == 2 && strcmp(argv[1], "numbers") == 0) {
        numbers();
    } else if (argc == 2 && strcmp(argv[1], "alike") == 0) {
        alike();
    } else if (argc == 2 && strcmp(argv[1], "twins") == 0) {
        twins();
    } else if (argc == 2 && strcmp(argv[1], "tied") == 0) {
        tied();
    } else {
        fputs("usage: neighbours words|numbers|alike|twins|tied\n", stderr);
        return 2;
    }
    return 0;
}
