/* The calls of gpuranmar_cuda.h: checks, then device_stream. */
#include "gpuranmar_cuda.h"

#include <algorithm>
#include <cinttypes>
#include <cstring>
#include <memory>
#include <new>

#include "device_stream.h"
extern "C" {
#include "definition/ranges.h"
}

using gpuranmar::fail;

struct gpuranmar_cuda_generator {
    gpuranmar::device_stream stream;
    int device, flavour;
    cudaStream_t cuda_stream;
    int64_t seed;
    ranmar_interleave interleave;
    uint64_t position; /* where it shall be; the stream on the device is there only if ... */
    bool there;
    ranmar_jump memo;
};

typedef gpuranmar_cuda_generator generator;

#define CHECK(condition, ...)                                 \
    do {                                                      \
        if (!(condition))                                     \
            return fail(__VA_ARGS__), GPURANMAR_BAD_ARGUMENT; \
    } while (0)

static int result(bool well) { return well ? GPURANMAR_OK : GPURANMAR_NO_BACKEND; }

const char *gpuranmar_cuda_last_error(void) { return gpuranmar::error_line(); }

void gpuranmar_cuda_error(char *line, size_t size)
{
    const char *const error = gpuranmar::error_line();
    const size_t length = std::min(size, strlen(error));
    memset(line, ' ', size);
    memcpy(line, error, length);
}

int gpuranmar_cuda_create(generator **made, int flavour)
{
    CHECK(made, "%s: generator is a null pointer", __func__);
    CHECK(flavour >= GPURANMAR_DOUBLE && flavour <= GPURANMAR_DECIMATED,
          "%s: flavour = %d is none of enum gpuranmar_flavour", __func__, flavour);
    generator *const g = new (std::nothrow) generator();
    if (!g)
        return fail("%s: no memory", __func__), GPURANMAR_NO_MEMORY;
    g->flavour = flavour;
    g->seed = 54217137;
    g->interleave = {1, 1};
    if (!gpuranmar::succeeded(CUDA_RESULT(cudaGetDevice(&g->device)), "cudaGetDevice") ||
        !g->stream.open(g->device, flavour, g->interleave, nullptr)) {
        g->stream.close();
        delete g;
        return GPURANMAR_NO_BACKEND;
    }
    *made = g;
    return GPURANMAR_OK;
}

void gpuranmar_cuda_destroy(generator *g)
{
    if (!g)
        return;
    g->stream.close();
    delete g;
}

int gpuranmar_cuda_set_stream(generator *g, cudaStream_t stream)
{
    CHECK(g, "%s: generator is a null pointer", __func__);
    if (!g->stream.move_to(stream))
        return GPURANMAR_NO_BACKEND;
    g->cuda_stream = stream;
    return GPURANMAR_OK;
}

int gpuranmar_cuda_set_seed(generator *g, int64_t seed)
{
    CHECK(g, "%s: generator is a null pointer", __func__);
    CHECK(seed >= 0 && seed <= RANMAR_SEED_MAX, "%s: seed = %" PRId64 " is not in 0..%" PRId64,
          __func__, seed, (int64_t)RANMAR_SEED_MAX);
    g->seed = seed;
    g->position = 0;
    g->there = false;
    return GPURANMAR_OK;
}

int gpuranmar_cuda_set_position(generator *g, uint64_t position)
{
    CHECK(g, "%s: generator is a null pointer", __func__);
    CHECK(position <= RANMAR_POSITION_MAX, "%s: position = %" PRIu64 " is above 2^63", __func__,
          position);
    g->position = position;
    g->there = false;
    return GPURANMAR_OK;
}

int gpuranmar_cuda_set_instances(generator *g, int64_t instances, int64_t block)
{
    CHECK(g, "%s: generator is a null pointer", __func__);
    CHECK(instances >= 1 && instances <= RANMAR_INSTANCES_MAX,
          "%s: instances = %" PRId64 " is not in 1..%d", __func__, instances, RANMAR_INSTANCES_MAX);
    CHECK(block >= 1 && block <= RANMAR_PREFETCH_MAX,
          "%s: block = %" PRId64 " is not in 1..%" PRId64, __func__, block, RANMAR_PREFETCH_MAX);
    gpuranmar::device_stream changed;
    const ranmar_interleave interleave = {(uint64_t)instances, (uint64_t)block};
    if (!changed.open(g->device, g->flavour, interleave, g->cuda_stream)) {
        changed.close();
        return GPURANMAR_NO_BACKEND;
    }
    g->stream.close();
    g->stream = changed;
    g->interleave = interleave;
    g->position = 0;
    g->there = false;
    return GPURANMAR_OK;
}

/* Sends the states at the position, made from the seed, to the device. */
static bool go_there(generator *g)
{
    if (g->there)
        return true;
    const struct ranmar_flavour &flavour = *ranmar_flavour(g->flavour);
    const std::unique_ptr<ranmar_state[]> states(new (std::nothrow)
                                                     ranmar_state[g->interleave.instances]);
    if (!states)
        return gpuranmar::fail("no memory for the states of %" PRIu64 " instances",
                               g->interleave.instances);
    for (size_t p = 0; p < g->interleave.instances; ++p) {
        ranmar_seed(&states[p], &flavour, ranmar_seed_of(g->seed, (int64_t)p));
        ranmar_jump_by(&g->memo, ranmar_made_of(g->interleave, p, g->position), &flavour,
                       &states[p]);
    }
    g->there = g->stream.set(states.get(), g->position);
    return g->there;
}

static int generate(const char *routine, generator *g, bool single, void *out, size_t n)
{
    CHECK(g, "%s: generator is a null pointer", routine);
    CHECK(single == (g->flavour == GPURANMAR_SINGLE),
          "%s: the generator's flavour has no such numbers", routine);
    CHECK(out || n == 0, "%s: out is a null pointer", routine);
    CHECK(n <= RANMAR_POSITION_MAX - g->position,
          "%s: n = %zu from position %" PRIu64 " is past 2^63", routine, n, g->position);
    /* Whatever failed may have moved the states: the next call sends them anew. */
    const bool well = go_there(g) && (g->there = g->stream.fill(out, n));
    if (well)
        g->position += n;
    return result(well);
}

int gpuranmar_cuda_generate_double(generator *g, double *out, size_t n)
{
    return generate(__func__, g, false, out, n);
}

int gpuranmar_cuda_generate_single(generator *g, float *out, size_t n)
{
    return generate(__func__, g, true, out, n);
}

int gpuranmar_cuda_states(generator *g, struct ranmar_state *states, size_t count,
                          uint64_t distance)
{
    CHECK(g, "%s: generator is a null pointer", __func__);
    CHECK(states && count > 0, "%s: no states", __func__);
    CHECK(g->interleave.instances == 1, "%s: instances = %" PRIu64 " is not 1", __func__,
          g->interleave.instances);
    CHECK(distance >= 1 && distance <= (RANMAR_POSITION_MAX - g->position) / count,
          "%s: %zu times distance = %" PRIu64 " from position %" PRIu64 " is past 2^63", __func__,
          count, distance, g->position);
    const bool well = go_there(g) && (g->there = g->stream.spread(states, count, distance));
    if (well)
        g->position += count * distance;
    return result(well);
}

int gpuranmar_cuda_position(const generator *g, uint64_t *position)
{
    CHECK(g, "%s: generator is a null pointer", __func__);
    CHECK(position, "%s: position is a null pointer", __func__);
    *position = g->position;
    return GPURANMAR_OK;
}
