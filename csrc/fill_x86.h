/* The levels for x86-64. A negative arithmetic part is mended without a branch: by the sign of the
 * difference (SSE2, AVX2) or by an unsigned minimum (AVX-512). */
#include <immintrin.h>

static int has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}

static int has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
}

/* SSE2, which every x86-64 has. */
#define TARGET
#define LOAD(p) _mm_loadu_si128((const __m128i *)(p))
#define STORE(p, v) _mm_storeu_si128((__m128i *)(p), v)

/* All ones where a 64-bit lane is negative. */
static inline __m128i negative_sse2(__m128i v)
{
    return _mm_shuffle_epi32(_mm_srai_epi32(v, 31), _MM_SHUFFLE(3, 3, 1, 1));
}

static inline __m128i step_double_sse2(__m128i c, __m128i d, __m128i m)
{
    const __m128i t = _mm_sub_epi64(c, d);
    return _mm_add_epi64(t, _mm_and_si128(negative_sse2(t), m));
}

static inline void numbers_double_sse2(double *out, __m128i u)
{
    const __m128i word = _mm_and_si128(u, _mm_set1_epi64x((int64_t)WORD_MASK));
    const __m128d sixteen = _mm_set1_pd(16.0);
    const __m128d r = _mm_sub_pd(_mm_or_pd(_mm_castsi128_pd(word), sixteen), sixteen);
    _mm_storeu_pd(out, _mm_max_pd(r, _mm_set1_pd(TINY_DOUBLE)));
}

#define FILL fill_double_sse2
#define BITS 48
#define X_DROP 16
#define C_DROP 16
#define VEC __m128i
#define LANES 2
#define C_SET1(v) _mm_set1_epi64x((int64_t)(v))
#define SUB _mm_sub_epi64
#define C_STEP step_double_sse2
#define MINUS SUB
#define NUMBERS numbers_double_sse2
#include "fill_template.h"

static inline __m128i step_single_sse2(__m128i c, __m128i d, __m128i m)
{
    const __m128i t = _mm_sub_epi32(c, d);
    return _mm_add_epi32(t, _mm_and_si128(_mm_srai_epi32(t, 31), m));
}

static inline void numbers_single_sse2(float *out, __m128i u)
{
    const __m128 tiny = _mm_set1_ps(TINY_SINGLE);
    _mm_storeu_ps(out, _mm_max_ps(_mm_mul_ps(_mm_cvtepi32_ps(_mm_srli_epi32(u, 8)), tiny), tiny));
}

#define FILL fill_single_sse2
#define BITS 24
#define X_DROP 32
#define C_DROP 40
#define VEC __m128i
#define LANES 4
#define C_SET1(v) _mm_set1_epi32((int32_t)(v))
#define SUB _mm_sub_epi32
#define C_STEP step_single_sse2
#define MINUS(x, c) SUB(x, _mm_slli_epi32(c, 8))
#define NUMBERS numbers_single_sse2
#include "fill_template.h"

#undef TARGET
#undef LOAD
#undef STORE

/* AVX2. */
#define TARGET __attribute__((target("avx2")))
#define LOAD(p) _mm256_loadu_si256((const __m256i *)(p))
#define STORE(p, v) _mm256_storeu_si256((__m256i *)(p), v)

TARGET static inline __m256i step_double_avx2(__m256i c, __m256i d, __m256i m)
{
    const __m256d t = _mm256_castsi256_pd(_mm256_sub_epi64(c, d));
    const __m256d mended = _mm256_castsi256_pd(_mm256_add_epi64(_mm256_castpd_si256(t), m));
    return _mm256_castpd_si256(_mm256_blendv_pd(t, mended, t));
}

TARGET static inline void numbers_double_avx2(double *out, __m256i u)
{
    const __m256d sixteen = _mm256_set1_pd(16.0);
    enum { TOP_WORDS = 0x88 }; /* of 16 bits, in each of the four lanes */
    const __m256i bits = _mm256_blend_epi16(u, _mm256_castpd_si256(sixteen), TOP_WORDS);
    const __m256d r = _mm256_sub_pd(_mm256_castsi256_pd(bits), sixteen);
    _mm256_storeu_pd(out, _mm256_max_pd(r, _mm256_set1_pd(TINY_DOUBLE)));
}

#define FILL fill_double_avx2
#define BITS 48
#define X_DROP 16
#define C_DROP 16
#define VEC __m256i
#define LANES 4
#define C_SET1(v) _mm256_set1_epi64x((int64_t)(v))
#define SUB _mm256_sub_epi64
#define C_STEP step_double_avx2
#define MINUS SUB
#define NUMBERS numbers_double_avx2
#include "fill_template.h"

TARGET static inline __m256i step_single_avx2(__m256i c, __m256i d, __m256i m)
{
    const __m256i t = _mm256_sub_epi32(c, d);
    return _mm256_min_epu32(t, _mm256_add_epi32(t, m));
}

TARGET static inline void numbers_single_avx2(float *out, __m256i u)
{
    const __m256 tiny = _mm256_set1_ps(TINY_SINGLE);
    _mm256_storeu_ps(out, _mm256_max_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_srli_epi32(u, 8)), tiny), tiny));
}

#define FILL fill_single_avx2
#define BITS 24
#define X_DROP 32
#define C_DROP 40
#define VEC __m256i
#define LANES 8
#define C_SET1(v) _mm256_set1_epi32((int32_t)(v))
#define SUB _mm256_sub_epi32
#define C_STEP step_single_avx2
#define MINUS(x, c) SUB(x, _mm256_slli_epi32(c, 8))
#define NUMBERS numbers_single_avx2
#include "fill_template.h"

#undef TARGET
#undef LOAD
#undef STORE

/* AVX-512. */
#define TARGET __attribute__((target("avx512f,avx512dq")))
#define LOAD(p) _mm512_loadu_si512(p)
#define STORE(p, v) _mm512_storeu_si512(p, v)

/* The original's arithmetic parts, 24 bits at the top of 32, two in a lane: half the instructions to
 * step them. They reach no lower than the upper half of a word that fills the top 48 of 64 bits. */
TARGET static inline __m512i step_pairs_avx512(__m512i c, __m512i d, __m512i m)
{
    const __mmask16 negative = _mm512_cmplt_epu32_mask(c, d);
    const __m512i t = _mm512_sub_epi32(c, d);
    return _mm512_mask_add_epi32(t, negative, t, m);
}

TARGET static inline void numbers_pairs_avx512(double *out, __m512i u)
{
    const __m512d tiny = _mm512_set1_pd(TINY_DOUBLE);
    const __m512d r = _mm512_mul_pd(_mm512_cvtepu64_pd(u), _mm512_set1_pd(0x1p-64));
    _mm512_storeu_pd(out, _mm512_max_pd(r, tiny));
}

enum { UPPER_HALVES = 0xaaaa };

#define FILL fill_original_avx512
#define BITS 48
#define X_DROP 0
#define C_DROP 32
#define VEC __m512i
#define LANES 8
#define C_SET1(v) _mm512_set1_epi32((int32_t)(v))
#define SUB _mm512_sub_epi64
#define C_STEP step_pairs_avx512
#define MINUS(x, c) SUB(x, _mm512_slli_epi64(c, 32))
#define MINUS_ODD(x, c) _mm512_mask_sub_epi32(x, UPPER_HALVES, x, c)
#define NUMBERS numbers_pairs_avx512
#define STRADDLE(a, b) _mm512_alignr_epi64(b, a, 7)
#include "fill_template.h"

TARGET static inline __m512i step_extended_avx512(__m512i c, __m512i d, __m512i m)
{
    const __m512i t = _mm512_sub_epi64(c, d);
    return _mm512_min_epu64(t, _mm512_add_epi64(t, m));
}

TARGET static inline void numbers_extended_avx512(double *out, __m512i u)
{
    const __m512d sixteen = _mm512_set1_pd(16.0);
    const __m512i mask = _mm512_set1_epi64((int64_t)WORD_MASK);
    enum { AND_THEN_OR = 0xea }; /* (a & b) | c */
    const __m512i bits =
        _mm512_ternarylogic_epi64(u, mask, _mm512_castpd_si512(sixteen), AND_THEN_OR);
    const __m512d r = _mm512_sub_pd(_mm512_castsi512_pd(bits), sixteen);
    _mm512_storeu_pd(out, _mm512_max_pd(r, _mm512_set1_pd(TINY_DOUBLE)));
}

#define FILL fill_extended_avx512
#define BITS 48
#define X_DROP 16
#define C_DROP 16
#define VEC __m512i
#define LANES 8
#define C_SET1(v) _mm512_set1_epi64((int64_t)(v))
#define SUB _mm512_sub_epi64
#define C_STEP step_extended_avx512
#define MINUS SUB
#define NUMBERS numbers_extended_avx512
#define STRADDLE(a, b) _mm512_alignr_epi64(b, a, 7)
#include "fill_template.h"

static void fill_double_avx512(struct ranmar_state *s, const struct ranmar_flavour *f, void *out,
                               size_t n)
{
    (is_extended(f) ? fill_extended_avx512 : fill_original_avx512)(s, f, out, n);
}

TARGET static inline __m512i step_single_avx512(__m512i c, __m512i d, __m512i m)
{
    const __m512i t = _mm512_sub_epi32(c, d);
    return _mm512_min_epu32(t, _mm512_add_epi32(t, m));
}

TARGET static inline void numbers_single_avx512(float *out, __m512i u)
{
    const __m512 tiny = _mm512_set1_ps(TINY_SINGLE);
    _mm512_storeu_ps(out, _mm512_max_ps(_mm512_mul_ps(_mm512_cvtepi32_ps(_mm512_srli_epi32(u, 8)), tiny), tiny));
}

#define FILL fill_single_avx512
#define BITS 24
#define X_DROP 32
#define C_DROP 40
#define VEC __m512i
#define LANES 16
#define C_SET1(v) _mm512_set1_epi32((int32_t)(v))
#define SUB _mm512_sub_epi32
#define C_STEP step_single_avx512
#define MINUS(x, c) SUB(x, _mm512_slli_epi32(c, 8))
#define NUMBERS numbers_single_avx512
#include "fill_template.h"

#undef TARGET
#undef LOAD
#undef STORE
