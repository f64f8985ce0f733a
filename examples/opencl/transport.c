/* The cascade of ../cuda/transport.h in OpenCL: the host's side of transport.cl. The deposits agree
 * with the CPU's bit for bit.
 *
 *     transport [showers]      200 unless given */
#include "host.h"

#include <string.h>

#include "transport.h"

enum { GROUPS = 64, SUMS = TRANSPORT_BINS + 1, ITEMS = GROUPS * TRANSPORT_LANES };

int main(int argc, char **argv)
{
    const cl_long showers = argc > 1 ? atoll(argv[1]) : 200;
    static cl_long sums[ITEMS][SUMS], got[SUMS];
    int64_t want[SUMS] = {0};
    gpuranmar_opencl_generator *g;
    open_device();
    must(gpuranmar_opencl_create(&g, queue, GPURANMAR_DOUBLE));
    cl_mem states = new_buffer(GROUPS * GPURANMAR_OPENCL_STATE_SIZE), all = new_buffer(sizeof sums);
    must(gpuranmar_opencl_states(g, states, GROUPS, TRANSPORT_DISTANCE));
    const cl_kernel kernel = new_kernel(g, "transport.cl", "transport");
    cl_must(clEnqueueWriteBuffer(queue, all, CL_TRUE, 0, sizeof sums, sums, 0, NULL, NULL),
            "clEnqueueWriteBuffer");
    SET(kernel, 0, states);
    SET(kernel, 1, showers);
    SET(kernel, 2, all);
    double began = seconds();
    run(kernel, ITEMS, TRANSPORT_LANES);
    read_back(all, sums, sizeof sums);
    for (int item = 0; item < ITEMS; ++item)
        for (int i = 0; i < SUMS; ++i)
            got[i] += sums[item][i];
    const double device_took = seconds() - began;
    began = seconds();
    for (int w = 0; w < GROUPS; ++w)
        want[TRANSPORT_BINS] +=
            transport_on_cpu(54217137, (uint64_t)w * TRANSPORT_DISTANCE, w, GROUPS, showers, want);
    printf("# %lld showers, %lld steps: the device %.1f ms, one core %.1f ms\n", (long long)showers,
           (long long)want[TRANSPORT_BINS], 1e3 * device_took, 1e3 * (seconds() - began));
    return done(memcmp(got, want, sizeof got) == 0, "the same deposits and steps as on the CPU");
}
