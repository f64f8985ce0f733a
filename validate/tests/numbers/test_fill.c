/* Loops and streams make the known answers. Fills by threads make the definition's numbers and
 * state. Each fill takes the right loop. test_proof.c goes through all lengths and cases. */
#include <stdlib.h>
#include <string.h>

#include "definition/flavour.h"
#include "fill/instruction_sets.h"
#include "gpuranmar.h"
#include "known.h"
#include "tests.h"

enum { MOST = 1 << 20 };
static char expected[MOST * sizeof(double)] __attribute__((aligned(64))),
    got[MOST * sizeof(double) + 64] __attribute__((aligned(64)));

/* The linker puts this in the place of ranmar_instruction_sets: it has the real sets, or a test's.
 */
enum { SETS_MAX = 8 };
extern const struct ranmar_simd *__wrap_ranmar_instruction_sets[SETS_MAX + 1];
extern const struct ranmar_simd *const __real_ranmar_instruction_sets[];
const struct ranmar_simd *__wrap_ranmar_instruction_sets[SETS_MAX + 1];

static void use_sets(const struct ranmar_simd *const *sets)
{
    for (size_t i = 0; i == 0 || sets[i - 1]; ++i) {
        assert_true(i <= SETS_MAX);
        __wrap_ranmar_instruction_sets[i] = sets[i];
    }
    ranmar_fill_force(NULL); /* so that fills look for their loops anew */
}

static int use_real_sets(void **unused)
{
    use_sets(__real_ranmar_instruction_sets);
    (void)unused;
    return 0;
}

/* The loops of all sets that this CPU supports. */
enum { LOOPS_MAX = 8 };
static struct loop {
    char name[32];
    ranmar_fill_function *fill;
} loops[LOOPS_MAX + 1];

static void add_loop(const char *set, const char *purpose, ranmar_fill_function *fill)
{
    struct loop *loop = loops;
    while (loop->fill)
        ++loop;
    assert_true(loop < loops + LOOPS_MAX);
    snprintf(loop->name, sizeof loop->name, "%s %s", set, purpose);
    loop->fill = fill;
}

__attribute__((constructor)) static void find_loops(void)
{
    use_real_sets(NULL);
    for (const struct ranmar_simd *const *l = ranmar_instruction_sets; *l; ++l) {
        if (!(*l)->supported()) {
            print_message("# this CPU has no %s\n", (*l)->name);
            continue;
        }
        if ((*l)->refill)
            add_loop((*l)->name, "refill", (*l)->refill);
        if ((*l)->array != (*l)->refill)
            add_loop((*l)->name, "array", (*l)->array);
    }
}

/* Fails with the first index at which two arrays of n numbers differ. */
static void compare_arrays(const char *path, const char *a, const char *b, size_t n, size_t size)
{
    for (size_t i = 0; i < n; ++i)
        if (memcmp(a + i * size, b + i * size, size) != 0)
            fail_msg("%s: number %zu of %zu is the first to differ", path, i, n);
}

static struct ranmar_state jumped(struct ranmar_state s, const struct ranmar_flavour *f,
                                  uint64_t distance)
{
    struct ranmar_jump jump;
    ranmar_jump_prepare(&jump, distance, f);
    ranmar_jump_apply(&jump, f, &s);
    return s;
}

/* The state of a flavour at a random position of a random seed. */
static struct ranmar_state random_place(const struct ranmar_flavour *f)
{
    struct ranmar_state s;
    ranmar_seed(&s, f, (int64_t)random_in(0, RANMAR_SEED_MAX));
    return jumped(s, f, random_size(0, UINT64_C(1) << 63));
}

/* The definition and every loop make them, and streams, whose large requests threads share. */
TEST(known_answers)
{
    FILE *file = NULL;
    int lines = 0;
    for (struct known k; known_next(&file, &k); ++lines) {
        const struct ranmar_flavour *const f = ranmar_flavour(k.flavour);
        const size_t before = k.position < 1000 ? (size_t)k.position : 1000;
        for (const struct loop *loop = loops;; ++loop) {
            struct ranmar_state s;
            ranmar_seed(&s, f, (int64_t)k.seed);
            s = jumped(s, f, k.position - before);
            (loop->fill ? loop->fill : ranmar_fill_scalar)(&s, f, got, before + KNOWN_NUMBERS);
            if (!known_same(&k, got + before * ranmar_number_size(f)))
                fail_msg("%s: %s, seed %" PRIu64, loop->name, k.name, k.seed);
            if (!loop->fill)
                break;
        }
        assert_true(known_by_stream(&k, GPURANMAR_CPU, MOST));
    }
    assert_true(lines >= 4 * RANMAR_FLAVOURS);
}

/* Arrays larger than the caches get non-temporal stores, from the first aligned vector on. An array
 * whose numbers are not aligned has no such vector. */
TEST(non_temporal_stores)
{
    enum { SIZE = 8, VECTOR = 32 };
    const char *const aligned = got;
    const size_t most = ranmar_cache_share() / SIZE;
    size_t head;
    assert_false(ranmar_non_temporal(aligned, most, SIZE, VECTOR, &head));
    assert_true(ranmar_non_temporal(aligned, most + 1, SIZE, VECTOR, &head));
    assert_int_equal(head, 0);
    for (size_t i = 1; i < VECTOR / SIZE; ++i) {
        assert_true(ranmar_non_temporal(aligned + i * SIZE, most + 1, SIZE, VECTOR, &head));
        assert_int_equal(head, VECTOR / SIZE - i);
    }
    for (size_t bytes = 1; bytes < SIZE; ++bytes)
        assert_false(ranmar_non_temporal(aligned + bytes, most + 1, SIZE, VECTOR, &head));
}

/* --- Which loop makes a fill: sets of the test count their calls --- */

static struct {
    _Atomic int refills, arrays, wrong;
} asked;

#define COUNTS(what)                                                                            \
    static void count_##what(struct ranmar_state *s, const struct ranmar_flavour *f, void *out, \
                             size_t n)                                                          \
    {                                                                                           \
        ++asked.what;                                                                           \
        ranmar_fill_scalar(s, f, out, n);                                                       \
    }
COUNTS(refills)
COUNTS(arrays)
COUNTS(wrong)

static int never(void)
{
    return 0;
}

static void asks(size_t n, int threads, int refills, int arrays)
{
    const struct ranmar_flavour *f = ranmar_flavour(GPURANMAR_DOUBLE);
    struct ranmar_state s = random_place(f);
    struct ranmar_jump last_jump = {0};
    asked.refills = asked.arrays = 0;
    if (threads)
        ranmar_fill_threads(&s, f, got, n, threads, &last_jump);
    else
        ranmar_fill(&s, f, got, n);
    if (asked.refills != refills || asked.arrays != arrays)
        fail_msg("%zu numbers on %d threads: %d refills and %d arrays", n, threads, asked.refills,
                 asked.arrays);
}

TEST_BETWEEN(loop_by_size, NULL, use_real_sets)
{
    static const struct ranmar_simd missing = {"missing", never, count_wrong, count_wrong, NULL},
                                    wide = {"wide", ranmar_always, NULL, count_arrays, NULL},
                                    quiet = {"quiet", ranmar_always, count_refills, count_wrong,
                                             NULL},
                                    last = {"last", ranmar_always, count_wrong, count_wrong, NULL};
    static const struct ranmar_simd *const sets[] = {&missing, &wide, &quiet, &last, NULL};
    struct ranmar_state s = {{1}, 0};
    use_sets(sets);
    ranmar_fill_array(&s, ranmar_flavour(GPURANMAR_DOUBLE), got, 1);
    assert_int_equal(asked.arrays, 1);
    for (int threads = 0; threads <= 2; ++threads) { /* the loops are found at the first request */
        asks(0, threads, 0, 0);
        asks(1, threads, 1, 0);
        asks(1024, threads, 1, 0);
        asks(RANMAR_ARRAY - 1, threads, 1, 0);
        asks(RANMAR_ARRAY, threads, 0, 1);
        asks(MOST, threads, 0, threads == 2 ? 2 : 1);
    }
    ranmar_fill_array(&s, ranmar_flavour(GPURANMAR_DOUBLE), got, 1);
    assert_int_equal(asked.arrays, 2 + 1);
    assert_int_equal(asked.wrong, 0);
    const struct ranmar_simd *const forced[] = {NULL, &wide, &last};
    for (int i = 0; i < 3; ++i) { /* `wide` has no refills */
        ranmar_fill_force(forced[i]);
        assert_ptr_equal(ranmar_fill_instruction_set(RANMAR_ARRAY - 1), i == 2 ? &last : &quiet);
        assert_ptr_equal(ranmar_fill_instruction_set(RANMAR_ARRAY), i == 2 ? &last : &wide);
    }
    ranmar_fill_force(NULL);
}

TEST(instruction_sets_by_name)
{
    for (const struct ranmar_simd *const *l = ranmar_instruction_sets; *l; ++l)
        assert_ptr_equal(ranmar_simd_named((*l)->name), (*l)->supported() ? *l : NULL);
    assert_ptr_equal(ranmar_simd_named("portable"), &ranmar_portable);
#ifdef __x86_64__
    assert_ptr_equal(ranmar_simd_named("sse2"), &ranmar_sse2); /* which every such CPU has */
#endif
    assert_null(ranmar_simd_named("avx3"));
    assert_null(ranmar_simd_named(""));
}

TEST(threads)
{
    for (int i = 0; i < 3 * RANMAR_FLAVOURS; ++i) {
        const int number = i % RANMAR_FLAVOURS;
        const struct ranmar_flavour *f = ranmar_flavour(number);
        struct ranmar_state s = random_place(f), t = s;
        struct ranmar_jump last_jump = {0};
        for (int call = 0; call < 3; ++call) {
            const size_t n = random_in(0, 3) ? random_in(MOST / 2, MOST) : MOST;
            ranmar_fill_scalar(&s, f, expected, n);
            ranmar_fill_threads(&t, f, got, n, (int)random_in(1, 9), &last_jump);
            compare_arrays("threads", got, expected, n, ranmar_number_size(f));
            assert_memory_equal(&s, &t, sizeof s);
        }
    }
}
