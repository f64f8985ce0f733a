/* RANMAR inside an OpenCL kernel, in OpenCL C 1.2: 32 work-items, or one, make a sequence together.
 *
 *     #include "gpuranmar_device.cl"
 *
 *     GPURANMAR_KERNEL void use(__global gpuranmar_state *states, __global double *out)
 *     {
 *         __local gpuranmar_workspace workspace;
 *         gpuranmar_source source;
 *         gpuranmar_load(&source, &workspace, &states[gpuranmar_segment()]);
 *         const double u = gpuranmar_next(&source); // work-item l has the l-th of the next 32
 *         gpuranmar_store(&source, &states[gpuranmar_segment()]);
 *     }
 *
 * The program is compiled with the options that gpuranmar_opencl_options() gives
 * (gpuranmar_opencl.h), which choose the flavour, and with -I for the folder of this file;
 * gpuranmar_opencl_states() makes such states. Before this file is included one may define
 *
 *     GPURANMAR_LANES      32 (default) or 1: the work-items of a work-group, which make a sequence
 *                          together. One is for CPUs.
 *
 * GPURANMAR_KERNEL stands for __kernel, and has OpenCL refuse work-groups of another size, whose
 * numbers would be wrong.
 *
 * A function marked (group) is called by all work-items of a work-group together: it has barriers.
 * Two cautions are for PoCL:
 *
 * - Give a function of your own that takes `workspace`, or any __local variable of a kernel,
 *   __attribute__((always_inline)). Without it PoCL before 4.0 may let concurrent work-groups share
 *   the variable, and the numbers are wrong.
 * - Put barrier(CLK_LOCAL_MEM_FENCE) after a divergent `if` that is the last statement of a loop or
 *   an `if` with a call marked (group). Without the barrier PoCL 3.1 lets all work-items take the
 *   branch of the first one.
 *
 * A row of 32 numbers can be made at once, since the shortest lag is 33. */
#ifndef GPURANMAR_DEVICE_CL
#define GPURANMAR_DEVICE_CL

#ifdef RANMAR_WITHOUT_DOUBLES /* for a test */
#undef cl_khr_fp64
#endif
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#include "gpuranmar_definition.h"

#ifndef GPURANMAR_LANES
#define GPURANMAR_LANES 32
#endif
#if GPURANMAR_LANES != 1 && GPURANMAR_LANES != 32
#error "GPURANMAR_LANES is not 1 or 32"
#endif
#define GPURANMAR_KERNEL __attribute__((reqd_work_group_size(GPURANMAR_LANES, 1, 1))) __kernel
#ifndef GPURANMAR_BITS
#error "compile this with the options of gpuranmar_opencl_options()"
#endif

typedef struct ranmar_state gpuranmar_state;

/* A number: a float or a double. On a device without doubles it is a double's 64 bits. */
#if GPURANMAR_BITS == 24
typedef float gpuranmar_number;
#define RANMAR_BITS_OF(u) as_uint(u)
#define RANMAR_OF_BITS(bits) as_float((uint)(bits))
#elif defined(cl_khr_fp64)
typedef double gpuranmar_number;
#define RANMAR_BITS_OF(u) as_ulong(u)
#define RANMAR_OF_BITS(bits) as_double(bits)
#else
typedef ulong gpuranmar_number;
#define RANMAR_BITS_OF(u) (u)
#define RANMAR_OF_BITS(bits) (bits)
#endif

/* A function that is given a kernel's __local variable: see above. */
#define RANMAR_GIVEN_LOCAL static __attribute__((always_inline))

#define RANMAR_LAG RANMAR_LONG_LAG
#define RANMAR_REACH (2 * RANMAR_LAG - 1)
#define RANMAR_ROW 32u
#define RANMAR_RING (8 * RANMAR_ROW)
/* The remainder shows a compiler that a lane is below LANES. Without it NVIDIA's keeps a source in
 * memory, which makes a number up to 19 times slower. */
#define RANMAR_LANE ((uint)get_local_id(0) % GPURANMAR_LANES)
/* A loop over the numbers l of a row that this work-item makes. It keeps them, and what belongs to
 * them, in arrays of OWN elements, at index l / LANES. */
#if GPURANMAR_LANES == 1
#define RANMAR_FOR_LANES(l) for (uint l = 0; l < RANMAR_ROW; ++l)
#else /* one iteration, visible to the compiler: otherwise it keeps arrays over lanes in memory */
#define RANMAR_FOR_LANES(l) for (uint l = RANMAR_LANE, once_ = 1; once_; once_ = 0)
#endif
#define RANMAR_OWN (RANMAR_ROW / GPURANMAR_LANES)
/* A loop over the words, of which this work-item takes every LANES-th. */
#define RANMAR_FOR_WORDS(i) for (uint i = RANMAR_LANE; i < RANMAR_LAG; i += GPURANMAR_LANES)
#if GPURANMAR_LANES == 1 /* no other work-item uses this workspace */
#define RANMAR_BARRIER()
#define RANMAR_GLOBAL_BARRIER()
#else
#define RANMAR_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define RANMAR_GLOBAL_BARRIER() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif

/* The local memory of a sequence. During a jump x has the words, oldest first, with room to extend
 * them to the reach of the jump, and then the jump's coefficients. Between jumps 32 work-items keep
 * the words in registers; one work-item keeps them in x, a ring of eight rows. New words go to
 * index 1 of a row to index 0 of the next one, so that the words at both lags are whole rows; index
 * 256 repeats index 0. Behind the ring 32 work-items keep their last two rows of numbers. */
#define RANMAR_NUMBERS (RANMAR_RING + 1)
typedef struct {
    ulong x[RANMAR_NUMBERS + 2 * RANMAR_ROW];
    ulong part[RANMAR_ROW];
    uint wanting[2]; /* which work-items want a number, in this draw and in the next */
} gpuranmar_workspace;
#define RANMAR_JUMP(w) ((w)->x + RANMAR_REACH)

/* Which of all the sequences of a kernel this work-item has a part in. It counts work-groups, not
 * global IDs, so that the range may begin at an offset and have up to three dimensions. */
static uint gpuranmar_segment(void)
{
    return get_group_id(0) +
           get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2));
}

/* --- The arithmetic part --- */

#define RANMAR_BELOW (64 - GPURANMAR_ARITHMETIC_BITS)

/* What `distance` steps subtract from the arithmetic part, a fraction. */
#define RANMAR_STRIDE(distance)                                                       \
    ranmar_stride(distance, GPURANMAR_STEP >> RANMAR_BELOW, GPURANMAR_ARITHMETIC_BITS, \
                  (uint)((0 - GPURANMAR_MODULUS) >> RANMAR_BELOW))

/* In 32 bits, a difference of arithmetic parts of 24 bits that is below zero wraps to a large
 * integer: the smaller of the difference and its sum with the modulus is the result. */
#if GPURANMAR_ARITHMETIC_BITS == 24
typedef uint ranmar_c;
#define RANMAR_FROM_FRACTION(c) ((uint)((c) >> 40))
#define RANMAR_TO_FRACTION(c) ((ulong)(c) << 40)
#else
typedef ulong ranmar_c;
#define RANMAR_FROM_FRACTION(c) (c)
#define RANMAR_TO_FRACTION(c) (c)
#endif

/* The part a row later. */
static ranmar_c ranmar_next_part(ranmar_c c)
{
    const ulong modulus = GPURANMAR_MODULUS >> RANMAR_BELOW;
    const ulong stride = RANMAR_ROW * (GPURANMAR_STEP >> RANMAR_BELOW) % modulus;
#if GPURANMAR_ARITHMETIC_BITS == 24
    const uint difference = c - (uint)stride;
    return min(difference, difference + (uint)modulus);
#else
    return ranmar_arithmetic(c, stride << RANMAR_BELOW, GPURANMAR_MODULUS);
#endif
}

/* --- Jumps: csrc/definition/jump.h has the mathematics. gpuranmar_skip.cuh has code of its own for
 * them, which is faster: it prefetches words and coefficients, sums by shuffles and begins a jump
 * before the state is known --- */

/* A distance is written in digits, the lowest first. The table has a jump for each value of each
 * digit but 0. The first digit counts up to the shortest segment of a fill, and is 0 in all
 * distances between segments; the next two are long. So a segment is at most two jumps away in
 * arrays of 2^31 numbers if GPURANMAR_LANES is 32, and of 2^23 numbers if it is 1. */
#define RANMAR_HIGH_BITS (64 - GPURANMAR_FIRST_DIGIT - 2 * GPURANMAR_LONG_DIGIT)
#define RANMAR_DIGITS (3 + (RANMAR_HIGH_BITS + GPURANMAR_HIGH_DIGIT - 1) / GPURANMAR_HIGH_DIGIT)

static uint ranmar_digit_bits(uint digit)
{
    return digit == 0  ? GPURANMAR_FIRST_DIGIT
           : digit < 3 ? GPURANMAR_LONG_DIGIT
                       : GPURANMAR_HIGH_DIGIT;
}

/* A jump by N is kept as the state at position N of the unit sequence, whose words before position
 * 0 are zero but for the youngest, which is 1. From the state's words e this makes the coefficients
 * of t^N mod f. */
static void ranmar_put_jump(__local gpuranmar_workspace *w, __global const ulong *e)
{
#pragma unroll 4 /* so that the loads overlap */
    RANMAR_FOR_WORDS(i)
    {
#define RANMAR_BEFORE(j) (i >= RANMAR_LAG - (j) ? e[i - (RANMAR_LAG - (j))] : 0)
        RANMAR_JUMP(w)
        [RANMAR_LAG - 1 - i] = e[i] - RANMAR_LAGGED_TERMS(RANMAR_BEFORE, GPURANMAR_EVERY);
#undef RANMAR_BEFORE
    }
}

/* Continues the words in x to the reach of a jump. (group) */
static void ranmar_extend(__local gpuranmar_workspace *w)
{
    for (uint begin = RANMAR_LAG; begin < RANMAR_REACH; begin += RANMAR_ROW) {
        RANMAR_FOR_LANES(l) if (begin + l < RANMAR_REACH)
        {
#define RANMAR_AT(j) w->x[begin + l - RANMAR_LAG + (j)]
            w->x[begin + l] = RANMAR_AT(0) + RANMAR_LAGGED_TERMS(RANMAR_AT, GPURANMAR_EVERY);
#undef RANMAR_AT
        }
        RANMAR_BARRIER();
    }
}

/* Moves the words by the jump behind them. (group) */
static void ranmar_jump(__local gpuranmar_workspace *w)
{
    ulong y[RANMAR_OWN][3], last = 0;
    ranmar_extend(w);
    RANMAR_FOR_LANES(l)
    {
        /* Words 3l, 3l+1 and 3l+2: of the words that these need, one is new each time. */
        __local const ulong *const x = w->x + 3 * l;
        ulong a = x[0], b = x[1], sum[3] = {0, 0, 0};
#if GPURANMAR_LANES > 1
#pragma unroll 8
#endif
        for (uint j = 0; j < RANMAR_LAG - 1; ++j) {
            const ulong p = RANMAR_JUMP(w)[j], c = x[j + 2];
            sum[0] += p * a;
            sum[1] += p * b;
            sum[2] += p * c;
            a = b;
            b = c;
        }
        sum[0] += RANMAR_JUMP(w)[RANMAR_LAG - 1] * a;
        sum[1] += RANMAR_JUMP(w)[RANMAR_LAG - 1] * b;
        sum[2] += RANMAR_JUMP(w)[RANMAR_LAG - 1] * x[RANMAR_LAG + 1];
        for (int k = 0; k < 3; ++k)
            y[l / GPURANMAR_LANES][k] = sum[k];
        ulong part = 0;
        for (uint j = l; j < RANMAR_LAG; j += RANMAR_ROW)
            part += RANMAR_JUMP(w)[j] * w->x[RANMAR_LAG - 1 + j];
        w->part[l] = part;
    }
    RANMAR_BARRIER();
    RANMAR_FOR_LANES(l)
    {
        for (int k = 0; k < 3; ++k)
            w->x[3 * l + k] = y[l / GPURANMAR_LANES][k];
        if (l == 0) {
            for (uint k = 0; k < RANMAR_ROW; ++k)
                last += w->part[k];
            w->x[RANMAR_LAG - 1] = last;
        }
    }
    RANMAR_BARRIER();
}

/* Moves the words in x on by a distance. (group) */
static void ranmar_skip(__local gpuranmar_workspace *w, __global const ulong *jumps, ulong distance)
{
    for (uint digit = 0; digit < RANMAR_DIGITS; ++digit) {
        const uint values = (1u << ranmar_digit_bits(digit)) - 1, value = (uint)distance & values;
        if (value > 0) {
            ranmar_put_jump(w, jumps + (ulong)(value - 1) * RANMAR_LAG);
            RANMAR_BARRIER();
            ranmar_jump(w);
        }
        jumps += (ulong)values * RANMAR_LAG;
        distance >>= ranmar_digit_bits(digit);
    }
}

/* --- Numbers --- */

/* A word in the form from which numbers are made. In registers a word of a keyed flavour has two
 * parts, of 16 and 32 bits. In a sum of multiples of words each part is summed for itself, without
 * the 64-bit carries and products that cost a GPU most. */
#if GPURANMAR_BITS == 24
typedef uint ranmar_word;
#define RANMAR_NARROW(x) ((uint)((x) >> 32))
#define RANMAR_WIDEN(x) ((ulong)(x) << 32)
typedef uint ranmar_scalar;
#define RANMAR_TO_SCALAR as_uint
#define RANMAR_OF_SCALAR as_uint
#elif GPURANMAR_LANES > 1 && GPURANMAR_EVERY == 8
typedef uint2 ranmar_word;
#define RANMAR_NARROW(x) ((uint2)((uint)(x) >> 16, (uint)((x) >> 32)))
#define RANMAR_WIDEN(word) as_ulong((uint2)((word).x << 16, (word).y))
typedef ulong ranmar_scalar;
#define RANMAR_TO_SCALAR as_ulong
#define RANMAR_OF_SCALAR as_uint2
#else
typedef ulong ranmar_word;
#define RANMAR_NARROW(x) (x)
#define RANMAR_WIDEN(x) (x)
typedef ulong ranmar_scalar;
#define RANMAR_TO_SCALAR as_ulong
#define RANMAR_OF_SCALAR as_ulong
#endif

/* The number u of word x, masked by the words 92 and 96 before. The upper bits of u become the
 * mantissa of 1 + u, from which 1 is subtracted: exact, and faster than to convert an integer. */
static gpuranmar_number ranmar_number_of(ranmar_word x, ranmar_c c, ranmar_word x92,
                                         ranmar_word x96)
{
#if GPURANMAR_BITS == 24
    /* ranmar_combine() of the upper halves. 24 significant bits: the conversion is exact. */
    return (float)max(x - (c << 8), 256u) * 0x1p-32f;
#else
    const struct ranmar_flavour flavour = {.bits = GPURANMAR_BITS,
                                           .step = GPURANMAR_STEP,
                                           .modulus = GPURANMAR_MODULUS,
                                           .every = GPURANMAR_EVERY};
    const ulong mask = GPURANMAR_KEYED ? ranmar_mask_of(RANMAR_WIDEN(x92), RANMAR_WIDEN(x96)) : 0;
#if defined(cl_khr_fp64) && GPURANMAR_LANES > 1
    /* ranmar_combine() but for zero */
#if GPURANMAR_ARITHMETIC_BITS == 24 /* nothing is taken off the lower half, nor masked */
    const uint2 halves = as_uint2(RANMAR_WIDEN(x)) - as_uint2(RANMAR_TO_FRACTION(c));
#else
    const uint2 halves = as_uint2((RANMAR_WIDEN(x) - RANMAR_TO_FRACTION(c)) ^ mask);
#endif
    const uint2 made = as_uint2(
        as_double((uint2)(halves.x >> 12 | halves.y << 20, (halves.y >> 12) + 0x3ff00000u)) - 1.0);
    /* Only zero has an upper half below that of 2^-48. */
    return as_double((uint2)(made.x, max(made.y, 0x3cf00000u)));
#else
    const ulong u = ranmar_combine(RANMAR_WIDEN(x), mask, RANMAR_TO_FRACTION(c), &flavour);
#if defined(cl_khr_fp64)
    return as_double(0x3ff0000000000000UL | u >> 12) - 1.0;
#else
    const ulong zeros = clz(u);
    return (1022 - zeros) << 52 | (u << zeros & 0x7fffffffffffffffUL) >> 11;
#endif
#endif
#endif
}

/* A sequence, as its work-items know it. The words stand in the ring, or in the registers of 32
 * work-items. gpuranmar_device.cuh describes that method: of the last three rows a lane keeps the
 * words one place before its own. docs/internals.md has a table of both headers' functions. */
typedef struct {
    __local gpuranmar_workspace *w;
    uint row;               /* rows made so far, modulo 8 */
    uint used;              /* how many of the last row are drawn, 0..32 */
    uint parity;            /* of the draw: the index in w->wanting */
    ranmar_c c[RANMAR_OWN]; /* of the next row */
#if GPURANMAR_LANES == 1
    gpuranmar_number u[RANMAR_OWN]; /* the last row */
#else
    ranmar_word s1, s2, s3, previous;
#if GPURANMAR_EVERY == 8
    ranmar_word f1, f2, sum;
    uint upper2, upper3; /* halves of this lane's words two and three rows before the next */
#endif
#endif
    uint exchange; /* offset at which lanes next exchange values in local memory: 0 or 64 */
} gpuranmar_source;

#if GPURANMAR_LANES > 1

/* ranmar_shuffle() sets *a to the *a of lane from_a, modulo 32, of the same sequence. In a keyed
 * flavour it also sets *b to the *b of lane from_b, or only its upper half unless `is_whole`. The
 * library's options define RANMAR_SHUFFLES for NVIDIA's compiler. */
#ifdef RANMAR_SHUFFLES

/* NVIDIA's OpenCL C has shuffles only as inline assembly. */
static uint ranmar_shuffle_32(uint value, uint from)
{
    uint given;
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, 0xffffffff;"
                 : "=r"(given)
                 : "r"(value), "r"(from));
    return given;
}

static ranmar_word ranmar_shuffle_word(ranmar_word value, uint from, int is_whole)
{
#if GPURANMAR_BITS == 24
    return ranmar_shuffle_32(value, from);
#else
    const uint2 halves = as_uint2(value);
    const uint low = is_whole ? ranmar_shuffle_32(halves.x, from) : 0;
    return RANMAR_OF_SCALAR((uint2)(low, ranmar_shuffle_32(halves.y, from)));
#endif
}

static void ranmar_shuffle(const gpuranmar_source *g, ranmar_word *a, uint from_a, ranmar_word *b,
                           uint from_b, int is_whole)
{
    (void)g;
    *a = ranmar_shuffle_word(*a, from_a, 1);
#if GPURANMAR_EVERY == 8
    *b = ranmar_shuffle_word(*b, from_b, is_whole);
#endif
}

#else

/* Through local memory: two buffers alternate, so that one barrier is enough. They lie behind the
 * words from which a state is stored, which other lanes may still read. Both values share the
 * barrier. (group) */
static void ranmar_shuffle(gpuranmar_source *g, ranmar_word *a, uint from_a, ranmar_word *b,
                           uint from_b, int is_whole)
{
    const uint lane_a = from_a % RANMAR_ROW, lane_b = from_b % RANMAR_ROW;
    __local ulong *const exchange = g->w->x + (RANMAR_NUMBERS - 4 * RANMAR_ROW) + g->exchange;
    (void)is_whole;
    g->exchange = 2 * RANMAR_ROW - g->exchange;
    exchange[RANMAR_LANE] = RANMAR_TO_SCALAR(*a);
#if GPURANMAR_EVERY == 8
    exchange[RANMAR_ROW + RANMAR_LANE] = RANMAR_TO_SCALAR(*b);
#endif
    RANMAR_BARRIER();
    *a = RANMAR_OF_SCALAR((ranmar_scalar)exchange[lane_a]);
#if GPURANMAR_EVERY == 8
    *b = RANMAR_OF_SCALAR((ranmar_scalar)exchange[RANMAR_ROW + lane_b]);
#endif
}
#endif

static void ranmar_take_words(gpuranmar_source *g)
{
    __local const ulong *const x = g->w->x + RANMAR_LANE;
    g->s3 = RANMAR_NARROW(x[0]);
    g->s2 = RANMAR_NARROW(x[RANMAR_ROW]);
    g->s1 = RANMAR_NARROW(x[2 * RANMAR_ROW]);
    g->previous = RANMAR_NARROW(x[2 * RANMAR_ROW + 1]);
#if GPURANMAR_EVERY == 8
    g->f2 = RANMAR_NARROW(x[16]);
    g->f1 = RANMAR_NARROW(x[48]);
    g->sum = g->f2; /* only that of the last 8 lanes is read */
    if (RANMAR_LANE >= 24)
        g->sum = RANMAR_NARROW(x[-16]) + RANMAR_NARROW(x[32]) +
                 7 * (RANMAR_NARROW(x[0]) + RANMAR_NARROW(x[16]));
    g->upper2 = (uint)(x[RANMAR_ROW + 1] >> 32);
    g->upper3 = (uint)(x[1] >> 32);
#endif
}

/* Puts the state's words into x, 32 places on, and the 32 words before them in front. These are
 * made backwards, a whole row at once, or 8 words at once in a keyed flavour. (group) */
static void ranmar_show_words(gpuranmar_source *g)
{
    const uint lane = RANMAR_LANE;
    __local ulong *const x = g->w->x;
    RANMAR_BARRIER();
    x[RANMAR_ROW + lane] = RANMAR_WIDEN(g->s3);
    x[2 * RANMAR_ROW + lane] = RANMAR_WIDEN(g->s2);
    x[3 * RANMAR_ROW + lane] = RANMAR_WIDEN(g->s1);
    if (lane == RANMAR_ROW - 1)
        x[4 * RANMAR_ROW] = RANMAR_WIDEN(g->previous);
    const uint at_once = GPURANMAR_EVERY == 1 ? RANMAR_ROW : 8;
    for (uint made = 0; made < RANMAR_ROW; made += at_once) {
        RANMAR_BARRIER();
        if (lane / at_once == made / at_once) {
            const uint back = RANMAR_ROW - 1 - lane;
#define RANMAR_AT(j) x[back + (j)]
            x[back] = RANMAR_AT(RANMAR_LAG) - RANMAR_LAGGED_TERMS(RANMAR_AT, GPURANMAR_EVERY);
#undef RANMAR_AT
        }
    }
    RANMAR_BARRIER();
}
#define RANMAR_SHOWN(g, back, i) (g)->w->x[RANMAR_ROW - (back) + (i)]

/* The next row: this lane's number of it. lagged_by_8 in gpuranmar_device.cuh says how a keyed
 * flavour's are made. (group) */
static void ranmar_words_of_row(gpuranmar_source *g, gpuranmar_number *u)
{
    const uint lane = RANMAR_LANE;
#if GPURANMAR_EVERY == 1
    const ranmar_word x = g->s3 - g->s1, x96 = 0;
    ranmar_word x92 = 0, further = 0; /* are of no use here */
#else
    const ranmar_word sum = g->f2 + g->s1 + 7 * (g->s2 + g->f1), x96 = (uint2)(0, g->upper3);
    ranmar_word odd = lane >= 24 ? g->sum : sum,
                x92 = (uint2)(0, lane < 4 ? g->upper2 : g->upper3);
    ranmar_shuffle(g, &odd, lane + 24, &x92, lane + 4, 0);
    ranmar_word x = g->s3 + g->s1 + 70 * g->s2 + 28 * (g->f1 + g->f2) - 8 * odd;
    x = (uint2)(x.x & 0xffff, x.y + (uint)((int)x.x >> 16));
    ranmar_word further = lane < 15 ? x : g->previous;
#endif
    /* Lane 0 takes what lane 31 made a row earlier. */
    ranmar_word shifted = lane == RANMAR_ROW - 1 ? g->previous : x;
    ranmar_shuffle(g, &shifted, lane + RANMAR_ROW - 1, &further, lane + 15, 1);
    u[0] = ranmar_number_of(x, g->c[0], x92, x96);
#if GPURANMAR_EVERY == 8
    g->sum = sum;
    g->f2 = g->f1;
    g->f1 = further;
    g->upper3 = g->upper2;
    g->upper2 = g->previous.y;
#endif
    g->previous = x;
    g->s3 = g->s2;
    g->s2 = g->s1;
    g->s1 = shifted;
}

#else

static void ranmar_take_words(const gpuranmar_source *g)
{
    (void)g; /* they stand in the ring */
}

/* Word i of the state `back` numbers, 0..32, before the next row. */
#define RANMAR_SHOWN(g, back, i) (g)->w->x[(RANMAR_ROW * (g)->row - (back) + (i)) % RANMAR_RING]
static void ranmar_show_words(const gpuranmar_source *g)
{
    (void)g;
}

/* The next row: this work-item's numbers of it. */
static void ranmar_words_of_row(gpuranmar_source *g, gpuranmar_number *u)
{
    __local ulong *const ring = g->w->x;
    const uint r = g->row, end = RANMAR_ROW * ((r + 3) % 8) + 1;
    RANMAR_FOR_LANES(l)
    {
        /* A row is read whole, from its first word on, if j is a multiple of its length. */
#define RANMAR_AT(j)                                                       \
    ring[(j) % RANMAR_ROW == 0                                             \
             ? RANMAR_ROW * ((r + (j) / RANMAR_ROW) % 8) + l               \
             : (RANMAR_ROW * r + l + (j)) % RANMAR_RING]
        const ulong x = RANMAR_AT(0) + RANMAR_LAGGED_TERMS(RANMAR_AT, GPURANMAR_EVERY);
        const ulong x92 = RANMAR_AT(RANMAR_LAG - RANMAR_MASK_LAG_1),
                    x96 = RANMAR_AT(RANMAR_LAG - RANMAR_MASK_LAG_2);
#undef RANMAR_AT
        ring[end + l] = x;
        if (l == RANMAR_ROW - 1 && end + l == RANMAR_RING)
            ring[0] = x;
        u[l / GPURANMAR_LANES] =
            ranmar_number_of(RANMAR_NARROW(x), g->c[l / GPURANMAR_LANES], RANMAR_NARROW(x92),
                             RANMAR_NARROW(x96));
    }
}
#endif

/* Makes the next row in u. (group) */
static void ranmar_make_row(gpuranmar_source *g, gpuranmar_number *u)
{
    ranmar_words_of_row(g, u);
    RANMAR_FOR_LANES(l)
    g->c[l / GPURANMAR_LANES] = ranmar_next_part(g->c[l / GPURANMAR_LANES]);
    g->row = (g->row + 1) % 8;
}

/* Begins with the words in x, and the arithmetic part before the next number. (group) */
static void ranmar_begin(gpuranmar_source *g, ulong before)
{
    g->row = 0;
    g->used = RANMAR_ROW;
    g->parity = 0;
    g->exchange = 0;
    RANMAR_FOR_LANES(l)
    g->c[l / GPURANMAR_LANES] = RANMAR_FROM_FRACTION(
        ranmar_arithmetic(before, RANMAR_STRIDE(l + 1), GPURANMAR_MODULUS));
    if (RANMAR_LANE == 0)
        g->w->wanting[0] = 0;
    ranmar_take_words(g);
    RANMAR_BARRIER();
}

/* Goes on from the state `distance` numbers after *state. `jumps` is the table of gpuranmar_skip(),
 * and may be 0 if the distance is. (group) */
RANMAR_GIVEN_LOCAL void ranmar_load_after(gpuranmar_source *g,
                                          __local gpuranmar_workspace *workspace,
                                          __global const gpuranmar_state *state,
                                          __global const ulong *jumps, ulong distance)
{
    g->w = workspace;
    RANMAR_BARRIER();
#pragma unroll 4
    RANMAR_FOR_WORDS(i)
        g->w->x[i] = state->x[i];
    const ulong before = state->c;
    RANMAR_GLOBAL_BARRIER(); /* all have read the state before any can write it */
    if (jumps)
        ranmar_skip(g->w, jumps, distance);
    ranmar_begin(g, ranmar_arithmetic(before, RANMAR_STRIDE(distance), GPURANMAR_MODULUS));
}

/* The arithmetic part `back` numbers before the next row. Only work-item 0 has what this needs. */
static ulong ranmar_part_before(const gpuranmar_source *g, uint back)
{
    return ranmar_arithmetic(RANMAR_TO_FRACTION(g->c[0]),
                             GPURANMAR_MODULUS - RANMAR_STRIDE(back + 1), GPURANMAR_MODULUS);
}

/* Writes the state `back` numbers before the next row if `wanted`. (group) */
static void ranmar_store_before(gpuranmar_source *g, __global gpuranmar_state *state, uint back,
                                int wanted)
{
    ranmar_show_words(g);
    if (!wanted)
        return;
    RANMAR_FOR_WORDS(i)
        state->x[i] = RANMAR_SHOWN(g, back, i);
    if (RANMAR_LANE == 0)
        state->c = ranmar_part_before(g, back);
}

/* --- What kernels call --- */

/* Goes on from a state, which is the same in all work-items of a work-group. (group) */
RANMAR_GIVEN_LOCAL void gpuranmar_load(gpuranmar_source *g,
                                       __local gpuranmar_workspace *workspace,
                                       __global const gpuranmar_state *state)
{
    ranmar_load_after(g, workspace, state, 0, 0);
}

/* Writes the state before the next number, from which any other source can go on. The same kernel
 * may load it after barrier(CLK_GLOBAL_MEM_FENCE). If GPURANMAR_LANES is 1, leave that barrier out:
 * PoCL 6.0 aborts at it. (group) */
static void gpuranmar_store(gpuranmar_source *g, __global gpuranmar_state *state)
{
    ranmar_store_before(g, state, RANMAR_ROW - g->used, 1);
}

/* Skips `distance` numbers, 0..2^64-1, the same in all work-items of a sequence. `jumps` is the
 * table of gpuranmar_opencl_jumps(). (group) */
static void gpuranmar_skip(gpuranmar_source *g, __global const ulong *jumps, ulong distance)
{
    const uint back = RANMAR_ROW - g->used;
    ulong words[(RANMAR_LAG + RANMAR_ROW - 1) / RANMAR_ROW * RANMAR_OWN];
    ranmar_show_words(g);
    RANMAR_FOR_LANES(l)
    for (uint i = l, k = l / GPURANMAR_LANES; i < RANMAR_LAG; i += RANMAR_ROW, k += RANMAR_OWN)
        words[k] = RANMAR_SHOWN(g, back, i);
    if (RANMAR_LANE == 0)
        g->w->part[0] = ranmar_part_before(g, back);
    RANMAR_BARRIER();
    const ulong before = g->w->part[0];
    RANMAR_FOR_LANES(l)
    for (uint i = l, k = l / GPURANMAR_LANES; i < RANMAR_LAG; i += RANMAR_ROW, k += RANMAR_OWN)
        g->w->x[i] = words[k];
    RANMAR_BARRIER();
    ranmar_skip(g->w, jumps, distance);
    ranmar_begin(g, ranmar_arithmetic(before, RANMAR_STRIDE(distance), GPURANMAR_MODULUS));
}

/* Work-items with `want` get the next numbers, in (0,1), in the order of work-items, and no number
 * is lost; the result of the others is undefined. Always inlined, since PoCL 3.1 may crash when it
 * inlines this late. (group) */
static __attribute__((always_inline)) gpuranmar_number gpuranmar_draw(gpuranmar_source *g, int want)
{
#if GPURANMAR_LANES == 1
    if (want && g->used == RANMAR_ROW) {
        ranmar_make_row(g, g->u);
        g->used = 0;
    }
    return want ? g->u[g->used++] : 0;
#else
    __local gpuranmar_workspace *const w = g->w;
    const uint lane = RANMAR_LANE;
    if (want)
        atomic_or(&w->wanting[g->parity], 1u << lane);
    RANMAR_BARRIER();
    const uint wanting = w->wanting[g->parity], r = g->row;
    const uint number = g->used + popcount(wanting & ((1u << lane) - 1));
    const uint used = g->used + popcount(wanting);
    const int fresh = used > RANMAR_ROW;
    if (lane == 0)
        w->wanting[1 - g->parity] = 0; /* all have read it in the last draw */
    if (fresh) {
        gpuranmar_number u[1];
        ranmar_make_row(g, u);
        w->x[RANMAR_NUMBERS + RANMAR_ROW * (r % 2) + lane] = RANMAR_BITS_OF(u[0]);
    }
    RANMAR_BARRIER();
    g->used = fresh ? used - RANMAR_ROW : used;
    g->parity = 1 - g->parity;
    const uint row = number < RANMAR_ROW ? r + 1 : r; /* the one before, or the fresh one */
    return RANMAR_OF_BITS(w->x[RANMAR_NUMBERS + RANMAR_ROW * (row % 2) + number % RANMAR_ROW]);
#endif
}

/* The next numbers, in (0,1): one for each work-item, in their order. Faster than gpuranmar_draw(),
 * until a draw has left a part of a row. (group) */
static gpuranmar_number gpuranmar_next(gpuranmar_source *g)
{
#if GPURANMAR_LANES == 32
    if (g->used == RANMAR_ROW) {
        gpuranmar_number u[1];
        ranmar_make_row(g, u);
        return u[0];
    }
#endif
    return gpuranmar_draw(g, 1);
}

#endif
