/* What `gpuranmar device-check` measures beside a fill, after kernels.cl: a plain kernel that
 * writes, one that does nothing, and numbers that are summed in a kernel. */
__kernel void write_plain(__global number *out, ulong n)
{
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = (number)i;
}

__kernel void nothing(__global number *out, ulong n)
{
    if (n == 0)
        out[0] = 0;
}

/* Each segment has `rows` rows; out gets the sum of each place in a row, in the order of the
 * sequence. A device without doubles adds their bits. */
#if BITS == 24
typedef float summand;
#define VALUE(bits) as_float(bits)
#elif defined(cl_khr_fp64)
typedef double summand;
#define VALUE(bits) as_double(bits)
#else
typedef ulong summand;
#define VALUE(bits) (bits)
#endif
__kernel void sum(__global const state *from, __global const ulong *jumps, __global summand *out,
                  ulong rows)
{
    __local workspace workspaces[SEGMENTS];
    __local workspace *const w = workspaces + get_local_id(0) / LANES;
    words g;
    arithmetic c[OWN];
    number u[OWN];
    summand sums[OWN];
    go_to(&g, c, w, from, jumps, get_global_id(0) / LANES * rows * ROW);
    FOR_LANES(l) sums[l / LANES] = 0;
    for (ulong r = 0; r < rows; ++r) {
        make_row(&g, w, c, u);
        FOR_LANES(l) sums[l / LANES] += VALUE(u[l / LANES]);
    }
    FOR_LANES(l) out[get_global_id(0) / LANES * ROW + l] = sums[l / LANES];
}
