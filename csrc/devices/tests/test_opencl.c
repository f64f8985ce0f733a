/* The OpenCL back end: its kernels run here, on PoCL or on a GPU, and what they make is compared
 * with the definition: every flavour, size, offset, instance and jump, in work-groups of each
 * shape. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl_place.h"
#include "definition/flavour.h"
#include "definition/jump.h"
#include "devices/cl_sequence.h"
#include "fill/fill.h"
#include "random.h"

enum { MOST = 60000, GUARD = 64 };
static size_t most_of_a_fill = MOST;

/* --- Kernels --- */

/* What comes of several instances: each from its own state, by the definition. */
struct reference {
    const struct ranmar_flavour *flavour;
    struct ranmar_interleave interleave;
    struct ranmar_state *states;
    uint64_t position;
};

/* Makes the next number of a state one that would be zero. */
static void want_zero(struct ranmar_state *s, const struct ranmar_flavour *f)
{
    const uint64_t c = ranmar_arithmetic(s->c, f->step, f->modulus);
    s->x[0] += c + ranmar_mask(s->x + RANMAR_LONG_LAG, f) - ranmar_lagged(s->x, f->every);
}

static void start_reference(struct reference *r, int64_t seed, uint64_t position)
{
    r->states = malloc((size_t)r->interleave.instances * sizeof *r->states);
    r->position = position;
    for (uint64_t p = 0; p < r->interleave.instances; ++p) {
        struct ranmar_jump memo = {0};
        ranmar_seed(&r->states[p], r->flavour, ranmar_seed_of(seed, (int64_t)p));
        ranmar_jump_by(&memo, ranmar_made_of(r->interleave, p, position), r->flavour,
                       &r->states[p]);
        want_zero(&r->states[p], r->flavour);
    }
}

static void next_of_reference(struct reference *r, char *out, size_t n)
{
    const size_t size = ranmar_number_size(r->flavour);
    for (size_t i = 0; i < n; ++i, ++r->position) {
        const uint64_t p =
            r->interleave.instances == 1
                ? 0
                : ranmar_instance_at(r->interleave, r->position % r->interleave.block);
        ranmar_fill_scalar(&r->states[p], r->flavour, out + i * size, 1);
    }
}

/* One sequence and several fills, of any size, to any offset, some after a skip. */
static void fills_agree(int code, uint64_t instances, size_t most)
{
    static char got[(MOST + 2 * GUARD) * sizeof(double)], want[MOST * sizeof(double)];
    struct reference r = {
        ranmar_flavour(code), {instances, instances > 1 ? random_size(1, 3 * most) : 1}, NULL, 0};
    struct ranmar_cl_sequence s = {0};
    const size_t size = ranmar_number_size(r.flavour);
    const int64_t seed = (int64_t)random_in(0, RANMAR_SEED_MAX);
    start_reference(&r, seed, random_size(0, UINT64_C(1) << 60));
    assert_true(ranmar_cl_sequence_open(&s, context, device, r.flavour, r.interleave));
    assert_true(ranmar_cl_sequence_set(&s, r.states, r.position));
    const cl_mem memory = new_buffer(got, sizeof got);
    for (int i = 0; i < 6; ++i) {
        const size_t n = i == 0 ? most : random_size(1, most), at = random_in(1, GUARD);
        if (instances == 1 && i % 3 == 2) {
            struct ranmar_jump memo = {0};
            const uint64_t by = random_size(0, UINT64_C(1) << 59);
            ranmar_jump_by(&memo, by, r.flavour, r.states);
            r.position += by;
        }
        memset(got, 0x55, sizeof got);
        CL_MUST(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
        assert_true(ranmar_cl_sequence_fill(&s, queue, memory, at, r.position, n, 0, NULL, NULL));
        CL_MUST(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
        next_of_reference(&r, want, n);
        if (memcmp(got + at * size, want, n * size) != 0)
            fail_msg("flavour %s, seed %lld, %llu instances, block %llu, fill %d of %zu at %zu "
                     "ends at %llu",
                     ranmar_flavour_name(code), (long long)seed, (unsigned long long)instances,
                     (unsigned long long)r.interleave.block, i, n, at,
                     (unsigned long long)r.position);
        for (size_t b = 0; b < sizeof got; ++b)
            if ((b < at * size || b >= (at + n) * size) && got[b] != 0x55)
                fail_msg("a byte outside is written");
    }
    assert_int_equal(s.position, r.position);
    ranmar_cl.clReleaseMemObject(memory);
    ranmar_cl_sequence_close(&s);
    free(r.states);
}

static void kernels_of_shape(struct shape s, int first, int last)
{
    ranmar_cl_shape(s.lanes, s.sequences, s.further, s.before);
    for (int code = first; code <= last; ++code)
        for (int round = 0; round < (most_of_a_fill == MOST ? 3 : 1); ++round) {
            const size_t most = round ? random_size(1, MOST) : most_of_a_fill;
            fills_agree(code, 1, most);
            fills_agree(code, random_size(2, 300), most);
        }
    ranmar_cl_shape(0, 0, "", "");
}

/* What has doubles, and is optimised, makes the streams of delivery.h. */
static void one_work_item(void **unused)
{
    const struct shape s = {1, 1, " -cl-opt-disable -D RANMAR_WITHOUT_DOUBLES", ""};
    kernels_of_shape(s, 0, RANMAR_FLAVOURS - 1);
    (void)unused;
}

/* PoCL takes a minute to optimise groups of 32. */
static void groups_of_32(void **unused)
{
    const struct shape s = {32, 1, " -cl-opt-disable", ""};
    kernels_of_shape(s, 0, RANMAR_FLAVOURS - 1);
    (void)unused;
}

/* What differs between flavours does not depend on how many segments a group has. To compile them
 * takes long. */
static void groups_of_64(void **unused)
{
    const int code = (int)random_in(0, RANMAR_FLAVOURS - 1);
    const struct shape s = {32, 2, " -cl-opt-disable", ""};
    kernels_of_shape(s, code, code);
    (void)unused;
}

/* Only the first shape: a program's kernel is tested in all (test_opencl_calls.c), and calls the
 * same functions. */
static void shuffles(void **unused)
{
    struct shape shapes[4];
    shapes_with_shuffles(shapes);
    kernels_of_shape(shapes[0], 0, RANMAR_FLAVOURS - 1);
    (void)unused;
}

/* With an argument only groups of 32 and 64 are tested, by fills of at most so many numbers: for a
 * device that is simulated (oclgrind.long.t). */
int main(int argc, char **argv)
{
    random_start();
    if (!find_device())
        return 0;
    const struct CMUnitTest kernels[] = {
        cmocka_unit_test(groups_of_32), cmocka_unit_test(groups_of_64), cmocka_unit_test(shuffles)};
    if (argc > 1) {
        most_of_a_fill = (size_t)atoi(argv[1]);
        return cmocka_run_group_tests(kernels, NULL, NULL);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_work_item),
        cmocka_unit_test(groups_of_32),
        cmocka_unit_test(groups_of_64),
        cmocka_unit_test(shuffles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
