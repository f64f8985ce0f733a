/* Chooses the loop for a fill: by its purpose (fill.h) and by what this CPU has. */
#include "fill/fill.h"

#include "definition/clock.h"

static const struct ranmar_simd *_Atomic forced;

void ranmar_fill_force(const struct ranmar_simd *level)
{
    forced = level;
}

/* The best level that this CPU supports, of all levels for arrays, or of those with a refill
 * loop. */
static const struct ranmar_simd *best(int for_arrays)
{
    const struct ranmar_simd *const *level = ranmar_simd_levels;
    while (!(*level)->supported() || !(for_arrays || (*level)->refill))
        ++level;
    return *level;
}

/* Two threads that call this for the first time at once find the same level. */
static const struct ranmar_simd *level_for(int for_arrays)
{
    static const struct ranmar_simd *_Atomic found[2];
    const struct ranmar_simd *level = forced;
    if (!level)
        level = found[for_arrays];
    if (!level)
        found[for_arrays] = level = best(for_arrays);
    return level;
}

const struct ranmar_simd *ranmar_fill_level(size_t n)
{
    return level_for(n >= RANMAR_ARRAY);
}

void ranmar_refill(struct ranmar_state *s, const struct ranmar_flavour *f, void *out, size_t n)
{
    const struct ranmar_simd *const level = level_for(0);
    if (n > 0)
        (level->refill ? level->refill : level->array)(s, f, out, n);
}

void ranmar_fill_array(struct ranmar_state *s, const struct ranmar_flavour *f, void *out, size_t n)
{
    if (n > 0)
        level_for(1)->array(s, f, out, n);
}

static uint64_t ticks(void)
{
#ifdef __x86_64__
    return __builtin_ia32_rdtsc(); /* takes a third of the time of ranmar_nanoseconds() */
#else
    return (uint64_t)ranmar_nanoseconds();
#endif
}

/* The rule of fill.h. To read the clock takes 20 to 40 ns, so it is read once in a few thousand
 * numbers. The balance is limited to HIGHEST, from which it sinks to RANMAR_ARRAY within about a
 * millisecond: a pause as short as an interrupt does not change the purpose. */
static int is_array(size_t n)
{
    enum { NUMBERS_A_LOOK = 4096, HIGHEST = 2 * RANMAR_ARRAY };
    static _Thread_local struct {
        uint64_t at;   /* ticks at the last look */
        uint64_t made; /* numbers since the last look */
        uint64_t balance;
    } last;
    last.made += n < HIGHEST ? n : HIGHEST;
    if (last.made >= NUMBERS_A_LOOK) {
        const uint64_t now = ticks(), passed = (now - last.at) / RANMAR_TICKS_A_NUMBER;
        last.balance = (last.balance > passed ? last.balance - passed : 0) + last.made;
        if (last.balance > HIGHEST)
            last.balance = HIGHEST;
        last.at = now;
        last.made = 0;
    }
    return last.balance >= RANMAR_ARRAY;
}

void ranmar_fill(struct ranmar_state *s, const struct ranmar_flavour *f, void *out, size_t n)
{
    (is_array(n) ? ranmar_fill_array : ranmar_refill)(s, f, out, n);
}
