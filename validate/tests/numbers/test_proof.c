/* Every loop makes the definition's numbers, from every state: by proof where mathematics allows
 * it.
 *
 * A fill takes a state (97 words x and the arithmetic part c) to n numbers and a new state. The new
 * words depend on x alone, the arithmetic parts on c alone; a number is their difference,
 * converted. So each is proven by itself:
 *
 * 1. The words. Loops add, subtract and move words, whatever their values are, as csrc/fill shows.
 *    So the map from old words to new ones is linear modulo 2^48 or 2^24, as the definition's is.
 *    Two linear maps are equal if they agree on the 97 states in which a single word is one unit.
 *    The unit stands in each bit, to catch an instruction that loses a carry between halves of a
 *    word. The lengths are 1 to 256 numbers, more than two passes of 96, and those around the ends
 *    of the AVX-512 loop's blocks. Whatever a loop carries from pass to pass shows in the 97 words
 *    after it, so equality holds for any length.
 * 2. The arithmetic part. Each of the 16777213 values of 24 bits is tried with words of zero, in at
 *    least one place of a pass (in each place with `all`). Values of 48 bits are tried by cases. k
 *    steps subtract a constant on each of two intervals: for each k the ends of both intervals are
 *    tried, and all single carries from there. Loops look the parts up in a table by slots: both
 *    ends of each slot are tried.
 * 3. The mask of the keyed flavour comes from the words of 1 by one product and one XOR, whatever
 *    their values are. All states of 1 differ, so the numbers of 1 show that it is made of the
 *    right words.
 * 4. The conversion and the rule for zero. All 16777216 differences of 24 bits are tried (in each
 *    place of a vector with `all`). In 48 bits cases are tried: single bits, their neighbours and
 *    complements, and pairs of bits; with `all` also all values of each half, with the other half
 *    at its ends. Zero stands at each place of a fill.
 *
 * 5. The first words of a seed. Each lane makes a word by the definition's step, from the i, j, k
 *    and l before that word. The step is tried from all 178^3 - 1 first i, j, k (from some hundred
 *    thousand without `all`), which are also all that may come before a later word, with each l in
 *    turn. What comes before a word is linear in the exponents of i, j and k, and in l: all words
 *    are tried where one exponent is 1 and the others are 0, with all l, and from seeds at random.
 *
 * The jumps are linear too. Short ones are compared with steps. All powers of two follow by
 * induction, as a jump by twice the distance is two jumps. Other distances are sampled
 * (test_definition.c).
 *
 * `test_proof` takes seconds, `test_proof all` minutes. The program needs the C library alone, so
 * that it runs on any machine, and is linked with -Wl,--wrap=ranmar_non_temporal, so that short
 * fills can have non-temporal stores. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "definition/flavour.h"
#include "fill/instruction_sets.h"

enum { LAG = RANMAR_LONG_LAG, MOST = 4096, ROOM = 64 /* for a start that is not aligned */ };

/* --- Results --- */

static int tests, failures, all_values;
static const char *current; /* the loop and the flavour that are being compared */

static void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("# %s: ", current);
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    ++failures;
}

static void report(const char *what)
{
    printf("%sok %d - %s: %s\n", failures ? "not " : "", ++tests, current, what);
    fflush(stdout);
    if (failures)
        exit(EXIT_FAILURE);
}

/* --- The loops --- */

static int non_temporal, asked; /* what fills are told, and whether one asked */

int __wrap_ranmar_non_temporal(const void *out, size_t n, size_t size, size_t vector, size_t *head);

/* Takes the place of the library's function, which says yes from some millions of numbers on. */
int __wrap_ranmar_non_temporal(const void *out, size_t n, size_t size, size_t vector, size_t *head)
{
    *head = -(uintptr_t)out % vector / size;
    asked = 1;
    return non_temporal && n > *head && (uintptr_t)out % size == 0;
}

struct loop {
    char name[40];
    ranmar_fill_function *fill;
    int non_temporal;
};

/* --- What the definition makes of a state --- */

static struct {
    uint64_t x[LAG + MOST], c[MOST + 1];
    char numbers[MOST * sizeof(double)];
} expected;

static char got[MOST * sizeof(double) + ROOM] __attribute__((aligned(64)));

/* Makes the first n numbers from a state, and all words and arithmetic parts on the way: after
 * every 97 numbers all words of a state are new ones. */
static void expect(const struct ranmar_state *from, const struct ranmar_flavour *f, size_t n)
{
    const size_t size = ranmar_number_size(f);
    struct ranmar_state s = *from;
    memcpy(expected.x, s.x, sizeof s.x);
    expected.c[0] = s.c;
    for (size_t i = 0, made; i < n; i += made) {
        made = n - i < LAG ? n - i : LAG;
        ranmar_fill_scalar(&s, f, expected.numbers + i * size, made);
        memcpy(expected.x + i + made, s.x, sizeof s.x);
        for (size_t k = i; k < i + made; ++k)
            expected.c[k + 1] = ranmar_arithmetic(expected.c[k], f->step, f->modulus);
        if (expected.c[i + made] != s.c)
            fail("the definition's arithmetic part");
    }
}

/* Compares the first n numbers from that state, and the state after them. Each call stores the
 * numbers at another alignment, by steps of half a number. */
enum { ALIGNMENTS = 5 };
static void compare(const struct loop *loop, const struct ranmar_flavour *f,
                    const struct ranmar_state *from, size_t n)
{
    enum { AROUND = 16 };
    static size_t alignment;
    const size_t size = ranmar_number_size(f);
    const size_t before = alignment++ % ALIGNMENTS * size / 2;
    char *const out = got + before, *const end = out + n * size, guard[AROUND];
    struct ranmar_state s = *from;
    memset(guard, 0x5a, AROUND);
    memset(got, 0x5a, before);
    memcpy(end, guard, AROUND);
    non_temporal = loop->non_temporal;
    loop->fill(&s, f, out, n);
    if (memcmp(out, expected.numbers, n * size) != 0)
        fail("%zu numbers differ", n);
    if (memcmp(got, guard, before) != 0 || memcmp(end, guard, AROUND) != 0)
        fail("bytes around %zu numbers are changed", n);
    if (memcmp(s.x, expected.x + n, sizeof s.x) != 0 || s.c != expected.c[n])
        fail("another state after %zu numbers", n);
}

/* --- 1. The words --- */

static const struct ranmar_state nothing;

static void compare_lengths(const struct loop *loop, const struct ranmar_flavour *f,
                            const struct ranmar_state *s)
{
    enum { SHORT = 256 };
    static const size_t ends[] = {1919, 1920, 1921, 2015, 2016, 2017, 2047, 3840, 3841, MOST};
    expect(s, f, MOST);
    for (size_t n = 1; n <= SHORT; ++n)
        compare(loop, f, s, n);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i)
        compare(loop, f, s, ends[i]);
}

static void words(const struct loop *loop, const struct ranmar_flavour *f)
{
    enum { MANY = 256 /* more than two passes */ };
    const unsigned lowest = 64 - f->bits;
    struct ranmar_state s = nothing;
    s.c = f->start;
    compare_lengths(loop, f, &s);
    for (int i = 0; i < LAG; ++i)
        for (unsigned bit = lowest; bit < 64; ++bit) {
            s = nothing;
            s.c = f->start;
            s.x[i] = UINT64_C(1) << bit;
            if (bit == lowest || all_values) {
                compare_lengths(loop, f, &s);
            } else {
                expect(&s, f, MANY);
                compare(loop, f, &s, MANY);
            }
        }
    report("words from a basis of states");
}

/* --- 2. The arithmetic part --- */

enum { PASS_AND_ONE = RANMAR_PASS + 1 };

/* Goes once round the arithmetic part's cycle, a segment at a time. Each value comes once, as the
 * modulus is a prime. With words of zero the numbers of all fills are segments of one sequence. */
static void all_arithmetic_parts(const struct loop *loop, const struct ranmar_flavour *f)
{
    enum { SEGMENT = MOST - PASS_AND_ONE, VALUES = 16777213, PLACES = RANMAR_THIRD - 1 };
    const size_t size = ranmar_number_size(f), each = all_values ? 1 : PLACES;
    struct ranmar_state start = nothing;
    size_t tried = 0;
    non_temporal = loop->non_temporal;
    for (size_t from = 0; from < VALUES && !failures; from += SEGMENT) {
        expect(&start, f, MOST);
        for (size_t i = (each - from % each) % each; i < SEGMENT && from + i < VALUES; i += each) {
            struct ranmar_state s = nothing;
            s.c = expected.c[i];
            loop->fill(&s, f, got, PASS_AND_ONE);
            if (memcmp(got, expected.numbers + i * size, PASS_AND_ONE * size) != 0 ||
                s.c != expected.c[i + PASS_AND_ONE])
                fail("from an arithmetic part of %llu", (unsigned long long)expected.c[i]);
            ++tried;
        }
        start.c = expected.c[SEGMENT];
    }
    if (tried != (VALUES + each - 1) / each)
        fail("%zu arithmetic parts tried", tried);
    report(all_values ? "all arithmetic parts, in all places" : "all arithmetic parts");
}

static void compare_part(const struct loop *loop, const struct ranmar_flavour *f, uint64_t c)
{
    struct ranmar_state s = nothing;
    if (c >= f->modulus)
        return;
    s.c = c;
    expect(&s, f, PASS_AND_ONE);
    compare(loop, f, &s, PASS_AND_ONE);
    compare(loop, f, &s, RANMAR_PASS); /* begins with a pass; the fill above, within one */
}

static void cases_of_arithmetic_parts(const struct loop *loop, const struct ranmar_flavour *f)
{
    const uint64_t one = f->modulus & -f->modulus;
    for (uint64_t k = 0; k <= PASS_AND_ONE; ++k) {
        const uint64_t end = ranmar_arithmetic_stride(k, f);
        compare_part(loop, f, end);
        for (uint64_t unit = one; unit && unit < f->modulus; unit <<= 1) {
            compare_part(loop, f, end + unit);
            compare_part(loop, f, end - unit);
            compare_part(loop, f, end - one + unit);
            compare_part(loop, f, unit - one);
            compare_part(loop, f, f->modulus - unit);
        }
    }
    for (uint64_t bits = 0; bits < RANMAR_LOOKUP_SIZE; ++bits) {
        const uint64_t begin = bits << (64 - RANMAR_LOOKUP_BITS);
        compare_part(loop, f, begin);
        compare_part(loop, f, begin - one);
    }
    report("the arithmetic part at the ends of its cases");
}

/* --- 3. The conversion and the rule for zero --- */

/* The differences, in the highest bits of 64, that wait for a fill that converts them. So many
 * words of a state can be chosen that neither recurrence nor mask makes one of another. */
enum { WANTED = RANMAR_SHORT_LAG };
static struct {
    uint64_t u[WANTED];
    size_t count;
} wanted;

/* Whether the definition's i-th number is that of a difference; the conversion here is another than
 * the loops'. */
static int is_number_of(uint64_t u, const struct ranmar_flavour *f, size_t i)
{
    const uint64_t integer = u >> (64 - f->bits);
    const double number = f->bits == 24 ? (double)((const float *)(const void *)expected.numbers)[i]
                                        : ((const double *)(const void *)expected.numbers)[i];
    return number == (double)(integer ? integer : 1) / (double)(UINT64_C(1) << f->bits);
}

/* Has the waiting differences converted, each behind its mask: by a fill from the state that makes
 * them next. The words of that state are found from the last to the first. */
static void compare_wanted(const struct loop *loop, const struct ranmar_flavour *f)
{
    struct ranmar_state s = {.c = f->start};
    uint64_t x[LAG + WANTED] = {0}, c = s.c;
    for (size_t i = 0; i < wanted.count; ++i)
        x[LAG + i] = c = ranmar_arithmetic(c, f->step, f->modulus);
    for (size_t i = wanted.count; i-- > 0;) {
        x[LAG + i] += wanted.u[i] ^ ranmar_mask(x + LAG + i, f);
        x[i] = ranmar_lagged_back(x + i, x[LAG + i], f->every);
    }
    memcpy(s.x, x, sizeof s.x);
    expect(&s, f, WANTED);
    for (size_t i = 0; i < wanted.count; ++i)
        if (!is_number_of(wanted.u[i], f, i))
            fail("the definition converts %llx to another number", (unsigned long long)wanted.u[i]);
    compare(loop, f, &s, WANTED);
    wanted.count = 0;
}

static void want(const struct loop *loop, const struct ranmar_flavour *f, uint64_t u)
{
    wanted.u[wanted.count++] = u << (64 - f->bits);
    if (wanted.count == WANTED)
        compare_wanted(loop, f);
}

/* A fill takes 33 differences. With `all` they are tried 16 times, each time shifted by one place
 * of a vector. */
static void all_of_24_bits(const struct loop *loop, const struct ranmar_flavour *f)
{
    enum { PLACES = 16, VALUES = 1 << 24 };
    for (size_t shift = 0; shift < (all_values ? PLACES : 1); ++shift) {
        for (size_t i = 0; i < shift; ++i)
            want(loop, f, 0);
        for (uint64_t u = 0; u < VALUES && !failures; ++u)
            want(loop, f, u);
        compare_wanted(loop, f);
    }
    report(all_values ? "all differences, in all places" : "all differences");
}

static void cases_of_48_bits(const struct loop *loop, const struct ranmar_flavour *f)
{
    enum { HALF = 24 };
    static const uint64_t ends[] = {0, 1, 1 << (HALF - 1), (1 << HALF) - 1};
    const uint64_t most = (UINT64_C(1) << 2 * HALF) - 1;
    for (int i = 0; i < 2 * HALF; ++i)
        for (int j = 0; j < 2 * HALF; ++j) {
            const uint64_t a = UINT64_C(1) << i, b = UINT64_C(1) << j;
            want(loop, f, a | b);
            want(loop, f, a - b);
            want(loop, f, (a + b) & most);
            want(loop, f, most & ~(a | b));
        }
    for (uint64_t half = 0; half < 1 << HALF && all_values && !failures; ++half)
        for (size_t end = 0; end < sizeof ends / sizeof *ends; ++end) {
            want(loop, f, half << HALF | ends[end]);
            want(loop, f, ends[end] << HALF | half);
        }
    compare_wanted(loop, f);
    report(all_values ? "all halves of differences" : "differences by cases");
}

static void zero_at_each_place(const struct loop *loop, const struct ranmar_flavour *f)
{
    enum { LENGTH = 256 };
    for (size_t at = 0; at < LENGTH; ++at) {
        struct ranmar_state s;
        for (uint64_t i = 0; i < LAG; ++i)
            s.x[i] = i * UINT64_C(0x9e3779b97f4a7c15) >> (64 - f->bits) << (64 - f->bits);
        s.c = f->start;
        s.x[LAG - 1] = s.c + ranmar_mask(s.x + LAG - 1, f);
        ranmar_rewind(&s, f, at + 1);
        expect(&s, f, LENGTH);
        if (!is_number_of(0, f, at))
            fail("number %zu of the definition is no zero replaced", at);
        for (int i = 0; i < ALIGNMENTS; ++i)
            compare(loop, f, &s, LENGTH);
    }
    for (int i = 0; i < WANTED; ++i)
        want(loop, f, 0);
    report("zero at each place");
}

/* --- 5. The first words --- */

static void compare_words(const struct ranmar_simd *set, unsigned bits, unsigned i, unsigned j,
                          unsigned k, unsigned l)
{
    const unsigned four[4] = {i, j, k, l};
    uint64_t want[LAG], words[LAG];
    ranmar_words_of_four(want, bits, i, j, k, l);
    set->words(words, bits, four);
    if (memcmp(words, want, sizeof want) != 0)
        fail("the words of %u bits from %u, %u, %u, %u", bits, i, j, k, l);
}

static void first_words(const struct ranmar_simd *set)
{
    enum { SEEDS = 1000, MOST_IJK = 178, STATES = MOST_IJK * MOST_IJK * MOST_IJK, STEP = 17 };
    current = set->name;
    for (unsigned bits = 24; bits <= 48; bits += 24) {
        for (unsigned l = 0; l < 169; ++l)
            for (unsigned of = 0; of < 3; ++of)
                compare_words(set, bits, of == 0 ? 2 : 1, of == 1 ? 2 : 1, of == 2 ? 2 : 1, l);
        uint64_t random = bits;
        for (int n = 0; n < SEEDS; ++n) {
            unsigned four[4];
            random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            ranmar_four_seeds(four, (int64_t)(random >> 24) % (RANMAR_SEED_MAX + 1));
            compare_words(set, bits, four[0], four[1], four[2], four[3]);
        }
    }
    /* Number 0 is 1, 1, 1, which no seed has: its words are all zero. */
    for (unsigned n = 1; n < STATES && !failures; n += all_values ? 1 : STEP) {
        unsigned four[4] = {n % MOST_IJK + 1, n / MOST_IJK % MOST_IJK + 1,
                            n / MOST_IJK / MOST_IJK + 1, n % 169};
        uint64_t words[LAG];
        set->words(words, 48, four);
        if (words[LAG - 1] != ranmar_word_of_four(four, 48))
            fail("the first word from number %u", n);
    }
    report("first words");
}

/* --- The jumps --- */

static struct ranmar_state basis_state(int i, const struct ranmar_flavour *f)
{
    struct ranmar_state s = nothing;
    s.x[i] = UINT64_C(1) << (64 - f->bits);
    s.c = f->start;
    return s;
}

static void jumps(const struct ranmar_flavour *f)
{
    enum { STEPS = 300, LARGEST = 63 };
    static struct ranmar_jump by, twice;
    static struct ranmar_state stepped[LAG];
    for (int i = 0; i < LAG; ++i)
        stepped[i] = basis_state(i, f);
    for (uint64_t n = 0; n <= STEPS; ++n) {
        ranmar_jump_prepare(&by, n, f);
        for (int i = 0; i < LAG; ++i) {
            struct ranmar_state s = basis_state(i, f);
            ranmar_jump_apply(&by, f, &s);
            if (memcmp(&s, &stepped[i], sizeof s) != 0)
                fail("a jump by %llu", (unsigned long long)n);
            char number[sizeof(double)];
            ranmar_fill_scalar(&stepped[i], f, number, 1);
        }
    }
    ranmar_jump_prepare(&by, 1, f);
    for (int power = 1; power <= LARGEST; ++power) {
        ranmar_jump_prepare(&twice, UINT64_C(1) << power, f);
        for (int i = 0; i < LAG; ++i) {
            struct ranmar_state one = basis_state(i, f), two = one;
            ranmar_jump_apply(&twice, f, &one);
            ranmar_jump_apply(&by, f, &two);
            ranmar_jump_apply(&by, f, &two);
            if (memcmp(&one, &two, sizeof one) != 0)
                fail("a jump by 2^%d", power);
        }
        by = twice;
    }
    /* By the recurrence up to a distance, and by jumps beyond it; the thread keeps the last jump.
     */
    const uint64_t end = ranmar_short_way(f);
    for (uint64_t n = end - STEPS; n <= end + STEPS; n += n < end ? 59 : 1) {
        struct ranmar_state jumped = basis_state((int)(n % LAG), f), moved = jumped;
        for (int code = RANMAR_FLAVOURS - 1; code >= 0; --code) /* another recurrence first */
            ranmar_jump_by(NULL, n, ranmar_flavour(code), &moved);
        moved = jumped;
        ranmar_jump_prepare(&by, n, f);
        ranmar_jump_apply(&by, f, &jumped);
        ranmar_jump_by(NULL, n, f, &moved);
        if (memcmp(&jumped, &moved, sizeof moved) != 0)
            fail("a way of %llu", (unsigned long long)n);
        ranmar_rewind(&moved, f, n);
        jumped = basis_state((int)(n % LAG), f);
        if (memcmp(&jumped, &moved, sizeof moved) != 0)
            fail("a way back of %llu", (unsigned long long)n);
    }
    report("jumps by up to 300 and by all powers of two, and the short way");
}

/* --- All of it --- */

static void prove(const struct loop *loop)
{
    for (int code = 0; code < RANMAR_FLAVOURS; ++code) {
        const struct ranmar_flavour *f = ranmar_flavour(code);
        char name[sizeof loop->name + 40];
        snprintf(name, sizeof name, "%s, %s", loop->name, ranmar_flavour_name(code));
        current = name;
        words(loop, f);
        if (f->modulus == RANMAR_MODULUS_24 << 40)
            all_arithmetic_parts(loop, f);
        cases_of_arithmetic_parts(loop, f);
        if (f->bits == 24)
            all_of_24_bits(loop, f);
        else
            cases_of_48_bits(loop, f);
        zero_at_each_place(loop, f);
    }
}

static void prove_instruction_set(const struct ranmar_simd *set)
{
    struct loop loop = {.fill = set->refill};
    struct ranmar_state s = nothing;
    if (set->words)
        first_words(set);
    snprintf(loop.name, sizeof loop.name, "%s refill", set->name);
    if (loop.fill)
        prove(&loop);
    snprintf(loop.name, sizeof loop.name, "%s array", set->name);
    loop.fill = set->array;
    if (set->array != set->refill)
        prove(&loop);
    asked = 0;
    loop.non_temporal = non_temporal = 1;
    set->array(&s, ranmar_flavour(0), got, LAG);
    snprintf(loop.name, sizeof loop.name, "%s, non-temporal", set->name);
    if (asked)
        prove(&loop);
}

int main(int argc, char **argv)
{
    all_values = argc > 1 && strcmp(argv[1], "all") == 0;
    for (int code = 0; code < RANMAR_FLAVOURS; ++code) {
        current = ranmar_flavour_name(code);
        jumps(ranmar_flavour(code));
    }
    for (const struct ranmar_simd *const *set = ranmar_instruction_sets; *set; ++set)
        if ((*set)->supported())
            prove_instruction_set(*set);
        else
            printf("# this CPU has no %s\n", (*set)->name);
    printf("1..%d\n", tests);
    return EXIT_SUCCESS;
}
