/* What the kernels need of their hardware beyond CUDA's own functions. The rest of the device code
 * is the same for CUDA (nvcc, NVRTC, clang) and for the CPU that plays a GPU in the tests
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

/* What a lane wrote to shared or global memory before this, the others can read after it. (warp) */
__device__ __forceinline__ void sync_warp()
{
    __syncwarp();
}

/* sync_warp(untestable) is for calls right after a shuffle, or for data that other warps read. CUDA
 * requires these calls, but the test that leaves out each sync_warp() in turn could not detect that
 * one of them is missing. (warp) */
enum untestable_tag { untestable };
__device__ __forceinline__ void sync_warp(untestable_tag)
{
    __syncwarp();
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

/* A kernel may start before the kernel queued ahead of it has ended. This waits until that kernel
 * has ended. Call it before any write, and before reading what that kernel writes. */
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

#endif

/* The value that lane `from` % 32 gives. (warp) */
template <class Value> __device__ __forceinline__ Value shuffle(Value value, unsigned from)
{
    return __shfl_sync(all_lanes, value, (int)from);
}

} // namespace gpuranmar

#endif
