/* The CPU in place of a GPU, for the tests: what gpuranmar_hardware.cuh needs. The lanes of a warp
 * are fibers (ucontext). Each runs until it must meet the others, and they take their turns in
 * ascending or in descending order. If a sync_warp() is missing, some lane reads in one of the two
 * orders what another has not written yet. */
#ifndef RANMAR_EMULATED_HARDWARE_H
#define RANMAR_EMULATED_HARDWARE_H

#include <stdint.h>
#include <string.h>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(threads)
#define __shared__ static /* one block runs at a time */

namespace emulated
{

/* Stops the lane until all lanes of its warp are here. The lane gives `value`, and the result is
 * what each lane has given, valid until the next meeting but one. Lanes that meet at different
 * sites have missed each other. */
const uint64_t *meet(const char *site, uint64_t value);

/* A sync_warp() at a line of a file; those that are left out do nothing. */
void sync(const char *file, int line);

struct index {
    unsigned x;
};
unsigned lane();

} // namespace emulated

extern emulated::index threadIdx, blockIdx, blockDim;

/* --- CUDA's functions --- */

static inline void __threadfence() {}

template <class Number> static inline void atomicAdd(Number *sum, Number summand)
{
    *sum += summand;
}

template <class Value> static inline Value __shfl_sync(unsigned, Value value, int from)
{
    static_assert(sizeof value <= sizeof(uint64_t), "");
    uint64_t given = 0;
    memcpy(&given, &value, sizeof value);
    memcpy(&value, &emulated::meet("shuffle", given)[from & 31], sizeof value);
    return value;
}

static inline unsigned __ballot_sync(unsigned, bool vote)
{
    const uint64_t *const given = emulated::meet("ballot", vote);
    unsigned mask = 0;
    for (unsigned l = 0; l < 32; ++l)
        mask |= (unsigned)given[l] << l;
    return mask;
}

static inline int __popc(unsigned mask)
{
    return __builtin_popcount(mask);
}

static inline uint32_t __funnelshift_r(uint32_t lower, uint32_t upper, uint32_t bits)
{
    return (uint32_t)(((uint64_t)upper << 32 | lower) >> bits);
}

static inline uint32_t __viaddmin_u32(uint32_t a, uint32_t b, uint32_t c)
{
    return a + b < c ? a + b : c;
}

static inline double __hiloint2double(int upper, int lower)
{
    const uint64_t bits = (uint64_t)upper << 32 | (uint32_t)lower;
    double u;
    memcpy(&u, &bits, sizeof u);
    return u;
}

static inline int __double2hiint(double u)
{
    uint64_t bits;
    memcpy(&bits, &u, sizeof bits);
    return (int)(bits >> 32);
}

static inline int __double2loint(double u)
{
    uint64_t bits;
    memcpy(&bits, &u, sizeof bits);
    return (int)bits;
}

template <class Number> static inline void __stcs(Number *to, Number number)
{
    *to = number;
}

/* --- gpuranmar_hardware.cuh's --- */

namespace gpuranmar
{

inline unsigned lane_number()
{
    return emulated::lane();
}

inline unsigned lanes_before()
{
    return (1u << lane_number()) - 1;
}

inline void sync_warp(const char *file = __builtin_FILE(), int line = __builtin_LINE())
{
    emulated::sync(file, line);
}

enum untestable_tag { untestable };
inline void sync_warp(untestable_tag)
{
    emulated::meet("sync_warp", 0);
}

inline uint64_t add_with_carry(uint64_t a, uint64_t b, uint32_t &carry)
{
    carry = a + b < a;
    return a + b;
}

inline void wait_for_previous_kernel() {}
inline void let_next_kernel_start() {}

} // namespace gpuranmar

#endif
