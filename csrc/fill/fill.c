/* Chooses the loop for a fill, by its size (fill.h) and by what this CPU has. */
#include "fill/fill.h"

#include "definition/interleave.h"

static const struct ranmar_simd *_Atomic forced;

/* The loops for refills and for arrays; NULL until the first fill looks for them. */
static ranmar_fill_function *_Atomic loops[2];

void ranmar_fill_force(const struct ranmar_simd *set)
{
    forced = set;
    loops[0] = loops[1] = NULL;
}

static int has_loop(const struct ranmar_simd *set, int is_array)
{
    return is_array || set->refill;
}

/* The forced instruction set, or the best that this CPU supports and that has such a loop. */
static const struct ranmar_simd *instruction_set_for(int is_array)
{
    const struct ranmar_simd *const only = forced, *const *set = ranmar_instruction_sets;
    if (only && has_loop(only, is_array))
        return only;
    while (!(*set)->supported() || !has_loop(*set, is_array))
        ++set;
    return *set;
}

const struct ranmar_simd *ranmar_fill_instruction_set(size_t n)
{
    return instruction_set_for(n >= RANMAR_ARRAY);
}

/* Not inlined, and with the fill as a tail call, so that small fills need not save registers for
 * it. Two threads that call this at once find the same loop. */
__attribute__((noinline)) static void find_loop_and_make(int is_array, struct ranmar_state *s,
                                                         const struct ranmar_flavour *f, void *out,
                                                         size_t n)
{
    const struct ranmar_simd *const set = instruction_set_for(is_array);
    ranmar_fill_function *const loop = is_array ? set->array : set->refill;
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

void ranmar_start(struct ranmar_state *s, const struct ranmar_flavour *f, int64_t seed, uint64_t p)
{
    if (f->keyed) {
        ranmar_seed_by_key(s, f, (uint64_t)seed, p);
    } else {
        unsigned four[4];
        ranmar_four_seeds(four, ranmar_seed_of(seed, (int64_t)p));
        instruction_set_for(0)->words(s->x, f->bits, four);
        s->c = f->start;
    }
}
