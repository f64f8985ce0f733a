/* Sums numbers, in integers of 2^-32, so that the order does not matter: each work-group its part. */
__kernel void sum(__global const double *numbers, ulong n, __global ulong *sums)
{
    __local ulong part[64];
    const uint l = get_local_id(0);
    ulong own = 0;
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))
        own += (ulong)(numbers[i] * 4294967296.0);
    part[l] = own;
    for (uint width = 32; width > 0; width /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < width)
            part[l] += part[l + width];
    }
    if (l == 0)
        sums[get_group_id(0)] = part[0];
}
