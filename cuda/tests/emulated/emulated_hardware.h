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

static inline void __threadfence() {}

template <class Number> static inline void atomicAdd(Number *sum, Number summand)
{
    *sum += summand;
}

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

template <class Value> inline Value shuffle(Value value, unsigned from)
{
    static_assert(sizeof value <= sizeof(uint64_t), "");
    uint64_t given = 0;
    memcpy(&given, &value, sizeof value);
    memcpy(&value, &emulated::meet("shuffle", given)[from % 32], sizeof value);
    return value;
}

inline unsigned ballot(bool vote)
{
    const uint64_t *const given = emulated::meet("ballot", vote);
    unsigned mask = 0;
    for (unsigned l = 0; l < 32; ++l)
        mask |= (unsigned)given[l] << l;
    return mask;
}

inline void sync_warp(const char *file = __builtin_FILE(), int line = __builtin_LINE())
{
    emulated::sync(file, line);
}

enum unseen_tag { unseen };
inline void sync_warp(unseen_tag)
{
    emulated::meet("sync_warp", 0);
}

inline unsigned count_bits(unsigned mask)
{
    return (unsigned)__builtin_popcount(mask);
}

inline uint32_t funnel_shift_right(uint32_t lower, uint32_t upper, unsigned bits)
{
    return (uint32_t)(((uint64_t)upper << 32 | lower) >> bits);
}

inline uint32_t least_of_sum(uint32_t a, uint32_t b, uint32_t c)
{
    return a + b < c ? a + b : c;
}

inline uint64_t add_with_carry(uint64_t a, uint64_t b, uint32_t &carry)
{
    carry = a + b < a;
    return a + b;
}

inline double double_of_bits(uint32_t upper, uint32_t lower)
{
    const uint64_t bits = (uint64_t)upper << 32 | lower;
    double u;
    memcpy(&u, &bits, sizeof u);
    return u;
}

inline uint64_t bits_of(double u)
{
    uint64_t bits;
    memcpy(&bits, &u, sizeof bits);
    return bits;
}

inline uint32_t upper_bits(double u)
{
    return (uint32_t)(bits_of(u) >> 32);
}
inline uint32_t lower_bits(double u)
{
    return (uint32_t)bits_of(u);
}

inline uint64_t upper_product(uint64_t a, uint64_t b)
{
    return (uint64_t)((unsigned __int128)a * b >> 64);
}

template <class Number> inline void write_through(Number *to, Number number)
{
    *to = number;
}

inline void wait_for_previous_kernel() {}
inline void let_next_kernel_start() {}

} // namespace gpuranmar

#endif
