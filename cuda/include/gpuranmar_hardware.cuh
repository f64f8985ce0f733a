/* What the kernels need of their hardware, in one place: the rest of the device code is the same
 * for CUDA (nvcc, NVRTC, clang) and for the CPU that plays a GPU in the tests
 * (cuda/tests/emulated/).
 *
 * A warp is 32 threads that go on together. The functions marked (warp) exchange something between
 * the lanes: all 32 lanes of the warp must call them together. */
#ifndef GPURANMAR_HARDWARE_CUH
#define GPURANMAR_HARDWARE_CUH

#include "gpuranmar_definition.h"

#ifndef __CUDACC__
#include "emulated_hardware.h" /* the tests' */
#endif

namespace gpuranmar
{

constexpr unsigned warp_size = 32, all_lanes = 0xffffffffu;

#if defined(__CUDACC__)

__device__ __forceinline__ unsigned lane_number()
{
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

/* A mask of the lanes before this one. */
__device__ __forceinline__ unsigned lanes_before()
{
    unsigned mask;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return mask;
}

/* The value that lane `from` % 32 gives. (warp) */
template <class Value> __device__ __forceinline__ Value shuffle(Value value, unsigned from)
{
    return __shfl_sync(all_lanes, value, (int)from);
}

/* A mask of the lanes whose `vote` is true. (warp) */
__device__ __forceinline__ unsigned ballot(bool vote)
{
    return __ballot_sync(all_lanes, vote);
}

/* What a lane wrote to shared or global memory before this, the others can read after it. (warp) */
__device__ __forceinline__ void sync_warp()
{
    __syncwarp();
}

/* sync_warp(unseen) is for calls right after a shuffle, or for the sake of other warps. The
 * language requires these too, but the test that leaves out each sync_warp() in turn could not see
 * that one is missing. (warp) */
enum unseen_tag { unseen };
__device__ __forceinline__ void sync_warp(unseen_tag)
{
    __syncwarp();
}

/* The lower word of upper:lower shifted right by 0..31 bits. */
__device__ __forceinline__ uint32_t funnel_shift_right(uint32_t lower, uint32_t upper,
                                                       unsigned bits)
{
    return __funnelshift_r(lower, upper, bits);
}

/* min(a + b, c), where a + b may wrap: one instruction from compute capability 9.0 on. */
__device__ __forceinline__ uint32_t least_of_sum(uint32_t a, uint32_t b, uint32_t c)
{
    return __viaddmin_u32(a, b, c);
}

/* a + b, and whether that is beyond 64 bits: 0 or 1. */
__device__ __forceinline__ uint64_t add_with_carry(uint64_t a, uint64_t b, uint32_t &carry)
{
    uint32_t lower, upper;
    asm("add.cc.u32 %0, %3, %5;\n\taddc.cc.u32 %1, %4, %6;\n\taddc.u32 %2, 0, 0;"
        : "=&r"(lower), "=&r"(upper), "=r"(carry)
        : "r"((uint32_t)a), "r"((uint32_t)(a >> 32)), "r"((uint32_t)b), "r"((uint32_t)(b >> 32)));
    return (uint64_t)upper << 32 | lower;
}

/* Writes what this kernel will not read again. */
template <class Number> __device__ __forceinline__ void write_through(Number *to, Number number)
{
    __stcs(to, number);
}

/* A kernel may start before the one queued ahead of it has ended. This waits until that has ended:
 * reads of what it writes, and all writes, come after. */
__device__ __forceinline__ void wait_for_previous_kernel()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* Lets the kernel queued behind this one start, up to its own wait_for_previous_kernel(). */
__device__ __forceinline__ void let_next_kernel_start()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

__device__ __forceinline__ unsigned count_bits(unsigned mask)
{
    return (unsigned)__popc(mask);
}

__device__ __forceinline__ double double_of_bits(uint32_t upper, uint32_t lower)
{
    return __hiloint2double((int)upper, (int)lower);
}

__device__ __forceinline__ uint32_t upper_bits(double u)
{
    return (uint32_t)__double2hiint(u);
}

__device__ __forceinline__ uint32_t lower_bits(double u)
{
    return (uint32_t)__double2loint(u);
}

/* The upper 64 bits of a product. */
__device__ __forceinline__ uint64_t upper_product(uint64_t a, uint64_t b)
{
    return __umul64hi(a, b);
}

#endif

} // namespace gpuranmar

#endif
