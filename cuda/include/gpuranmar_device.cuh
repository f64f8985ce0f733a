/* RANMAR inside a kernel: a warp makes a sequence 32 numbers at a time, in registers.
 *
 * Its 32 lanes make 32 consecutive numbers at once (leapfrog), which the short lag, 33, allows.
 * With x[32t+l] the word that lane l makes at step t, both lags are one more than a multiple of
 * 32, so that each step needs the steps 1 and 3 before it shifted up by one lane:
 *
 *     x_t[l] = s_(t-3)[l] - s_(t-1)[l],   s_t[l] = x[32t+l-1]
 *
 * (decimated: s_(t-3)[l] - 2 s_(t-2)[l] + s_(t-1)[l], as the middle lag is such a number too).
 * So a lane keeps three shifted words, and the 97 words of the state are those and one more.
 *
 *     __global__ void kernel(gpuranmar_state *states)
 *     {
 *         gpuranmar::generator<gpuranmar::double_precision> g;
 *         g.load(states[warp]);            // all 32 lanes
 *         const double u = g.next();       // lane l has the l-th of the next 32 numbers
 *         g.store(states[warp]);
 *     }
 *
 * gpuranmar_cuda_states() (gpuranmar_cuda.h) makes such states, for instance of as many segments
 * of one sequence as there are warps. Every function is called by all 32 lanes of a warp together.
 */
#ifndef GPURANMAR_DEVICE_CUH
#define GPURANMAR_DEVICE_CUH

#include "gpuranmar_definition.h"

typedef struct ranmar_state gpuranmar_state;

namespace gpuranmar
{

constexpr unsigned warp_size = 32, all_lanes = 0xffffffffu;

__device__ __forceinline__ unsigned lane_number()
{
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

/* The original's arithmetic part, as 24-bit integers: the 8 bits above leave it room to go
 * negative, which an unsigned minimum mends. */
struct arithmetic_24 {
    typedef uint32_t type;
    static constexpr uint64_t step = RANMAR_STEP_24, modulus = RANMAR_MODULUS_24;
    static constexpr unsigned shift = 40; /* of a 64-bit fraction */

    static __host__ __device__ __forceinline__ type from_fraction(uint64_t c)
    {
        return (type)(c >> shift);
    }

    static __host__ __device__ __forceinline__ uint64_t to_fraction(type c)
    {
        return (uint64_t)c << shift;
    }

    /* That many steps on. */
    template <unsigned steps> static __device__ __forceinline__ type next(type c)
    {
        constexpr uint32_t stride = steps * step % modulus;
        const uint32_t difference = c - stride;
        return __viaddmin_u32(difference, (uint32_t)modulus, difference);
    }
};

/* The extended and decimated sequences', as 64-bit fractions: modulo 2^64, adding the modulus is
 * subtracting what it lacks. */
template <uint64_t d> struct arithmetic_48 {
    typedef uint64_t type;
    static constexpr uint64_t step = d, modulus = RANMAR_MODULUS_48;
    static constexpr unsigned shift = 16;

    static __host__ __device__ __forceinline__ type from_fraction(uint64_t c) { return c; }

    static __host__ __device__ __forceinline__ uint64_t to_fraction(type c) { return c; }

    template <unsigned steps> static __device__ __forceinline__ type next(type c)
    {
        constexpr uint64_t stride = steps * step % modulus << 16, lacks = 59 << 16;
        const uint64_t difference = c - stride;
        return difference - (difference > c ? lacks : 0);
    }
};

/* A 64-bit fraction as a double: its upper 48 bits become the mantissa of 1 + u. Only zero has
 * an upper half below that of 2^-48. */
__device__ __forceinline__ double to_double(uint32_t upper, uint32_t lower)
{
    const double u = __hiloint2double((int)((upper >> 12) + 0x3ff00000u),
                                      (int)__funnelshift_r(lower, upper, 12)) -
                     1.0;
    return __hiloint2double(max(__double2hiint(u), 0x3cf00000), __double2loint(u));
}

struct double_precision {
    typedef double number;
    typedef uint64_t word;
    typedef arithmetic_24 arithmetic;
    static constexpr bool decimated = false;

    static __device__ __forceinline__ number combine(word x, arithmetic::type c)
    {
        return to_double((uint32_t)(x >> 32) - (c << 8), (uint32_t)x);
    }
};

template <bool is_decimated> struct wide_precision {
    typedef double number;
    typedef uint64_t word;
    typedef arithmetic_48<is_decimated ? 2 * RANMAR_STEP_48 : RANMAR_STEP_48> arithmetic;
    static constexpr bool decimated = is_decimated;

    static __device__ __forceinline__ number combine(word x, typename arithmetic::type c)
    {
        const uint64_t u = x - c;
        const uint32_t upper = (uint32_t)(u >> 32);
        return to_double(upper, (uint32_t)u ^ (is_decimated ? upper & 0xffff0000u : 0));
    }
};

typedef wide_precision<false> extended_precision;
typedef wide_precision<true> decimated_precision;

struct single_precision {
    typedef float number;
    typedef uint32_t word;
    typedef arithmetic_24 arithmetic;
    static constexpr bool decimated = false;

    static __device__ __forceinline__ number combine(word x, arithmetic::type c)
    {
        const uint32_t u = x - (c << 8);
        return (float)max(u, 1u << 8) * 0x1p-32f; /* 24 significant bits: exact */
    }
};

/* A sequence in the registers of a warp. Flavour: one of the four above. */
template <class Flavour> class generator
{
  public:
    typedef typename Flavour::number number;

    /* From a state in memory, global or shared, or from its parts. */
    __device__ __forceinline__ void load(const gpuranmar_state &state) { load(state.x, state.c); }

    __device__ __forceinline__ void load(const uint64_t *words, uint64_t arithmetic_part)
    {
        const unsigned lane = lane_number();
        s3 = narrow(words[lane]);
        s2 = narrow(words[warp_size + lane]);
        s1 = narrow(words[2 * warp_size + lane]);
        previous = narrow(words[3 * warp_size]);
        /* next() moves on first: lane l starts at the arithmetic part of the 32 numbers before. */
        const uint64_t before = (arithmetic_part >> arithmetic::shift) +
                                (warp_size - 1 - lane) * arithmetic::step;
        c = arithmetic::from_fraction(before % arithmetic::modulus << arithmetic::shift);
    }

    /* The way back: the state is 32 numbers further for each next(). */
    __device__ __forceinline__ void store(gpuranmar_state &state) const { store(state.x, state.c); }

    __device__ __forceinline__ void store(uint64_t *words, uint64_t &arithmetic_part) const
    {
        const unsigned lane = lane_number();
        words[lane] = widen(s3);
        words[warp_size + lane] = widen(s2);
        words[2 * warp_size + lane] = widen(s1);
        if (lane == warp_size - 1) {
            words[3 * warp_size] = widen(previous);
            arithmetic_part = arithmetic::to_fraction(c);
        }
    }

    /* The next 32 numbers, in (0,1), one a lane in lane order. */
    __device__ __forceinline__ number next()
    {
        const unsigned lane = lane_number();
        const word x = (word)ranmar_lagged(s3, s2, s1, Flavour::decimated);
        /* Lane 0 takes what lane 31 made a step earlier. */
        const word shifted =
            __shfl_sync(all_lanes, lane == warp_size - 1 ? previous : x, lane + warp_size - 1);
        previous = x;
        s3 = s2;
        s2 = s1;
        s1 = shifted;
        c = arithmetic::template next<warp_size>(c);
        return Flavour::combine(x, c);
    }

  private:
    typedef typename Flavour::word word;
    typedef typename Flavour::arithmetic arithmetic;

    static __device__ __forceinline__ word narrow(uint64_t fraction)
    {
        return (word)(fraction >> (64 - 8 * sizeof(word)));
    }

    static __device__ __forceinline__ uint64_t widen(word w)
    {
        return (uint64_t)w << (64 - 8 * sizeof(word));
    }

    word s1, s2, s3; /* shifted words of the last three steps */
    word previous;   /* of the last step; lane 31's counts */
    typename arithmetic::type c;
};

/* For code that branches: each lane that wants a number gets one, in lane order, and none is
 * lost, so that what a warp draws depends on nothing but the order of its calls. */
template <class Flavour> class source
{
  public:
    typedef typename Flavour::number number;

    __device__ __forceinline__ void load(const gpuranmar_state &state)
    {
        generator_.load(state);
        row = 0;
        used = warp_size;
    }

    /* The lanes with `want` get the next numbers; what the others get means nothing. All 32 lanes
     * must call. */
    __device__ __forceinline__ number draw(bool want)
    {
        const unsigned wanting = __ballot_sync(all_lanes, want);
        unsigned below;
        asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
        const unsigned index = used + __popc(wanting & below);
        number result = __shfl_sync(all_lanes, row, index);
        used += __popc(wanting);
        if (used >= warp_size) {
            row = generator_.next();
            const number later = __shfl_sync(all_lanes, row, index);
            if (index >= warp_size)
                result = later;
            used -= warp_size;
        }
        return result;
    }

  private:
    generator<Flavour> generator_;
    number row;    /* the last 32 numbers made */
    unsigned used; /* of them, the same in all lanes */
};

} // namespace gpuranmar

#endif
