#include "fill/fill.h"

#include "stream/settings.h"

const struct ranmar_simd *ranmar_simd_level(void)
{
    const struct ranmar_simd *level = ranmar_settings()->simd;
    if (level == NULL)
        for (level = ranmar_simd_levels; !level->supported(); ++level) {
        }
    return level;
}

/* Start here and replace themselves with the loop for this CPU. Two threads that come first at
 * once store the same pointers. */
static ranmar_fill_function choose_double, choose_single;
static _Atomic(ranmar_fill_function *) fill_double = choose_double, fill_single = choose_single;

static void choose_double(struct ranmar_state *s, const struct ranmar_flavour *f, void *out,
                          size_t n)
{
    fill_double = ranmar_simd_level()->fill_double;
    fill_double(s, f, out, n);
}

static void choose_single(struct ranmar_state *s, const struct ranmar_flavour *f, void *out,
                          size_t n)
{
    fill_single = ranmar_simd_level()->fill_single;
    fill_single(s, f, out, n);
}

void ranmar_fill(struct ranmar_state *s, const struct ranmar_flavour *f, void *out, size_t n)
{
    if (n == 0)
        return;
    if (f->bits == 24)
        fill_single(s, f, out, n);
    else
        fill_double(s, f, out, n);
}
