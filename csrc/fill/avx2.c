/* AVX2 for loop.h.
 *
 * On some Intel CPUs 256-bit floating point lowers the clock of the core for 0.7 ms; 256-bit
 * integers do not. So a refill has no 256-bit floating point: it converts the numbers of a vector
 * in two halves. validate/tests/numbers/machine-code.t looks at the instructions. */
#ifdef __x86_64__
#include <immintrin.h>

#include "fill/instruction_sets.h"

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif

typedef __m256i vec;
#define WORDS_64 4
#define WORDS_32 8
#define UNROLL RANMAR_UNROLL(8)
#define MULTIPLY _mm256_mul_epu32
#define REGISTER "x"
#define WORDS_IN_REGISTERS 0
#define HAS_REFILL 1
#define HAS_WIDE_NUMBERS 1
#define HAS_NON_TEMPORAL_STORES 1

/* The upper half of a, then the lower half of b. alignr shifts words into each half of b from the
 * same half of its other argument, so the words before each half must stand there. */
INLINE vec middle(vec a, vec b)
{
    enum { UPPER_THEN_LOWER = 0x21 };
    return _mm256_permute2x128_si256(a, b, UPPER_THEN_LOWER);
}

INLINE vec align_64(vec a, vec b)
{
    return _mm256_alignr_epi8(b, middle(a, b), sizeof(__m128i) - sizeof(uint64_t));
}

INLINE vec align_32(vec a, vec b)
{
    return _mm256_alignr_epi8(b, middle(a, b), sizeof(__m128i) - sizeof(uint32_t));
}

/* As in sse2.c. */
INLINE vec high_32(const vec *words)
{
    return _mm256_loadu_si256((const void *)((const char *)words + 2));
}

INLINE void double_halves(__m128i above, char *out)
{
    const __m128d sixteen = _mm_set1_pd(16.0), tiny = _mm_set1_pd(0x1p-48);
    const __m128d r = _mm_max_pd(_mm_sub_pd(_mm_castsi128_pd(above), sixteen), tiny);
    _mm_storeu_pd((double *)(void *)out, r);
}

/* As in sse2.c. */
INLINE void numbers_64(vec u, char *out, enum ranmar_store store)
{
    enum { TOP_16_BITS = 0x88 /* of each word */ };
    const __m256d sixteen = _mm256_set1_pd(16.0), tiny = _mm256_set1_pd(0x1p-48);
    const vec above = _mm256_blend_epi16(u, _mm256_castpd_si256(sixteen), TOP_16_BITS);
    if (store == RANMAR_REFILL) {
        double_halves(_mm256_castsi256_si128(above), out);
        double_halves(_mm256_extracti128_si256(above, 1), out + sizeof(__m128d));
        return;
    }
    const __m256d r = _mm256_max_pd(_mm256_sub_pd(_mm256_castsi256_pd(above), sixteen), tiny);
    if (store == RANMAR_NON_TEMPORAL)
        _mm256_stream_pd((double *)(void *)out, r);
    else
        _mm256_storeu_pd((double *)(void *)out, r);
}

INLINE void single_halves(__m128i whole, char *out)
{
    const __m128 tiny = _mm_set1_ps(0x1p-24f);
    const __m128 r = _mm_max_ps(_mm_mul_ps(_mm_cvtepi32_ps(whole), tiny), tiny);
    _mm_storeu_ps((float *)(void *)out, r);
}

INLINE void numbers_32(vec u, char *out, enum ranmar_store store)
{
    const __m256 tiny = _mm256_set1_ps(0x1p-24f);
    const vec whole = _mm256_and_si256(u, _mm256_set1_epi32(0xffffff));
    if (store == RANMAR_REFILL) {
        single_halves(_mm256_castsi256_si128(whole), out);
        single_halves(_mm256_extracti128_si256(whole, 1), out + sizeof(__m128));
        return;
    }
    const __m256 r = _mm256_max_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(whole), tiny), tiny);
    if (store == RANMAR_NON_TEMPORAL)
        _mm256_stream_ps((float *)(void *)out, r);
    else
        _mm256_storeu_ps((float *)(void *)out, r);
}

#include "fill/loop.h"

#ifdef __clang__
#pragma clang attribute pop
#endif

static int has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}

const struct ranmar_simd ranmar_avx2 = {"avx2", has_avx2, refill_loop, array_loop, words_loop};
#endif
