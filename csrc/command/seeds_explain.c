/* gpuranmar seeds explain: says in words what two seeds have in common. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "command/command.h"
#include "definition/flavour.h"
#include "gpuranmar_definition.h"
#include "gpuranmar_seeds.h"
#include "seeds/ties.h"

static const char usage[] =
    "usage: gpuranmar seeds explain [--flavour NAME] A B\n"
    "Says where the seeds A and B stand on the cycles of the seeding, what their sequences have\n"
    "in common, and up to which position: equal numbers, numbers or bits tied by a shift, or the\n"
    "same i, j and k. Does not compare sums of several numbers. Exit status 1 if any of these is\n"
    "found, 0 if none is, 2 for bad input or an error.\n";

/* Prints the place of a seed on the cycles. IJKL may be above the largest seed. */
static void print_place(int64_t ijkl)
{
    const int64_t seed = ranmar_reduced_seed(ijkl);
    if (seed != ijkl)
        printf("seed %" PRId64 " has the numbers of %" PRId64 "\n", ijkl, seed);
    const int ij = (int)(seed / RANMAR_SECOND_SEEDS), kl = (int)(seed % RANMAR_SECOND_SEEDS);
    const struct ranmar_place p = ranmar_place_of(seed);
    printf("seed %" PRId64 ": ij = %d, kl = %d; i = %d, j = %d, k = %d, l = %d; bit %" PRIu32
           " of cycle %" PRIu32 ", signs %u\n",
           seed, ij, kl, ij / 177 % 177 + 2, ij % 177 + 2, kl / 169 % 178 + 1, kl % 169, p.bit,
           p.cycle, p.signs);
    if (p.cycle == RANMAR_SHORT_CYCLE)
        printf("  Its first bits repeat after %d bits. Use another seed.\n",
               p.signs == 7 ? RANMAR_SHORT_CYCLE_LENGTH : 4 * RANMAR_SHORT_CYCLE_LENGTH);
}

/* Prints a table: a position, and how many of the next 100 numbers are tied. */
static void print_table(int64_t a, int64_t b, int flavour)
{
    static const uint64_t positions[] = {0,    100,  200,  500,  1000, 1500,
                                         2000, 2500, 3000, 3500, 4000};
    enum { POSITIONS = sizeof positions / sizeof *positions };
    fputs("  of 100 numbers from position", stdout);
    for (int i = 0; i < POSITIONS; ++i)
        printf(" %5" PRIu64, positions[i]);
    fputs("\n  tied                        ", stdout);
    for (int i = 0; i < POSITIONS; ++i) {
        /* Compares with the whole of the other sequence. */
        const gpuranmar_segment whole = {a, 0, 0}, part = {b, positions[i], 100};
        gpuranmar_tie tie;
        if (gpuranmar_seeds_compare(&whole, &part, flavour, &tie))
            command_fail("%s", gpuranmar_last_error());
        printf(" %5" PRIu64, tie.kind == GPURANMAR_TIE_LOW_BITS ? 0 : tie.tied);
    }
    puts("");
}

/* Prints the distance on their cycle of two seeds that have no tied numbers. */
static void print_distance(int64_t a, int64_t b, unsigned word_bits)
{
    const struct ranmar_place p = ranmar_place_of(a), q = ranmar_place_of(b);
    if (p.cycle != q.cycle) {
        puts("They stand on different cycles: none of their numbers are tied.");
        return;
    }
    const uint32_t ahead = ranmar_distance(&p, &q), behind = ranmar_distance(&q, &p),
                   distance = ahead < behind ? ahead : behind;
    const unsigned differ = ahead < behind ? ranmar_signs_after(p.signs, ahead) ^ q.signs
                                           : ranmar_signs_after(q.signs, behind) ^ p.signs;
    printf("They stand on the same cycle, %" PRIu32 " bits apart (97 words are %u): ", distance,
           RANMAR_LONG_LAG * word_bits);
    if (distance >= RANMAR_LONG_LAG * word_bits)
        puts("none of their numbers are tied.");
    else if (differ && distance <= ranmar_distance_max(word_bits))
        puts(
            "the bits of their\nfirst words are correlated, and so are their first numbers, but no "
            "numbers are tied\n(docs/seeds.md).");
    else
        puts("some bits of their first words are equal or correlated,\nbut no numbers are tied.");
}

/* Reports siblings, seeds with the same i, j and k. Returns whether these two are siblings. They
 * multiply their l by the same factors, so bits made with equal l modulo 64 are the same. */
static int print_siblings(int64_t a, int64_t b, unsigned word_bits)
{
    const unsigned bits = RANMAR_LONG_LAG * word_bits;
    if (a == b || a / 169 != b / 169)
        return 0;
    unsigned l = (unsigned)(a % 169), m = (unsigned)(b % 169), shared = 0;
    for (unsigned bit = 0; bit < bits; ++bit) {
        l = (53 * l + 1) % 169;
        m = (53 * m + 1) % 169;
        shared += l % 64 == m % 64;
    }
    printf(
        "They are siblings: their i, j and k are the same. %u of the %u bits of their first words "
        "are made with\nequal l modulo 64, so these agree; others are correlated. Single numbers "
        "do not show this. Sums of two\nnumbers do: below position 97, u[n] + u[n-33] is a first "
        "word plus a constant (docs/seeds.md).\n",
        shared, bits);
    return 1;
}

static void print_tie(int64_t a, int64_t b, const gpuranmar_tie *t, int flavour)
{
    const int64_t first = t->first == 0 ? a : b, second = t->first == 0 ? b : a;
    const char *const unit = flavour == GPURANMAR_SINGLE ? "2^-24" : "2^-48";
    const char *const apart = flavour == GPURANMAR_EXTENDED ? "59 * 2^-48" : "3 * 2^-24";
    switch (t->kind) {
    case GPURANMAR_TIE_OVERLAP:
        puts("They are one seed: all numbers are the same.");
        return;
    case GPURANMAR_TIE_WORDS:
        printf("The words of %" PRId64 " are those of %" PRId64 ", shifted by %d: for numbers made "
               "of the same words,\nu_%" PRId64 "[n] - u_%" PRId64 "[n-%d] modulo 1 is one of two "
               "constants, %s apart,\nas a rule to the last bit, %s.\n",
               second, first, t->words, second, first, t->words, apart, unit);
        break;
    case GPURANMAR_TIE_BITS: {
        /* The sign of `bits` decides which of the two is 2^b times the other. */
        char earlier[16] = "[n]";
        if (t->words)
            snprintf(earlier, sizeof earlier, "[n-%d]", t->words);
        const int ahead = t->bits > 0;
        printf("The bits of %" PRId64 " are those of %" PRId64 ", shifted by %d words and %d bits: "
               "if x is a number\nwithout its arithmetic part, x_%" PRId64 "%s = 2^%d x_%" PRId64
               "%s modulo 1, to 2^-20.\n",
               second, first, t->words, t->bits, ahead ? second : first, ahead ? "[n]" : earlier,
               abs(t->bits), ahead ? first : second, ahead ? earlier : "[n]");
        break;
    }
    default: /* twins: whole sequences never have LOW_BITS, which means no tied number */
        printf("They are twins: after a shift by %d words, one or two of i, j, k are 179 minus "
               "those of the other. Three bits of four\nof their first words are the same, and "
               "numbers below position 200 are correlated.\n",
               t->words);
    }
    printf("Tied: %" PRIu64 " numbers, between positions %" PRIu64 " and %" PRIu64 " of %" PRId64
           ".\n",
           t->tied, t->position, t->last, second);
    print_table(first, second, flavour);
    if (t->low_bits)
        printf("The lowest %d bits of their words stay tied for ever.\n", t->low_bits);
    printf("Remedy: one seed at distant positions (gpuranmar seeds plan), or a start at %d or "
           "later.\n",
           GPURANMAR_SAFE_POSITION);
}

int command_seeds_explain(int argc, char **argv)
{
    command_name = "gpuranmar seeds explain";
    int flavour = GPURANMAR_DOUBLE;
    const struct command_option options[] = {
        {"flavour", .word = &flavour, .words = ranmar_flavour_names}, {NULL}};
    command_options(argc, argv, options, usage);
    if (argc - optind != 2)
        command_refuse("two seeds are needed: see --help");
    const int64_t a_given = (int64_t)command_number("A", argv[optind], 0, INT32_MAX),
                  b_given = (int64_t)command_number("B", argv[optind + 1], 0, INT32_MAX),
                  a = ranmar_reduced_seed(a_given), b = ranmar_reduced_seed(b_given);
    const gpuranmar_segment whole_a = {a, 0, 0}, whole_b = {b, 0, 0};
    gpuranmar_tie tie;
    if (gpuranmar_seeds_compare(&whole_a, &whole_b, flavour, &tie))
        command_refuse("%s", gpuranmar_last_error());
    print_place(a_given);
    print_place(b_given);
    if (tie.kind == GPURANMAR_TIE_NONE)
        print_distance(a, b, ranmar_flavour(flavour)->bits);
    else
        print_tie(a, b, &tie, flavour);
    const int siblings = print_siblings(a, b, ranmar_flavour(flavour)->bits);
    command_close_output();
    return tie.kind == GPURANMAR_TIE_NONE && !siblings ? COMMAND_DONE : COMMAND_FOUND;
}
