/* Copies by several threads. */
#include "stream/copy.h"

#include <string.h>

#include "fill/team.h"

/* The shares are equally long, except that the last has the remainder too. The caller copies the
 * last. */
struct shares {
    char *to;
    const char *from;
    size_t length;
};

static void copy_share(void *shared, size_t index)
{
    const struct shares *const s = shared;
    memcpy(s->to + index * s->length, s->from + index * s->length, s->length);
}

void ranmar_copy_by_threads(void *to, const void *from, size_t bytes, int threads)
{
    enum { BYTES_A_THREAD = 1 << 20 }; /* at least; for fewer a thread is not worth it */
    const size_t most = bytes / BYTES_A_THREAD;
    const size_t wanted = (size_t)threads < most ? (size_t)threads : most;
    struct ranmar_team team = ranmar_team_gather(wanted > 1 ? wanted - 1 : 0);
    struct shares shares = {to, from, bytes / (team.size + 1)};
    for (size_t index = 0; index < team.size; ++index)
        ranmar_team_run(&team, copy_share, &shares, index);
    const size_t shared = team.size * shares.length;
    memcpy((char *)to + shared, (const char *)from + shared, bytes - shared);
    ranmar_team_dismiss(&team);
}
