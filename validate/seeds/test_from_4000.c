/* Numbers of two seeds from position 4000 on: docs/from-4000.md.
 *
 *     build/test_from_4000                             the test: a random stretch of a cycle
 *     build/test_from_4000 POSITION FIRST LAST         all places of these cycles, 0..87
 *
 * Compares 32 numbers of each seed, from a position on, with those of all seeds that stand up to 33
 * words further on, shifted as ties.h says, whatever their signs. How many pairs have k numbers
 * within 2^-20 of each other? By chance each number is with probability 2^-19. */
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
    WORDS = 33,             /* by so many words seeds are shifted at most */
    BITS = 48,              /* of a word */
    REACH = WORDS * BITS,   /* the largest distance */
    HELD = WORDS + NUMBERS, /* numbers held of each seed, from WORDS before the position on */
    PLACES = 2048,          /* places of a stretch */
    ROW = PLACES + REACH,   /* and those that they are compared with */
    GROUP = 64,             /* places that are compared at once */
    SIGNS = 8,
    AROUND = (RANMAR_CYCLE_LENGTH + GROUP - 1) / GROUP * GROUP /* some places are twice in it */
};

/* How many pairs have so many numbers in common. */
struct counts {
    uint64_t pairs[NUMBERS + 1];
};

/* Numbers of a stretch, [signs][number][place]. */
struct stretch {
    struct ranmar_place at; /* where it begins, and the signs of those that are compared */
    int position;
    uint64_t x[SIGNS][HELD][ROW];
    uint32_t a[HELD][ROW], b[NUMBERS][ROW]; /* their highest 32 bits, after a shift */
};

/* Makes the numbers of a stretch from a place on, whose signs are 0 .. 7 at the first place. */
static void make_numbers(struct stretch *s, const struct ranmar_bits *bits, uint32_t from,
                         int places, int position)
{
    s->at = (struct ranmar_place){bits->cycle, from, 0};
    s->position = position;
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

/* Compares second's numbers, from b on, with first's, from a on, at GROUP places. A number has ROW
 * places. */
static void compare_group(const uint32_t *a, const uint32_t *b, struct counts *counts)
{
    uint32_t near[GROUP] = {0}, any = 0;
    for (int n = 0; n < NUMBERS; ++n)
        for (int i = 0; i < GROUP; ++i)
            near[i] += b[n * ROW + i] - a[n * ROW + i] < 1u << 13;
    for (int i = 0; i < GROUP; ++i)
        any |= near[i];
    if (any)
        for (int i = 0; i < GROUP; ++i)
            counts->pairs[near[i]] += near[i] != 0;
}

/* Compares GROUP places of a stretch with those that stand `words` words and `bits` bits further
 * on, in turn, so that the first ones' numbers stay in cache. s->b has 2^-20 added, so that numbers
 * are near where b - a is below 2^-19. */
static void compare_from(const struct stretch *s, int p, int bits, int least, struct counts *counts)
{
    for (int words = 0; words <= WORDS; ++words) {
        const int distance = words * BITS + bits;
        if (distance < least || distance > REACH)
            continue;
        const uint64_t three = counts->pairs[3];
        compare_group(s->a[WORDS - words] + p, s->b[0] + p + distance, counts);
        if (counts->pairs[3] > three && s->position >= 4000)
            fprintf(stderr, "three: cycle %u, place %u to %u, signs %u there, distance %d\n",
                    s->at.cycle, s->at.bit + (unsigned)p, s->at.bit + (unsigned)p + GROUP - 1,
                    ranmar_signs_after(s->at.signs, (unsigned)p), distance);
    }
}

static void shift_numbers(struct stretch *s, unsigned first, unsigned second, int bits)
{
    for (int n = 0; n < HELD; ++n)
        for (int p = 0; p < ROW; ++p)
            s->a[n][p] = (uint32_t)(s->x[first][n][p] << (bits > 0 ? bits : 0) >> 32);
    for (int n = 0; n < NUMBERS; ++n)
        for (int p = 0; p < ROW; ++p)
            s->b[n][p] =
                (uint32_t)(s->x[second][WORDS + n][p] << (bits < 0 ? -bits : 0) >> 32) + (1u << 12);
}

/* Compares all pairs of which the first stands in a stretch. */
static void compare_stretch(struct stretch *s, int places, struct counts *shifts,
                            struct counts *twins)
{
    for (unsigned signs = 0; signs < SIGNS; ++signs) {
        s->at.signs = signs;
        for (int bits = 1 - BITS / 2; bits <= BITS / 2; ++bits) {
            shift_numbers(s, signs, signs, bits);
            for (int p = 0; p < places; p += GROUP)
                compare_from(s, p, bits, 1, shifts);
        }
        for (unsigned other = 0; other < SIGNS; ++other) {
            if (other == signs)
                continue;
            shift_numbers(s, signs, other, 0);
            for (int p = 0; p < places; p += GROUP)
                compare_from(s, p, 0, 0, twins);
        }
    }
}

/* Compares `count` places of a cycle from one on, a multiple of GROUP. */
static void compare_places(const struct ranmar_bits *bits, uint32_t from, uint32_t count,
                           int position, struct counts sum[2])
{
#pragma omp parallel
    {
        struct stretch *const s = malloc(sizeof *s);
        struct counts own[2] = {{{0}}};
        if (!s)
            abort();
#pragma omp for schedule(dynamic)
        for (uint32_t p = 0; p < count; p += PLACES) {
            const int left = (int)(count - p < PLACES ? count - p : PLACES);
            make_numbers(s, bits, from + p, left, position);
            compare_stretch(s, left, own, own + 1);
        }
#pragma omp critical
        for (int k = 0; k <= NUMBERS; ++k)
            for (int i = 0; i < 2; ++i)
                sum[i].pairs[k] += own[i].pairs[k];
        free(s);
    }
}

enum { SHIFTS_A_PLACE = SIGNS * REACH, TWINS_A_PLACE = SIGNS * (SIGNS - 1) * (WORDS + 1) };

/* Prints how many of so many pairs have 1, 2, 3, 4 or more numbers near, and how many should by
 * chance. Returns whether that is so. */
static int as_by_chance(const char *what, const struct counts *c, double pairs)
{
    enum { MOST = 4 };
    int good = 1;
    double expected = pairs;
    for (int k = 1; k <= MOST; ++k) {
        uint64_t got = 0;
        for (int i = k; i <= (k < MOST ? k : NUMBERS); ++i)
            got += c->pairs[i];
        expected *= (NUMBERS + 1.0 - k) / k * 0x1p-19;
        good &= fabs((double)got - expected) <= 6 * sqrt(expected) + 2;
        printf("# of %.0f pairs of %s %" PRIu64 " have %d%s numbers near, by chance %.3g\n", pairs,
               what, got, k, k < MOST ? "" : " or more", expected);
    }
    return good;
}

static int compare(const struct ranmar_bits *bits, uint32_t from, uint32_t count, int position)
{
    struct counts sum[2] = {{{0}}};
    compare_places(bits, from, count, position, sum);
    const int shifts = as_by_chance("shifts", sum, (double)count * SHIFTS_A_PLACE),
              twins = as_by_chance("twins", sum + 1, (double)count * TWINS_A_PLACE);
    return shifts && twins;
}

int main(int argc, char **argv)
{
    struct ranmar_bits *const bits = malloc(sizeof *bits);
    if (!bits || (argc != 1 && argc != 4))
        return 2;
    if (argc == 1) {
        random_start();
        enum { SOME = 1024 };
        const uint32_t from = (uint32_t)random_in(0, RANMAR_CYCLE_LENGTH - 1);
        ranmar_bits_of_cycle(bits, (uint32_t)random_in(0, RANMAR_CYCLES - 1));
        const int late = compare(bits, from, SOME, 4000), early = compare(bits, from, SOME, 1500);
        printf("%sok 1 - from position 4000 on numbers are near each other by chance\n",
               late ? "" : "not ");
        printf("%sok 2 - ... and from 1500 on they are not\n1..2\n", early ? "not " : "");
        return !late || early;
    }
    const int position = atoi(argv[1]), first = atoi(argv[2]), last = atoi(argv[3]);
    struct counts sum[2] = {{{0}}};
    for (int cycle = first; cycle <= last; ++cycle) {
        ranmar_bits_of_cycle(bits, (uint32_t)cycle);
        compare_places(bits, 0, AROUND, position, sum);
        fprintf(stderr, "cycle %d\n", cycle);
    }
    const double places = (double)(last - first + 1) * AROUND;
    return !(as_by_chance("shifts", sum, places * SHIFTS_A_PLACE) &
             as_by_chance("twins", sum + 1, places * TWINS_A_PLACE));
}
