/* The calls of gpuranmar_opencl.h where they fail or refuse, and gpuranmar_device.cl in a user's
 * kernel, which makes what the CPU makes. What the calls make is tested by test_opencl.c. */
#define OWN_MAIN
#include <dlfcn.h>
#include <unistd.h>

#include "child.h"
#include "definition/jump.h"
#include "fill/fill.h"
#include "on_device.h"
#include "program.h"

enum { SEQUENCES = 8, STEPS = 60, LONG = 2000 };

/* --- Calls --- */

/* Each call of OpenCL fails once. */
TEST(calls_fail)
{
    const uint64_t seed = random_word();
    const size_t all = most;
    most = 1000;
    random_state = seed;
    ranmar_device_fail_calls(0, 0);
    generator_agrees(GPURANMAR_DOUBLE, 3, 4);
    const long calls = ranmar_device_fail_calls(0, 0);
    printf("# %ld calls\n", calls);
    assert_true(calls > 30);
    for (long at = 1; at <= calls; ++at) {
        random_state = seed;
        ranmar_device_fail_calls(at, at);
        generator_agrees(GPURANMAR_DOUBLE, 3, 4);
    }
    ranmar_device_fail_calls(0, 0);
    most = all;
}

/* A refusal names the call in its error, and leaves the position unchanged. */
#define REFUSED(name, arguments, words)                                     \
    do {                                                                    \
        assert_int_equal(name arguments, GPURANMAR_BAD_ARGUMENT);           \
        assert_non_null(strstr(gpuranmar_opencl_last_error(), #name ": ")); \
        assert_non_null(strstr(gpuranmar_opencl_last_error(), words));      \
    } while (0)

TEST(refused)
{
    gpuranmar_opencl_generator *g = new_generator(GPURANMAR_DOUBLE);
    char zeros[784] = {0}, options[512];
    const cl_mem memory = new_buffer(zeros, sizeof zeros);
    uint64_t position = 1;
    cl_int error;
    REFUSED(gpuranmar_opencl_create, (NULL, queue, 0), "generator");
    REFUSED(gpuranmar_opencl_create, (&g, NULL, 0), "queue");
    REFUSED(gpuranmar_opencl_create, (&g, queue, 99), "99");
    REFUSED(gpuranmar_opencl_set_seed, (g, -1), "-1");
    REFUSED(gpuranmar_opencl_set_position, (g, (UINT64_C(1) << 63) + 1),
            "= -9223372036854775807 is not in");
    assert_int_equal(gpuranmar_opencl_set_position(g, UINT64_C(1) << 63), GPURANMAR_OK);
    REFUSED(gpuranmar_opencl_generate, (g, memory, 0, 1, 0, NULL, NULL), "is past 2^63");
    assert_int_equal(gpuranmar_opencl_set_position(g, 0), GPURANMAR_OK);
    REFUSED(gpuranmar_opencl_set_instances, (g, 0, 1), "instances = 0");
    REFUSED(gpuranmar_opencl_set_instances, (g, 1, 1000000001), "block = 1000000001");
    REFUSED(gpuranmar_opencl_generate, (g, NULL, 0, 1, 0, NULL, NULL), "out");
    REFUSED(gpuranmar_opencl_generate, (g, memory, 90, 9, 0, NULL, NULL), "room for 98");
    REFUSED(gpuranmar_opencl_generate, (g, memory, SIZE_MAX, 2, 0, NULL, NULL), "room for 98");
    REFUSED(gpuranmar_opencl_generate, (g, memory, 0, 1, 1, NULL, NULL), "waits = 1");
    REFUSED(gpuranmar_opencl_states, (g, memory, 2, 1), "room for 1");
    REFUSED(gpuranmar_opencl_states, (g, memory, 1, 0), "states: distance = 0 is not in 1..2^63");
    MUST(gpuranmar_opencl_options(g, options, sizeof options));
    REFUSED(gpuranmar_opencl_options, (g, options, strlen(options)), "size = ");
    REFUSED(gpuranmar_opencl_set_queue, (NULL, queue), "generator");
    const cl_context other = ranmar_cl.clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    const cl_mem foreign = ranmar_cl.clCreateBuffer(other, CL_MEM_READ_WRITE, 784, NULL, &error);
    REFUSED(gpuranmar_opencl_generate, (g, foreign, 0, 1, 0, NULL, NULL), "out is of another");
    REFUSED(gpuranmar_opencl_states, (g, foreign, 1, 1), "states is of another");
    const cl_command_queue elsewhere = ranmar_cl.clCreateCommandQueue(other, device, 0, &error);
    gpuranmar_opencl_generator *there;
    MUST(gpuranmar_opencl_create(&there, elsewhere, GPURANMAR_DOUBLE));
    MUST(gpuranmar_opencl_generate(there, foreign, 0, 1, 0, NULL, NULL));
    gpuranmar_opencl_destroy(there);
    cl_event events[2];
    CL_MUST(clEnqueueMarkerWithWaitList(queue, 0, NULL, &events[0]));
    CL_MUST(clEnqueueMarkerWithWaitList(elsewhere, 0, NULL, &events[1]));
    REFUSED(gpuranmar_opencl_generate, (g, memory, 0, 1, 2, events, NULL), "wait_for[1] is of");
    ranmar_cl.clReleaseEvent(events[0]);
    ranmar_cl.clReleaseEvent(events[1]);
    ranmar_cl.clReleaseCommandQueue(elsewhere);
    ranmar_cl.clReleaseMemObject(foreign);
    const cl_mem read_only = ranmar_cl.clCreateBuffer(context, CL_MEM_READ_ONLY, 784, NULL, &error);
    REFUSED(gpuranmar_opencl_generate, (g, read_only, 0, 1, 0, NULL, NULL), "out is no buffer");
    REFUSED(gpuranmar_opencl_states, (g, read_only, 1, 1), "states is no buffer");
    ranmar_cl.clReleaseMemObject(read_only);
    const cl_command_queue wild = ranmar_cl.clCreateCommandQueue(
        context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
    if (error == CL_SUCCESS) {
        REFUSED(gpuranmar_opencl_set_queue, (g, wild), "in order");
        ranmar_cl.clReleaseCommandQueue(wild);
    }
    assert_int_equal(gpuranmar_opencl_generate(g, NULL, 0, 0, 0, NULL, &events[0]), GPURANMAR_OK);
    assert_int_equal(gpuranmar_opencl_generate(g, memory, 7, 0, 1, &events[0], &events[1]),
                     GPURANMAR_OK);
    CL_MUST(clWaitForEvents(1, &events[1]));
    ranmar_cl.clReleaseEvent(events[0]);
    ranmar_cl.clReleaseEvent(events[1]);
    assert_int_equal(gpuranmar_opencl_position(g, &position), GPURANMAR_OK);
    assert_true(position == 0);
    ranmar_cl.clReleaseMemObject(memory);
    gpuranmar_opencl_destroy(g);
    gpuranmar_opencl_destroy(NULL);
}

/* A forked process is refused with an error, and does not free what its parent uses. */
TEST(forked)
{
    gpuranmar_opencl_generator *const g = new_generator(GPURANMAR_DOUBLE), *made = NULL;
    double number;
    const cl_mem memory = new_buffer(&number, sizeof number);
    IN_A_CHILD(0, assert_true(ends_well(this_child)), {
        alarm(60);
        if (gpuranmar_opencl_generate(g, memory, 0, 1, 0, NULL, NULL) != GPURANMAR_NO_BACKEND ||
            gpuranmar_opencl_set_seed(g, 1) != GPURANMAR_NO_BACKEND ||
            gpuranmar_opencl_create(&made, queue, 0) != GPURANMAR_NO_BACKEND || made ||
            !strstr(gpuranmar_opencl_last_error(), "before fork()"))
            _exit(1);
        gpuranmar_opencl_destroy(g);
    });
    assert_int_equal(gpuranmar_opencl_generate(g, memory, 0, 1, 0, NULL, NULL), GPURANMAR_OK);
    ranmar_cl.clReleaseMemObject(memory);
    gpuranmar_opencl_destroy(g);
}

/* Events and another queue are waited for: nothing ends before an event that the test holds. */
TEST(order)
{
    void *const library = dlopen("libOpenCL.so.1", RTLD_NOW);
    __typeof__(clCreateUserEvent) *const create =
        (__typeof__(create))dlsym(library, "clCreateUserEvent");
    __typeof__(clSetUserEventStatus) *const end =
        (__typeof__(end))dlsym(library, "clSetUserEventStatus");
    gpuranmar_opencl_generator *const g = new_generator(GPURANMAR_DOUBLE);
    double numbers[2] = {0};
    const cl_mem memory = new_buffer(numbers, sizeof numbers);
    const cl_command_queue other = new_queue();
    int is_early = 0;
    cl_int status;
    cl_event done[2];
    const cl_event held = create(context, &status);
    MUST(gpuranmar_opencl_generate(g, NULL, 0, 0, 1, &held, &done[0]));
    MUST(gpuranmar_opencl_generate(g, memory, 0, 1, 1, &held, NULL));
    MUST(gpuranmar_opencl_set_queue(g, other));
    MUST(gpuranmar_opencl_generate(g, memory, 1, 1, 0, NULL, &done[1]));
    CL_MUST(clFlush(other));
    usleep(100000);
    for (int i = 0; i < 2; ++i) {
        CL_MUST(clGetEventInfo(done[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                               NULL));
        is_early |= status <= CL_COMPLETE;
    }
    assert_int_equal(end(held, CL_COMPLETE), CL_SUCCESS); /* first, or the failing test hangs */
    assert_false(is_early);
    CL_MUST(clWaitForEvents(2, done));
    gpuranmar_opencl_destroy(g);
    for (int i = 0; i < 2; ++i)
        ranmar_cl.clReleaseEvent(done[i]);
    ranmar_cl.clReleaseEvent(held);
    ranmar_cl.clReleaseCommandQueue(other);
    ranmar_cl.clReleaseMemObject(memory);
}

/* --- A user's kernel --- */

static int is_simulated;

/* How many work-items a group has, and the compiler's further options. */
struct shape {
    unsigned lanes;
    const char *further;
};

/* The kernel of play.cl. */
static cl_kernel new_kernel(const gpuranmar_opencl_generator *g, struct shape shape,
                            cl_program *program)
{
    char options[1024], flavour[512];
    const char *const texts[] = {"#include \"opencl/tests/play.cl\"\n"};
    cl_int error;
    assert_int_equal(gpuranmar_opencl_options(g, flavour, sizeof flavour), GPURANMAR_OK);
    snprintf(options, sizeof options,
             "%s -I . -I opencl/include -I csrc/include -D GPURANMAR_LANES=%u %s", flavour,
             shape.lanes, shape.further);
    *program = ranmar_cl.clCreateProgramWithSource(context, 1, (const char **)texts, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    CL_MUST(clBuildProgram(*program, 1, &device, options, NULL, NULL));
    const cl_kernel kernel = ranmar_cl.clCreateKernel(*program, "play", &error);
    assert_int_equal(error, CL_SUCCESS);
    return kernel;
}

/* What the kernel does, by the definition. Fills `want` where something was drawn. */
static void play_on_cpu(struct ranmar_state *states, const struct ranmar_flavour *f, unsigned lanes,
                        const uint64_t *script, unsigned steps, char *want)
{
    const size_t size = ranmar_number_size(f);
    for (unsigned s = 0; s < SEQUENCES; ++s)
        for (unsigned step = 0; step < steps; ++step) {
            const uint64_t what = script[2 * step], how = script[2 * step + 1];
            const uint64_t wanting = s ? how << s | how >> (64 - s) : how;
            char *const row = want + (s * steps + step) * 32 * size;
            struct ranmar_jump last_jump = {0};
            if (what == 2)
                ranmar_jump_by(&last_jump, how >> s, f, &states[s]);
            for (unsigned l = 0; l < lanes && what < 2; ++l)
                if (what == 0 || (wanting >> l & 1))
                    ranmar_fill_scalar(&states[s], f, row + l * size, 1);
        }
}

static void kernel_agrees(int flavour, struct shape shape, cl_uint steps)
{
    static char got[SEQUENCES * LONG * 32 * sizeof(double)], want[sizeof got];
    const struct ranmar_flavour *const f = ranmar_flavour(flavour);
    gpuranmar_opencl_generator *const g = new_generator(flavour);
    const uint64_t distance = random_size(1, UINT64_C(1) << 58),
                   position = distance + random_size(0, UINT64_C(1) << 60);
    const int64_t seed = any_seed();
    struct ranmar_state states[SEQUENCES] = {0}, reached[SEQUENCES];
    uint64_t script[2 * LONG] = {0};
    cl_mem jumps;
    cl_program program;
    for (cl_uint i = 0; i < steps; ++i) {
        script[2 * i] = random_in(0, 9) < 5 ? 1 : i < STEPS ? random_in(0, 3) : 0;
        script[2 * i + 1] = script[2 * i] == 1 ? random_word() | (random_in(0, 3) ? 0 : ~0ull)
                                               : random_size(0, UINT64_C(1) << 63);
    }
    memset(got, 0x55, sizeof got);
    memset(want, 0x55, sizeof want);
    const cl_mem buffers[] = {new_buffer(states, sizeof states), new_buffer(script, sizeof script),
                              new_buffer(got, sizeof got)};
    assert_int_equal(gpuranmar_opencl_set_seed(g, seed), GPURANMAR_OK);
    assert_int_equal(gpuranmar_opencl_set_position(g, position - distance), GPURANMAR_OK);
    MUST(gpuranmar_opencl_states(g, buffers[0], 1, distance));
    MUST(gpuranmar_opencl_states(g, buffers[0], SEQUENCES, distance));
    assert_int_equal(gpuranmar_opencl_jumps(g, &jumps), GPURANMAR_OK);
    for (unsigned s = 0; s < SEQUENCES; ++s) {
        struct ranmar_jump last_jump = {0};
        ranmar_seed(&states[s], f, seed);
        ranmar_jump_by(&last_jump, position, f, &states[s]);
        for (unsigned k = 0; k < s; ++k)
            ranmar_jump_by(&last_jump, distance, f, &states[s]);
    }
    const cl_kernel kernel = new_kernel(g, shape, &program);
    const size_t group = shape.lanes, all = shape.lanes * SEQUENCES;
    CL_MUST(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffers[0]));
    CL_MUST(clSetKernelArg(kernel, 1, sizeof(cl_mem), &jumps));
    CL_MUST(clSetKernelArg(kernel, 2, sizeof(cl_mem), &buffers[1]));
    CL_MUST(clSetKernelArg(kernel, 3, sizeof steps, &steps));
    CL_MUST(clSetKernelArg(kernel, 4, sizeof(cl_mem), &buffers[2]));
    /* one work-group of all sequences, for which the kernel has no room */
    assert_int_equal(
        ranmar_cl.clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &all, &all, 0, NULL, NULL),
        CL_INVALID_WORK_GROUP_SIZE);
    /* two dimensions, from an offset on that is no multiple of a group */
    const size_t from[] = {16, 3}, range[] = {group, all / group}, local[] = {group, 1};
    CL_MUST(clEnqueueNDRangeKernel(queue, kernel, 2, from, range, local, 0, NULL, NULL));
    CL_MUST(
        clEnqueueReadBuffer(queue, buffers[0], CL_TRUE, 0, sizeof reached, reached, 0, NULL, NULL));
    CL_MUST(clEnqueueReadBuffer(queue, buffers[2], CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    play_on_cpu(states, f, shape.lanes, script, steps, want);
    assert_memory_equal(got, want, sizeof got);
    assert_memory_equal(reached, states, sizeof states);
    ranmar_cl.clReleaseKernel(kernel);
    ranmar_cl.clReleaseProgram(program);
    for (int i = 0; i < 3; ++i)
        ranmar_cl.clReleaseMemObject(buffers[i]);
    gpuranmar_opencl_destroy(g);
}

/* In every flavour, but without doubles in one flavour only. -cl-opt-disable would save time, but
 * PoCL 7.1 then compiles wrong code. */
TEST(kernels)
{
    const struct shape shapes[] = {
        {1, ""}, {32, ""}, {32, "-D RANMAR_SHUFFLES"}, {1, "-D RANMAR_WITHOUT_DOUBLES"}};
    for (int i = 0; i < 4; ++i) {
        const int any = (int)random_in(0, RANMAR_FLAVOURS - 1);
        const int all = i < 3 && !is_simulated;
        if (i == 2 && !has_shuffles())
            continue;
        for (int flavour = all ? 0 : any; flavour <= (all ? RANMAR_FLAVOURS - 1 : any); ++flavour)
            kernel_agrees(flavour, shapes[i], is_simulated ? 15 : STEPS);
    }
}

/* Many work-groups that run at the same time, for long: none writes to another's local memory. */
TEST(groups)
{
    kernel_agrees(GPURANMAR_DOUBLE, (struct shape){1, ""}, LONG);
    kernel_agrees(GPURANMAR_DOUBLE, (struct shape){32, ""}, LONG);
}

/* With an argument only the user's kernel is tested, in one flavour: for a device that is simulated
 * (oclgrind.long.t). */
int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1) {
        is_simulated = 1;
        cmocka_set_test_filter("kernels");
    }
    return run_on_device();
}
