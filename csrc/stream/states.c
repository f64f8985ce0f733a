/* Moves the states of a stream's instances: see states.h. */
#include "stream/states.h"

#include <stdlib.h>

#include "fill/fill.h"

/* Writes the first state of instance p: that of its seed at position 0, or the state that was set.
 * Returns its position. Every other state is reached from there by a jump. */
static uint64_t begin(const struct ranmar_states *s, uint64_t p, struct ranmar_state *state)
{
    if (s->is_set) {
        *state = s->set_state;
        return s->set_position;
    }
    ranmar_start(state, s->flavour, s->seed, p);
    return 0;
}

int ranmar_states_open(struct ranmar_states *s, const struct ranmar_flavour *flavour,
                       struct ranmar_interleave interleave, int64_t seed)
{
    *s = (struct ranmar_states){.flavour = flavour, .interleave = interleave, .seed = seed};
    s->state = malloc((size_t)interleave.instances * sizeof *s->state);
    s->at = malloc((size_t)interleave.instances * sizeof *s->at);
    if (!s->state || !s->at) {
        ranmar_states_close(s);
        return 0;
    }
    for (uint64_t p = 0; p < interleave.instances; ++p)
        s->at[p] = begin(s, p, &s->state[p]);
    return 1;
}

void ranmar_states_close(struct ranmar_states *s)
{
    free(s->state);
    free(s->at);
    s->state = NULL;
    s->at = NULL;
}

/* Jump-ahead only goes forward, so an instance that is already further on begins again. */
void ranmar_states_seek_instance(struct ranmar_states *s, uint64_t p, uint64_t target)
{
    if (target < s->at[p])
        s->at[p] = begin(s, p, &s->state[p]);
    ranmar_jump_by(&s->memo, target - s->at[p], s->flavour, &s->state[p]);
    s->at[p] = target;
}

void ranmar_states_move(struct ranmar_states *s, uint64_t position)
{
    for (uint64_t p = 0; p < s->interleave.instances; ++p)
        ranmar_states_seek_instance(s, p, ranmar_made_of(s->interleave, p, position));
    s->position = position;
}

void ranmar_states_set(struct ranmar_states *s, const struct ranmar_state *state, uint64_t position)
{
    s->is_set = 1;
    s->set_state = s->state[0] = *state;
    s->set_position = s->at[0] = s->position = position;
}

/* A jump takes as long as rewinding by some 50000 numbers. So this rewinds to a position that is at
 * most REWIND numbers back, as with a buffer, and jumps to any other: from the present state
 * if the position is ahead, from the first state if it is further back. */
void ranmar_states_get(const struct ranmar_states *s, uint64_t position, struct ranmar_state *state)
{
    enum { REWIND = 50000 };
    uint64_t at = s->at[0];
    *state = s->state[0];
    if (position < at && at - position > REWIND)
        at = begin(s, 0, state);
    if (position < at) {
        ranmar_rewind(state, s->flavour, at - position);
    } else {
        struct ranmar_jump memo = {0};
        ranmar_jump_by(&memo, position - at, s->flavour, state);
    }
}
