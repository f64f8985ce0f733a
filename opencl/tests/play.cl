/* A user's kernel for test_opencl_calls.c: each sequence follows a script of steps. A step is two
 * words: `what` is done, and `how`. Row `step` of a sequence's part of out gets the numbers drawn. */
#include "gpuranmar_device.cl"

GPURANMAR_KERNEL void play(__global gpuranmar_state *states, __global const ulong *jumps,
                           __global const ulong *script, uint steps,
                           __global gpuranmar_number *out)
{
    __local gpuranmar_workspace workspace;
    const uint s = gpuranmar_segment(), lane = get_local_id(0) % GPURANMAR_LANES;
    gpuranmar_source source;
    gpuranmar_load(&source, &workspace, states + s);
    for (uint step = 0; step < steps; ++step) {
        const ulong what = script[2 * step], how = script[2 * step + 1];
        __global gpuranmar_number *const row = out + (s * steps + step) * 32;
        if (what == 0) {
            row[lane] = gpuranmar_next(&source);
        } else if (what == 1) {
            /* in each sequence other work-items want a number */
            const int want = rotate(how, (ulong)s) >> lane & 1;
            const gpuranmar_number u = gpuranmar_draw(&source, want);
            if (want)
                row[lane] = u;
            barrier(CLK_LOCAL_MEM_FENCE); /* for PoCL: see gpuranmar_device.cl */
        } else if (what == 2) {
            gpuranmar_skip(&source, jumps, how >> s);
        } else {
            gpuranmar_store(&source, states + s);
            if (GPURANMAR_LANES > 1)
                barrier(CLK_GLOBAL_MEM_FENCE);
            gpuranmar_load(&source, &workspace, states + s);
        }
    }
    gpuranmar_store(&source, states + s);
}
