/* The cascade of transport.h inside a kernel: each work-group follows its own showers with its own
 * segment of the sequence, 32 particles at a time, and draws where it branches. What transport.cu
 * does in CUDA. */
#include "gpuranmar_device.cl"
#pragma OPENCL FP_CONTRACT OFF /* as the CPU computes */
#include "transport.h"

/* A mask of the work-items whose vote is not 0. */
static __attribute__((always_inline)) uint ballot(__local uint *mask, int vote)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        *mask = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (vote)
        atomic_or(mask, 1u << get_local_id(0));
    barrier(CLK_LOCAL_MEM_FENCE);
    return *mask;
}

/* sums: for each work-item the deposits in the bins, and behind them the steps. */
GPURANMAR_KERNEL void transport(__global const gpuranmar_state *states, long showers,
                                __global long *sums)
{
    __local gpuranmar_workspace workspace;
    __local struct particle stack[TRANSPORT_STACK];
    __local uint mask;
    const uint lane = get_local_id(0), below = (1u << lane) - 1;
    gpuranmar_source numbers;
    gpuranmar_load(&numbers, &workspace, &states[gpuranmar_segment()]);
    __global long *const own = sums + get_global_id(0) * (TRANSPORT_BINS + 1);

    struct particle p = {0, 0, 0};
    long shower = get_group_id(0);
    int waiting = 0; /* the same in all work-items, as is `shower` */
    for (;;) {
        /* Free work-items take particles that wait. If there are none, a new shower begins. */
        const int idle = p.energy <= 0;
        const uint idle_items = ballot(&mask, idle);
        const int taken = min(waiting, (int)popcount(idle_items));
        const int rank = popcount(idle_items & below);
        if (idle && rank < taken)
            p = stack[waiting - 1 - rank];
        waiting -= taken;
        if (ballot(&mask, p.energy > 0) == 0) {
            if (shower >= showers)
                break;
            if (lane == 0)
                p = transport_primary(shower);
            shower += get_num_groups(0);
        }

        const int moves = p.energy > 0;
        const double u = gpuranmar_draw(&numbers, moves);
        struct outcome o = {0, 0, 0};
        if (moves) {
            transport_move(&p, u, &o);
            own[o.bin] += o.deposit;
            ++own[TRANSPORT_BINS];
        }

        const double v = gpuranmar_draw(&numbers, o.splits);
        const uint splitting = ballot(&mask, o.splits);
        if (o.splits) {
            const struct particle made = transport_split(&p, v);
            const int slot = waiting + popcount(splitting & below);
            if (slot < TRANSPORT_STACK)
                stack[slot] = made;
            else
                own[transport_bin(made.depth)] += (long)(made.energy * TRANSPORT_UNIT);
        }
        waiting = min((int)TRANSPORT_STACK, waiting + (int)popcount(splitting));
    }
}
