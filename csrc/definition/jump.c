/* Jump-ahead: jump.h describes the method. */
#include "definition/jump.h"

#include <string.h>

enum { LAG = RANMAR_LONG_LAG };

/* Adds coefficient * t^97 mod f at p, where t^97 = (1 - t^(64/every))^every. */
static void add_power_97(uint64_t *p, uint64_t coefficient, unsigned every)
{
    const unsigned apart = 64 / every;
    uint64_t binomial = 1;
    for (unsigned k = 0; k <= every; ++k) {
        p[k * apart] += k % 2 ? 0 - coefficient * binomial : coefficient * binomial;
        binomial = binomial * (every - k) / (k + 1);
    }
}

/* Replaces p by p^2 mod f. The square has a degree of at most 192 and is reduced from its
 * highest power down. */
static void square(uint64_t p[LAG], unsigned every)
{
    uint64_t q[2 * LAG - 1] = {0};
    for (int i = 0; i < LAG; ++i) {
        const uint64_t twice = 2 * p[i];
        q[2 * i] += p[i] * p[i];
        for (int j = i + 1; j < LAG; ++j)
            q[i + j] += twice * p[j];
    }
    for (int k = 2 * LAG - 2; k >= LAG; --k)
        add_power_97(q + k - LAG, q[k], every);
    memcpy(p, q, LAG * sizeof *p);
}

static void times_t(uint64_t p[LAG], unsigned every)
{
    const uint64_t top = p[LAG - 1];
    memmove(p + 1, p, (LAG - 1) * sizeof *p);
    p[0] = 0;
    add_power_97(p, top, every);
}

void ranmar_jump_prepare(struct ranmar_jump *jump, uint64_t distance,
                         const struct ranmar_flavour *f)
{
    jump->distance = distance;
    memset(jump->p, 0, sizeof jump->p);

    /* The leading bits of the exponent, as long as their value is below 97, need no reduction. */
    int bit = 0;
    while (distance >> bit >= LAG)
        ++bit;
    jump->p[(size_t)(distance >> bit)] = 1;

    while (bit-- > 0) {
        square(jump->p, f->every);
        if (distance >> bit & 1)
            times_t(jump->p, f->every);
    }
}

uint64_t ranmar_arithmetic_stride(uint64_t distance, const struct ranmar_flavour *f)
{
    const unsigned below = (unsigned)__builtin_ctzll(f->modulus); /* bits below a word's last */
    const unsigned lacks = (unsigned)((0 - f->modulus) >> below);
    return ranmar_stride(distance, f->step >> below, 64 - below, lacks);
}

uint64_t ranmar_arithmetic_jump(uint64_t c, uint64_t distance, const struct ranmar_flavour *f)
{
    return ranmar_arithmetic(c, ranmar_arithmetic_stride(distance, f), f->modulus);
}

void ranmar_jump_apply(const struct ranmar_jump *jump, const struct ranmar_flavour *f,
                       struct ranmar_state *s)
{
    uint64_t x[2 * LAG - 1];
    memcpy(x, s->x, sizeof s->x);
    for (int i = LAG; i < 2 * LAG - 1; ++i)
        x[i] = ranmar_lagged(x + i - LAG, f->every);

    uint64_t y[LAG] = {0};
    for (int j = 0; j < LAG; ++j)
        for (int i = 0; i < LAG; ++i)
            y[i] += jump->p[j] * x[i + j];
    memcpy(s->x, y, sizeof y);
    s->c = ranmar_arithmetic_jump(s->c, jump->distance, f);
}

void ranmar_jump_by(struct ranmar_jump *memo, uint64_t distance, const struct ranmar_flavour *f,
                    struct ranmar_state *s)
{
    if (distance == 0)
        return;
    if (memo->distance != distance)
        ranmar_jump_prepare(memo, distance, f);
    ranmar_jump_apply(memo, f, s);
}

/* The recurrence backwards, a block of words at a time. */
void ranmar_rewind(struct ranmar_state *s, const struct ranmar_flavour *f, uint64_t n)
{
    enum { BLOCK = 4 * LAG };
    uint64_t x[BLOCK + LAG];
    for (uint64_t left = n; left > 0;) {
        const size_t block = left < BLOCK ? (size_t)left : BLOCK;
        memcpy(x + block, s->x, sizeof s->x);
        for (size_t i = block; i-- > 0;)
            x[i] = ranmar_lagged_back(x + i, x[i + LAG], f->every);
        memcpy(s->x, x, sizeof s->x);
        left -= block;
    }
    const uint64_t stride = ranmar_arithmetic_stride(n, f);
    s->c = ranmar_arithmetic(s->c, stride ? f->modulus - stride : 0, f->modulus);
}
