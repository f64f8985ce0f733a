/* A fill by several threads, each on a share of its own. */
#include <stdlib.h>

#include "fill/fill.h"
#include "fill/thread_pool.h"

/* The shares are equally long, so that the same jump leads from each to the next, and a multiple of
 * WHOLE, so that the next request repeats the jump though it is a little longer or shorter: a
 * buffer may have had some of its numbers. The caller makes the last share itself, with the
 * remainder. */
enum { WHOLE = 1 << 11 };
struct shares {
    const struct ranmar_flavour *flavour;
    struct ranmar_state *start; /* the first state of each but the last */
    char *out;
    size_t length; /* of each but the last */
};

static void fill_share(void *shared, size_t index)
{
    const struct shares *const s = shared;
    char *const out = s->out + index * s->length * ranmar_number_size(s->flavour);
    ranmar_fill(&s->start[index], s->flavour, out, s->length);
}

/* Fills by a team of up to `wanted` threads, the caller included. Not inlined, so that a request on
 * one thread need not save registers for it. */
__attribute__((noinline)) static void fill_by_team(struct ranmar_state *s,
                                                   const struct ranmar_flavour *f, void *out,
                                                   size_t n, size_t wanted,
                                                   struct ranmar_jump *last_jump)
{
    /* Without memory the caller makes all numbers itself. */
    struct ranmar_state *const start = malloc((wanted - 1) * sizeof *start);
    struct ranmar_team team = ranmar_team_gather(start ? wanted - 1 : 0);
    struct shares shares = {f, start, out, n / (team.size + 1) / WHOLE * WHOLE};
    for (size_t index = 0; index < team.size; ++index) {
        start[index] = *s;
        ranmar_team_run(&team, fill_share, &shares, index);
        ranmar_jump_by(last_jump, shares.length, f, s);
    }
    const size_t made = team.size * shares.length;
    ranmar_fill(s, f, (char *)out + made * ranmar_number_size(f), n - made);
    ranmar_team_dismiss(&team);
    free(start);
}

void ranmar_fill_threads(struct ranmar_state *s, const struct ranmar_flavour *f, void *out,
                         size_t n, int threads, struct ranmar_jump *last_jump)
{
    const size_t most = n / RANMAR_NUMBERS_A_THREAD;
    const size_t wanted = (size_t)threads < most ? (size_t)threads : most;
    if (wanted <= 1) /* gathering an empty team would take 10 ns */
        ranmar_fill(s, f, out, n);
    else
        fill_by_team(s, f, out, n, wanted, last_jump);
}
