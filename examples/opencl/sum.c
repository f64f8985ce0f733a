/* A reduction in OpenCL, with the time of each part: numbers are made in a buffer, in order with
 * the kernel that sums them (sum.cl), and copied. The CPU's sum is the same.
 *
 *     sum [numbers]      2^22 unless given */
#include "host.h"

enum { GROUPS = 256, ITEMS = 64 };

/* Waits for the queue, and prints what was done since the last time. */
static void lap(const char *what)
{
    static double last;
    cl_must(clFinish(queue), "clFinish");
    if (what)
        printf("# %-30s %8.3f ms\n", what, 1e3 * (seconds() - last));
    last = seconds();
}

static cl_ulong sum_on_cpu(const double *numbers, cl_ulong n)
{
    cl_ulong sum = 0;
    for (cl_ulong i = 0; i < n; ++i)
        sum += (cl_ulong)(numbers[i] * 4294967296.0);
    return sum;
}

int main(int argc, char **argv)
{
    const cl_ulong n = argc > 1 ? strtoull(argv[1], NULL, 10) : 1 << 22;
    double *const numbers = malloc(n * sizeof *numbers);
    cl_ulong sums[GROUPS], sum = 0;
    gpuranmar_opencl_generator *g;
    open_device();
    lap(NULL);
    must(gpuranmar_opencl_create(&g, queue, GPURANMAR_DOUBLE));
    const cl_kernel kernel = new_kernel(g, "sum.cl", "sum");
    lap("compile, or find the binaries");
    cl_mem buffer = new_buffer(n * sizeof *numbers), parts = new_buffer(sizeof sums);
    must(gpuranmar_opencl_generate(g, buffer, 0, n, 0, NULL, NULL));
    lap("make the numbers");
    SET(kernel, 0, buffer);
    SET(kernel, 1, n);
    SET(kernel, 2, parts);
    run(kernel, GROUPS * ITEMS, ITEMS);
    lap("reduce in work-groups");
    read_back(parts, sums, sizeof sums);
    for (int i = 0; i < GROUPS; ++i)
        sum += sums[i];
    lap("copy the sums and add them");
    read_back(buffer, numbers, n * sizeof *numbers);
    lap("copy all numbers to the host");
    const int copied = sum_on_cpu(numbers, n) == sum;
    lap("reduce on the CPU");
    gpuranmar_stream *const stream = on_cpu();
    must(gpuranmar_stream_fill(stream, numbers, n));
    lap("make the numbers on the CPU");
    printf("# mean %.9f\n", (double)sum / 4294967296.0 / (double)n);
    return done(copied && sum_on_cpu(numbers, n) == sum, "the CPU's sum is the same");
}
