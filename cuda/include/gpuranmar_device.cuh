/* RANMAR inside a kernel: a warp makes a sequence 32 numbers at a time, in registers.
 *
 * Its 32 lanes make 32 consecutive numbers at once (leapfrog), which the short lag, 33, allows.
 * With x[32t+l] the word that lane l makes at step t, both lags are one more than a multiple of
 * 32, so that each step needs the steps 1 and 3 before it shifted up by one lane:
 *
 *     x_t[l] = s_(t-3)[l] - s_(t-1)[l],   s_t[l] = x[32t+l-1]
 *
 * (keyed: nine terms whose lags are one more than multiples of 8, for which lanes 8, 16 and 24
 * further on have to be asked, and a mask of the words 32 and 33 back, which the lane has).
 * So a lane keeps three shifted words, and the 97 words of the state are those and one more.
 *
 *     __global__ void kernel(gpuranmar_state *states)
 *     {
 *         gpuranmar::generator<gpuranmar::double_precision> g;
 *         g.load(states[warp]);
 *         const double u = g.next();       // lane l has the l-th of the next 32 numbers
 *         g.store(states[warp]);
 *     }
 *
 * where warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32. gpuranmar_cuda_states()
 * (gpuranmar_cuda.h) makes such states, for instance of as many segments of one sequence as there
 * are warps; gpuranmar_skip.cuh moves a state inside a kernel.
 *
 * Blocks are of one dimension and a multiple of 32 threads, so that threads 32w .. 32w+31 of a
 * block are its warp w. A function marked (warp) is called by all 32 lanes of a warp together:
 * never in a branch that some of them do not take, and never after some of them have returned.
 *
 * The headers need nothing but each other, and compile under nvcc, NVRTC (CuPy's RawModule with
 * the option -I and this folder). */
#ifndef GPURANMAR_DEVICE_CUH
#define GPURANMAR_DEVICE_CUH

#include "gpuranmar_hardware.cuh"

typedef struct ranmar_state gpuranmar_state;

namespace gpuranmar
{

/* The original's arithmetic part, a 24-bit integer in 32 bits. A difference below zero wraps to a
 * large integer; then that plus the modulus is the smaller of the two, and the one that counts. */
struct arithmetic_24 {
    typedef uint32_t type;
    static constexpr uint64_t step = RANMAR_STEP_24, modulus = RANMAR_MODULUS_24;
    static constexpr unsigned shift = 40; /* bits of a 64-bit fraction below the integer */

    static __host__ __device__ __forceinline__ type from_fraction(uint64_t c)
    {
        return (type)(c >> shift);
    }

    static __host__ __device__ __forceinline__ uint64_t to_fraction(type c)
    {
        return (uint64_t)c << shift;
    }

    /* The arithmetic part `steps` steps later. */
    template <unsigned steps> static __device__ __forceinline__ type next(type c)
    {
        constexpr uint32_t stride = steps * step % modulus;
        const uint32_t difference = c - stride;
        return least_of_sum(difference, (uint32_t)modulus, difference);
    }
};

/* The arithmetic part of the extended and the keyed flavour, a 64-bit fraction. Modulo 2^64, adding
 * the modulus is the same as subtracting what it lacks of 2^64. */
template <uint64_t d> struct arithmetic_48 {
    typedef uint64_t type;
    static constexpr uint64_t step = d, modulus = RANMAR_MODULUS_48;
    static constexpr unsigned shift = 16;

    static __host__ __device__ __forceinline__ type from_fraction(uint64_t c)
    {
        return c;
    }

    static __host__ __device__ __forceinline__ uint64_t to_fraction(type c)
    {
        return c;
    }

    template <unsigned steps> static __device__ __forceinline__ type next(type c)
    {
        constexpr uint64_t stride = steps * step % modulus << 16, lacks = 59 << 16;
        const uint64_t difference = c - stride;
        return difference - (difference > c ? lacks : 0);
    }
};

/* A 64-bit fraction u as a double: its upper 48 bits become the mantissa of 1 + u, from which 1 is
 * subtracted. Zero becomes 2^-48: only zero has an upper half below that of 2^-48. */
__device__ __forceinline__ double to_double(uint32_t upper, uint32_t lower)
{
    const double u =
        double_of_bits((upper >> 12) + 0x3ff00000u, funnel_shift_right(lower, upper, 12)) - 1.0;
    const uint32_t high = upper_bits(u);
    return double_of_bits(high > 0x3cf00000u ? high : 0x3cf00000u, lower_bits(u));
}

/* A flavour: combine() makes the number of a word x and an arithmetic part. It is given the words
 * 32 and 33 before x too. */
struct double_precision {
    typedef double number;
    typedef uint64_t word;
    typedef arithmetic_24 arithmetic;
    static constexpr unsigned every = 1;

    static __device__ __forceinline__ number combine(word x, arithmetic::type c, word, word)
    {
        return to_double((uint32_t)(x >> 32) - (c << 8), (uint32_t)x);
    }
};

struct extended_precision {
    typedef double number;
    typedef uint64_t word;
    typedef arithmetic_48<RANMAR_STEP_48> arithmetic;
    static constexpr unsigned every = 1;

    static __device__ __forceinline__ number combine(word x, arithmetic::type c, word, word)
    {
        const uint64_t u = x - c;
        return to_double((uint32_t)(u >> 32), (uint32_t)u);
    }
};

struct keyed_precision {
    typedef double number;
    typedef uint64_t word;
    typedef arithmetic_48<8 * RANMAR_STEP_48 % RANMAR_MODULUS_48> arithmetic;
    static constexpr unsigned every = 8;

    /* With the mask of ranmar_mask(): its lowest 16 bits, which are none of a word's, are dropped
     * in the conversion. */
    static __device__ __forceinline__ number combine(word x, arithmetic::type c, word x32, word x33)
    {
        const uint64_t u = (x - c) ^ (uint64_t)(uint32_t)(x32 >> 32) * (uint32_t)(x33 >> 32);
        return to_double((uint32_t)(u >> 32), (uint32_t)u & 0xffff0000u);
    }
};

struct single_precision {
    typedef float number;
    typedef uint32_t word;
    typedef arithmetic_24 arithmetic;
    static constexpr unsigned every = 1;

    static __device__ __forceinline__ number combine(word x, arithmetic::type c, word, word)
    {
        const uint32_t u = x - (c << 8);
        /* 24 significant bits, so that the conversion is exact. */
        return (float)(u > 256 ? u : 256) * 0x1p-32f;
    }
};

/* A sequence in the registers of a warp. Flavour: one of the four above. */
template <class Flavour> class generator
{
  public:
    typedef typename Flavour::number number;

    /* Goes on from a state in global or shared memory, given whole or in its two parts. (warp) */
    __device__ __forceinline__ void load(const gpuranmar_state &state)
    {
        load(state.x, state.c);
    }

    __device__ __forceinline__ void load(const uint64_t *words, uint64_t arithmetic_part)
    {
        const unsigned lane = lane_number();
        s3 = narrow(words[lane]);
        s2 = narrow(words[warp_size + lane]);
        s1 = narrow(words[2 * warp_size + lane]);
        previous = narrow(words[2 * warp_size + 1 + lane]);
        /* next() first moves the arithmetic part on by 32 steps: it starts 32 steps too early. */
        const uint64_t before =
            (arithmetic_part >> arithmetic::shift) + (warp_size - 1 - lane) * arithmetic::step;
        c = arithmetic::from_fraction(before % arithmetic::modulus << arithmetic::shift);
    }

    /* Writes the state `back` numbers, 0..32, before the next one that next() would make. (warp) */
    __device__ __forceinline__ void store(gpuranmar_state &state, unsigned back = 0) const
    {
        store(state.x, state.c, back);
    }

    __device__ __forceinline__ void store(uint64_t *words, uint64_t &arithmetic_part,
                                          unsigned back = 0) const
    {
        const unsigned lane = lane_number();
        /* The recurrence backwards: lane l makes the word that is l+1 places before the state's
         * first, from the word 97 places later and the words between. */
        word newest = 0;
        if (back > 0) {
            const word youngest = shuffle(previous, warp_size - 1);
            const word young = shuffle(s1, warp_size - lane);
            newest = lane == 0 ? youngest : young;
        }
        if (back > 0 && Flavour::every == 1) {
            const word short_lag = shuffle(s2, warp_size - 1 - lane);
            if (lane < back)
                words[back - 1 - lane] = widen((word)(newest + short_lag));
        }
        words[back + lane] = widen(s3);
        words[back + warp_size + lane] = widen(s2);
        if (back + lane <= warp_size)
            words[back + 2 * warp_size + lane] = widen(s1);
        if (back == 0 && lane == warp_size - 1)
            words[3 * warp_size] = widen(previous);
        /* The keyed flavour has a lag of 97 - 8, so that going backwards 8 words can be made at
         * once. */
        if (Flavour::every == 8)
            for (unsigned made = 0; made < back; made += 8) {
                sync_warp(unseen);
                if (lane / 8 == made / 8 && lane < back) {
                    uint64_t *const oldest = words + back - 1 - lane;
                    *oldest = ranmar_lagged_back(oldest, widen(newest), Flavour::every);
                }
            }
        if (lane + 1 + back == warp_size)
            arithmetic_part = arithmetic::to_fraction(c);
        else if (back == warp_size && lane == 0) /* one step before the row's first */
            arithmetic_part =
                ranmar_arithmetic(arithmetic::to_fraction(c), modulus - step, modulus);
    }

    /* The next 32 numbers, in (0,1), one a lane in lane order. (warp) */
    __device__ __forceinline__ number next()
    {
        const unsigned lane = lane_number();
        const word x = lagged(), x32 = previous, x33 = s1;
        /* Lane 0 takes what lane 31 made a step earlier. */
        const word shifted = shuffle(lane == warp_size - 1 ? previous : x, lane + warp_size - 1);
        previous = x;
        s3 = s2;
        s2 = s1;
        s1 = shifted;
        c = arithmetic::template next<warp_size>(c);
        return Flavour::combine(x, c, x32, x33);
    }

  private:
    typedef typename Flavour::word word;
    typedef typename Flavour::arithmetic arithmetic;
    static constexpr uint64_t step = arithmetic::step << arithmetic::shift,
                              modulus = arithmetic::modulus << arithmetic::shift;

    /* The next 32 words. */
    __device__ __forceinline__ word lagged() const
    {
        if (Flavour::every == 1)
            return s3 - s1;
        /* The terms of (1 - s^8)^8, by how many lanes further on they are found: 0, 8, 16 or 24.
         * Where that goes past lane 31, it comes to a lane before, and to the next newer row. */
        const unsigned lane = lane_number();
        const word by_8 = lane >= 8 ? s3 + 7 * s2 : s2 + 7 * s1;
        const word by_16 = lane >= 16 ? s3 + s2 : s2 + s1;
        const word by_24 = lane >= 24 ? 7 * s3 + s2 : 7 * s2 + s1;
        return s3 + 70 * s2 + s1 - 8 * (shuffle(by_8, lane + 8) + shuffle(by_24, lane + 24)) +
               28 * shuffle(by_16, lane + 16);
    }

    static __device__ __forceinline__ word narrow(uint64_t fraction)
    {
        return (word)(fraction >> (64 - 8 * sizeof(word)));
    }

    static __device__ __forceinline__ uint64_t widen(word w)
    {
        return (uint64_t)w << (64 - 8 * sizeof(word));
    }

    word s1, s2, s3; /* shifted words of the last three steps */
    word previous;   /* the word of the last step */
    typename arithmetic::type c;
};

/* For code that branches: each lane that wants a number gets one, in lane order, and none is
 * lost, so that what a warp draws depends on nothing but the order of its calls. */
template <class Flavour> class source
{
  public:
    typedef typename Flavour::number number;

    /* Goes on from a state. (warp) */
    __device__ __forceinline__ void load(const gpuranmar_state &state)
    {
        generator_.load(state);
        row = generator_.next();
        used = 0;
    }

    /* Writes the state before the next number, which any other source or generator, on a GPU or
     * not, can go on from. (warp) */
    __device__ __forceinline__ void store(gpuranmar_state &state) const
    {
        generator_.store(state, warp_size - used);
    }

    /* The lanes with `want` get the next numbers; what the others get means nothing. (warp) */
    __device__ __forceinline__ number draw(bool want)
    {
        const unsigned wanting = ballot(want);
        const unsigned index = used + count_bits(wanting & lanes_before());
        const unsigned begin = used;
        used += count_bits(wanting);
        if (used < warp_size) /* the same in all lanes */
            return shuffle(row, index);
        /* Lanes before `begin` have no more of the old row. */
        const number fresh = generator_.next();
        const number u = shuffle(lane_number() < begin ? fresh : row, index);
        row = fresh;
        used -= warp_size;
        return u;
    }

  private:
    generator<Flavour> generator_;
    number row;    /* the last 32 numbers made, one a lane */
    unsigned used; /* how many of them are drawn: 0..31, the same in all lanes */
};

/* For lanes on paths of their own: each has up to `depth` numbers in its registers, which it may
 * draw inside any branch. refill() is called where the lanes are together, often enough that no
 * lane draws more than `depth` in between; which number a lane gets depends on nothing but how
 * many each lane has drawn between the calls. */
template <class Flavour, unsigned depth = 4> class buffered_source
{
  public:
    typedef typename Flavour::number number;

    /* What is kept of a buffered source between launches. */
    struct stored {
        gpuranmar_state state;
        number waiting[depth][warp_size];
        unsigned left[warp_size];
    };

    /* Begins at a state, and fills up. (warp) */
    __device__ __forceinline__ void load(const gpuranmar_state &state)
    {
        source_.load(state);
        left = 0;
        refill();
    }

    /* Goes on from what store() has written, perhaps in another launch. (warp) */
    __device__ __forceinline__ void load(const stored &from)
    {
        source_.load(from.state);
        left = from.left[lane_number()];
#pragma unroll
        for (unsigned i = 0; i < depth; ++i)
            waiting[i] = from.waiting[i][lane_number()];
    }

    __device__ __forceinline__ void store(stored &to) const
    {
        source_.store(to.state);
        to.left[lane_number()] = left;
#pragma unroll
        for (unsigned i = 0; i < depth; ++i)
            to.waiting[i][lane_number()] = waiting[i];
    }

    /* Gives every lane new numbers for those that it has drawn, in lane order. (warp) */
    __device__ __forceinline__ void refill()
    {
#pragma unroll
        for (unsigned i = 0; i < depth; ++i) {
            const bool want = i >= left;
            const number u = source_.draw(want);
            if (want)
                waiting[i] = u;
        }
        left = depth;
    }

    /* The lane's next number; a NaN if it has drawn `depth` since the last refill(). Any lane, in
     * any branch. */
    __device__ __forceinline__ number draw()
    {
        const number u = left > 0 ? waiting[0] : (number)double_of_bits(0x7ff80000u, 0);
#pragma unroll
        for (unsigned i = 1; i < depth; ++i)
            waiting[i - 1] = waiting[i];
        left -= left > 0;
        return u;
    }

  private:
    source<Flavour> source_;
    number waiting[depth]; /* the first `left` of them are to be drawn */
    unsigned left;
};

} // namespace gpuranmar

#endif
