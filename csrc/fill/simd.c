/* The SIMD levels: fill_template.h instantiated for each instruction set and flavour.
 *
 * There, in double precision a word stands in the low 48 bits, with whatever subtraction leaves
 * above. Replacing the top 16 bits by those of 16.0, a double whose last place is 2^-48, gives 16 + u
 * exactly; the subtraction of 16 is exact too. In single precision a word fills the top 24 of 32
 * bits, and the arithmetic part the low 24, which leaves it room to go negative.
 */
#include <string.h>
#include <unistd.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "fill/fill.h"

/* k * d mod m as fractions, k = -32..32: where the lanes of a pass start, and its stride. */
enum { PASS_MAX = 32 };
#define M1(k, d, m, shift) \
    (((k) < 0 ? (m) - (uint64_t) - (k) * (d) % (m) : (uint64_t)(k) * (d)) % (m) << (shift))
#define M4(k, ...) \
    M1(k, __VA_ARGS__), M1(k + 1, __VA_ARGS__), M1(k + 2, __VA_ARGS__), M1(k + 3, __VA_ARGS__)
#define M32(k, ...)                                                                                 \
    M4(k, __VA_ARGS__), M4(k + 4, __VA_ARGS__), M4(k + 8, __VA_ARGS__), M4(k + 12, __VA_ARGS__),    \
        M4(k + 16, __VA_ARGS__), M4(k + 20, __VA_ARGS__), M4(k + 24, __VA_ARGS__),                  \
        M4(k + 28, __VA_ARGS__)
#define MULTIPLES(...) {M32(-32, __VA_ARGS__), M32(0, __VA_ARGS__), M1(32, __VA_ARGS__)}

static const uint64_t multiples_original[2 * PASS_MAX + 1] =
    MULTIPLES(RANMAR_STEP_24, RANMAR_MODULUS_24, 40);
static const uint64_t multiples_extended[2 * PASS_MAX + 1] =
    MULTIPLES(RANMAR_STEP_48, RANMAR_MODULUS_48, 16);
static const uint64_t multiples_decimated[2 * PASS_MAX + 1] =
    MULTIPLES(2 * RANMAR_STEP_48, RANMAR_MODULUS_48, 16);

static int is_original(const struct ranmar_flavour *f)
{
    return f->step == multiples_original[PASS_MAX + 1];
}

/* Points at the multiple 0. */
static const uint64_t *step_multiples(const struct ranmar_flavour *f)
{
    return (is_original(f)  ? multiples_original
            : f->decimated ? multiples_decimated
                           : multiples_extended) +
           PASS_MAX;
}

static int always(void)
{
    return 1;
}

/* --- Arrays larger than the cache ---
 *
 * A plain store to memory reads the line first; a store past the caches does not, which halves the
 * traffic. But what may still be in the cache when it is read again should go there. */

size_t ranmar_cache_share(void)
{
    enum { LEAST = 1 << 20, UNKNOWN = 16 << 20, MOST = 32 << 20 };
    static _Atomic size_t share; /* asking can take long on a virtual machine */
    if (share == 0) {
        const long size = sysconf(_SC_LEVEL3_CACHE_SIZE), cpus = sysconf(_SC_NPROCESSORS_ONLN);
        const size_t each = size > 0 && cpus > 0 ? (size_t)(size / cpus) : UNKNOWN;
        share = each < LEAST ? LEAST : each < MOST ? each : MOST;
    }
    return share;
}

static int is_larger_than_cache(size_t bytes)
{
    return bytes > ranmar_cache_share();
}

static void store_past_caches(void *to, const void *from, size_t bytes)
{
#ifdef __SSE2__
    const size_t unaligned = -(uintptr_t)to % sizeof(__m128i);
    const size_t head = unaligned < bytes ? unaligned : bytes;
    const size_t whole = (bytes - head) / sizeof(__m128i) * sizeof(__m128i);
    char *const out = memcpy(to, from, head);
    const char *const in = from;
    for (size_t i = head; i < head + whole; i += sizeof(__m128i))
        _mm_stream_si128((__m128i *)(out + i), _mm_loadu_si128((const __m128i *)(in + i)));
    memcpy(out + head + whole, in + head + whole, bytes - head - whole);
#else
    memcpy(to, from, bytes);
#endif
}

/* Once a fill, not once a block: it waits for the stores, which go on while the next block is made. */
static void end_stores_past_caches(void)
{
#ifdef __SSE2__
    _mm_sfence();
#endif
}

#define WORD_MASK UINT64_C(0x0000ffffffffffff)
#define SIXTEEN UINT64_C(0x4030000000000000) /* the bits of 16.0 */
#define HIGHEST_16 INT64_C(0xffff)           /* of a word's 48 bits, once moved down by 32 */
#define TINY_DOUBLE 0x1p-48
#define TINY_SINGLE 0x1p-24f

/* What the templates share. */
#define INLINE static inline __attribute__((always_inline))
#define LOOP(fill) LOOP_(fill)
#define LOOP_(fill) fill##_loop

#include "portable.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include "x86.h"
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
