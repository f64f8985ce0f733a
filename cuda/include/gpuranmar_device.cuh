/* RANMAR inside a kernel: a warp makes a sequence 32 numbers at a time, in registers.
 *
 * Its 32 lanes make 32 consecutive numbers at once (leapfrog), which the short lag, 33, allows. At
 * step t lane l makes the word x[32t+l]. Both lags, 33 and 97, are one more than a multiple of 32,
 * so that a step needs the words of one and of three steps before, shifted up by one lane:
 *
 *     x_t[l] = s_(t-3)[l] - s_(t-1)[l],   s_t[l] = x[32t+l-1]
 *
 * So a lane keeps three shifted words. In 32 lanes these are 96 of the state's 97 words; lane 31
 * keeps the last. (keyed has nine terms, of words that stand 8 lanes apart: lagged_by_8 below.)
 *
 *     __global__ void kernel(gpuranmar_state *states)
 *     {
 *         gpuranmar::generator<gpuranmar::double_precision> g;
 *         g.load(states[warp]);
 *         const double u = g.next();       // lane l has the l-th of the next 32 numbers
 *         g.store(states[warp]);
 *     }
 *
 * where warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, in a grid of one dimension.
 * gpuranmar_cuda_states() (gpuranmar_cuda.h) makes such states, for instance of as many segments of
 * one sequence as there are warps; gpuranmar_skip.cuh moves a state inside a kernel.
 *
 * Blocks are of one dimension and a multiple of 32 threads, so that threads 32w .. 32w+31 of a
 * block are its warp w. A function marked (warp) is called by all 32 lanes of a warp together:
 * never in a branch that some of them do not take, and never after some of them have returned.
 *
 * The headers need nothing but each other, and compile under nvcc and NVRTC (CuPy's RawModule with
 * the option -I and this folder). */
#ifndef GPURANMAR_DEVICE_CUH
#define GPURANMAR_DEVICE_CUH

#include "gpuranmar_hardware.cuh"

typedef struct ranmar_state gpuranmar_state;

namespace gpuranmar
{

/* The original's arithmetic part, a 24-bit integer in 32 bits. A difference below zero wraps to a
 * large integer: the result is the smaller of the difference and its sum with the modulus. */
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

    /* The arithmetic part 32 steps later. From compute capability 9.0 on, min(a + b, c) is one
     * instruction. */
    static __device__ __forceinline__ type next(type c)
    {
        constexpr uint32_t stride = warp_size * step % modulus;
        const uint32_t difference = c - stride;
        return __viaddmin_u32(difference, (uint32_t)modulus, difference);
    }
};

/* The arithmetic part of the extended and the keyed flavour, 48 bits of a 64-bit fraction. A unit
 * is the lowest of the 48 bits.
 *
 * A lane keeps the complement of c, 2^48 - 1 - c units: to subtract a stride from c is to add it to
 * the complement. A carry shows that c has fallen below zero, and then 59 units are added, since
 * the modulus is 2^48 - 59. The complement is one stride ahead of c, so that these units join the
 * next summand and need no addition of their own. */
template <uint64_t d> struct arithmetic_48 {
    static constexpr uint64_t step = d, modulus = RANMAR_MODULUS_48;
    static constexpr unsigned shift = 16;

    struct type {
        uint64_t sum;           /* of the complement and a stride */
        uint32_t lower_summand; /* the lower half of what is to be added next */
    };

    static __device__ __forceinline__ type from_fraction(uint64_t c)
    {
        const type complement = {0 - unit - c, (uint32_t)stride};
        return next(complement);
    }

    static __device__ __forceinline__ uint64_t to_fraction(type c)
    {
        return stride - unit - c.sum;
    }

    /* The arithmetic part 32 steps later. */
    static __device__ __forceinline__ type next(type c)
    {
        constexpr uint64_t upper_summand = stride >> 32 << 32;
        uint32_t carry;
        c.sum = add_with_carry(c.sum, upper_summand | c.lower_summand, carry);
        c.lower_summand = (uint32_t)stride + (carry ? lacks : 0);
        return c;
    }

  private:
    static constexpr uint64_t stride = warp_size * step % modulus << shift, unit = 1 << shift;
    static constexpr uint32_t lacks = 59 << shift;
    static_assert((uint32_t)stride + lacks >= lacks, "59 units more leave the upper half alone");
};

/* A number u, given the two halves of 1 + u as a double. Zero becomes 2^-48: only zero has an upper
 * half below that of 2^-48. */
__device__ __forceinline__ double without_one(uint32_t upper, uint32_t lower)
{
    const double u = __hiloint2double((int)upper, (int)lower) - 1.0;
    const uint32_t high = (uint32_t)__double2hiint(u);
    return __hiloint2double((int)(high > 0x3cf00000u ? high : 0x3cf00000u), __double2loint(u));
}

/* A 64-bit fraction u as a double: its upper 48 bits become the mantissa of 1 + u. */
__device__ __forceinline__ double to_double(uint32_t upper, uint32_t lower)
{
    return without_one((upper >> 12) + 0x3ff00000u, __funnelshift_r(lower, upper, 12));
}

/* The same from 64 bits. It saves an instruction: the compiler would shift all 64, and then add. */
__device__ __forceinline__ double to_double(uint64_t u)
{
    const uint32_t upper = (uint32_t)(u >> 32), lower = (uint32_t)u;
    return without_one(__funnelshift_r(upper, 0x3ff, 12), __funnelshift_r(lower, upper, 12));
}

/* A word of 48 bits in two parts, of 32 and 16 bits. In a sum of multiples of words each part is
 * summed for itself, without the 64-bit carries and products that cost a GPU most. The magnitudes
 * of the factors may add up to 2^15: then the lower part cannot overflow. carried() makes a word of
 * such a sum. */
struct split_word {
    uint32_t upper;
    int32_t lower;

    split_word() = default;
    __device__ __forceinline__ split_word(uint32_t upper_32, int32_t lower_16)
        : upper(upper_32), lower(lower_16)
    {
    }
    __device__ __forceinline__ explicit split_word(uint64_t fraction)
        : upper((uint32_t)(fraction >> 32)), lower((int32_t)((uint32_t)fraction >> 16))
    {
    }
    __device__ __forceinline__ explicit operator uint64_t() const
    {
        return (uint64_t)upper << 32 | (uint32_t)lower << 16;
    }
    __device__ __forceinline__ split_word carried() const
    {
        return split_word(upper + (uint32_t)(lower >> 16), lower & 0xffff);
    }
};

__device__ __forceinline__ split_word operator+(split_word a, split_word b)
{
    return split_word(a.upper + b.upper, a.lower + b.lower);
}

__device__ __forceinline__ split_word operator*(int factor, split_word a)
{
    return split_word((uint32_t)factor * a.upper, factor * a.lower);
}

__device__ __forceinline__ split_word shuffle(split_word value, unsigned from)
{
    return split_word(shuffle(value.upper, from), shuffle(value.lower, from));
}

/* The lagged Fibonacci part, a row of 32 words at a time, from the last three rows. */
template <class Word> struct lagged {
    typedef Word word;
    static constexpr unsigned every = 1;

    word s1, s2, s3; /* shifted words of the last three rows */
    word previous;   /* the word of the last row */

    /* Goes on from the 97 words of a state. */
    __device__ __forceinline__ void load(const uint64_t *words)
    {
        const unsigned lane = lane_number();
        s3 = narrow(words[lane]);
        s2 = narrow(words[warp_size + lane]);
        s1 = narrow(words[2 * warp_size + lane]);
        previous = narrow(words[2 * warp_size + 1 + lane]);
    }

    /* This lane's word of the next row. (warp) */
    __device__ __forceinline__ word next()
    {
        const word x = s3 - s1;
        move_on(x);
        return x;
    }

    /* The mask of the next row's number. */
    __device__ __forceinline__ uint64_t mask() const
    {
        return 0;
    }

    static __device__ __forceinline__ word narrow(uint64_t fraction)
    {
        return (word)(fraction >> (64 - 8 * sizeof(word)));
    }

    static __device__ __forceinline__ uint64_t widen(word w)
    {
        return (uint64_t)w << (64 - 8 * sizeof(word));
    }

  protected:
    __device__ __forceinline__ void move_on(word x)
    {
        const unsigned lane = lane_number();
        /* Lane 0 takes what lane 31 made a row earlier. */
        const word shifted = shuffle(lane == warp_size - 1 ? previous : x, lane + warp_size - 1);
        previous = x;
        s3 = s2;
        s2 = s1;
        s1 = shifted;
    }
};

/* The same where one word of 8 is kept. With z^k for the word 8k places after s3, the next word is
 *
 *     (1 - z)^8 = 1 + 28 z^2 + 70 z^4 + 28 z^6 + z^8 - 8 (z + 7 z^3 + 7 z^5 + z^7)
 *
 * A row is 32 places, so that s2 is z^4 and s1 is z^8. The lane keeps z^2 and z^6 too, in f2 and
 * f1, which it gets by one shuffle when they are made. It needs no odd powers: their sum in this
 * lane is z^2 + 7 z^4 + 7 z^6 + z^8 of the lane 8 places before, which that lane makes and passes.
 *
 * A mask needs the upper half of the lane's own word of three rows back, and that of the word 4
 * places after it, so that the lane keeps the upper halves of two more rows. */
struct lagged_by_8 : lagged<split_word> {
    static constexpr unsigned every = 8;

    __device__ __forceinline__ void load(const uint64_t *words)
    {
        lagged::load(words);
        const unsigned lane = lane_number();
        f2 = narrow(words[16 + lane]);
        f1 = narrow(words[48 + lane]);
        upper2 = (uint32_t)(words[warp_size + 1 + lane] >> 32);
        upper3 = (uint32_t)(words[1 + lane] >> 32);
        sum = f2; /* only that of the last 8 lanes is read */
        if (lane >= warp_size - 8)
            sum = narrow(words[lane - 16]) + narrow(words[lane + 32]) +
                  7 * (narrow(words[lane]) + narrow(words[lane + 16]));
    }

    __device__ __forceinline__ split_word next()
    {
        const unsigned lane = lane_number();
        const split_word last_sum = sum;
        sum = f2 + s1 + 7 * (s2 + f1);
        /* The first 8 lanes need the sum that the last 8 lanes made a row earlier. */
        const split_word odd =
            shuffle(lane >= warp_size - 8 ? last_sum : sum, lane + warp_size - 8);
        const split_word x = (s3 + s1 + 70 * s2 + 28 * (f1 + f2) + -8 * odd).carried();
        /* Lanes 0..16 take what lanes 15..31 made a row earlier. */
        const split_word further = shuffle(lane < 15 ? x : previous, lane + 15);
        upper3 = upper2;
        upper2 = previous.upper;
        move_on(x);
        f2 = f1;
        f1 = further;
        return x;
    }

    /* As ranmar_mask_of() makes it, but for the lowest 16 bits. (warp) */
    __device__ __forceinline__ uint64_t mask() const
    {
        static_assert(RANMAR_MASK_LAG_1 == 92 && RANMAR_MASK_LAG_2 == 96, "");
        const unsigned lane = lane_number();
        /* The last 4 lanes need the words of the first 4 lanes that are a row later. */
        const uint32_t x92 = shuffle(lane < 4 ? upper2 : upper3, lane + 4);
        return ((uint64_t)x92 * (upper3 | 1)) << 8;
    }

  private:
    split_word f1, f2, sum;
    uint32_t upper2, upper3; /* the upper halves of the words of two and three rows back */
};

/* A flavour: combine() makes the number of a word x, an arithmetic part and a mask. It drops the
 * lowest 16 bits of the mask, which no word has. */
struct double_precision {
    typedef double number;
    typedef lagged<uint64_t> words;
    typedef words::word word;
    typedef arithmetic_24 arithmetic;

    static __device__ __forceinline__ number combine(word x, arithmetic::type c, uint64_t)
    {
        return to_double((uint32_t)(x >> 32) - (c << 8), (uint32_t)x);
    }
};

struct extended_precision {
    typedef double number;
    typedef lagged<uint64_t> words;
    typedef words::word word;
    typedef arithmetic_48<RANMAR_STEP_48> arithmetic;

    static __device__ __forceinline__ number combine(word x, arithmetic::type c, uint64_t)
    {
        return to_double(x - arithmetic::to_fraction(c));
    }
};

struct keyed_precision {
    typedef double number;
    typedef lagged_by_8 words;
    typedef words::word word;
    typedef arithmetic_48<8 * RANMAR_STEP_48 % RANMAR_MODULUS_48> arithmetic;

    static __device__ __forceinline__ number combine(word x, arithmetic::type c, uint64_t mask)
    {
        const uint64_t u = ((uint64_t)x - arithmetic::to_fraction(c)) ^ mask;
        return to_double(u & ~(uint64_t)0xffff);
    }
};

struct single_precision {
    typedef float number;
    typedef lagged<uint32_t> words;
    typedef words::word word;
    typedef arithmetic_24 arithmetic;

    static __device__ __forceinline__ number combine(word x, arithmetic::type c, uint64_t)
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
        x.load(words);
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
        word newest = word();
        if (back > 0) {
            const word youngest = shuffle(x.previous, warp_size - 1);
            const word young = shuffle(x.s1, warp_size - lane);
            newest = lane == 0 ? youngest : young;
        }
        if (back > 0 && x.every == 1) {
            const word short_lag = shuffle(x.s2, warp_size - 1 - lane);
            if (lane < back)
                words[back - 1 - lane] = x.widen((word)(newest + short_lag));
        }
        words[back + lane] = x.widen(x.s3);
        words[back + warp_size + lane] = x.widen(x.s2);
        if (back + lane <= warp_size)
            words[back + 2 * warp_size + lane] = x.widen(x.s1);
        if (back == 0 && lane == warp_size - 1)
            words[3 * warp_size] = x.widen(x.previous);
        /* The keyed flavour has a lag of 97 - 8, so that at most 8 words at once can be made
         * backwards. */
        if (x.every == 8)
            for (unsigned made = 0; made < back; made += 8) {
                sync_warp(untestable);
                if (lane / 8 == made / 8 && lane < back) {
                    uint64_t *const oldest = words + back - 1 - lane;
                    *oldest = ranmar_lagged_back(oldest, x.widen(newest), x.every);
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
        const uint64_t mask = x.mask();
        const word newest = x.next();
        c = arithmetic::next(c);
        return Flavour::combine(newest, c, mask);
    }

  private:
    typedef typename Flavour::word word;
    typedef typename Flavour::arithmetic arithmetic;
    static constexpr uint64_t step = arithmetic::step << arithmetic::shift,
                              modulus = arithmetic::modulus << arithmetic::shift;

    typename Flavour::words x;
    typename arithmetic::type c;
};

/* For code that branches: each lane that wants a number gets one, in lane order, and none is
 * lost, so that the numbers of a warp depend only on the order of its calls. */
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

    /* The lanes with `want` get the next numbers; the result of the others is undefined. (warp) */
    __device__ __forceinline__ number draw(bool want)
    {
        const unsigned wanting = __ballot_sync(all_lanes, want);
        const unsigned index = used + (unsigned)__popc(wanting & lanes_before());
        const unsigned begin = used;
        used += (unsigned)__popc(wanting);
        if (used < warp_size) /* the same in all lanes */
            return shuffle(row, index);
        /* The old row's numbers in lanes before `begin` have been drawn. */
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

} // namespace gpuranmar

#endif
