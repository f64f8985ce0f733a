/* Jump-ahead by a warp, to any distance. csrc/definition/jump.h has the mathematics.
 *
 *     __global__ void kernel(gpuranmar_state *states, const uint64_t *jumps)
 *     {
 *         __shared__ gpuranmar::workspace w;                  // one a warp
 *         gpuranmar::load(w, states[0]);
 *         gpuranmar::skip<gpuranmar::double_precision>(w, jumps, 1000000007);
 *         gpuranmar::generator<gpuranmar::double_precision> g;
 *         g.load(w.x, w.c);
 *     }
 *
 * gpuranmar_cuda_jumps() (gpuranmar_cuda.h) gives the table. A skip takes as long as 120 calls of
 * next() (keyed: 50) for each digit of the distance that is not 0, see digit_bits().
 *
 * A jump by N is kept as the state at position N of the *unit sequence*, whose words before
 * position 0 are zero but for the youngest, 1. Multiplying t^N by t shows that the coefficients
 * of t^N mod f are sums of that state's words,
 *
 *     p[96-i] = e[i], i = 0..32      p[63-i] = e[33+i] + e[i], i = 0..63
 *
 * (keyed likewise, with its eight lags below 97). So jumps are composed by moving states, which
 * needs no arithmetic of polynomials.
 */
#ifndef GPURANMAR_SKIP_CUH
#define GPURANMAR_SKIP_CUH

#include "gpuranmar_device.cuh"

namespace gpuranmar
{

constexpr unsigned lag = RANMAR_LONG_LAG, jump_reach = 2 * lag - 1;

/* A distance is written in digits of several lengths, and the table has a jump for every value of
 * every digit. The first digit counts up to the shortest segment of a fill, and is 0 in all
 * distances between segments. The next two are long, so that a segment is at most one jump away in
 * arrays of up to 2^22 numbers, and two in arrays of up to 2^35. On an H200 (measure-cuda) 10^5
 * threads have their first numbers after 30 us. A first digit of 7 bits makes that 40 us, and one
 * of 11 bits changes nothing. Long digits of 11 bits make it 36 us. */
#ifndef RANMAR_SHORT_DIGIT_BITS /* the tests on the CPU make small tables */
#define RANMAR_SHORT_DIGIT_BITS 9
#define RANMAR_LONG_DIGIT_BITS 13
#endif
constexpr unsigned high_digit_bits = 7;
constexpr unsigned digits =
    3 + (64 - RANMAR_SHORT_DIGIT_BITS - 2 * RANMAR_LONG_DIGIT_BITS + high_digit_bits - 1) /
            high_digit_bits;

RANMAR_FUNCTION unsigned digit_bits(unsigned digit)
{
    return digit == 0  ? RANMAR_SHORT_DIGIT_BITS
           : digit < 3 ? RANMAR_LONG_DIGIT_BITS
                       : high_digit_bits;
}

/* How many jumps the table has for a digit: by 1, 2, ... times its unit. */
RANMAR_FUNCTION unsigned digit_jumps(unsigned digit)
{
    return (1u << digit_bits(digit)) - 1;
}

/* What a kernel must know of a flavour to move its sequences on. The arithmetic part is modulo
 * 2^bits - lacks. */
struct recurrence {
    uint64_t step;
    unsigned bits, lacks;
    unsigned every;
};

template <class Flavour> constexpr __host__ __device__ recurrence recurrence_of()
{
    typedef typename Flavour::arithmetic arithmetic;
    return {arithmetic::step, 64 - arithmetic::shift,
            (unsigned)((uint64_t(1) << (64 - arithmetic::shift)) - arithmetic::modulus),
            Flavour::words::every};
}

/* A warp's shared memory: a state whose words can be extended. */
struct workspace {
    uint64_t x[jump_reach];
    uint64_t c;
    uint64_t p[lag];
};

/* Calls write(i, read(i)) for the places i of all words, 32 at a time; all are read before any is
 * written, so that the loads overlap. */
template <class Read, class Write>
__device__ __forceinline__ void copy_words(Read read, Write write)
{
    constexpr unsigned rounds = (lag + warp_size - 1) / warp_size;
    uint64_t words[rounds];
#pragma unroll
    for (unsigned k = 0; k < rounds; ++k)
        if (k * warp_size + lane_number() < lag)
            words[k] = read(k * warp_size + lane_number());
#pragma unroll
    for (unsigned k = 0; k < rounds; ++k)
        if (k * warp_size + lane_number() < lag)
            write(k * warp_size + lane_number(), words[k]);
}

/* (warp) */
__device__ inline void load(workspace &w, const gpuranmar_state &state)
{
    copy_words([&](unsigned i) { return state.x[i]; },
               [&](unsigned i, uint64_t word) { w.x[i] = word; });
    if (lane_number() == 0)
        w.c = state.c;
    sync_warp();
}

/* (warp) */
__device__ inline void store(const workspace &w, gpuranmar_state &state)
{
    copy_words([&](unsigned i) { return w.x[i]; },
               [&](unsigned i, uint64_t word) { state.x[i] = word; });
    if (lane_number() == 0)
        state.c = w.c;
}

/* Words 97 .. end-1 from those before, 32 at a time. (warp) */
__device__ inline void extend(workspace &w, unsigned end, unsigned every)
{
    for (unsigned i = lag + lane_number(); i - lane_number() < end; i += warp_size) {
        if (i < end)
            w.x[i] = ranmar_lagged(w.x + i - lag, every);
        sync_warp();
    }
}

/* Puts the jump with the unit sequence's words e into w. (warp) */
__device__ inline void put_jump(workspace &w, const uint64_t *e, unsigned every)
{
    const auto coefficient = [&](unsigned i) {
        const auto before = [&](unsigned j) { return i >= lag - j ? e[i - (lag - j)] : 0; };
        return e[i] - RANMAR_LAGGED_TERMS(before, every);
    };
    copy_words(coefficient, [&](unsigned i, uint64_t p) { w.p[96 - i] = p; });
}

/* A sum of products modulo 2^64, of three multiplications each. The upper halves have a sum of
 * their own, so that they do not wait for the carries of the lower ones. */
struct products {
    uint64_t lower;
    uint32_t upper;

    __device__ __forceinline__ void add(uint64_t a, uint64_t b)
    {
        lower += (uint64_t)(uint32_t)a * (uint32_t)b;
        upper += (uint32_t)(a >> 32) * (uint32_t)b + (uint32_t)a * (uint32_t)(b >> 32);
    }

    __device__ __forceinline__ uint64_t sum() const
    {
        return lower + ((uint64_t)upper << 32);
    }
};

/* What a lane multiplies in a batch of iterations from iteration j on: p[j+i] and x[j+2+i]. */
constexpr unsigned batch = 8;
struct factors {
    uint64_t p[batch], x[batch];
};

__device__ __forceinline__ factors factors_at(const workspace &w, const uint64_t *x, unsigned j)
{
    factors f;
#pragma unroll
    for (unsigned i = 0; i < batch; ++i) {
        f.p[i] = w.p[j + i];
        f.x[i] = x[j + 2 + i];
    }
    return f;
}

/* Adds the lane's products of the iterations of f. `before` has the two words before f.x, and then
 * the last two of f.x. */
__device__ __forceinline__ void add_products(products *y, const factors &f, uint64_t *before)
{
#pragma unroll
    for (unsigned i = 0; i < batch; ++i) {
        y[0].add(f.p[i], before[0]);
        y[1].add(f.p[i], before[1]);
        y[2].add(f.p[i], f.x[i]);
        before[0] = before[1];
        before[1] = f.x[i];
    }
}

/* Moves the words in w on by the jump in it. (warp) */
__device__ inline void jump(workspace &w, unsigned every)
{
    const unsigned lane = lane_number();
    extend(w, jump_reach, every); /* which ends with a sync_warp() */

    /* Lane l makes words 3l, 3l+1 and 3l+2: of the words that these need, one is new in each
     * iteration. New words are prefetched a batch ahead, to hide the latency of shared memory. */
    static_assert(lag == 12 * batch + 1, "");
    products y[3] = {};
    const uint64_t *const x = &w.x[3 * lane];
    uint64_t before[2] = {x[0], x[1]};
    factors now = factors_at(w, x, 0), next;
#pragma unroll 1
    for (unsigned j = 0; j < lag - 1; j += 2 * batch) {
        next = factors_at(w, x, j + batch);
        add_products(y, now, before);
        if (j + 2 * batch < lag - 1)
            now = factors_at(w, x, j + 2 * batch);
        add_products(y, next, before);
    }
    y[0].add(w.p[lag - 1], before[0]);
    y[1].add(w.p[lag - 1], before[1]);
    y[2].add(w.p[lag - 1], x[lag + 1]);
    /* All lanes make the last word together. */
    products sum = {};
#pragma unroll
    for (unsigned j = 0; j < lag - 1; j += warp_size)
        sum.add(w.p[j + lane], w.x[lag - 1 + j + lane]);
    uint64_t last = sum.sum();
    for (unsigned half = warp_size / 2; half > 0; half /= 2)
        last += shuffle(last, lane ^ half);
    last += w.p[lag - 1] * w.x[2 * lag - 2];
    sync_warp(untestable);

#pragma unroll
    for (unsigned k = 0; k < 3; ++k)
        w.x[3 * lane + k] = y[k].sum();
    if (lane == 0)
        w.x[lag - 1] = last;
    sync_warp();
}

/* The jumps that make a distance, one for each digit that is not 0. */
struct jump_path {
    const uint64_t *jumps; /* of the next digit */
    uint64_t distance;     /* what is left of it, in units of that digit */
    unsigned digit;
};

/* The next of them, or null. */
__device__ inline const uint64_t *next_jump(jump_path &path)
{
    const uint64_t *next = nullptr;
    while (path.distance > 0 && !next) {
        const unsigned value = (unsigned)path.distance & digit_jumps(path.digit);
        if (value > 0)
            next = path.jumps + (uint64_t)(value - 1) * lag;
        path.jumps += digit_jumps(path.digit) * lag;
        path.distance >>= digit_bits(path.digit);
        ++path.digit;
    }
    return next;
}

/* A skip by a distance, 0..2^64-1, with a table of jumps of the recurrence. begin() does all that
 * can be done before the state is known. */
struct skipping {
    recurrence r;
    jump_path path;
    const uint64_t *next;
    uint64_t stride; /* of the arithmetic part */

    /* (warp) */
    __device__ inline void begin(workspace &w, const uint64_t *jumps, uint64_t distance,
                                 recurrence of)
    {
        r = of;
        path = {jumps, distance, 0};
        next = next_jump(path);
        if (next)
            put_jump(w, next, r.every);
        stride = ranmar_stride(distance, r.step, r.bits, r.lacks);
    }

    /* Moves the state in w on. (warp) */
    __device__ inline void end(workspace &w)
    {
        if (!next)
            return;
        if (lane_number() == 0)
            w.c = ranmar_arithmetic(w.c, stride,
                                    ((uint64_t(1) << r.bits) - r.lacks) << (64 - r.bits));
        for (;;) {
            jump(w, r.every);
            next = next_jump(path);
            if (!next)
                return;
            put_jump(w, next, r.every);
        }
    }
};

/* Moves the state in w on by a distance. (warp) */
__device__ inline void skip(workspace &w, const uint64_t *jumps, uint64_t distance, recurrence r)
{
    skipping s;
    s.begin(w, jumps, distance, r);
    s.end(w);
}

/* The same for a flavour of gpuranmar_device.cuh. (warp) */
template <class Flavour>
__device__ inline void skip(workspace &w, const uint64_t *jumps, uint64_t distance)
{
    skip(w, jumps, distance, recurrence_of<Flavour>());
}

} // namespace gpuranmar

#endif
