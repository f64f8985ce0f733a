/* The SIMD levels: fill_template.h instantiated for each instruction set and precision.
 *
 * In double precision a word is held where the mantissa of a double has it (48 bits, 4 zero bits
 * below), with whatever subtraction leaves in the 12 bits above; masking them and setting the
 * exponent of 1 gives 1 + u exactly, and the subtraction of 1 is exact too. In single precision a
 * word fills the top 24 of 32 bits, and the arithmetic part the low 24, which leaves it room to
 * go negative.
 */
#include <string.h>

#include "fill.h"

/* k * d mod m as fractions, k = -32..32: where the lanes of a vector start, and their stride. */
#define M1(k, d, m, shift) \
    (((k) < 0 ? (m) - (uint64_t) - (k) * (d) % (m) : (uint64_t)(k) * (d)) % (m) << (shift))
#define M4(k, ...) M1(k, __VA_ARGS__), M1(k + 1, __VA_ARGS__), M1(k + 2, __VA_ARGS__), M1(k + 3, __VA_ARGS__)
#define M16(k, ...) M4(k, __VA_ARGS__), M4(k + 4, __VA_ARGS__), M4(k + 8, __VA_ARGS__), M4(k + 12, __VA_ARGS__)
#define M65(...)                                                                    \
    {                                                                               \
        M16(-32, __VA_ARGS__), M16(-16, __VA_ARGS__), M16(0, __VA_ARGS__),          \
            M16(16, __VA_ARGS__), M1(32, __VA_ARGS__)                               \
    }
static const uint64_t multiples_24[65] = M65(UINT64_C(7654321), UINT64_C(16777213), 40);
static const uint64_t multiples_48[65] =
    M65(UINT64_C(128418219713277), ((UINT64_C(1) << 48) - UINT64_C(59)), 16);

static const uint64_t *step_multiples(const struct ranmar_flavour *f)
{
    return (f->step == multiples_24[33] ? multiples_24 : multiples_48) + 32;
}

static int always(void)
{
    return 1;
}

#define MANTISSA UINT64_C(0x000fffffffffffff)
#define ONE UINT64_C(0x3ff0000000000000) /* the bits of 1.0 */
#define TINY_DOUBLE 0x1p-48
#define TINY_SINGLE 0x1p-24f

#include "fill_portable.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include "fill_x86.h"
#endif

const struct ranmar_simd ranmar_simd_levels[] = {
#if defined(__x86_64__) && defined(__GNUC__)
    {"avx512", has_avx512, fill_double_avx512, fill_single_avx512},
    {"avx2", has_avx2, fill_double_avx2, fill_single_avx2},
    {"sse2", always, fill_double_sse2, fill_single_sse2},
#endif
    {"portable", always, fill_double_portable, fill_single_portable},
    {NULL, NULL, NULL, NULL},
};
