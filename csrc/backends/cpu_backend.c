/* The CPU as a back end. */
#include <stdlib.h>

#include "backends/backend.h"
#include "fill/fill.h"
#include "fill/thread_pool.h"

struct cpu_backend {
    struct ranmar_backend calls;
    int threads;
    struct ranmar_jump last_jump;
};

/* --- Interleaved instances --- */

/* Part of a block: the numbers at offsets from .. to - 1, to which the instances first ..
 * first + count - 1 contribute. */
struct part_of_block {
    struct ranmar_states *states;
    char *out; /* where number `from` goes */
    uint64_t from, to, first, count;
    uint64_t shares; /* how many threads share the instances */
    ranmar_fill_function *fill;
};

static void fill_instance(const struct part_of_block *s, uint64_t p)
{
    struct ranmar_states *const states = s->states;
    const struct ranmar_part part = ranmar_part_of(states->interleave, p);
    const uint64_t begin = part.start > s->from ? part.start : s->from;
    const uint64_t end = part.start + part.length < s->to ? part.start + part.length : s->to;
    const size_t size = ranmar_number_size(states->flavour);
    s->fill(&states->state[p], states->flavour, s->out + (begin - s->from) * size,
            (size_t)(end - begin));
    states->at[p] += end - begin;
}

static void fill_instances(void *shared, size_t index)
{
    const struct part_of_block *const s = shared;
    const uint64_t begin = s->count * index / s->shares, end = s->count * (index + 1) / s->shares;
    for (uint64_t p = s->first + begin; p < s->first + end; ++p)
        fill_instance(s, p);
}

/* Threads share the instances, whose parts of a block are independent. One thread alone makes a
 * small part, since that is faster. */
static void fill_part_of_block(struct part_of_block *s, int threads)
{
    const uint64_t most = (s->to - s->from) / RANMAR_NUMBERS_A_THREAD;
    uint64_t wanted = s->count < (uint64_t)threads ? s->count : (uint64_t)threads;
    if (wanted > most)
        wanted = most;
    struct ranmar_team team = ranmar_team_gather(wanted > 1 ? (size_t)wanted - 1 : 0);
    s->shares = team.size + 1;
    for (size_t index = 0; index < team.size; ++index)
        ranmar_team_run(&team, fill_instances, s, index);
    fill_instances(s, team.size);
    ranmar_team_dismiss(&team);
}

/* Makes one block after the other. Small parts of a large request are made by the loop for arrays
 * too. Not inlined, to keep the common path of fill_by_cpu() short. */
__attribute__((noinline)) static void fill_interleaved(struct ranmar_states *states, char *out,
                                                       uint64_t n, int threads)
{
    const uint64_t block = states->interleave.block;
    ranmar_fill_function *const fill = n < RANMAR_ARRAY ? ranmar_fill : ranmar_fill_array;
    while (n > 0) {
        struct part_of_block s = {
            .states = states, .out = out, .from = states->position % block, .fill = fill};
        s.to = n < block - s.from ? s.from + n : block;
        s.first = ranmar_instance_at(states->interleave, s.from);
        s.count = ranmar_instance_at(states->interleave, s.to - 1) - s.first + 1;
        fill_part_of_block(&s, threads);
        states->position += s.to - s.from;
        out += (s.to - s.from) * ranmar_number_size(states->flavour);
        n -= s.to - s.from;
    }
}

/* --- The back end --- */

/* For several instances, for many numbers, or from a position where the last request did not end.
 * Not inlined, to keep the common path of fill_by_cpu() short. */
__attribute__((noinline)) static void fill_general(struct cpu_backend *cpu,
                                                   struct ranmar_states *states, uint64_t position,
                                                   void *out, size_t n)
{
    ranmar_states_seek(states, position);
    if (states->interleave.instances > 1) {
        fill_interleaved(states, out, n, cpu->threads);
        return;
    }
    states->position = states->at[0] += n;
    ranmar_fill_threads(states->state, states->flavour, out, n, cpu->threads, &cpu->last_jump);
}

static void fill_by_cpu(struct ranmar_backend *b, struct ranmar_states *states, uint64_t position,
                        void *out, size_t n)
{
    struct cpu_backend *const cpu = (struct cpu_backend *)b;
    ++b->times;
    if (states->interleave.instances > 1 || position != states->position ||
        n >= 2 * RANMAR_NUMBERS_A_THREAD) {
        fill_general(cpu, states, position, out, n);
    } else {
        states->position = states->at[0] += n;
        ranmar_fill(states->state, states->flavour, out, n);
    }
}

static void close_cpu_backend(struct ranmar_backend *b)
{
    free(b);
}

struct ranmar_backend *ranmar_cpu_backend(const gpuranmar_options *options)
{
    struct cpu_backend *const cpu = calloc(1, sizeof *cpu);
    if (!cpu)
        return NULL;
    cpu->calls =
        (struct ranmar_backend){.fill = fill_by_cpu, .close = close_cpu_backend, .name = "cpu"};
    cpu->threads = options->threads;
    return &cpu->calls;
}
