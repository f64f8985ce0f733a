/* SSE2 for loop.h, which every x86-64 has. */
#ifdef __x86_64__
#include <immintrin.h>

#include "fill/instruction_sets.h"

typedef __m128i vec;
#define WORDS_64 2
#define WORDS_32 4
#define UNROLL RANMAR_UNROLL(16)
#define MULTIPLY _mm_mul_epu32
#define REGISTER "x"
#define WORDS_IN_REGISTERS 0
#define HAS_REFILL 1
#define HAS_WIDE_NUMBERS 0
#define HAS_NON_TEMPORAL_STORES 1

INLINE vec align_64(vec a, vec b)
{
    return _mm_castpd_si128(_mm_shuffle_pd(_mm_castsi128_pd(a), _mm_castsi128_pd(b), 1));
}

INLINE vec align_32(vec a, vec b)
{
    const __m128 from = _mm_castsi128_ps(b);
    const __m128 first = _mm_shuffle_ps(_mm_castsi128_ps(a), from, _MM_SHUFFLE(0, 0, 3, 3));
    return _mm_castps_si128(_mm_shuffle_ps(first, from, _MM_SHUFFLE(2, 1, 2, 0)));
}

/* The words are in memory, and a load from two bytes further on saves a shift. */
INLINE vec high_32(const vec *words)
{
    return _mm_loadu_si128((const void *)((const char *)words + 2));
}

/* The last place of the double 16.0 is 2^-48, and its lowest 48 bits are zeros. With a word of 48
 * bits in their place the double is 16 plus the number. */
INLINE void numbers_64(vec u, char *out, enum ranmar_store store)
{
    const __m128d sixteen = _mm_set1_pd(16.0), tiny = _mm_set1_pd(0x1p-48);
    const vec word = _mm_and_si128(u, _mm_set1_epi64x((INT64_C(1) << 48) - 1));
    const __m128d above = _mm_or_pd(_mm_castsi128_pd(word), sixteen);
    const __m128d r = _mm_max_pd(_mm_sub_pd(above, sixteen), tiny);
    if (store == RANMAR_NON_TEMPORAL)
        _mm_stream_pd((double *)(void *)out, r);
    else
        _mm_storeu_pd((double *)(void *)out, r);
}

INLINE void numbers_32(vec u, char *out, enum ranmar_store store)
{
    const __m128 tiny = _mm_set1_ps(0x1p-24f);
    const __m128 whole = _mm_cvtepi32_ps(_mm_and_si128(u, _mm_set1_epi32(0xffffff)));
    const __m128 r = _mm_max_ps(_mm_mul_ps(whole, tiny), tiny);
    if (store == RANMAR_NON_TEMPORAL)
        _mm_stream_ps((float *)(void *)out, r);
    else
        _mm_storeu_ps((float *)(void *)out, r);
}

#include "fill/loop.h"

const struct ranmar_simd ranmar_sse2 = {"sse2", ranmar_always, refill_loop, array_loop, words_loop};
#endif
