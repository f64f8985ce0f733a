/* The kernels of the OpenCL back end, on top of gpuranmar_device.cl and definition/interleave.h.
 * The plugin compiles them at run time, for one flavour. */

/* A distance is written in digits (gpuranmar_device.cl), and each digit has a table with one jump
 * for each of its values. The table at jumps + begin has the jumps for the values 1 .. known. This
 * kernel adds those for known+1 .. 2*known. */
GPURANMAR_KERNEL void double_jumps(__global ulong *jumps, ulong begin, uint known)
{
    __local gpuranmar_workspace workspace;
    const uint i = gpuranmar_segment();
    jumps += begin;
    RANMAR_FOR_WORDS(k)
        workspace.x[k] = jumps[(ulong)i * RANMAR_LAG + k];
    ranmar_put_jump(&workspace, jumps + (ulong)(known - 1) * RANMAR_LAG);
    RANMAR_BARRIER();
    ranmar_jump(&workspace);
    RANMAR_FOR_WORDS(k)
        jumps[(ulong)(known + i) * RANMAR_LAG + k] = workspace.x[k];
}

/* Writes states 0 .. count - 1 to out, and state `count` to `to`. State s is start + s * distance
 * numbers after `from`. */
GPURANMAR_KERNEL void write_states(__global const gpuranmar_state *from,
                                   __global gpuranmar_state *to, __global const ulong *jumps,
                                   __global gpuranmar_state *out, ulong count, ulong start,
                                   ulong distance)
{
    __local gpuranmar_workspace workspace;
    gpuranmar_source g;
    const ulong s = gpuranmar_segment();
    ranmar_load_after(&g, &workspace, from, jumps, start + s * distance);
    ranmar_store_before(&g, s < count ? out + s : to, 0, 1);
}

/* A segment: numbers `begin` to `begin + length - 1` of those that a kernel makes of a sequence.
 * The last segment writes the state after them. */
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

/* Makes a segment row by row. PUT stores a number; the last segment writes its state to `to`. */
#define MAKE_SEGMENT(g, s, to, PUT)                                                     \
    do {                                                                                \
        gpuranmar_number u_[RANMAR_OWN];                                                \
        const uint rest_ = (uint)((s).length % RANMAR_ROW);                             \
        const ulong rows_ = (s).length / RANMAR_ROW;                                    \
        for (ulong r_ = 0; r_ < rows_; ++r_) {                                          \
            ranmar_make_row(&(g), u_);                                                  \
            RANMAR_FOR_LANES(l) PUT(r_ * RANMAR_ROW + l, u_[l / GPURANMAR_LANES], l);   \
        }                                                                               \
        if (rest_ > 0) {                                                                \
            ranmar_make_row(&(g), u_);                                                  \
            RANMAR_FOR_LANES(l) if (l < rest_)                                          \
                PUT(rows_ * RANMAR_ROW + l, u_[l / GPURANMAR_LANES], l);                \
        }                                                                               \
        ranmar_store_before(&(g), to, rest_ > 0 ? RANMAR_ROW - rest_ : 0, (s).is_last); \
    } while (0)

/* Writes n numbers of one sequence to out + at, and the state after them to `to`. The first number
 * is `distance` numbers after `from`. A segment has `longest` numbers, a multiple of 32; the last
 * segment may have fewer. */
GPURANMAR_KERNEL void fill(__global const gpuranmar_state *from, __global gpuranmar_state *to,
                           __global const ulong *jumps, __global gpuranmar_number *out, ulong at,
                           ulong distance, ulong longest, ulong n)
{
    __local gpuranmar_workspace workspace;
    const segment s = segment_at(gpuranmar_segment() * longest, longest, n);
    gpuranmar_source g;
    ranmar_load_after(&g, &workspace, from, jumps, distance + (s.length > 0 ? s.begin : 0));
    out += at + s.begin;
#define PUT(i, u, l) out[i] = (u)
    MAKE_SEGMENT(g, s, to, PUT);
#undef PUT
}

/* Writes n numbers of a stream of interleaved instances to out + at, from `position` on. `from` has
 * the instances' states at `position`. Each instance is cut into `segments` segments. */
GPURANMAR_KERNEL void fill_interleaved(__global const gpuranmar_state *from,
                                       __global gpuranmar_state *to, __global const ulong *jumps,
                                       __global gpuranmar_number *out, ulong at, ulong instances,
                                       ulong block, ulong position, ulong longest, uint segments,
                                       ulong n)
{
    __local gpuranmar_workspace workspace;
    const struct ranmar_interleave i = {instances, block};
    const ulong own = gpuranmar_segment(), p = own / segments;
    const struct ranmar_part part = ranmar_part_of(i, p);
    const ulong made = ranmar_made_of(i, p, position);
    const segment s = segment_at(own % segments * longest, longest,
                                 ranmar_made_of(i, p, position + n) - made);
    gpuranmar_source g;
    ranmar_load_after(&g, &workspace, from + p, jumps, s.length > 0 ? s.begin : 0);
    struct ranmar_block_offsets next[RANMAR_OWN]; /* of this work-item's next numbers */
    RANMAR_FOR_LANES(l)
    next[l / GPURANMAR_LANES] = ranmar_block_offsets_of(i, part, made + s.begin + l, position);
    out += at;
#define PUT(at_, u, l)                                                                        \
    {                                                                                         \
        struct ranmar_block_offsets *const offsets = &next[l / GPURANMAR_LANES];              \
        out[offsets->index] = (u);                                                            \
        *offsets = ranmar_block_offsets_after(*offsets, RANMAR_ROW, i, part);                 \
    }
    MAKE_SEGMENT(g, s, to + p, PUT);
#undef PUT
}
