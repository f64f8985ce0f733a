/* Chooses the loop for a fill, by its size (fill.h) and by what this CPU has. */
#include "fill/fill.h"

static const struct ranmar_simd *_Atomic forced;

/* The loops for refills and for arrays; NULL until the first fill looks for them. */
static ranmar_fill_function *_Atomic loops[2];

void ranmar_fill_force(const struct ranmar_simd *level)
{
    forced = level;
    loops[0] = loops[1] = NULL;
}

static int has_loop(const struct ranmar_simd *level, int is_array)
{
    return is_array || level->refill;
}

/* The forced level, or the best that this CPU supports and that has such a loop. */
static const struct ranmar_simd *level_for(int is_array)
{
    const struct ranmar_simd *const only = forced, *const *level = ranmar_simd_levels;
    if (only && has_loop(only, is_array))
        return only;
    while (!(*level)->supported() || !has_loop(*level, is_array))
        ++level;
    return *level;
}

const struct ranmar_simd *ranmar_fill_level(size_t n)
{
    return level_for(n >= RANMAR_ARRAY);
}

/* Not inlined, and with the fill as a tail call, so that small fills need not save registers for
 * it. Two threads that call this at once find the same loop. */
__attribute__((noinline)) static void find_loop_and_make(int is_array, struct ranmar_state *s,
                                                         const struct ranmar_flavour *f, void *out,
                                                         size_t n)
{
    const struct ranmar_simd *const level = level_for(is_array);
    ranmar_fill_function *const loop = is_array ? level->array : level->refill;
    loops[is_array] = loop;
    loop(s, f, out, n);
}

/* The loops themselves take no n of 0. */
void ranmar_fill(struct ranmar_state *s, const struct ranmar_flavour *f, void *out, size_t n)
{
    ranmar_fill_function *const loop = loops[n >= RANMAR_ARRAY];
    if (__builtin_expect(loop && n > 0, 1))
        loop(s, f, out, n);
    else if (n > 0)
        find_loop_and_make(n >= RANMAR_ARRAY, s, f, out, n);
}

void ranmar_fill_array(struct ranmar_state *s, const struct ranmar_flavour *f, void *out, size_t n)
{
    ranmar_fill_function *const loop = loops[1];
    if (__builtin_expect(loop && n > 0, 1))
        loop(s, f, out, n);
    else if (n > 0)
        find_loop_and_make(1, s, f, out, n);
}
