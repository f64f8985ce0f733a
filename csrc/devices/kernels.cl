/* The kernels of the OpenCL back end, in OpenCL C 1.2. The plugin compiles them at run time, after
 * gpuranmar_definition.h and definition/interleave.h, for one flavour, with these macros:
 *
 *   LANES          1 or 32: the work-items that make a segment together; each makes 32 / LANES of
 *                  a row's 32 numbers
 *   SEGMENTS       segments of a work-group, which has LANES * SEGMENTS work-items
 *   BITS EVERY KEYED STEP MODULUS    the flavour's, as in struct ranmar_flavour
 *   ARITHMETIC_BITS            24 or 48, of the arithmetic part
 *   WITHOUT_DOUBLES            for a test
 *   FIRST_DIGIT LONG_DIGIT HIGH_DIGIT    bits of the digits of a distance, see next_digit()
 *
 * A row of 32 numbers can be made at once, since the shortest lag is 33. All work-items of a group
 * go through the same barriers, also those of a segment that is shorter or has nothing to do. */
#ifdef WITHOUT_DOUBLES /* as on a device that has none */
#undef cl_khr_fp64
#endif
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#define LAG RANMAR_LONG_LAG
#define REACH (2 * LAG - 1)
#define ROW 32u
/* For each number of a row that this work-item makes. */
#define FOR_LANES(l) for (uint l = get_local_id(0) % LANES; l < ROW; l += LANES)
#define OWN (ROW / LANES)
#if LANES * SEGMENTS == 1
#define BARRIER()
#else
#define BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#endif

typedef struct ranmar_state state;

/* The words of a segment. While it is looked for they stand in x, oldest first, and can be
 * continued to `REACH`. While it is made, word m of those from its beginning on stands at place
 * m + 32 of a ring of eight rows, so that a row is read from whole rows. The last word of a row is
 * the first place of the next: place 256 is place 0. */
typedef struct {
    ulong ring[8 * ROW + 1];
    ulong x[REACH];
    ulong p[LAG];
    ulong part[ROW];
} workspace;

/* --- The arithmetic part --- */

#define ONE_BELOW ((1UL << ARITHMETIC_BITS) - 1)
#define LACKS ((1UL << ARITHMETIC_BITS) - (MODULUS >> (64 - ARITHMETIC_BITS)))

/* n modulo 2^bits - LACKS, by folding the upper bits into the lower ones: three foldings leave less
 * than twice the modulus. A division would take longer than all else. */
static ulong reduced(ulong n)
{
    for (int fold = 0; fold < 3; ++fold)
        n = (n >> ARITHMETIC_BITS) * LACKS + (n & ONE_BELOW);
    return n <= ONE_BELOW - LACKS ? n : n - (ONE_BELOW + 1 - LACKS);
}

/* What `distance` steps take off the arithmetic part, a fraction. */
static ulong stride_of(ulong distance)
{
    const ulong d = reduced(distance), step = STEP >> (64 - ARITHMETIC_BITS);
    const ulong high = mul_hi(d, step) << (64 - ARITHMETIC_BITS) | d * step >> ARITHMETIC_BITS;
    return reduced(high * LACKS + (d * step & ONE_BELOW)) << (64 - ARITHMETIC_BITS);
}

/* --- Jumps: csrc/definition/jump.h has the mathematics --- */

/* A distance is written in digits, the lowest first. The table has a jump for each value of each
 * digit but 0. The first digit counts up to the shortest segment, and is 0 in all distances between
 * segments; the next two are long, so that a segment is at most two jumps away in arrays of 2^31
 * numbers. */
#define DIGITS (3 + (64 - FIRST_DIGIT - 2 * LONG_DIGIT + HIGH_DIGIT - 1) / HIGH_DIGIT)

static uint digit_bits(uint digit)
{
    return digit == 0 ? FIRST_DIGIT : digit < 3 ? LONG_DIGIT : HIGH_DIGIT;
}

/* A jump by N is kept as the state at position N of the unit sequence, whose words before position
 * 0 are zero but for the youngest, 1. From its words e this makes the coefficients of
 * t^N mod f. */
static void put_jump(__local workspace *w, __global const ulong *e)
{
    FOR_LANES(l)
    for (uint i = l; i < LAG; i += ROW) {
#define BEFORE(j) (i >= LAG - (j) ? e[i - (LAG - (j))] : 0)
        w->p[LAG - 1 - i] = e[i] - RANMAR_LAGGED_TERMS(BEFORE, EVERY);
#undef BEFORE
    }
}

/* Continues the words in x to the reach of a jump. */
static void extend(__local workspace *w)
{
    for (uint begin = LAG; begin < REACH; begin += ROW) {
        FOR_LANES(l) if (begin + l < REACH)
        {
#define WORD(j) w->x[begin + l - LAG + (j)]
            w->x[begin + l] = WORD(0) + RANMAR_LAGGED_TERMS(WORD, EVERY);
#undef WORD
        }
        BARRIER();
    }
}

/* Moves the words by the jump in p, if there `is` one. */
static void jump(__local workspace *w, int is)
{
    ulong y[OWN][3], last = 0;
    extend(w);
    if (is)
        FOR_LANES(l)
        {
            /* Words 3l, 3l+1 and 3l+2: of the words that these need, one is new each time. */
            __local const ulong *const x = w->x + 3 * l;
            ulong a = x[0], b = x[1], sum[3] = {0, 0, 0};
            for (uint j = 0; j < LAG - 1; ++j) {
                const ulong p = w->p[j], c = x[j + 2];
                sum[0] += p * a;
                sum[1] += p * b;
                sum[2] += p * c;
                a = b;
                b = c;
            }
            sum[0] += w->p[LAG - 1] * a;
            sum[1] += w->p[LAG - 1] * b;
            sum[2] += w->p[LAG - 1] * x[LAG + 1];
            for (int k = 0; k < 3; ++k)
                y[l / LANES][k] = sum[k];
            ulong part = 0;
            for (uint j = l; j < LAG; j += ROW)
                part += w->p[j] * w->x[LAG - 1 + j];
            w->part[l] = part;
        }
    BARRIER();
    if (is)
        FOR_LANES(l)
        {
            for (int k = 0; k < 3; ++k)
                w->x[3 * l + k] = y[l / LANES][k];
            if (l == 0) {
                for (uint k = 0; k < ROW; ++k)
                    last += w->part[k];
                w->x[LAG - 1] = last;
            }
        }
    BARRIER();
}

/* Moves the words in x on by a distance. */
static void skip(__local workspace *w, __global const ulong *jumps, ulong distance)
{
    for (uint digit = 0; digit < DIGITS; ++digit) {
        const uint values = (1u << digit_bits(digit)) - 1, value = (uint)distance & values;
        /* In a group of one segment nothing else has to be waited for. */
        if (value > 0)
            put_jump(w, jumps + (ulong)(value - 1) * LAG);
        if (SEGMENTS > 1 || value > 0) {
            BARRIER();
            jump(w, value > 0);
        }
        jumps += (ulong)values * LAG;
        distance >>= digit_bits(digit);
    }
}

/* Makes a digit's jumps by known+1 .. 2*known units from those by 1 .. known units. */
__kernel void double_jumps(__global ulong *jumps, ulong begin, uint known)
{
    __local workspace workspaces[SEGMENTS];
    __local workspace *const w = workspaces + get_local_id(0) / LANES;
    const uint i = get_global_id(0) / LANES;
    jumps += begin;
    FOR_LANES(l)
    for (uint k = l; k < LAG; k += ROW)
        w->x[k] = i < known ? jumps[(ulong)i * LAG + k] : 0;
    put_jump(w, jumps + (ulong)(known - 1) * LAG);
    BARRIER();
    jump(w, 1);
    if (i < known)
        FOR_LANES(l)
        for (uint k = l; k < LAG; k += ROW)
            jumps[(ulong)(known + i) * LAG + k] = w->x[k];
}

/* --- Numbers --- */

/* The arithmetic part of 24 bits fits 32, and then a difference below zero wraps to a large
 * integer: that plus the modulus is the smaller of the two, and the one that counts. */
#if ARITHMETIC_BITS == 24
typedef uint arithmetic;
#define FROM_FRACTION(c) ((uint)((c) >> 40))
#define TO_FRACTION(c) ((ulong)(c) << 40)
#else
typedef ulong arithmetic;
#define FROM_FRACTION(c) (c)
#define TO_FRACTION(c) (c)
#endif

static arithmetic next_part(arithmetic c)
{
    const ulong modulus = MODULUS >> (64 - ARITHMETIC_BITS);
    const ulong stride = ROW * (STEP >> (64 - ARITHMETIC_BITS)) % modulus;
#if ARITHMETIC_BITS == 24
    const uint difference = c - (uint)stride;
    return min(difference, difference + (uint)modulus);
#else
    return ranmar_arithmetic(c, stride << (64 - ARITHMETIC_BITS), MODULUS);
#endif
}

/* A number is written as its bits. */
#if BITS == 24
typedef uint number, word;
#define NARROW(x) ((uint)((x) >> 32))
#define WIDEN(x) ((ulong)(x) << 32)
#else
typedef ulong number, word;
#define NARROW(x) (x)
#define WIDEN(x) (x)
#endif

/* x32 and x33 are the words so many places before x. */
static number number_of(word x, arithmetic c, word x32, word x33)
{
    const struct ranmar_flavour flavour = {
        .bits = BITS, .step = STEP, .modulus = MODULUS, .every = EVERY};
    const ulong mask = KEYED ? ranmar_mask_of(WIDEN(x32), WIDEN(x33)) : 0;
    const ulong u = ranmar_combine(WIDEN(x), mask, TO_FRACTION(c), &flavour);
#if BITS == 24
    return as_uint(ranmar_to_single(u));
#elif defined(cl_khr_fp64)
    /* The upper bits become the mantissa of 1 + u, from which 1 is subtracted: exact, and faster
     * than to convert an integer. */
    return as_ulong(as_double(0x3ff0000000000000UL | u >> 12) - 1.0);
#else
    const ulong zeros = clz(u);
    return (1022 - zeros) << 52 | (u << zeros & 0x7fffffffffffffffUL) >> 11;
#endif
}

/* How a segment keeps its words while it is made: they stand in the ring. With SHUFFLES, which
 * nobody defines, since no GPU has compiled it yet, they stand in registers of NVIDIA's GPUs, and
 * lanes give them to each other, which OpenCL C of that compiler has by inline assembly alone.
 * gpuranmar_device.cuh describes that method: of the last three rows a lane keeps the words one
 * place before its own. It is for LANES == 32 and SEGMENTS == 1. */

#ifdef SHUFFLES
typedef struct {
    word s1, s2, s3, previous;
} words;

static uint shuffle_32(uint value, uint from)
{
    uint given;
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, 0xffffffff;"
                 : "=r"(given)
                 : "r"(value), "r"(from));
    return given;
}

static word shuffle_word(word value, uint from)
{
#if BITS == 24
    return shuffle_32(value, from);
#else
    const uint2 halves = as_uint2(value);
    return as_ulong((uint2)(shuffle_32(halves.x, from), shuffle_32(halves.y, from)));
#endif
}

static void take_words(words *g, __local workspace *w)
{
    const uint lane = get_local_id(0);
    g->s3 = NARROW(w->x[lane]);
    g->s2 = NARROW(w->x[ROW + lane]);
    g->s1 = NARROW(w->x[2 * ROW + lane]);
    g->previous = NARROW(w->x[2 * ROW + 1 + lane]);
}

static void put_words(const words *g, __local workspace *w)
{
    const uint lane = get_local_id(0);
    w->x[lane] = WIDEN(g->s3);
    w->x[ROW + lane] = WIDEN(g->s2);
    w->x[2 * ROW + lane] = WIDEN(g->s1);
    if (lane == ROW - 1)
        w->x[3 * ROW] = WIDEN(g->previous);
}

/* A row: its numbers, and the arithmetic parts of the next. */
static void make_row(words *g, __local workspace *w, arithmetic *c, number *u)
{
    const uint lane = get_local_id(0);
#if EVERY == 1
    const word x = g->s3 - g->s1;
#else
    /* The terms by how many lanes further on they are found: 0, 8, 16 or 24. Where that goes past
     * lane 31, it comes to a lane before, and to the next newer row. */
    const word by_8 = lane >= 8 ? g->s3 + 7 * g->s2 : g->s2 + 7 * g->s1;
    const word by_16 = lane >= 16 ? g->s3 + g->s2 : g->s2 + g->s1;
    const word by_24 = lane >= 24 ? 7 * g->s3 + g->s2 : 7 * g->s2 + g->s1;
    const word x = g->s3 + 70 * g->s2 + g->s1 -
                   8 * (shuffle_word(by_8, lane + 8) + shuffle_word(by_24, lane + 24)) +
                   28 * shuffle_word(by_16, lane + 16);
#endif
    /* Lane 0 takes what lane 31 made a row earlier. */
    const word shifted = shuffle_word(lane == ROW - 1 ? g->previous : x, lane + ROW - 1);
    u[0] = number_of(x, c[0], g->previous, g->s1);
    g->previous = x;
    g->s3 = g->s2;
    g->s2 = g->s1;
    g->s1 = shifted;
    c[0] = next_part(c[0]);
}

#else

typedef struct {
    uint row; /* made so far, modulo 8 */
} words;

static void take_words(words *g, __local workspace *w)
{
    g->row = 0;
    FOR_LANES(l)
    for (uint i = l; i < LAG; i += ROW)
        w->ring[ROW + i] = w->x[i];
    BARRIER();
}

static void put_words(const words *g, __local workspace *w)
{
    FOR_LANES(l)
    for (uint i = l; i < LAG; i += ROW)
        w->x[i] = w->ring[(ROW * (g->row + 1) + i) % 256];
}

static void make_row(words *g, __local workspace *w, arithmetic *c, number *u)
{
    const uint r = g->row, end = ROW * ((r + 4) % 8) + 1;
    FOR_LANES(l)
    {
        /* Rows are read whole but where a lag is not a multiple of a row. */
#define WORD(j) \
    w->ring[(j) % ROW == 0 ? ROW * ((r + 1 + (j) / ROW) % 8) + l : (ROW * (r + 1) + l + (j)) % 256]
        const ulong x = WORD(0) + RANMAR_LAGGED_TERMS(WORD, EVERY);
        const ulong x32 = WORD(LAG - RANMAR_MASK_LAG), x33 = WORD(LAG - RANMAR_MASK_LAG - 1);
#undef WORD
        w->ring[end + l] = x;
        if (l == ROW - 1 && end + l == 8 * ROW)
            w->ring[0] = x;
        u[l / LANES] = number_of(NARROW(x), c[l / LANES], NARROW(x32), NARROW(x33));
        c[l / LANES] = next_part(c[l / LANES]);
    }
    g->row = (r + 1) % 8;
    BARRIER();
}
#endif

/* Numbers begin .. begin + length - 1 from the states on. The last segment of a sequence writes the
 * state behind it. */
typedef struct {
    ulong begin, length;
    int is_last;
} segment;

static segment segment_at(ulong begin, ulong longest, ulong count)
{
    segment s;
    s.begin = begin;
    s.length = begin >= count ? 0 : count - begin < longest ? count - begin : longest;
    s.is_last = (begin == 0 || begin < count) && begin + s.length >= count;
    return s;
}

/* Goes to the state by a distance after `from`. Returns the arithmetic part there, as a fraction,
 * and in c those of the first row. */
static ulong go_to(words *g, arithmetic *c, __local workspace *w, __global const state *from,
                   __global const ulong *jumps, ulong distance)
{
    FOR_LANES(l)
    for (uint i = l; i < LAG; i += ROW)
        w->x[i] = from->x[i];
    BARRIER();
    skip(w, jumps, distance);
    take_words(g, w);
    const ulong before = ranmar_arithmetic(from->c, stride_of(distance), MODULUS);
    FOR_LANES(l)
    c[l / LANES] = FROM_FRACTION(ranmar_arithmetic(before, stride_of(l + 1), MODULUS));
    return before;
}

/* The word so many places before the l-th of the next row. */
#define BEFORE_(w, l, by) NARROW((w)->x[LAG + (l) - (by)])

/* Ends a segment whose whole rows are made, with the words behind them in x, and c those of the
 * next row: its other numbers, which put() takes, and the state. All work-items of the group call
 * this. */
#define END_SEGMENT(w, s, before, c, to, PUT)                                                    \
    do {                                                                                         \
        const uint rest_ = (uint)((s).length % ROW);                                             \
        BARRIER();                                                                               \
        extend(w);                                                                               \
        FOR_LANES(l)                                                                             \
        {                                                                                        \
            if (l < rest_)                                                                       \
                PUT((s).length - rest_ + l,                                                      \
                    number_of(BEFORE_((w), l, 0), (c)[l / LANES],                                \
                              BEFORE_((w), l, RANMAR_MASK_LAG),                                  \
                              BEFORE_((w), l, RANMAR_MASK_LAG + 1)), l);                         \
            if ((s).is_last) {                                                                   \
                for (uint i = l; i < LAG; i += ROW)                                              \
                    (to)->x[i] = (w)->x[rest_ + i];                                              \
                if (l == 0)                                                                      \
                    (to)->c = ranmar_arithmetic(before, stride_of((s).length), MODULUS);         \
            }                                                                                    \
        }                                                                                        \
    } while (0)

/* Makes the whole rows of a segment, of which `most` are made by all work-items of the group; PUT
 * takes the numbers. In registers several rows are made before they are written: memory takes few
 * long pieces better than many short ones. */
#ifdef SHUFFLES
#define BURST 4
#else
#define BURST 1
#endif
#define MAKE_ROWS(g, w, c, own, most, PUT)                                                       \
    do {                                                                                         \
        number u_[BURST][OWN];                                                                   \
        ulong r_ = 0;                                                                            \
        for (; r_ + BURST <= (most); r_ += BURST) {                                              \
            if (SEGMENTS > 1 && r_ == (own))                                                     \
                put_words(g, w);                                                                 \
            arithmetic kept_[OWN];                                                               \
            FOR_LANES(l) kept_[l / LANES] = (c)[l / LANES];                                      \
            for (int b_ = 0; b_ < BURST; ++b_)                                                   \
                make_row(g, w, c, u_[b_]);                                                       \
            for (int b_ = 0; b_ < BURST; ++b_)                                                   \
                FOR_LANES(l) if (SEGMENTS == 1 || r_ < (own))                                    \
                    PUT((r_ + b_) * ROW + l, u_[b_][l / LANES], l);                              \
            if (SEGMENTS > 1 && r_ >= (own))                                                     \
                FOR_LANES(l) (c)[l / LANES] = kept_[l / LANES];                                  \
        }                                                                                        \
        for (; r_ < (most); ++r_) {                                                              \
            make_row(g, w, c, u_[0]);                                                            \
            FOR_LANES(l) PUT(r_ * ROW + l, u_[0][l / LANES], l);                                 \
        }                                                                                        \
        if ((own) == (most))                                                                     \
            put_words(g, w);                                                                     \
    } while (0)

/* One sequence: n numbers that come `distance` after the state, to out + at, in segments of
 * `longest` numbers (a multiple of 32); the state after them to `to`. */
__kernel void fill(__global const state *from, __global state *to, __global const ulong *jumps,
                   __global number *out, ulong at, ulong distance, ulong longest, ulong n)
{
    __local workspace workspaces[SEGMENTS];
    __local workspace *const w = workspaces + get_local_id(0) / LANES;
    const segment s = segment_at(get_global_id(0) / LANES * longest, longest, n);
    /* The first segment of the group is the longest. */
    const segment first = segment_at(get_group_id(0) * SEGMENTS * longest, longest, n);
    const ulong own = s.length / ROW, most = first.length / ROW;
    words g;
    arithmetic c[OWN];
    const ulong before = go_to(&g, c, w, from, jumps, distance + (s.length > 0 ? s.begin : 0));
    out += at + s.begin;
#define PUT(i, u, l) out[i] = (u)
    MAKE_ROWS(&g, w, c, own, most, PUT);
    END_SEGMENT(w, s, before, c, to, PUT);
#undef PUT
}

/* Interleaved instances: the n numbers of the stream from a position on, at which the states
 * are. Each instance is cut into `segments`. */
__kernel void fill_interleaved(__global const state *from, __global state *to,
                               __global const ulong *jumps, __global number *out, ulong at,
                               ulong instances, ulong block, ulong position, ulong longest,
                               uint segments, ulong n)
{
    __local workspace workspaces[SEGMENTS];
    __local workspace *const w = workspaces + get_local_id(0) / LANES;
    const struct ranmar_interleave i = {instances, block};
    const ulong own = get_global_id(0) / LANES;
    const ulong p = own / segments < instances ? own / segments : instances - 1;
    const struct ranmar_part part = ranmar_part_of(i, p);
    const ulong made = ranmar_made_of(i, p, position);
    segment s = segment_at(own % segments * longest, longest,
                           ranmar_made_of(i, p, position + n) - made);
    if (own >= instances * segments) {
        s.length = 0;
        s.is_last = 0;
    }
    words g;
    arithmetic c[OWN];
    const ulong before = go_to(&g, c, w, from + p, jumps, s.length > 0 ? s.begin : 0);
    /* Where the next number of this work-item goes: to an offset in the instance's part of a block
     * that begins at `base` in out. The first block may begin before out does: that wraps. */
    ulong base[OWN], offset[OWN];
    FOR_LANES(l)
    {
        const ulong of_instance = made + s.begin + l;
        base[l / LANES] =
            part.length ? of_instance / part.length * block + part.start - position : 0;
        offset[l / LANES] = part.length ? of_instance % part.length : 0;
    }
    out += at;
    const ulong own_rows = s.length / ROW, most = SEGMENTS > 1 ? longest / ROW : own_rows;
#define PUT(i, u, l)                                \
    {                                               \
        out[base[l / LANES] + offset[l / LANES]] = (u); \
        offset[l / LANES] += ROW;                   \
        while (offset[l / LANES] >= part.length) {  \
            offset[l / LANES] -= part.length;       \
            base[l / LANES] += block;               \
        }                                           \
    }
    MAKE_ROWS(&g, w, c, own_rows, most, PUT);
    END_SEGMENT(w, s, before, c, to + p, PUT);
#undef PUT
}
