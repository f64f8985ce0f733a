/* The levels for x86-64. A negative arithmetic part is mended without a branch: by the sign of the
 * difference or by an unsigned minimum; in AVX-512 by a mask. */
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

static inline __m128i double_sse2(__m128i u)
{
    const __m128i word = _mm_and_si128(u, _mm_set1_epi64x((int64_t)WORD_MASK));
    const __m128d sixteen = _mm_set1_pd(16.0);
    const __m128d r = _mm_sub_pd(_mm_or_pd(_mm_castsi128_pd(word), sixteen), sixteen);
    return _mm_castpd_si128(_mm_max_pd(r, _mm_set1_pd(TINY_DOUBLE)));
}

static inline __m128i fold_sse2(__m128i u)
{
    return _mm_xor_si128(u, _mm_and_si128(_mm_srli_epi64(u, 32), _mm_set1_epi64x(HIGHEST_16)));
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
#define NUMBERS double_sse2
#define FOLD fold_sse2
#include "template.h"

static inline __m128i step_single_sse2(__m128i c, __m128i d, __m128i m)
{
    const __m128i t = _mm_sub_epi32(c, d);
    return _mm_add_epi32(t, _mm_and_si128(_mm_srai_epi32(t, 31), m));
}

static inline __m128i single_sse2(__m128i u)
{
    const __m128 tiny = _mm_set1_ps(TINY_SINGLE);
    const __m128 r = _mm_mul_ps(_mm_cvtepi32_ps(_mm_srli_epi32(u, 8)), tiny);
    return _mm_castps_si128(_mm_max_ps(r, tiny));
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
#define NUMBERS single_sse2
#include "template.h"

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

TARGET static inline __m256i double_avx2(__m256i u)
{
    const __m256d sixteen = _mm256_set1_pd(16.0);
    enum { TOP_WORDS = 0x88 }; /* of 16 bits, in each of the four lanes */
    const __m256i bits = _mm256_blend_epi16(u, _mm256_castpd_si256(sixteen), TOP_WORDS);
    const __m256d r = _mm256_sub_pd(_mm256_castsi256_pd(bits), sixteen);
    return _mm256_castpd_si256(_mm256_max_pd(r, _mm256_set1_pd(TINY_DOUBLE)));
}

TARGET static inline __m256i fold_avx2(__m256i u)
{
    const __m256i highest = _mm256_set1_epi64x(HIGHEST_16);
    return _mm256_xor_si256(u, _mm256_and_si256(_mm256_srli_epi64(u, 32), highest));
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
#define NUMBERS double_avx2
#define FOLD fold_avx2
#include "template.h"

TARGET static inline __m256i step_single_avx2(__m256i c, __m256i d, __m256i m)
{
    const __m256i t = _mm256_sub_epi32(c, d);
    return _mm256_min_epu32(t, _mm256_add_epi32(t, m));
}

TARGET static inline __m256i single_avx2(__m256i u)
{
    const __m256 tiny = _mm256_set1_ps(TINY_SINGLE);
    const __m256 r = _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_srli_epi32(u, 8)), tiny);
    return _mm256_castps_si256(_mm256_max_ps(r, tiny));
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
#define NUMBERS single_avx2
#include "template.h"

#undef TARGET
#undef LOAD
#undef STORE

/* AVX-512. A word fills the top of its lane, so that the conversion needs no mask. */
#define TARGET __attribute__((target("avx512f,avx512dq")))
#define STORE(p, v) _mm512_storeu_si512(p, v)
#define STREAM(p, v) _mm512_stream_si512((void *)(p), v)
#define UNROLL _Pragma("GCC unroll 12")

typedef double __attribute__((aligned(1))) double_anywhere;
typedef float __attribute__((aligned(1))) single_anywhere;

enum { AND3 = 0x80, XOR_AND = 0x78 /* a ^ (b & c) */, UPPER_HALVES = 0xaaaa };

TARGET static inline __m512i step_64_avx512(__m512i c, __m512i d, __m512i m)
{
    const __mmask8 negative = _mm512_cmplt_epu64_mask(c, d);
    const __m512i t = _mm512_sub_epi64(c, d);
    return _mm512_mask_add_epi64(t, negative, t, m);
}

TARGET static inline __m512i step_32_avx512(__m512i c, __m512i d, __m512i m)
{
    const __mmask16 negative = _mm512_cmplt_epu32_mask(c, d);
    const __m512i t = _mm512_sub_epi32(c, d);
    return _mm512_mask_add_epi32(t, negative, t, m);
}

/* n lanes of a are left out, and as many of b come after; n is at most how many there are. */
TARGET static inline __m512i move_on_64_avx512(__m512i a, __m512i b, size_t n)
{
    const __m512i lane = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    return _mm512_permutex2var_epi64(a, _mm512_add_epi64(lane, _mm512_set1_epi64((int64_t)n)), b);
}

TARGET static inline __m512i move_on_32_avx512(__m512i a, __m512i b, size_t n)
{
    const __m512i lane = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    return _mm512_permutex2var_epi32(a, _mm512_add_epi32(lane, _mm512_set1_epi32((int32_t)n)), b);
}

/* Without a call, which would cost more: all registers are in use. */
TARGET static inline void copy_avx512(void *to, const void *from, size_t bytes)
{
    enum { SIZE = sizeof(__m512i), WORD_SIZE = sizeof(float) };
    for (size_t i = 0; i < bytes; i += SIZE) {
        const size_t words = (bytes - i) / WORD_SIZE;
        const __mmask16 some = (__mmask16)(words < 16 ? (1u << words) - 1 : 0xffffu);
        _mm512_mask_storeu_epi32((char *)to + i, some, _mm512_loadu_si512((const char *)from + i));
    }
}

TARGET static inline __m512i double_avx512(__m512i u)
{
    return _mm512_castpd_si512(_mm512_mul_pd(_mm512_cvtepu64_pd(u), _mm512_set1_pd(0x1p-64)));
}

TARGET static inline __m512i fold_avx512(__m512i u)
{
    const __m512i highest = _mm512_set1_epi64(HIGHEST_16 << 16);
    return _mm512_ternarylogic_epi64(u, _mm512_srli_epi64(u, 32), highest, XOR_AND);
}

#define FILL fill_wide_avx512
#define BITS 48
#define C_WORD uint64_t
#define C_LANES 8
#define C_PLACE(l) (l)
#define C_STARTS WORDS
#define C_SET1 SET1
#define C_STEP step_64_avx512
#define MINUS SUB
#define MINUS_ODD SUB
#define FOLD fold_avx512
#include "registers.h"

/* The original's arithmetic parts, of 24 bits, two in a lane: half the instructions to step them.
 * They reach no lower than the upper half of a word. */
TARGET static inline __m512i pairs_avx512(const uint64_t *p)
{
    return _mm512_or_si512(_mm512_srli_epi64(_mm512_loadu_si512(p), 32),
                           _mm512_loadu_si512(p + 8));
}

#define FILL fill_original_avx512
#define BITS 48
#define C_WORD uint32_t
#define C_LANES 16
#define C_PLACE(l) ((l) / 16 * 16 + (l) % 8 * 2 + (l) / 8 % 2)
#define C_STARTS pairs_avx512
#define C_SET1(v) _mm512_set1_epi32((int32_t)((v) >> 32))
#define C_STEP step_32_avx512
#define MINUS(x, c) SUB(x, _mm512_slli_epi64(c, 32))
#define MINUS_ODD(x, c) _mm512_mask_sub_epi32(x, UPPER_HALVES, x, c)
#include "registers.h"

static void fill_double_avx512(struct ranmar_state *s, const struct ranmar_flavour *f, void *out,
                               size_t n)
{
    (is_original(f) ? fill_original_avx512 : fill_wide_avx512)(s, f, out, n);
}

/* Words of 24 bits fill the top of 32. */
TARGET static inline __m512i words_single_avx512(const uint64_t *p)
{
    const __m512i odd = _mm512_set_epi32(31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1);
    return _mm512_permutex2var_epi32(_mm512_loadu_si512(p), odd, _mm512_loadu_si512(p + 8));
}

TARGET static inline void keep_single_avx512(uint64_t *p, __m512i v)
{
    const __m512i low = _mm512_cvtepu32_epi64(_mm512_castsi512_si256(v));
    const __m512i high = _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(v, 1));
    _mm512_storeu_si512(p, _mm512_slli_epi64(low, 32));
    _mm512_storeu_si512(p + 8, _mm512_slli_epi64(high, 32));
}

TARGET static inline __m512i single_avx512(__m512i u)
{
    return _mm512_castps_si512(_mm512_mul_ps(_mm512_cvtepu32_ps(u), _mm512_set1_ps(0x1p-32f)));
}

#define FILL fill_single_avx512
#define BITS 24
#define C_WORD uint32_t
#define C_LANES 16
#define C_PLACE(l) (l)
#define C_STARTS WORDS
#define C_SET1 SET1
#define C_STEP step_32_avx512
#define MINUS SUB
#define MINUS_ODD SUB
#include "registers.h"
