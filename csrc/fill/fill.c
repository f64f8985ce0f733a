#include "fill/fill.h"

#include <omp.h>
#include <string.h>

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

void ranmar_fill_threads(struct ranmar_state *s, const struct ranmar_flavour *f, void *out,
                         size_t n, int threads, struct ranmar_jump *memo)
{
    const size_t most = n / RANMAR_NUMBERS_A_THREAD;
    if ((size_t)threads > most)
        threads = (int)most;
    if (threads <= 1) {
        ranmar_fill(s, f, out, n);
        return;
    }

    /* The first segments are equally long, so that one jump reaches them all; the last has the
     * remainder too, and its end is the end of the whole. */
    const size_t segment = n / (size_t)threads, size = ranmar_number_size(f);
    struct ranmar_state start[threads];
    start[0] = *s;
    for (int t = 1; t < threads; ++t) {
        start[t] = start[t - 1];
        ranmar_jump_by(memo, segment, f, &start[t]);
    }
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int t = 0; t < threads; ++t)
        ranmar_fill(&start[t], f, (char *)out + (size_t)t * segment * size,
                    t < threads - 1 ? segment : n - (size_t)t * segment);
    *s = start[threads - 1];
}
