/* The level for every architecture: one word at a time, in plain C without branches. */

static inline void portable_double(double *out, uint64_t x, uint64_t c)
{
    const uint64_t bits = ((x - c) & WORD_MASK) | SIXTEEN;
    double u;
    memcpy(&u, &bits, sizeof u);
    u -= 16.0;
    *out = u > 0.0 ? u : TINY_DOUBLE;
}

static inline void portable_single(float *out, uint32_t x, uint32_t c)
{
    const float u = (float)(int32_t)((x - (c << 8)) >> 8) * TINY_SINGLE;
    *out = u > 0.0f ? u : TINY_SINGLE;
}

#define TARGET
#define LOAD(p) (*(p))
#define STORE(p, v) (void)(*(p) = (v))

#define FILL fill_double_portable
#define BITS 48
#define VEC uint64_t
#define LANES 1
#define SET1(v) (v)
#define SUB(a, b) ((a) - (b))
#define C_STEP(c, d, m) ((c) >= (d) ? (c) - (d) : (c) - (d) + (m))
#define NUMBERS portable_double
#include "fill_template.h"

#define FILL fill_single_portable
#define BITS 24
#define VEC uint32_t
#define LANES 1
#define SET1(v) (v)
#define SUB(a, b) ((a) - (b))
#define C_STEP(c, d, m) ((c) >= (d) ? (c) - (d) : (c) - (d) + (m))
#define NUMBERS portable_single
#include "fill_template.h"

#undef TARGET
#undef LOAD
#undef STORE
