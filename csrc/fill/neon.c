/* NEON for loop.h, which every 64-bit Arm CPU has; for little-endian programs only.
 *
 * SVE has no file. On CPUs with 128-bit SVE it gains nothing over NEON, and CPUs with
 * 256-bit SVE have half as many units for it. */
#if defined(__aarch64__) && !defined(__AARCH64EB__)
#include <arm_neon.h>

#include "fill/instruction_sets.h"

typedef uint64x2_t __attribute__((may_alias)) vec;
#define WORDS_64 2
#define WORDS_32 4
#define UNROLL RANMAR_UNROLL(16)
#define MULTIPLY(a, b) vmull_u32(vmovn_u64(a), vmovn_u64(b))
#define REGISTER "w"
#define WORDS_IN_REGISTERS 0
#define HAS_REFILL 1
#define HAS_WIDE_NUMBERS 0
#define HAS_NON_TEMPORAL_STORES 0
#define AS_32 vreinterpretq_u32_u64
#define AS_64 vreinterpretq_u64_u32

INLINE vec align_64(vec a, vec b)
{
    return vextq_u64(a, b, 1);
}

INLINE vec align_32(vec a, vec b)
{
    return AS_64(vextq_u32(AS_32(a), AS_32(b), 3));
}

INLINE vec high_32(const vec *words)
{
    return vshrq_n_u64(*words, 16);
}

/* The conversion reads a fixed-point fraction, whose unit is 2^-64 or 2^-32. The shift drops the
 * bits above a word, which have no meaning. */
INLINE void numbers_64(vec u, char *out, enum ranmar_store store)
{
    const float64x2_t r = vcvtq_n_f64_u64(vshlq_n_u64(u, 16), 64);
    const float64x2_t numbers = vmaxq_f64(r, vdupq_n_f64(0x1p-48));
    __builtin_memcpy(out, &numbers, sizeof numbers);
    (void)store;
}

INLINE void numbers_32(vec u, char *out, enum ranmar_store store)
{
    const float32x4_t r = vcvtq_n_f32_u32(vshlq_n_u32(AS_32(u), 8), 32);
    const float32x4_t numbers = vmaxq_f32(r, vdupq_n_f32(0x1p-24f));
    __builtin_memcpy(out, &numbers, sizeof numbers);
    (void)store;
}

#include "fill/loop.h"

const struct ranmar_simd ranmar_neon = {"neon", ranmar_always, refill_loop, array_loop, words_loop};
#endif
