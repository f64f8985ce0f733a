/* The states of a stream's instances, and their positions: what every back end starts from. */
#ifndef RANMAR_STATES_H
#define RANMAR_STATES_H

#include "definition/interleave.h"
#include "definition/jump.h"

struct ranmar_states {
    const struct ranmar_flavour *flavour;
    struct ranmar_interleave interleave;
    int64_t seed;
    struct ranmar_state *state;   /* of each instance */
    uint64_t *at;                 /* the position of each in its own sequence */
    uint64_t position;            /* of the stream, to which all instances have been moved */
    struct ranmar_jump last_jump; /* for ranmar_jump_by() */

    /* With one instance a state may have been set, which takes the place of the seed: */
    int is_set;
    uint64_t set_position;
    struct ranmar_state set_state;
};

/* Makes the states at position 0, or at that of `like`, NULL for none, if it has states of the same
 * sequences. Returns 0 if there is no memory for them. */
int ranmar_states_open(struct ranmar_states *s, const struct ranmar_flavour *flavour,
                       struct ranmar_interleave interleave, int64_t seed,
                       const struct ranmar_states *like);

/* May be called twice, and after ranmar_states_open() has returned 0. */
void ranmar_states_close(struct ranmar_states *s);

/* Moves all instances to a position of the stream. */
void ranmar_states_move(struct ranmar_states *s, uint64_t position);

/* The same. Does nothing if they stand there already. */
static inline void ranmar_states_seek(struct ranmar_states *s, uint64_t position)
{
    if (position != s->position)
        ranmar_states_move(s, position);
}

/* Moves instance p alone to a position of its own sequence. After that s->position is not valid. */
void ranmar_states_seek_instance(struct ranmar_states *s, uint64_t p, uint64_t target);

/* Takes a state at a position in place of the seed. There must be one instance, and it must not be
 * moved to an earlier position later. */
void ranmar_states_set(struct ranmar_states *s, const struct ranmar_state *state,
                       uint64_t position);

/* Writes the state at a position; *s stays where it is. There must be one instance. */
void ranmar_states_get(const struct ranmar_states *s, uint64_t position,
                       struct ranmar_state *state);

#endif
