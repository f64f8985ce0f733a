/* The states of a stream's instances, and where they stand: what every maker starts from. */
#ifndef RANMAR_STATES_H
#define RANMAR_STATES_H

#include "definition/interleave.h"
#include "definition/jump.h"

struct ranmar_states {
    const struct ranmar_flavour *flavour;
    struct ranmar_interleave interleave;
    int64_t seed;
    struct ranmar_state *state; /* of each instance */
    uint64_t *at;               /* the position of each in its own sequence */
    uint64_t position;          /* of the stream, at which they all stand */
    struct ranmar_jump memo;

    /* Of one instance: a state that was set, from which it is reached in place of the seed. */
    int is_set;
    uint64_t set_position;
    struct ranmar_state set_state;
};

/* Makes the states at position 0. Returns 0 where there is no memory for them. */
int ranmar_states_open(struct ranmar_states *s, const struct ranmar_flavour *flavour,
                       struct ranmar_interleave interleave, int64_t seed);
void ranmar_states_close(struct ranmar_states *s);

/* Moves all instances to a position of the stream. */
void ranmar_states_seek(struct ranmar_states *s, uint64_t position);

/* Moves instance p alone to a position of its own sequence; s->position is not true any more. */
void ranmar_states_seek_instance(struct ranmar_states *s, uint64_t p, uint64_t target);

/* Goes on from a state at a position, whatever the seed; of one instance only. After that it must
 * not be moved to a position before this one. */
void ranmar_states_set(struct ranmar_states *s, const struct ranmar_state *state,
                       uint64_t position);

/* The state at a position, of one instance only; *s stays where it is. */
void ranmar_states_get(const struct ranmar_states *s, uint64_t position,
                       struct ranmar_state *state);

#endif
