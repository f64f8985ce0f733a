/* The OpenCL back end: its kernels run here, on PoCL or on a GPU, in work-groups of each shape, and
 * what they make is what the CPU makes. Streams are tested by delivery.h. The program is
 * separate, since PoCL's compiler fails after too many compilations in one process. */
#include "device_stream.h"
#include "fill/fill.h"
#include "on_device.h"

static int is_simulated;

/* The first number of a state would be zero. */
static void zero_is_avoided(int flavour)
{
    const struct ranmar_flavour *const f = ranmar_flavour(flavour);
    double got[100], want[100];
    struct ranmar_cl_stream s = {0};
    struct ranmar_state state;
    const cl_mem memory = new_buffer(want, sizeof want);
    ranmar_seed(&state, f, any_seed());
    state.x[0] += ranmar_arithmetic(state.c, f->step, f->modulus) +
                  ranmar_mask(state.x + RANMAR_LONG_LAG, f) - ranmar_lagged(state.x, f->every);
    assert_true(ranmar_cl_stream_open(&s, context, device, f, (struct ranmar_interleave){1, 1}));
    assert_true(ranmar_cl_stream_set(&s, &state, 0));
    assert_true(ranmar_cl_stream_fill(&s, queue, memory, 0, 0, 100, 0, NULL, NULL));
    CL_MUST(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    ranmar_fill_scalar(&state, f, want, 100);
    assert_memory_equal(got, want, 100 * ranmar_number_size(f));
    ranmar_cl_stream_close(&s);
    ranmar_cl.clReleaseMemObject(memory);
}

static void fills_of_shape(unsigned lanes, const char *further)
{
    ranmar_cl_shape(lanes, further);
    for (int flavour = 0; flavour < RANMAR_FLAVOURS; ++flavour) {
        zero_is_avoided(flavour);
        generator_agrees(flavour, 1, is_simulated ? 6 : 20);
        for (int round = 0; round < (is_simulated ? 1 : 3); ++round)
            generator_agrees(flavour, (int64_t)random_size(2, 1000), 6);
    }
    ranmar_cl_shape(0, "");
}

/* The device's own kernels, as programs have them. */
TEST(own_shape)
{
    fills_of_shape(0, "");
}

TEST(one_work_item)
{
    fills_of_shape(1, " -cl-opt-disable -D RANMAR_WITHOUT_DOUBLES");
}

/* PoCL takes a minute to optimise groups of 32. */
TEST(groups_of_32)
{
    fills_of_shape(32, " -cl-opt-disable");
}

TEST(groups_with_shuffles)
{
    if (has_shuffles())
        fills_of_shape(32, " -D RANMAR_SHUFFLES");
}

/* The argument, for a simulated device (oclgrind.long.t), is the length of the longest fill; then
 * only groups of 32 are tested. */
int main(int argc, char **argv)
{
    if (argc > 1) {
        is_simulated = 1;
        most = (size_t)atoi(argv[1]);
        cmocka_set_test_filter("groups*");
    }
    return run_on_device();
}
