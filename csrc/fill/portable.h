/* The level for every architecture: one word at a time, in plain C without branches. */

static inline double portable_double(uint64_t u)
{
    const uint64_t bits = (u & WORD_MASK) | SIXTEEN;
    double number;
    memcpy(&number, &bits, sizeof number);
    number -= 16.0;
    return number > 0.0 ? number : TINY_DOUBLE;
}

static inline float portable_single(uint32_t u)
{
    const float number = (float)(int32_t)(u >> 8) * TINY_SINGLE;
    return number > 0.0f ? number : TINY_SINGLE;
}

#define TARGET
#define LOAD(p) (*(p))
#define STORE(p, v)                     \
    do { /* at any alignment */         \
        const __typeof__(v) kept = (v); \
        memcpy(p, &kept, sizeof kept);  \
    } while (0)

#define FILL fill_double_portable
#define BITS 48
#define X_DROP 16
#define C_DROP 16
#define VEC uint64_t
#define LANES 1
#define SUB(a, b) ((a) - (b))
#define C_SET1(v) (v)
#define C_STEP(c, d, m) ((c) >= (d) ? (c) - (d) : (c) - (d) + (m))
#define MINUS SUB
#define NUMBERS portable_double
#define FOLD(u) ((u) ^ ((u) >> 32 & (uint64_t)HIGHEST_16))
#include "template.h"

#define FILL fill_single_portable
#define BITS 24
#define X_DROP 32
#define C_DROP 40
#define VEC uint32_t
#define LANES 1
#define SUB(a, b) ((a) - (b))
#define C_SET1(v) (v)
#define C_STEP(c, d, m) ((c) >= (d) ? (c) - (d) : (c) - (d) + (m))
#define MINUS(x, c) SUB(x, (c) << 8)
#define NUMBERS portable_single
#include "template.h"

#undef TARGET
#undef LOAD
#undef STORE
