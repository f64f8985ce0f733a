/* The kernels of opencl.cu, beside those of device-check: numbers of gpuranmar_device.cl that are
 * summed and not written, and peers. */
#ifdef LOCAL_MEMORY
#undef RANMAR_SHUFFLES
#endif
#include "gpuranmar_device.cl"
#include "measure.cl" /* write_plain and nothing */

/* A sum is never negative; comparing it keeps the compiler from dropping it. */
__kernel void draw(__global gpuranmar_number *out, ulong turns, __global const gpuranmar_state *states)
{
    __local gpuranmar_workspace workspace;
    gpuranmar_source g;
    gpuranmar_number sum = 0;
    gpuranmar_load(&g, &workspace, &states[gpuranmar_segment()]);
#pragma unroll 6 /* the words go through the registers in three rows */
    for (uint i = 0; i < (uint)turns; ++i)
        sum += gpuranmar_next(&g);
    if (sum < 0)
        out[0] = sum;
}

#if GPURANMAR_BITS == 24
/* RANMAR as PRNGCL has it: 24 bits in floats, and each work-item has a state of its own in global
 * memory, word k of all of them side by side. Its 97 words go round; word 97 is the arithmetic
 * part. */
typedef struct {
    __global float *x;
    float c;
    uint i, j;
} ranmar_of_one;

static ranmar_of_one begin_one(__global float *states)
{
    const ranmar_of_one r = {states + get_global_id(0),
                             states[97 * get_global_size(0) + get_global_id(0)], 96, 32};
    return r;
}

static float next_of_one(ranmar_of_one *r)
{
    float u = r->x[r->i * get_global_size(0)] - r->x[r->j * get_global_size(0)];
    u = u < 0 ? u + 1 : u;
    r->x[r->i * get_global_size(0)] = u;
    r->i = r->i == 0 ? 96 : r->i - 1;
    r->j = r->j == 0 ? 96 : r->j - 1;
    r->c -= 7654321 / 16777216.0f;
    r->c = r->c < 0 ? r->c + 16777213 / 16777216.0f : r->c;
    u -= r->c;
    return u < 0 ? u + 1 : u;
}

__kernel void fill_by_one(__global float *out, ulong n, __global float *states)
{
    ranmar_of_one r = begin_one(states);
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = next_of_one(&r);
}

__kernel void draw_by_one(__global float *out, ulong turns, __global float *states)
{
    ranmar_of_one r = begin_one(states);
    float sum = 0;
    for (ulong i = 0; i < turns; ++i)
        sum += next_of_one(&r);
    if (sum < 0)
        out[0] = sum;
}
#elif defined(WITH_PHILOX)
#include <Random123/philox.h>

/* Two doubles of the same form as ours from 128 bits. */
static double2 philox_at(ulong i)
{
    const philox4x32_ctr_t counter = {{(uint)i, (uint)(i >> 32), 0, 0}};
    const philox4x32_key_t key = {{1234, 5678}};
    const philox4x32_ctr_t made = philox4x32(counter, key);
    const ulong2 bits = {(ulong)made.v[1] << 32 | made.v[0], (ulong)made.v[3] << 32 | made.v[2]};
    return as_double2(0x3ff0000000000000UL | bits >> 12) - 1.0;
}

__kernel void fill_philox(__global double2 *out, ulong n)
{
    for (ulong i = get_global_id(0); i < n / 2; i += get_global_size(0))
        out[i] = philox_at(i);
}

__kernel void draw_philox(__global double *out, ulong turns)
{
    double2 sum = 0;
    for (ulong i = 0; i < turns / 2; ++i)
        sum += philox_at(i * get_global_size(0) + get_global_id(0));
    if (sum.x + sum.y < 0)
        out[0] = sum.x;
}
#endif
