/* OpenCL on the GPU, beside the CUDA plugin, plain kernels and peers in OpenCL: device memory
 * filled, numbers drawn in a kernel or brought to the host, short fills in a queue, the start of a
 * process. Run from the root of the sources, where the kernels are (opencl.cl).
 *
 *     measure-opencl rates|calls               measures
 *     measure-opencl opencl|cuda|context       only starts: until the library's first number by
 *                                              that back end, or until a context has copied one */
#include "gpuranmar_cuda.h"
#include "host.h"
#include "measure.h"

static const size_t n = size_t(1) << 30;
static cl_uint units; /* multiprocessors */

/* Seconds by the clock on the wall, until both have done all. */
static double until_done(const std::function<void()> &run)
{
    return by_clock([&] {
        run();
        MUST(clFinish(queue));
    });
}

static gpuranmar_opencl_generator *new_generator(int flavour)
{
    gpuranmar_opencl_generator *g;
    must(gpuranmar_opencl_create(&g, queue, flavour));
    return g;
}

/* A kernel of opencl.cl for a flavour, on so many work-items, whose first arguments are a buffer
 * and a number. NULL if it does not compile. */
static cl_kernel kernel_for(int flavour, const char *name, cl_mem out, cl_ulong number,
                            const char *options = "")
{
    char all[1024];
    gpuranmar_opencl_generator *const g = new_generator(flavour);
    must(gpuranmar_opencl_options(g, all, sizeof all));
    gpuranmar_opencl_destroy(g);
    snprintf(all + strlen(all), sizeof all - strlen(all), " " INCLUDES " %s", options);
    const char *text = "#include \"opencl.cl\"\n";
    cl_int error;
    const cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    if (clBuildProgram(program, 1, &device, all, NULL, NULL) != CL_SUCCESS) {
        static char log[2000];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        fprintf(stderr, "%s is left out: %s\n", name, log);
        return NULL;
    }
    const cl_kernel kernel = clCreateKernel(program, name, &error);
    cl_must(error, name);
    SET(kernel, 0, out);
    SET(kernel, 1, number);
    return kernel;
}

static void fills(int flavour, const std::function<void(void *)> &by_cuda)
{
    const size_t size = flavour == GPURANMAR_SINGLE ? sizeof(float) : sizeof(double);
    const std::string what = std::string("filled, ") + flavours[flavour];
    gpuranmar_opencl_generator *const g = new_generator(flavour);
    const cl_mem out = new_buffer(n * size), states = new_buffer(98 * 2048 * units * sizeof(float));
    void *memory;
    MUST(cudaMalloc(&memory, n * size));
    std::vector<contender> all = {
        {what, "ours", n, [=] { must(gpuranmar_opencl_generate(g, out, 0, n, 0, NULL, NULL)); }},
        {what, "CUDA plugin", n, [=] { by_cuda(memory); }}};
    const auto add = [&](const char *who, const char *name, const char *options) {
        const cl_kernel kernel = kernel_for(flavour, name, out, n, options);
        if (kernel && flavour == GPURANMAR_SINGLE)
            clSetKernelArg(kernel, 2, sizeof states, &states);
        if (kernel)
            all.push_back({what, who, n, [=] { run(kernel, 2048 * units, 256); }});
    };
    add("limit a kernel that writes", "write_plain", "");
    if (flavour == GPURANMAR_SINGLE) {
        must(gpuranmar_opencl_generate(g, states, 0, 98 * 2048 * units, 0, NULL, NULL));
        add("a RANMAR in each work-item", "fill_by_one", "");
    } else
        add("Philox of Random123", "fill_philox", "-D WITH_PHILOX");
    take_turns(all, until_done);
    gpuranmar_opencl_destroy(g);
    clReleaseMemObject(out);
    MUST(cudaFree(memory));
}

static void draws()
{
    const size_t turns = 20000, items = 2048 * units;
    const cl_mem out = new_buffer(sizeof(double)),
                 states = new_buffer(GPURANMAR_OPENCL_STATE_SIZE * items / 32),
                 of_each = new_buffer(98 * items * sizeof(float));
    gpuranmar_opencl_generator *const g = new_generator(GPURANMAR_SINGLE);
    must(gpuranmar_opencl_generate(g, of_each, 0, 98 * items, 0, NULL, NULL));
    std::vector<contender> all;
    const auto add = [&](int flavour, const char *who, const char *name, cl_mem from,
                         const char *options, size_t group) {
        const cl_kernel kernel = kernel_for(flavour, name, out, turns, options);
        if (kernel && from)
            SET(kernel, 2, from);
        if (kernel)
            all.push_back({std::string("drawn in a kernel, ") + flavours[flavour], who,
                           (double)(items * turns), [=] { run(kernel, items, group); }});
    };
    for (int flavour = 0; flavour < (int)(sizeof flavours / sizeof *flavours); ++flavour) {
        gpuranmar_opencl_generator *const of = new_generator(flavour);
        must(gpuranmar_opencl_states(of, states, items / 32, 1 << 30));
        gpuranmar_opencl_destroy(of);
        add(flavour, "ours", "draw", states, "", 32);
        add(flavour, "ours local memory", "draw", states, "-D LOCAL_MEMORY", 32);
    }
    add(GPURANMAR_DOUBLE, "Philox of Random123", "draw_philox", NULL, "-D WITH_PHILOX", 256);
    add(GPURANMAR_SINGLE, "a RANMAR in each work-item", "draw_by_one", of_each, "", 256);
    take_turns(all, until_done);
}

static void deliveries()
{
    const size_t most = 100000000;
    static std::vector<double> pageable(most);
    cl_int error;
    const cl_mem memory = new_buffer(most * sizeof(double)),
                 host = clCreateBuffer(context, CL_MEM_ALLOC_HOST_PTR, most * sizeof(double), NULL,
                                       &error);
    cl_must(error, "clCreateBuffer");
    void *const pinned = clEnqueueMapBuffer(queue, host, CL_TRUE, CL_MAP_WRITE, 0,
                                            most * sizeof(double), 0, NULL, NULL, &error);
    cl_must(error, "clEnqueueMapBuffer");
    for (size_t size = 10000; size <= most; size *= 100) {
        const std::string what = "to the host, " + std::to_string(size) + " at a time";
        gpuranmar_stream *const ahead = open_stream(GPURANMAR_OPENCL, size),
                                *const straight = open_stream(GPURANMAR_OPENCL);
        take_turns({{what, "limit a copy", (double)size,
                     [=] { read_back(memory, pinned, size * sizeof(double)); }},
                    {what, "ours ahead", (double)size,
                     [=] {
                         const double *numbers;
                         MUST(gpuranmar_stream_draw(ahead, &numbers, size));
                     }},
                    {what, "ours pageable", (double)size,
                     [=] { MUST(gpuranmar_stream_fill(straight, pageable.data(), size)); }}},
                   until_done, 5);
        gpuranmar_stream_close(ahead);
        gpuranmar_stream_close(straight);
    }
}

static void queues()
{
    const cl_mem out = new_buffer(1000000 * sizeof(double));
    const cl_kernel nothing = kernel_for(GPURANMAR_DOUBLE, "nothing", out, 1);
    gpuranmar_opencl_generator *const g = new_generator(GPURANMAR_DOUBLE);
    std::vector<contender> all;
    for (size_t size : {10000, 100000, 1000000}) {
        const std::string what = "fills in a queue, of " + std::to_string(size);
        all.push_back({what, "ours", 1,
                       [=] { must(gpuranmar_opencl_generate(g, out, 0, size, 0, NULL, NULL)); }});
        all.push_back({what, "limit an empty kernel", 1, [=] { run(nothing, 1, 1); }});
    }
    take_turns(all, until_done);
}

/* The kernels stand in the cache of binaries since the warming rounds. */
static void starts(const std::string &self)
{
    const auto by = [&](const char *who, const char *how) {
        const std::string command = self + " " + how;
        return contender{"a process with its first number", who, 1,
                         [=] { MUST(system(command.c_str())); }};
    };
    take_turns(
        {by("ours", "opencl"), by("CUDA plugin", "cuda"), by("limit an empty context", "context")},
        until_done, 15);
}

static int start(const std::string &how)
{
    double number;
    if (how == "context") {
        open_device();
        const cl_mem memory = new_buffer(sizeof number);
        MUST(
            clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, sizeof number, &number, 0, NULL, NULL));
        return 0;
    }
    MUST(gpuranmar_stream_get(open_stream(how == "cuda" ? GPURANMAR_CUDA : GPURANMAR_OPENCL),
                              &number, 1));
    return 0;
}

static void rates()
{
    gpuranmar_cuda_generator *doubles, *singles;
    MUST(gpuranmar_cuda_create(&doubles, GPURANMAR_DOUBLE));
    MUST(gpuranmar_cuda_create(&singles, GPURANMAR_SINGLE));
    fills(GPURANMAR_DOUBLE,
          [=](void *to) { MUST(gpuranmar_cuda_generate_double(doubles, (double *)to, n)); });
    fills(GPURANMAR_SINGLE,
          [=](void *to) { MUST(gpuranmar_cuda_generate_single(singles, (float *)to, n)); });
    draws();
    deliveries();
}

int main(int argc, char **argv)
{
    const std::string how = argc > 1 ? argv[1] : "";
    if (how != "rates" && how != "calls")
        return start(how);
    tap_need_gpu("measure");
    open_device();
    MUST(clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
    if (how == "rates")
        rates();
    else {
        queues();
        starts(argv[0]);
    }
    return 0;
}
