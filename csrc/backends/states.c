/* Moves the states of a stream's instances: see states.h. */
#include "backends/states.h"

#include <stdlib.h>

#include "fill/fill.h"

/* Writes the first state of instance p: that of its seed at position 0, or the state that was set.
 * Returns its position. Every other state is reached from there by a jump. */
static uint64_t first_state(const struct ranmar_states *s, uint64_t p, struct ranmar_state *state)
{
    if (s->is_set) {
        *state = s->set_state;
        return s->set_position;
    }
    ranmar_start(state, s->flavour, s->seed, p);
    return 0;
}

static int are_alike(const struct ranmar_states *a, const struct ranmar_states *b)
{
    return a->flavour == b->flavour && a->seed == b->seed &&
           a->interleave.instances == b->interleave.instances &&
           (a->interleave.instances == 1 || a->interleave.block == b->interleave.block);
}

int ranmar_states_open(struct ranmar_states *s, const struct ranmar_flavour *flavour,
                       struct ranmar_interleave interleave, int64_t seed,
                       const struct ranmar_states *like)
{
    const size_t instances = (size_t)interleave.instances;
    *s = (struct ranmar_states){.flavour = flavour, .interleave = interleave, .seed = seed};
    struct ranmar_state *const state = malloc(instances * sizeof *state);
    uint64_t *const at = malloc(instances * sizeof *at);
    const int is_copy = like && are_alike(s, like);
    if (is_copy)
        *s = *like;
    s->interleave = interleave;
    s->state = state;
    s->at = at;
    if (!state || !at) {
        ranmar_states_close(s);
        return 0;
    }
    for (uint64_t p = 0; p < instances; ++p)
        if (is_copy) {
            state[p] = like->state[p];
            at[p] = like->at[p];
        } else {
            at[p] = first_state(s, p, &state[p]);
        }
    return 1;
}

void ranmar_states_close(struct ranmar_states *s)
{
    free(s->state);
    free(s->at);
    s->state = NULL;
    s->at = NULL;
}

/* Moves a state of instance p by the shortest way: on, back by the recurrence, or on from the first
 * state, whose making takes as long as some thousand numbers. Returns the target. */
static uint64_t move(const struct ranmar_states *s, uint64_t p, struct ranmar_state *state,
                     uint64_t at, uint64_t target, struct ranmar_jump *last_jump)
{
    enum { START = 4096 };
    if (target < at && (at - target > START + target || at - target > ranmar_short_way(s->flavour)))
        at = first_state(s, p, state);
    if (target < at)
        ranmar_rewind(state, s->flavour, at - target);
    else
        ranmar_jump_by(last_jump, target - at, s->flavour, state);
    return target;
}

void ranmar_states_seek_instance(struct ranmar_states *s, uint64_t p, uint64_t target)
{
    s->at[p] = move(s, p, &s->state[p], s->at[p], target, &s->last_jump);
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

void ranmar_states_get(const struct ranmar_states *s, uint64_t position, struct ranmar_state *state)
{
    *state = s->state[0];
    move(s, 0, state, s->at[0], position, NULL);
}
