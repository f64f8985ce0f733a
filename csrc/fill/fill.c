#include "fill/fill.h"

static const struct ranmar_simd *_Atomic forced;

void ranmar_fill_force(const struct ranmar_simd *level)
{
    forced = level;
}

/* The best supported level, for arrays or among those with a refill loop. */
static const struct ranmar_simd *best(int for_arrays)
{
    const struct ranmar_simd *const *level = ranmar_simd_levels;
    while (!(*level)->supported() || !(for_arrays || (*level)->refill))
        ++level;
    return *level;
}

/* Two threads that come first at once find the same. */
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

void ranmar_fill(struct ranmar_state *s, const struct ranmar_flavour *f, void *out, size_t n)
{
    (n < RANMAR_ARRAY ? ranmar_refill : ranmar_fill_array)(s, f, out, n);
}
