#include "fill.h"

enum { LAG = RANMAR_LONG_LAG, AHEAD = RANMAR_LONG_LAG - RANMAR_SHORT_LAG };

/* The words form a ring: the oldest is replaced by the newest. x[n-33] stands 64 places after
 * x[n-97]. */
static uint64_t next(struct ranmar_state *ring, int *oldest, const struct ranmar_flavour *f)
{
    uint64_t *x = &ring->x[*oldest];
    *x = ranmar_lagged(*x, ring->x[(*oldest + AHEAD) % LAG]);
    ring->c = ranmar_arithmetic(ring->c, f->step, f->modulus);
    *oldest = (*oldest + 1) % LAG;
    return ranmar_combine(*x, ring->c, f->bits);
}

void ranmar_fill_scalar(struct ranmar_state *s, const struct ranmar_flavour *f, void *out, size_t n)
{
    struct ranmar_state ring = *s;
    int oldest = 0;
    for (size_t i = 0; i < n; ++i) {
        const uint64_t u = next(&ring, &oldest, f);
        if (f->bits == 24)
            ((float *)out)[i] = ranmar_to_single(u);
        else
            ((double *)out)[i] = ranmar_to_double(u);
        for (unsigned k = 1; k < f->decimation; ++k)
            next(&ring, &oldest, f);
    }
    /* The ring is turned so that the state is oldest first again. */
    for (int i = 0; i < LAG; ++i)
        s->x[i] = ring.x[(oldest + i) % LAG];
    s->c = ring.c;
}
