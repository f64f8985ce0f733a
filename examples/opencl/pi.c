/* Monte Carlo pi in OpenCL: 1024 groups of work-items draw in the kernel pi.cl, each from a segment
 * of one sequence. The CPU must count as many.
 *
 *     pi [ROWS]      each group draws ROWS times 32 pairs; 1000 unless given */
#include "host.h"

enum { GROUPS = 1024, LANES = 32 };

/* The same on the CPU. As in the kernel, 64 numbers make 32 pairs: numbers l and l + 32. */
static cl_ulong count_on_cpu(cl_ulong rows)
{
    gpuranmar_stream *stream;
    must(gpuranmar_stream_initialise(&stream, NULL));
    cl_ulong count = 0;
    for (cl_ulong row = 0; row < GROUPS * rows; ++row) {
        double u[2 * LANES];
        must(gpuranmar_stream_get(stream, u, 2 * LANES));
        for (int l = 0; l < LANES; ++l)
            count += u[l] * u[l] + u[LANES + l] * u[LANES + l] < 1;
    }
    gpuranmar_stream_close(stream);
    return count;
}

int main(int argc, char **argv)
{
    const cl_ulong rows = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
    static cl_ulong inside[GROUPS * LANES];
    gpuranmar_opencl_generator *g;
    open_device();
    must(gpuranmar_opencl_create(&g, queue, GPURANMAR_DOUBLE));
    cl_mem states = new_buffer(GROUPS * GPURANMAR_OPENCL_STATE_SIZE);
    cl_mem counts = new_buffer(sizeof inside);
    must(gpuranmar_opencl_states(g, states, GROUPS, 2 * LANES * rows));
    const cl_kernel kernel = new_kernel(g, "pi.cl", "count_inside");
    SET(kernel, 0, states);
    SET(kernel, 1, counts);
    SET(kernel, 2, rows);
    run(kernel, GROUPS * LANES, LANES);
    read_back(counts, inside, sizeof inside);
    cl_ulong count = 0;
    for (int i = 0; i < GROUPS * LANES; ++i)
        count += inside[i];
    printf("# pi = %.6f\n", 4.0 * (double)count / (double)(GROUPS * LANES * rows));
    const int good = count == count_on_cpu(rows);
    printf("%sok 1 - the CPU counts as many\n1..1\n", good ? "" : "not ");
    return !good;
}
