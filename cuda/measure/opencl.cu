/* Numbers by OpenCL on an NVIDIA GPU, beside the CUDA plugin and plain kernels. Run from the root
 * of the sources, where the kernels are (opencl.cl). */
#include "host.h"
#include "measure.h"

static cl_uint units;      /* multiprocessors */
static cl_ulong allocable; /* bytes in one buffer */

/* A kernel, whose first arguments are a buffer and a number. */
static cl_kernel kernel_for(const gpuranmar_opencl_generator *g, const char *file, const char *name,
                            cl_mem out, cl_ulong number)
{
    const cl_kernel kernel = new_kernel(g, file, name);
    SET(kernel, 0, out);
    SET(kernel, 1, number);
    return kernel;
}

static void contend(std::vector<contender> &all, int flavour, cl_mem out, void *memory)
{
    const size_t turns = 20000, items = 2048 * units;
    const std::string name = flavours[flavour];
    gpuranmar_opencl_generator *g;
    gpuranmar_cuda_generator *const by_cuda = new_cuda_generator(flavour);
    must(gpuranmar_opencl_create(&g, queue, flavour));
    const cl_kernel plain = kernel_for(g, "opencl.cl", "write_plain", out, many),
                    nothing = kernel_for(g, "opencl.cl", "write_plain", out, 0);
    for (size_t n : {many, size_t(10000)}) {
        if (n * sizeof(double) > allocable)
            continue;
        const std::string what = "OpenCL: filled " + std::to_string(n) + ", " + name;
        all.push_back({what, "ours", (double)n,
                       [=] { must(gpuranmar_opencl_generate(g, out, 0, n, 0, NULL, NULL)); }});
        all.push_back({what, "the CUDA plugin", (double)n,
                       [=] { fill_by_cuda(by_cuda, flavour, memory, n); }});
        if (n == many)
            all.push_back({what, "limit a kernel that writes", (double)n,
                           [=] { run(plain, 2048 * units, 256); }});
        else
            all.push_back({what, "limit an empty kernel", (double)n, [=] { run(nothing, 1, 1); }});
    }
    const cl_mem states = new_buffer(GPURANMAR_OPENCL_STATE_SIZE * items / 32);
    must(gpuranmar_opencl_states(g, states, items / 32, 1 << 30));
    for (bool by_memory : {false, true}) {
        const cl_kernel drawing =
            kernel_for(g, by_memory ? "local_memory.cl" : "opencl.cl", "draw", out, turns);
        SET(drawing, 2, states);
        all.push_back({"OpenCL: drawn, " + name, by_memory ? "ours local memory" : "ours",
                       (double)(items * turns), [=] { run(drawing, items, 32); }});
    }
}

int main()
{
    tap_need_gpu("measure");
    open_device();
    MUST(clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
    MUST(clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof allocable, &allocable, NULL));
    const size_t most = 100000000;
    static std::vector<double> pageable(most);
    const bool is_small = many * sizeof(double) > allocable;
    if (is_small)
        fprintf(stderr, "measure-opencl: no fills of %zu numbers: a buffer has %zu bytes at most\n",
                many, (size_t)allocable);
    const cl_mem out = new_buffer(is_small ? most : many * sizeof(double));
    void *memory;
    MUST(cudaMalloc(&memory, many * sizeof(double)));
    const auto finish = [] {
        MUST(cudaDeviceSynchronize());
        MUST(clFinish(queue));
    };
    for (int flavour = 0; flavour < (int)(sizeof flavours / sizeof *flavours); ++flavour) {
        std::vector<contender> all;
        contend(all, flavour, out, memory);
        take_turns(all, 7, finish);
    }
    std::vector<contender> all;
    for (size_t n = 10000; n <= most; n *= 100)
        add_deliveries(all, "OpenCL: to pageable memory, " + std::to_string(n), GPURANMAR_OPENCL, n,
                       pageable.data());
    take_turns(all, 5, finish);
    return 0;
}
