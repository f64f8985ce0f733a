/* Compares numbers of pairs of seeds from position 4000 on: docs/seeds-evidence.md.
 *
 *     build/test_from_4000                             the test: a random segment of a cycle
 *     build/test_from_4000 POSITION FIRST LAST         all places of these cycles, 0..87
 *
 * 32 numbers of each seed, from a position on, are compared with those of all seeds that stand up
 * to 33 words further on, whatever their signs. The program counts the pairs of which k numbers are
 * within 2^-20 of each other. Two independent numbers are that near with probability 2^-19. */
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpuranmar_definition.h"
#include "random.h"
#include "seeds/cycles.h"

enum {
    NUMBERS = 32,
    WORDS = 33,             /* the largest shift */
    BITS = 48,              /* of a word */
    REACH = WORDS * BITS,   /* the largest distance */
    HELD = WORDS + NUMBERS, /* numbers held of each seed, from WORDS before the position on */
    PLACES = 2048,          /* places of a segment */
    ROW = PLACES + REACH,   /* and those that they are compared with */
    GROUP = 64,             /* places that are compared at once */
    SIGNS = 8,
    AROUND = (RANMAR_CYCLE_LENGTH + GROUP - 1) / GROUP * GROUP /* some places are twice in it */
};

/* How many pairs have k numbers near, for k above 0: of shifts [0][k], of twins [1][k]. */
typedef uint64_t counts[2][NUMBERS + 1];

/* Numbers of a segment, [signs][number][place]. */
struct segment {
    uint64_t x[SIGNS][HELD][ROW];
    uint32_t a[HELD][ROW], b[NUMBERS][ROW]; /* their highest 32 bits, after a shift */
};

/* Makes the numbers of a segment from a place on, whose signs are 0 .. 7 at the first place. */
static void make_numbers(struct segment *s, const struct ranmar_bits *bits, uint32_t from,
                         int places, int position)
{
    uint64_t *const x = malloc((size_t)(RANMAR_LONG_LAG + position + NUMBERS) * sizeof *x);
    if (!x)
        abort();
    for (unsigned signs = 0; signs < SIGNS; ++signs)
        for (int p = 0; p < places + REACH; ++p) {
            const struct ranmar_place at = {bits->cycle, (from + (uint32_t)p) % RANMAR_CYCLE_LENGTH,
                                            ranmar_signs_after(signs, (uint32_t)p)};
            ranmar_words_at(bits, at, BITS, x);
            uint64_t any = 0;
            for (int w = 0; w < RANMAR_LONG_LAG; ++w)
                any |= x[w];
            if (!(any >> (64 - BITS) & 1)) { /* then the period would be half as long, or less */
                printf("Bail out! all words of a seed are even\n");
                exit(1);
            }
            for (ptrdiff_t n = RANMAR_LONG_LAG; n < RANMAR_LONG_LAG + position + NUMBERS; ++n)
                x[n] = x[n - RANMAR_LONG_LAG] - x[n - RANMAR_SHORT_LAG];
            for (int n = 0; n < HELD; ++n)
                s->x[signs][n][p] = x[RANMAR_LONG_LAG + position - WORDS + n];
        }
    free(x);
}

/* Compares numbers of second, from b on, with those of first, from a on, at GROUP places. Number n
 * at place i is a[n * ROW + i]. */
static void compare_group(const uint32_t *a, const uint32_t *b, uint64_t *pairs)
{
    uint32_t near[GROUP] = {0}, any = 0;
    for (int n = 0; n < NUMBERS; ++n)
        for (int i = 0; i < GROUP; ++i)
            near[i] += b[n * ROW + i] - a[n * ROW + i] < 1u << 13;
    for (int i = 0; i < GROUP; ++i)
        any |= near[i];
    for (int i = 0; any && i < GROUP; ++i)
        ++pairs[near[i]];
}

/* Compares the places of a segment that have the signs `first` with those further on, by 0 to WORDS
 * words and by `bits` bits, that have the signs `second`. s->b has 2^-20 added, so that numbers are
 * near where b - a is below 2^-19. */
static void compare_shifted(struct segment *s, int places, unsigned first, unsigned second,
                            int bits, uint64_t *pairs)
{
    const int shift_a = bits > 0 ? bits : 0, shift_b = shift_a - bits;
    for (int n = 0; n < HELD; ++n)
        for (int p = 0; p < ROW; ++p)
            s->a[n][p] = (uint32_t)(s->x[first][n][p] << shift_a >> 32);
    for (int n = 0; n < NUMBERS; ++n)
        for (int p = 0; p < ROW; ++p)
            s->b[n][p] = (uint32_t)(s->x[second][WORDS + n][p] << shift_b >> 32) + (1u << 12);
    /* For each group the words in turn, so that the numbers of `first` stay in cache. */
    for (int p = 0; p < places; p += GROUP)
        for (int words = 0; words <= WORDS; ++words) {
            const int distance = words * BITS + bits;
            if (distance >= (first == second) && distance <= REACH)
                compare_group(s->a[WORDS - words] + p, s->b[0] + p + distance, pairs);
        }
}

/* Counts the pairs whose first seed stands at one of `count` places of a cycle, from `from` on.
 * `count` is a multiple of GROUP. */
static void compare_places(const struct ranmar_bits *bits, uint32_t from, uint32_t count,
                           int position, counts sum)
{
#pragma omp parallel
    {
        struct segment *const s = malloc(sizeof *s);
        counts own = {{0}};
        if (!s)
            abort();
#pragma omp for schedule(dynamic)
        for (uint32_t p = 0; p < count; p += PLACES) {
            const int left = (int)(count - p < PLACES ? count - p : PLACES);
            make_numbers(s, bits, from + p, left, position);
            for (unsigned first = 0; first < SIGNS; ++first)
                for (unsigned second = 0; second < SIGNS; ++second)
                    if (first != second)
                        compare_shifted(s, left, first, second, 0, own[1]);
                    else
                        for (int shift = 1 - BITS / 2; shift <= BITS / 2; ++shift)
                            compare_shifted(s, left, first, first, shift, own[0]);
        }
#pragma omp critical
        for (int k = 0; k <= NUMBERS; ++k)
            for (int i = 0; i < 2; ++i)
                sum[i][k] += own[i][k];
        free(s);
    }
}

/* Prints how many pairs have 1, 2, 3, 4 or more numbers near, and how many should by chance.
 * Returns whether that is so. */
static int is_by_chance(counts sum, double places)
{
    static const char *const what[] = {"shifts", "twins"};
    const double pairs[] = {places * SIGNS * REACH, places * SIGNS * (SIGNS - 1) * (WORDS + 1)};
    enum { MOST = 4 };
    int good = 1;
    for (int i = 0; i < 2; ++i) {
        double expected = pairs[i];
        for (int k = 1; k <= MOST; ++k) {
            uint64_t got = 0;
            for (int n = k; n <= (k < MOST ? k : NUMBERS); ++n)
                got += sum[i][n];
            expected *= (NUMBERS + 1.0 - k) / k * 0x1p-19;
            good &= fabs((double)got - expected) <= 6 * sqrt(expected) + 2;
            printf("# of %.0f pairs of %s %" PRIu64 " have %d%s numbers near, by chance %.3g\n",
                   pairs[i], what[i], got, k, k < MOST ? "" : " or more", expected);
        }
    }
    return good;
}

/* The test: from position 4000 on numbers are near by chance, and from 1500 on they are not. */
static int compare_some(struct ranmar_bits *bits)
{
    enum { SOME = 1024 };
    random_start();
    const uint32_t from = (uint32_t)random_in(0, RANMAR_CYCLE_LENGTH - 1);
    counts late = {{0}}, early = {{0}};
    ranmar_bits_of_cycle(bits, (uint32_t)random_in(0, RANMAR_CYCLES - 1));
    compare_places(bits, from, SOME, 4000, late);
    compare_places(bits, from, SOME, 1500, early);
    return is_by_chance(late, SOME) && !is_by_chance(early, SOME);
}

int main(int argc, char **argv)
{
    struct ranmar_bits *const bits = malloc(sizeof *bits);
    if (!bits || (argc != 1 && argc != 4))
        return 2;
    if (argc == 1) {
        const int good = compare_some(bits);
        printf("%sok 1 - from position 4000 on numbers are near each other by chance\n1..1\n",
               good ? "" : "not ");
        return !good;
    }
    const int first = atoi(argv[2]), last = atoi(argv[3]);
    counts sum = {{0}};
    for (int cycle = first; cycle <= last; ++cycle) {
        ranmar_bits_of_cycle(bits, (uint32_t)cycle);
        compare_places(bits, 0, AROUND, atoi(argv[1]), sum);
    }
    return !is_by_chance(sum, (double)(last - first + 1) * AROUND);
}
