/* Jump-ahead: jump.h describes the method. */
#include "definition/jump.h"

#include <string.h>

enum { LAG = RANMAR_LONG_LAG };

/* Adds coefficient * t^97 mod f at p, where t^97 = (1 - t^(64/every))^every. */
static inline void add_power_97(uint64_t *p, uint64_t coefficient, unsigned every)
{
    const unsigned apart = 64 / every;
    uint64_t binomial = 1;
    for (unsigned k = 0; k <= every; ++k) {
        p[k * apart] += k % 2 ? 0 - coefficient * binomial : coefficient * binomial;
        binomial = binomial * (every - k) / (k + 1);
    }
}

/* Reduces a polynomial modulo f, from its highest power down: only p[0] .. p[96] have a meaning
 * afterwards. The usual recurrence has a loop of its own, which the compiler unrolls. */
static void reduce(uint64_t *p, size_t degree, unsigned every)
{
    if (every == 1)
        for (size_t k = degree; k >= LAG; --k)
            add_power_97(p + k - LAG, p[k], 1);
    else
        for (size_t k = degree; k >= LAG; --k)
            add_power_97(p + k - LAG, p[k], 8);
}

/* Replaces p by p^2 mod f. */
static void square(uint64_t p[LAG], unsigned every)
{
    uint64_t q[2 * LAG - 1] = {0};
    for (int i = 0; i < LAG; ++i) {
        const uint64_t twice = 2 * p[i];
        q[2 * i] += p[i] * p[i];
        for (int j = i + 1; j < LAG; ++j)
            q[i + j] += twice * p[j];
    }
    reduce(q, 2 * LAG - 2, every);
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
    /* The leading bits of the exponent, as long as their value is below MOST, need no squaring. A
     * larger MOST gains nothing, and threads may have stacks of 16 KiB. */
    enum { MOST = 512 };
    uint64_t power[MOST] = {0};
    int bit = 0;
    while (distance >> bit >= MOST)
        ++bit;
    const size_t leading = (size_t)(distance >> bit);
    power[leading] = 1;
    reduce(power, leading, f->every);
    memcpy(jump->p, power, sizeof jump->p);
    jump->distance = distance;
    jump->every = f->every;

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

/* The words of a block of steps and of the state before or after them. */
enum { BLOCK = 4 * LAG, BLOCK_AND_STATE = BLOCK + LAG };

static size_t block_of(uint64_t left)
{
    return left < BLOCK ? (size_t)left : BLOCK;
}

static void run_on(struct ranmar_state *s, const struct ranmar_flavour *f, uint64_t n)
{
    uint64_t x[BLOCK_AND_STATE];
    for (uint64_t left = n; left > 0; left -= block_of(left)) {
        const size_t block = block_of(left);
        memcpy(x, s->x, sizeof s->x);
        for (size_t i = 0; i < block; ++i)
            x[i + LAG] = ranmar_lagged(x + i, f->every);
        memcpy(s->x, x + block, sizeof s->x);
    }
    s->c = ranmar_arithmetic_jump(s->c, n, f);
}

void ranmar_rewind(struct ranmar_state *s, const struct ranmar_flavour *f, uint64_t n)
{
    uint64_t x[BLOCK_AND_STATE];
    for (uint64_t left = n; left > 0; left -= block_of(left)) {
        const size_t block = block_of(left);
        memcpy(x + block, s->x, sizeof s->x);
        for (size_t i = block; i-- > 0;)
            x[i] = ranmar_lagged_back(x + i, x[i + LAG], f->every);
        memcpy(s->x, x, sizeof s->x);
    }
    const uint64_t stride = ranmar_arithmetic_stride(n, f);
    s->c = ranmar_arithmetic(s->c, stride ? f->modulus - stride : 0, f->modulus);
}

static int is_for(const struct ranmar_jump *jump, uint64_t distance, const struct ranmar_flavour *f)
{
    return jump->distance == distance && jump->every == f->every;
}

void ranmar_jump_by(struct ranmar_jump *last_jump, uint64_t distance,
                    const struct ranmar_flavour *f, struct ranmar_state *s)
{
    static _Thread_local struct ranmar_jump last;
    struct ranmar_jump *const jump = last_jump ? last_jump : &last;
    if (distance <= ranmar_short_way(f)) {
        run_on(s, f, distance);
        return;
    }
    if (!is_for(jump, distance, f)) {
        if (!is_for(&last, distance, f))
            ranmar_jump_prepare(&last, distance, f);
        *jump = last;
    }
    ranmar_jump_apply(jump, f, s);
}
