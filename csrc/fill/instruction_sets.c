/* The list of instruction sets, and what their loops share. */
#include "fill/instruction_sets.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

const struct ranmar_simd *const ranmar_instruction_sets[] = {
#define INSTRUCTION_SET(name) &ranmar_##name,
#include "fill/instruction_sets.def"
#undef INSTRUCTION_SET
    NULL,
};

const struct ranmar_simd *ranmar_simd_named(const char *name)
{
    for (const struct ranmar_simd *const *set = ranmar_instruction_sets; *set; ++set)
        if (strcmp(name, (*set)->name) == 0 && (*set)->supported())
            return *set;
    return NULL;
}

struct ranmar_multiples ranmar_multiples_of[RANMAR_FLAVOURS];
struct ranmar_word_starts ranmar_word_starts;
_Atomic int ranmar_tables_are_made;

static void make_multiples(struct ranmar_multiples *m, const struct ranmar_flavour *f)
{
    enum { PASS = RANMAR_PASS };
    for (int k = 1; k <= PASS; ++k)
        m->step[k] = ranmar_arithmetic(m->step[k - 1], f->modulus - f->step, f->modulus);
    for (int k = 0; k <= PASS; ++k) {
        m->parts_64[PASS - k] = m->step[k] >> 16;
        m->parts_64[PASS + k] = ranmar_arithmetic(0, m->step[k], f->modulus) >> 16;
        size_t below = 0;
        for (int j = 0; j <= PASS; ++j)
            below += m->step[j] < m->step[k];
        m->ascending[below] = m->step[k];
        m->offset[below] = (uint8_t)(PASS - k);
    }
    m->ascending[PASS + 1] = UINT64_MAX;
    for (int i = 0; i <= 2 * PASS; ++i)
        m->parts_32[i] = (uint32_t)(m->parts_64[i] >> 24);
    uint8_t i = 0;
    for (uint64_t bits = 0; bits < RANMAR_LOOKUP_SIZE; ++bits) {
        while (m->ascending[i + 1] <= bits << (64 - RANMAR_LOOKUP_BITS))
            ++i;
        m->lookup[bits] = i;
    }
}

/* Makes the seeding's steps, 48 a word, with the exponents in place of i, j and k. */
static void make_word_starts(struct ranmar_word_starts *s)
{
    for (unsigned e = 0, power = 1; e < 178; ++e, power = 2 * power % 179) {
        s->power[e] = (uint8_t)power;
        s->exponent[power] = (uint8_t)e;
    }
    unsigned i[3] = {1, 0, 0}, j[3] = {0, 1, 0}, k[3] = {0, 0, 1}, factor = 1, addend = 0;
    for (int w = 0; w < RANMAR_LONG_LAG; ++w) {
        s->factor[w] = (uint16_t)factor;
        s->addend[w] = (uint16_t)addend;
        for (int of = 0; of < 3; ++of) {
            s->exponents[0][of][w] = (uint16_t)i[of];
            s->exponents[1][of][w] = (uint16_t)j[of];
            s->exponents[2][of][w] = (uint16_t)k[of];
        }
        for (int step = 0; step < 48; ++step) {
            for (int of = 0; of < 3; ++of) {
                const unsigned m = (i[of] + j[of] + k[of]) % 178;
                i[of] = j[of];
                j[of] = k[of];
                k[of] = m;
            }
            factor = 53 * factor % 169;
            addend = (53 * addend + 1) % 169;
        }
    }
}

static void make_all_tables(void)
{
    for (int code = 0; code < RANMAR_FLAVOURS; ++code)
        make_multiples(&ranmar_multiples_of[code], ranmar_flavour(code));
    make_word_starts(&ranmar_word_starts);
    atomic_store_explicit(&ranmar_tables_are_made, 1, memory_order_release);
}

void ranmar_make_tables(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_all_tables);
}

/* A plain store to memory reads the cache line first; a non-temporal store does not, which halves
 * the traffic. But plain stores leave a small array in the cache, where the program reads it. */
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

int ranmar_non_temporal(const void *out, size_t n, size_t size, size_t vector, size_t *head)
{
    if (n * size <= ranmar_cache_share())
        return 0;
    /* Vectors can be aligned only if out is aligned for single numbers. */
    *head = -(uintptr_t)out % vector / size;
    return (uintptr_t)out % size == 0;
}
