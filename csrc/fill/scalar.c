#include "fill/fill.h"

enum { LAG = RANMAR_LONG_LAG };

/* The words form a ring: the oldest is replaced by the newest. A word k back stands 97 - k places
 * after the oldest. */
static uint64_t next(struct ranmar_state *ring, int oldest, const struct ranmar_flavour *f)
{
    uint64_t *x = &ring->x[oldest];
    *x = ranmar_lagged(*x, ring->x[(oldest + LAG - RANMAR_MIDDLE_LAG) % LAG],
                       ring->x[(oldest + LAG - RANMAR_SHORT_LAG) % LAG], f->decimated);
    ring->c = ranmar_arithmetic(ring->c, f->step, f->modulus);
    return ranmar_combine(*x, ring->c, f);
}

void ranmar_fill_scalar(struct ranmar_state *s, const struct ranmar_flavour *f, void *out, size_t n)
{
    struct ranmar_state ring = *s;
    int oldest = 0;
    for (size_t i = 0; i < n; ++i) {
        const uint64_t u = next(&ring, oldest, f);
        oldest = (oldest + 1) % LAG;
        if (f->bits == 24)
            ((float *)out)[i] = ranmar_to_single(u);
        else
            ((double *)out)[i] = ranmar_to_double(u);
    }
    /* The ring is turned so that the state is oldest first again. */
    for (int i = 0; i < LAG; ++i)
        s->x[i] = ring.x[(oldest + i) % LAG];
    s->c = ring.c;
}
