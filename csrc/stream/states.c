#include "stream/states.h"

#include <stdlib.h>

static void start_instance(struct ranmar_states *s, uint64_t p)
{
    ranmar_seed(&s->state[p], s->flavour, ranmar_seed_of(s->seed, (int64_t)p));
    s->at[p] = 0;
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
        start_instance(s, p);
    return 1;
}

void ranmar_states_close(struct ranmar_states *s)
{
    free(s->state);
    free(s->at);
}

/* Jump-ahead only goes forward, so an instance that is past its place starts again from its seed.
 */
void ranmar_states_seek(struct ranmar_states *s, uint64_t position)
{
    if (position == s->position)
        return;
    for (uint64_t p = 0; p < s->interleave.instances; ++p) {
        const uint64_t target = ranmar_made_of(s->interleave, p, position);
        if (target < s->at[p])
            start_instance(s, p);
        ranmar_jump_by(&s->memo, target - s->at[p], s->flavour, &s->state[p]);
        s->at[p] = target;
    }
    s->position = position;
}

void ranmar_states_set(struct ranmar_states *s, const struct ranmar_state *state, uint64_t position)
{
    s->state[0] = *state;
    s->at[0] = s->position = position;
}

/* What a cache still holds is taken back number by number; whatever else lies between is jumped. */
void ranmar_states_get(const struct ranmar_states *s, uint64_t position, struct ranmar_state *state)
{
    *state = s->state[0];
    if (position < s->at[0]) {
        ranmar_rewind(state, s->flavour, s->at[0] - position);
    } else {
        struct ranmar_jump memo = {0};
        ranmar_jump_by(&memo, position - s->at[0], s->flavour, state);
    }
}
