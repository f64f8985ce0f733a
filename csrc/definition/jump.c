#include "definition/jump.h"

#include <string.h>

enum {
    LAG = RANMAR_LONG_LAG,
    BY_SHORT = RANMAR_LONG_LAG - RANMAR_SHORT_LAG,
    BY_MIDDLE = RANMAR_LONG_LAG - RANMAR_MIDDLE_LAG
};

/* Adds coefficient * t^97 mod f at p, where t^97 = 1 - t^64, or 1 - 2 t^32 + t^64 if decimated. */
static void add_power_97(uint64_t *p, uint64_t coefficient, int decimated)
{
    p[0] += coefficient;
    if (decimated) {
        p[BY_MIDDLE] -= 2 * coefficient;
        p[BY_SHORT] += coefficient;
    } else {
        p[BY_SHORT] -= coefficient;
    }
}

/* p^2 mod f. A product has degree 192 at most, which is lowered from the top down. */
static void square(uint64_t p[LAG], int decimated)
{
    uint64_t q[2 * LAG - 1] = {0};
    for (int i = 0; i < LAG; ++i) {
        const uint64_t twice = 2 * p[i];
        q[2 * i] += p[i] * p[i];
        for (int j = i + 1; j < LAG; ++j)
            q[i + j] += twice * p[j];
    }
    for (int k = 2 * LAG - 2; k >= LAG; --k)
        add_power_97(q + k - LAG, q[k], decimated);
    memcpy(p, q, LAG * sizeof *p);
}

static void times_t(uint64_t p[LAG], int decimated)
{
    const uint64_t top = p[LAG - 1];
    memmove(p + 1, p, (LAG - 1) * sizeof *p);
    p[0] = 0;
    add_power_97(p, top, decimated);
}

void ranmar_jump_prepare(struct ranmar_jump *jump, uint64_t distance,
                         const struct ranmar_flavour *f)
{
    jump->distance = distance;
    memset(jump->p, 0, sizeof jump->p);

    /* The leading bits of the power that make one below 97 need no reduction. */
    int bit = 0;
    while (distance >> bit >= LAG)
        ++bit;
    jump->p[(size_t)(distance >> bit)] = 1;

    while (bit-- > 0) {
        square(jump->p, f->decimated);
        if (distance >> bit & 1)
            times_t(jump->p, f->decimated);
    }
}

/* a * b mod m for a and b below m, which is below 2^48: b in pieces of 16 bits, highest first. What
 * is added up stays in 64 bits. */
static uint64_t multiply_modulo(uint64_t a, uint64_t b, uint64_t m)
{
    uint64_t product = 0;
    for (int low = 32; low >= 0; low -= 16)
        product = ((product << 16) % m + a * (b >> low & 0xffff) % m) % m;
    return product;
}

uint64_t ranmar_arithmetic_stride(uint64_t distance, const struct ranmar_flavour *f)
{
    /* All three are multiples of the word's last place; without it they fit 48 bits. */
    const uint64_t last_place = f->modulus & -f->modulus, m = f->modulus / last_place;
    return multiply_modulo(distance % m, f->step / last_place, m) * last_place;
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
        x[i] = ranmar_lagged(x[i - RANMAR_LONG_LAG], x[i - RANMAR_MIDDLE_LAG],
                             x[i - RANMAR_SHORT_LAG], f->decimated);

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

/* The recurrence backwards: from the youngest word to the oldest, x[n-97] takes the place of x[n].
 */
void ranmar_rewind(struct ranmar_state *s, const struct ranmar_flavour *f, uint64_t n)
{
    struct ranmar_state ring = *s;
    int youngest = LAG - 1;
    for (uint64_t i = 0; i < n; ++i) {
        ring.x[youngest] =
            ranmar_lagged_back(ring.x[youngest], ring.x[(youngest + BY_MIDDLE) % LAG],
                               ring.x[(youngest + BY_SHORT) % LAG], f->decimated);
        youngest = youngest ? youngest - 1 : LAG - 1;
    }
    for (int i = 0; i < LAG; ++i)
        s->x[i] = ring.x[(youngest + 1 + i) % LAG];
    const uint64_t stride = ranmar_arithmetic_stride(n, f);
    s->c = ranmar_arithmetic(ring.c, stride ? f->modulus - stride : 0, f->modulus);
}
