/* The list of levels, and what their loops share. */
#include "fill/levels.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

const struct ranmar_simd *const ranmar_simd_levels[] = {
#ifdef __x86_64__
    &ranmar_avx512,   &ranmar_avx2, &ranmar_sse2,
#endif
#ifdef __aarch64__
    &ranmar_neon,
#endif
    &ranmar_portable, NULL,
};

const struct ranmar_simd *ranmar_simd_named(const char *name)
{
    for (const struct ranmar_simd *const *level = ranmar_simd_levels; *level; ++level)
        if (strcmp(name, (*level)->name) == 0 && (*level)->supported())
            return *level;
    return NULL;
}

struct ranmar_multiples ranmar_multiples_of[RANMAR_KINDS];
_Atomic int ranmar_multiples_are_made;

static void make_multiples(struct ranmar_multiples *m, const struct ranmar_flavour *f)
{
    enum { HALF = 8 };
    for (int k = 1; k <= RANMAR_THIRD; ++k) {
        m->step[k] = ranmar_arithmetic(m->step[k - 1], f->modulus - f->step, f->modulus);
        m->wide[k - 1] = m->step[k] >> 16;
        m->narrow[k - 1] = (uint32_t)(m->step[k] >> 40);
    }
    for (int i = 0; i < RANMAR_THIRD / 2; ++i) {
        const int lower = i / HALF * 2 * HALF + i % HALF;
        m->pairs[i] = (uint64_t)m->narrow[lower + HALF] << 32 | m->narrow[lower];
    }
}

static void make_all_multiples(void)
{
    static const struct ranmar_flavour flavours[RANMAR_KINDS] = {
        [RANMAR_ORIGINAL] = RANMAR_DOUBLE_INIT,   [RANMAR_SINGLE] = RANMAR_SINGLE_INIT,
        [RANMAR_EXTENDED] = RANMAR_EXTENDED_INIT, [RANMAR_DECIMATED] = RANMAR_DECIMATED_INIT,
        [RANMAR_LUXURY] = RANMAR_LUXURY_INIT,
    };
    for (int kind = 0; kind < RANMAR_KINDS; ++kind)
        make_multiples(&ranmar_multiples_of[kind], &flavours[kind]);
    atomic_store_explicit(&ranmar_multiples_are_made, 1, memory_order_release);
}

void ranmar_make_multiples(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_all_multiples);
}

/* A plain store to memory reads the cache line first. A store past the caches does not, which
 * halves the traffic. But an array that may still be in the cache when it is read again should be
 * stored there. */
size_t ranmar_cache_share(void)
{
    enum { LEAST = 1 << 20, UNKNOWN = 16 << 20, MOST = 32 << 20 };
    static _Atomic size_t share; /* kept: on a virtual machine sysconf() may take long */
    if (share == 0) {
        size_t each = UNKNOWN;
#ifdef _SC_LEVEL3_CACHE_SIZE /* of glibc */
        const long size = sysconf(_SC_LEVEL3_CACHE_SIZE), cpus = sysconf(_SC_NPROCESSORS_ONLN);
        if (size > 0 && cpus > 0)
            each = (size_t)(size / cpus);
#endif
        share = each < LEAST ? LEAST : each < MOST ? each : MOST;
    }
    return share;
}

int ranmar_goes_past_caches(const void *out, size_t n, size_t size, size_t vector, size_t *head)
{
    if (n * size <= ranmar_cache_share())
        return 0;
    /* Vectors can be aligned only if out is aligned for single numbers. */
    *head = -(uintptr_t)out % vector / size;
    return (uintptr_t)out % size == 0;
}
