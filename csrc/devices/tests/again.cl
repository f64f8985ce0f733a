/* A user's kernel for test_opencl_calls.c, in which each sequence skips by another distance, and then
 * starts again and again, at the same time as those of other work-groups: each time it gives the
 * same row. */
#include "gpuranmar_device.cl"

GPURANMAR_KERNEL void again(__global gpuranmar_state *states, __global const ulong *jumps,
                            ulong distance, uint skips, uint times, __global gpuranmar_number *out)
{
    __local gpuranmar_workspace workspace;
    const uint s = gpuranmar_segment(), lane = get_local_id(0) % GPURANMAR_LANES;
    gpuranmar_source source;
    gpuranmar_load(&source, &workspace, states + s);
    for (uint skip = 0; skip < skips; ++skip)
        gpuranmar_skip(&source, jumps, distance >> s);
    gpuranmar_store(&source, states + s);
    if (GPURANMAR_LANES > 1)
        barrier(CLK_GLOBAL_MEM_FENCE);
    gpuranmar_load(&source, &workspace, states + s);
    for (uint time = 0; time < times; ++time) {
        out[(s * times + time) * GPURANMAR_LANES + lane] = gpuranmar_next(&source);
        gpuranmar_load(&source, &workspace, states + s);
    }
}
