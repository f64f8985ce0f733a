/* AVX-512 for loop.h, with registers for all words of a pass.
 *
 * There are no refills by 512-bit instructions: on some Intel CPUs they lower the clock of the core
 * (docs/speed.md), and no question to the CPU tells which. */
#ifdef __x86_64__
#include <immintrin.h>

#include "fill/instruction_sets.h"

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512dq")
#endif

typedef __m512i vec;
#define WORDS_64 8
#define WORDS_32 16
#define UNROLL RANMAR_UNROLL(4)
#define MULTIPLY _mm512_mul_epu32
#define REGISTER "v"
#define WORDS_IN_REGISTERS 1
#define HAS_REFILL 0
#define HAS_WIDE_NUMBERS 1
#define HAS_NON_TEMPORAL_STORES 1

INLINE vec align_64(vec a, vec b)
{
    return _mm512_alignr_epi64(b, a, WORDS_64 - 1);
}

INLINE vec align_32(vec a, vec b)
{
    return _mm512_alignr_epi32(b, a, WORDS_32 - 1);
}

/* One instruction makes any function of three bits, given as a table. */
enum { AND_OR = 0xea /* (a & b) | c */ };

INLINE vec high_32(const vec *words)
{
    return _mm512_srli_epi64(*words, 16);
}

INLINE vec four_on(vec a, vec b)
{
    return _mm512_alignr_epi64(b, a, WORDS_64 - 4);
}

/* As in sse2.c. */
INLINE void numbers_64(vec u, char *out, enum ranmar_store store)
{
    const __m512d sixteen = _mm512_set1_pd(16.0), tiny = _mm512_set1_pd(0x1p-48);
    const vec word = _mm512_set1_epi64((INT64_C(1) << 48) - 1);
    const vec above = _mm512_ternarylogic_epi64(u, word, _mm512_castpd_si512(sixteen), AND_OR);
    const __m512d r = _mm512_max_pd(_mm512_sub_pd(_mm512_castsi512_pd(above), sixteen), tiny);
    if (store == RANMAR_NON_TEMPORAL)
        _mm512_stream_pd((double *)(void *)out, r);
    else
        _mm512_storeu_pd((double *)(void *)out, r);
}

INLINE void numbers_32(vec u, char *out, enum ranmar_store store)
{
    const __m512 tiny = _mm512_set1_ps(0x1p-24f);
    const vec whole = _mm512_and_si512(u, _mm512_set1_epi32(0xffffff));
    const __m512 r = _mm512_max_ps(_mm512_mul_ps(_mm512_cvtepi32_ps(whole), tiny), tiny);
    if (store == RANMAR_NON_TEMPORAL)
        _mm512_stream_ps((float *)(void *)out, r);
    else
        _mm512_storeu_ps((float *)(void *)out, r);
}

#include "fill/loop.h"

#ifdef __clang__
#pragma clang attribute pop
#endif

static int has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
}

const struct ranmar_simd ranmar_avx512 = {"avx512", has_avx512, NULL, array_loop, NULL};
#endif
