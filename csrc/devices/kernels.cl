/* The kernels of the OpenCL back end, on top of gpuranmar_device.cl and definition/interleave.h. The
 * plugin compiles them at run time, for one flavour.
 *
 * All work-items of a group go through the same barriers, also those of a segment that is shorter
 * or has nothing to do. */

/* Makes a digit's jumps by known+1 .. 2*known units from those by 1 .. known units. */
__kernel void double_jumps(__global ulong *jumps, ulong begin, uint known)
{
    __local gpuranmar_workspace workspaces[GPURANMAR_SEGMENTS];
    __local gpuranmar_workspace *const w = workspaces + get_local_id(0) / GPURANMAR_LANES;
    const uint i = gpuranmar_segment();
    jumps += begin;
    RANMAR_FOR_LANES(l)
    for (uint k = l; k < RANMAR_LAG; k += RANMAR_ROW)
        w->x[k] = i < known ? jumps[(ulong)i * RANMAR_LAG + k] : 0;
    ranmar_put_jump(w, jumps + (ulong)(known - 1) * RANMAR_LAG);
    RANMAR_BARRIER();
    ranmar_jump(w);
    if (i < known)
        RANMAR_FOR_LANES(l)
        for (uint k = l; k < RANMAR_LAG; k += RANMAR_ROW)
            jumps[(ulong)(known + i) * RANMAR_LAG + k] = w->x[k];
}

/* State s of out, 0..count-1, is `start` + s * distance numbers after `from`; the one behind them
 * goes to `to`. */
RANMAR_KERNEL void spread(__global const gpuranmar_state *from, __global gpuranmar_state *to,
                          __global const ulong *jumps, __global gpuranmar_state *out,
                          ulong count, ulong start, ulong distance)
{
    __local gpuranmar_workspace workspaces[GPURANMAR_SEGMENTS];
    gpuranmar_source g;
    const ulong s = gpuranmar_segment();
    ranmar_load_after(&g, workspaces, from, jumps, start + min(s, count) * distance);
    ranmar_store_before(&g, s < count ? out + s : to, 0, s <= count);
}

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

/* Makes a segment in rows, of which the longest segment of the group has `most` whole ones, and
 * writes the state behind it. PUT takes the numbers. */
#define MAKE_SEGMENT(g, s, most, to, PUT)                                              \
    do {                                                                               \
        gpuranmar_number u_[RANMAR_OWN];                                               \
        const uint rest_ = (uint)((s).length % RANMAR_ROW);                            \
        const ulong rows_ = (s).length / RANMAR_ROW;                                   \
        for (ulong r_ = 0; r_ < (most); ++r_) {                                        \
            const int is_ = GPURANMAR_SEGMENTS == 1 || r_ < rows_;                     \
            ranmar_make_row(&(g), is_, u_);                                            \
            if (is_)                                                                   \
                RANMAR_FOR_LANES(l) PUT(r_ * RANMAR_ROW + l, u_[l / GPURANMAR_LANES], l); \
        }                                                                              \
        ranmar_make_row(&(g), rest_ > 0, u_);                                          \
        RANMAR_FOR_LANES(l) if (l < rest_)                                             \
            PUT(rows_ * RANMAR_ROW + l, u_[l / GPURANMAR_LANES], l);                   \
        ranmar_store_before(&(g), to, rest_ > 0 ? RANMAR_ROW - rest_ : 0, (s).is_last); \
    } while (0)

#if RANMAR_BLOCKS
/* A store past the caches, which a builtin function of clang makes, does not read memory first. It
 * wants whole vectors, and is slower where the caches have room. Other threads see it after a fence.
 */
typedef gpuranmar_number quarter __attribute__((ext_vector_type(RANMAR_ROW / 4)));
#if defined(__has_builtin)
#if __has_builtin(__builtin_nontemporal_store) && __has_builtin(__sync_synchronize)
#define STORE_PAST_CACHES __builtin_nontemporal_store
#define FENCE_OF_STORES __sync_synchronize
#endif
#endif
#ifndef STORE_PAST_CACHES
#define STORE_PAST_CACHES(value, place) (*(place) = (value))
#define FENCE_OF_STORES()
#endif

/* The loop over a row is meant for vectors. It reads no word that it stores, which a compiler cannot
 * always tell. One may warn in an early pass, and make vectors in a later one. */
#if GPURANMAR_BITS == 24
#define VECTORS _Pragma("clang loop vectorize(assume_safety) vectorize_width(16)")
#else
#define VECTORS _Pragma("clang loop vectorize(assume_safety) vectorize_width(8)")
#endif
#pragma clang diagnostic ignored "-Wpass-failed"

/* Makes the row behind the words x, and its numbers in u, a vector at a time. Words are stored one
 * place late: 96 is a multiple of a vector, 97 is not, and a load that spans two stores waits for
 * both. With the lags of a keyed flavour compilers make vectors only without that. */
#define MAKE_ROW(x, c, u)                                                                    \
    do {                                                                                     \
        ranmar_word last_ = x[RANMAR_LAG - 1];                                               \
        VECTORS                                                                              \
        for (ulong l = 0; l < RANMAR_ROW; ++l) {                                             \
            const ranmar_word made_ = AT(0) + RANMAR_LAGGED_TERMS(AT, GPURANMAR_EVERY);      \
            u[l] = ranmar_number_of(made_, c[l], AT(RANMAR_LAG - RANMAR_MASK_LAG_1),         \
                                    AT(RANMAR_LAG - RANMAR_MASK_LAG_2));                     \
            AT(RANMAR_LAG - 1 + GPURANMAR_KEYED) = GPURANMAR_KEYED ? made_ : last_;          \
            last_ = made_;                                                                   \
            c[l] = ranmar_next_part(c[l]);                                                   \
        }                                                                                    \
        x[RANMAR_LAG + RANMAR_ROW - 1] = last_;                                              \
    } while (0)
#define AT(j) x[l + (j)]

/* A work-item of a CPU makes n numbers, but for what is left of the last block, from words that
 * stand in a line in memory of its own. So neither the wrap of a ring nor memory that might be the
 * same keeps its compiler from vectors. Returns how many it has made. */
#define BLOCK (12 * RANMAR_ROW)
static ulong make_blocks(gpuranmar_source *g, __global gpuranmar_number *out, ulong n,
                         int past_caches)
{
    const ulong end = n / BLOCK * BLOCK;
    ranmar_word words[RANMAR_LAG + BLOCK] __attribute__((aligned(64)));
    ranmar_c c[RANMAR_ROW];
    gpuranmar_number u[RANMAR_ROW] __attribute__((aligned(sizeof(quarter))));
    for (ulong i = 0; i < RANMAR_LAG; ++i)
        words[i] = RANMAR_NARROW(RANMAR_SHOWN(g, 0, i));
    for (ulong l = 0; l < RANMAR_ROW; ++l)
        c[l] = g->c[l];
    for (ulong begin = 0; begin < end; begin += BLOCK) {
        for (ulong row = 0; row < BLOCK; row += RANMAR_ROW) {
            ranmar_word *const x = words + row;
            __global gpuranmar_number *const to = out + begin + row;
            if (past_caches) {
                MAKE_ROW(x, c, u);
                for (ulong l = 0; l < RANMAR_ROW; l += RANMAR_ROW / 4)
                    STORE_PAST_CACHES(*(const quarter *)(u + l), (__global quarter *)(to + l));
            } else {
                MAKE_ROW(x, c, to);
            }
        }
        for (ulong i = 0; i < RANMAR_LAG; ++i)
            words[i] = words[BLOCK + i];
    }
    if (past_caches)
        FENCE_OF_STORES();
    for (ulong l = 0; l < RANMAR_ROW; ++l)
        g->c[l] = c[l];
    for (ulong i = 0; i < RANMAR_LAG; ++i)
        RANMAR_SHOWN(g, 0, i) = RANMAR_WIDEN(words[i]);
    return end;
}
#endif

/* One sequence: n numbers that come `distance` after the state, to out + at, in segments of
 * `longest` numbers (a multiple of 32); the state after them to `to`. */
RANMAR_KERNEL void fill(__global const gpuranmar_state *from, __global gpuranmar_state *to,
                        __global const ulong *jumps, __global gpuranmar_number *out, ulong at,
                        ulong distance, ulong longest, ulong n)
{
    __local gpuranmar_workspace workspaces[GPURANMAR_SEGMENTS];
    segment s = segment_at(gpuranmar_segment() * longest, longest, n);
    /* The first segment of the group is the longest. */
    const segment first = segment_at(get_group_id(0) * GPURANMAR_SEGMENTS * longest, longest, n);
    gpuranmar_source g;
    ranmar_load_after(&g, workspaces, from, jumps, distance + (s.length > 0 ? s.begin : 0));
    out += at + s.begin;
#if RANMAR_BLOCKS
    const int past_caches = n >= 1 << RANMAR_PAST_CACHES && (ulong)out % sizeof(quarter) == 0;
    const ulong made = make_blocks(&g, out, s.length, past_caches);
    out += made;
    s.length -= made;
#endif
#define PUT(i, u, l) out[i] = (u)
    MAKE_SEGMENT(g, s, (GPURANMAR_SEGMENTS == 1 ? s : first).length / RANMAR_ROW, to, PUT);
#undef PUT
}

/* Interleaved instances: the n numbers of the stream from a position on, at which the states
 * are. Each instance is cut into `segments`. */
RANMAR_KERNEL void fill_interleaved(__global const gpuranmar_state *from,
                                    __global gpuranmar_state *to, __global const ulong *jumps,
                                    __global gpuranmar_number *out, ulong at, ulong instances,
                                    ulong block, ulong position, ulong longest, uint segments,
                                    ulong n)
{
    __local gpuranmar_workspace workspaces[GPURANMAR_SEGMENTS];
    const struct ranmar_interleave i = {instances, block};
    const ulong own = gpuranmar_segment();
    const ulong p = min(own / segments, instances - 1);
    const struct ranmar_part part = ranmar_part_of(i, p);
    const ulong made = ranmar_made_of(i, p, position);
    segment s = segment_at(own % segments * longest, longest,
                           ranmar_made_of(i, p, position + n) - made);
    if (own >= instances * segments) {
        s.length = 0;
        s.is_last = 0;
    }
    gpuranmar_source g;
    ranmar_load_after(&g, workspaces, from + p, jumps, s.length > 0 ? s.begin : 0);
    struct ranmar_block_place places[RANMAR_OWN]; /* of this work-item's next numbers */
    RANMAR_FOR_LANES(l)
    places[l / GPURANMAR_LANES] = ranmar_block_place_of(i, part, made + s.begin + l, position);
    out += at;
    const ulong most = (GPURANMAR_SEGMENTS > 1 ? longest : s.length) / RANMAR_ROW;
#define PUT(at_, u, l)                                                                        \
    {                                                                                         \
        struct ranmar_block_place *const place = &places[l / GPURANMAR_LANES];                      \
        out[place->index] = (u);                                                              \
        *place = ranmar_block_place_after(*place, RANMAR_ROW, i, part);                             \
    }
    MAKE_SEGMENT(g, s, most, to + p, PUT);
#undef PUT
}
