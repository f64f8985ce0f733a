/* The scalar fill: the definition, step by step. */
#include <string.h>

#include "fill/fill.h"

enum { LAG = RANMAR_LONG_LAG, BLOCK = 8 * LAG };

/* Works block by block: x has the 97 words of the state, and behind them the block's new words. */
void ranmar_fill_scalar(struct ranmar_state *s, const struct ranmar_flavour *f, void *out, size_t n)
{
    uint64_t x[LAG + BLOCK];
    for (size_t made = 0; made < n;) {
        const size_t block = n - made < BLOCK ? n - made : BLOCK;
        memcpy(x, s->x, sizeof s->x);
        for (size_t i = 0; i < block; ++i, ++made) {
            x[LAG + i] = ranmar_lagged(x + i, f->every);
            s->c = ranmar_arithmetic(s->c, f->step, f->modulus);
            const uint64_t mask = ranmar_mask(x + LAG + i, f);
            const uint64_t u = ranmar_combine(x[LAG + i], mask, s->c, f);
            if (f->bits == 24)
                ((float *)out)[made] = ranmar_to_single(u);
            else
                ((double *)out)[made] = ranmar_to_double(u);
        }
        memcpy(s->x, x + block, sizeof s->x);
    }
}
