/* An engine's numbers as the bits that NumPy's distributions use. */
#include <string.h>

#include "definition/flavour.h"
#include "gpuranmar_engine.h"

/* Not inlined, and called last, so that the usual call saves no registers. */
static __attribute__((noinline)) double refill_and_next(gpuranmar_engine *engine)
{
    gpuranmar_engine_refill(engine);
    return gpuranmar_engine_next(engine);
}

double gpuranmar_engine_double(gpuranmar_engine *engine)
{
    if (__builtin_expect(engine->left == 0, 0))
        return refill_and_next(engine);
    return gpuranmar_engine_next(engine);
}

uint64_t gpuranmar_engine_raw(gpuranmar_engine *engine)
{
    const unsigned bits = ranmar_flavour(engine->flavour)->bits;
    return (uint64_t)(gpuranmar_engine_next(engine) * (double)(UINT64_C(1) << bits));
}

/* The highest 32 bits of a number of 48 bits. The sum is exact, and has the number's bits at the
 * top of its 52 bits of mantissa. */
static inline uint32_t highest_32(double u)
{
    const double sum = 1.0 + u;
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return (uint32_t)(bits >> 20);
}

/* The highest 16 bits of each of two numbers of 24 bits. */
static inline uint32_t highest_16(float first, float second)
{
    return (uint32_t)(int32_t)(0x1p16f * first) << 16 | (uint32_t)(int32_t)(0x1p16f * second);
}

/* The functions below take all that they need from the buffer at once, since most of NumPy's
 * distributions draw by them. These two take number by number, where the buffer ends. */
static __attribute__((noinline)) uint32_t uint32_by_numbers(gpuranmar_engine *engine)
{
    if (engine->flavour != GPURANMAR_SINGLE)
        return highest_32(gpuranmar_engine_next(engine));
    const float first = gpuranmar_engine_next_single(engine);
    return highest_16(first, gpuranmar_engine_next_single(engine));
}

static __attribute__((noinline)) uint64_t uint64_by_numbers(gpuranmar_engine *engine)
{
    const uint64_t high = uint32_by_numbers(engine);
    return high << 32 | uint32_by_numbers(engine);
}

/* The buffer's next `count` numbers as floats or doubles, or NULL if it has fewer. */
static inline const float *take_single(gpuranmar_engine *engine, int count)
{
    const int left = engine->left;
    if (__builtin_expect(left < count, 0))
        return NULL;
    engine->left = left - count;
    return &engine->window.single[GPURANMAR_ENGINE_WINDOW - left];
}

static inline const double *take_wide(gpuranmar_engine *engine, int count)
{
    const int left = engine->left;
    if (__builtin_expect(left < count, 0))
        return NULL;
    engine->left = left - count;
    return &engine->window.wide[GPURANMAR_ENGINE_WINDOW - left];
}

uint32_t gpuranmar_engine_uint32(gpuranmar_engine *engine)
{
    if (engine->flavour != GPURANMAR_SINGLE) {
        const double *const u = take_wide(engine, 1);
        return u ? highest_32(*u) : uint32_by_numbers(engine);
    }
    const float *const u = take_single(engine, 2);
    return u ? highest_16(u[0], u[1]) : uint32_by_numbers(engine);
}

uint64_t gpuranmar_engine_uint64(gpuranmar_engine *engine)
{
    if (engine->flavour != GPURANMAR_SINGLE) {
        const double *const u = take_wide(engine, 2);
        return u ? (uint64_t)highest_32(u[0]) << 32 | highest_32(u[1]) : uint64_by_numbers(engine);
    }
    const float *const u = take_single(engine, 4);
    return u ? (uint64_t)highest_16(u[0], u[1]) << 32 | highest_16(u[2], u[3])
             : uint64_by_numbers(engine);
}
