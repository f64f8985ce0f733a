/* What `gpuranmar device-check` measures beside a fill, after kernels.cl: a plain kernel that
 * writes, one that does nothing, and numbers that are summed in a kernel. */
__kernel void write_plain(__global gpuranmar_number *out, ulong n)
{
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = (gpuranmar_number)i;
}

__kernel void nothing(__global gpuranmar_number *out, ulong n)
{
    if (n == 0)
        out[0] = 0;
}

/* Each segment has `rows` rows; out gets the sum of each place in a row, in the order of the
 * sequence. A device without doubles adds their bits. */
GPURANMAR_KERNEL void sum(__global const gpuranmar_state *from, __global const ulong *jumps,
                          __global gpuranmar_number *out, ulong rows)
{
    __local gpuranmar_workspace workspaces[GPURANMAR_SEGMENTS];
    gpuranmar_source g;
    gpuranmar_number u[RANMAR_OWN], sums[RANMAR_OWN];
    ranmar_load_after(&g, workspaces, from, jumps, gpuranmar_segment() * rows * RANMAR_ROW);
    RANMAR_FOR_LANES(l) sums[l / GPURANMAR_LANES] = 0;
#if GPURANMAR_LANES > 1 /* the words go through the registers in three rows */
#pragma unroll 6
#endif
    for (ulong r = 0; r < rows; ++r) {
        ranmar_make_row(&g, 1, u);
        RANMAR_FOR_LANES(l) sums[l / GPURANMAR_LANES] += u[l / GPURANMAR_LANES];
    }
    RANMAR_FOR_LANES(l) out[gpuranmar_segment() * RANMAR_ROW + l] = sums[l / GPURANMAR_LANES];
}
