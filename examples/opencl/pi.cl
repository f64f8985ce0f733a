/* Each work-item counts how many of `rows` pairs of numbers lie inside the circle. */
#include "gpuranmar_device.cl"
#pragma OPENCL FP_CONTRACT OFF /* as the CPU computes */

GPURANMAR_KERNEL void count_inside(__global const gpuranmar_state *states, __global ulong *inside,
                                   ulong rows)
{
    __local gpuranmar_workspace workspace;
    gpuranmar_source numbers;
    gpuranmar_load(&numbers, &workspace, &states[gpuranmar_segment()]);
    ulong count = 0;
    for (ulong row = 0; row < rows; ++row) {
        const double x = gpuranmar_next(&numbers);
        const double y = gpuranmar_next(&numbers);
        count += x * x + y * y < 1;
    }
    inside[get_global_id(0)] = count;
}
