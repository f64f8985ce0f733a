#include "fill.h"

/* The words form a ring: the oldest is replaced by the newest. x[n-33] stands 64 places after
 * x[n-97]. At the end the ring is turned so that the state is oldest first again. */
void ranmar_fill_scalar(struct ranmar_state *s, const struct ranmar_flavour *f, void *out, size_t n)
{
    enum { LAG = RANMAR_LONG_LAG, AHEAD = RANMAR_LONG_LAG - RANMAR_SHORT_LAG };
    struct ranmar_state ring = *s;
    int oldest = 0;
    for (size_t i = 0; i < n; ++i) {
        uint64_t *x = &ring.x[oldest];
        *x = ranmar_lagged(*x, ring.x[(oldest + AHEAD) % LAG]);
        ring.c = ranmar_arithmetic(ring.c, f->step, f->modulus);
        const uint64_t u = ranmar_combine(*x, ring.c, f->bits);
        if (f->bits == 24)
            ((float *)out)[i] = ranmar_to_single(u);
        else
            ((double *)out)[i] = ranmar_to_double(u);
        oldest = (oldest + 1) % LAG;
    }
    for (int i = 0; i < LAG; ++i)
        s->x[i] = ring.x[(oldest + i) % LAG];
    s->c = ring.c;
}
