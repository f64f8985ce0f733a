/* For code that branches and has shared memory to spare: as `source` of gpuranmar_device.cuh, but
 * the next numbers wait in shared memory. A draw then takes about three quarters of the
 * instructions that `source` takes (cuda/README.md has them counted).
 *
 *     __global__ void kernel(gpuranmar_state *states)
 *     {
 *         typedef gpuranmar::shared_source<gpuranmar::double_precision> source;
 *         __shared__ source::place places[warps_a_block];
 *         source s(places[threadIdx.x / 32]);
 *         s.load(states[warp]);
 *         const double u = s.draw(want);
 *         s.store(states[warp]);
 *     }
 */
#ifndef GPURANMAR_SHARED_CUH
#define GPURANMAR_SHARED_CUH

#include "gpuranmar_device.cuh"

namespace gpuranmar
{

template <class Flavour> class shared_source
{
  public:
    typedef typename Flavour::number number;

    /* Rows are made three at a time, as many as the recurrence looks back: their words then need
     * not be moved from register to register. One row more is the last of those before. */
    static constexpr unsigned rows = 3, room = (rows + 1) * warp_size;

    /* A warp's place to keep them, in shared memory: 1 kB in double precision. */
    struct place {
        number waiting[room];
    };

    __device__ __forceinline__ explicit shared_source(place &own) : waiting(own.waiting) {}

    /* Goes on from a state. (warp) */
    __device__ __forceinline__ void load(const gpuranmar_state &state)
    {
        generator_.load(state);
        last = 0;
        used = room;
        refill();
    }

    /* Writes the state before the next number, which any other source or generator, on a GPU or
     * not, can go on from. (warp) */
    __device__ __forceinline__ void store(gpuranmar_state &state) const
    {
        generator<Flavour> g = generator_;
        unsigned back = room - used;
        for (; back > warp_size; back -= warp_size) {
            g.store(state, warp_size);
            sync_warp();
            g.load(state);
            order_warp();
        }
        g.store(state, back);
    }

    /* The lanes with `want` get the next numbers; what the others get means nothing. (warp) */
    __device__ __forceinline__ number draw(bool want)
    {
        const unsigned wanting = ballot(want);
        const number u = waiting[used + count_bits(wanting & lanes_before())];
        used += count_bits(wanting);
        if (used > room - warp_size) /* the same in all lanes; the rest is all in the last row */
            refill();
        return u;
    }

  private:
    __device__ __forceinline__ void refill()
    {
        order_warp(); /* all have read */
        waiting[lane_number()] = last;
#pragma unroll
        for (unsigned row = 1; row <= rows; ++row) {
            last = generator_.next();
            waiting[row * warp_size + lane_number()] = last;
        }
        used -= rows * warp_size;
        order_warp(); /* all have written */
    }

    generator<Flavour> generator_;
    number *waiting;
    number last;   /* the lane's number of the last row */
    unsigned used; /* numbers of the place that are drawn: 1..96, the same in all lanes */
};

} // namespace gpuranmar

#endif
