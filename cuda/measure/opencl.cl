/* The kernels of opencl.cu: numbers that are summed and not written, and a plain kernel. */
#include "gpuranmar_device.cl"

__kernel void write_plain(__global gpuranmar_number *out, ulong n)
{
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = (gpuranmar_number)i;
}

/* A sum is never negative; comparing it keeps the compiler from dropping it. */
GPURANMAR_KERNEL void draw(__global gpuranmar_number *out, ulong turns,
                           __global const gpuranmar_state *states)
{
    __local gpuranmar_workspace workspace;
    gpuranmar_source g;
    gpuranmar_number sum = 0;
    gpuranmar_load(&g, &workspace, &states[gpuranmar_segment()]);
#pragma unroll 6 /* a multiple of 3: no moves of words among the registers of three rows */
    for (uint i = 0; i < (uint)turns; ++i)
        sum += gpuranmar_next(&g);
    if (sum < 0)
        out[0] = sum;
}
