/* Sub-groups for a compiler that has none, as cl_intel_subgroups has them, in groups of SIZE
 * work-items. With REVERSED a sub-group's work-items are in the other order. Where sub-groups are
 * not as the kernels need them, what a shuffle gives is wrong. */
#ifdef REVERSED
#define get_sub_group_local_id() (SIZE - 1 - get_local_id(0) % SIZE)
#define IS_RIGHT 0
#else
#define get_sub_group_local_id() (get_local_id(0) % SIZE)
#define IS_RIGHT (SIZE % 32 == 0)
#endif
#define get_max_sub_group_size() SIZE
#define get_sub_group_id() (get_local_id(0) / SIZE)

/* By way of the workspaces of a sub-group's sequences, which the caller, whose source is g, has. */
#define PLACE(workspace, lane) (RANMAR_JUMP(workspace) + (lane) % 32)
#define intel_sub_group_shuffle(value, from)             \
    given_by_memory(PLACE(g->w, get_local_id(0)), value, \
                    PLACE(g->w - get_local_id(0) % SIZE / 32 + (from) / 32, from))

static __attribute__((always_inline)) ulong given_by_memory(__local ulong *own, ulong value,
                                                            __local const ulong *from)
{
    if (!IS_RIGHT)
        return 0;
    *own = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    value = *from;
    barrier(CLK_LOCAL_MEM_FENCE);
    return value;
}
