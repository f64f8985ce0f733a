/* The calls of gpuranmar_cuda.h: checks, then device_stream. */
#include "gpuranmar_cuda.h"

#include <cstring>
#include <new>

#include "device_stream.h"
extern "C" {
#include "devices/device_checks.h"
}

struct gpuranmar_cuda_generator {
    gpuranmar::device_stream stream;
    int flavour;
    int64_t seed;
    ranmar_interleave interleave;
    uint64_t position; /* of the calls so far, not of a graph's replays */
};

typedef gpuranmar_cuda_generator generator;

static int result(bool good)
{
    return good ? GPURANMAR_OK : GPURANMAR_NO_BACKEND;
}

/* Whether a CUDA stream is free of captures; the error names the routine if not. */
static bool not_captured(const char *routine, cudaStream_t stream)
{
    bool captured;
    return gpuranmar::is_captured(stream, &captured) &&
           (!captured ||
            ranmar_device_fail(
                "%s: cannot be captured into a graph: call it before the capture or after",
                routine));
}

/* For calls that are refused while the generator's own stream is being captured. */
#define NOT_CAPTURED(g)                                   \
    ON_GENERATORS_DEVICE(g);                              \
    const gpuranmar::beside_capture allowed;              \
    if (!not_captured(__func__, g->stream.cuda_stream())) \
    return GPURANMAR_NO_BACKEND

/* Makes the generator's device current: "the default stream" means that of the current device. */
#define ON_GENERATORS_DEVICE(g)                          \
    const gpuranmar::own_errors reported;                \
    const gpuranmar::on_device here(g->stream.device()); \
    if (!here.good())                                    \
    return GPURANMAR_NO_BACKEND

const char *gpuranmar_cuda_last_error(void)
{
    return ranmar_device_error();
}

void gpuranmar_cuda_error(char *line, size_t size)
{
    const char *const error = ranmar_device_error();
    const size_t length = strnlen(error, size);
    memcpy(line, error, length);
    memset(line + length, ' ', size - length);
}

int gpuranmar_cuda_create(generator **made, int flavour)
{
    CHECK_POINTER(made, "generator");
    CHECK_FLAVOUR(flavour);
    const gpuranmar::own_errors reported;
    const gpuranmar::beside_capture allowed; /* another stream may be in capture */
    int device;
    if (!gpuranmar::succeeded(CUDA_RESULT(cudaGetDevice(&device)), "cudaGetDevice") ||
        !not_captured(__func__, nullptr))
        return GPURANMAR_NO_BACKEND;
    generator *const g = new (std::nothrow) generator();
    if (!g)
        return ranmar_device_fail("%s: no memory", __func__), GPURANMAR_NO_MEMORY;
    g->flavour = flavour;
    g->seed = RANMAR_IJKL_DEFAULT;
    g->interleave = {1, 1};
    if (!g->stream.open(device, flavour, g->interleave, nullptr) || !g->stream.seed(g->seed, 0)) {
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
    const gpuranmar::own_errors reported;
    g->stream.close();
    delete g;
}

int gpuranmar_cuda_set_stream(generator *g, cudaStream_t stream)
{
    CHECK_POINTER(g, "generator");
    ON_GENERATORS_DEVICE(g);
    return result(not_captured(__func__, stream) && g->stream.move_to(stream));
}

/* Goes on from a position of a seed's sequence. */
static int go_to(generator *g, int64_t seed, uint64_t position)
{
    if (!g->stream.seed(seed, position))
        return GPURANMAR_NO_BACKEND;
    g->seed = seed;
    g->position = position;
    return GPURANMAR_OK;
}

int gpuranmar_cuda_set_seed(generator *g, int64_t seed)
{
    CHECK_POINTER(g, "generator");
    CHECK_SEED(g->flavour, seed);
    NOT_CAPTURED(g);
    return go_to(g, seed, 0);
}

int gpuranmar_cuda_set_position(generator *g, uint64_t position)
{
    CHECK_POINTER(g, "generator");
    CHECK_POSITION(position);
    NOT_CAPTURED(g);
    return go_to(g, g->seed, position);
}

int gpuranmar_cuda_set_instances(generator *g, int64_t instances, int64_t block)
{
    CHECK_POINTER(g, "generator");
    CHECK_INSTANCES(instances, block);
    NOT_CAPTURED(g);
    gpuranmar::device_stream changed;
    const ranmar_interleave interleave = {(uint64_t)instances, (uint64_t)block};
    if (!changed.open(g->stream.device(), g->flavour, interleave, g->stream.cuda_stream()) ||
        !changed.seed(g->seed, 0)) {
        changed.close();
        return GPURANMAR_NO_BACKEND;
    }
    g->stream.close();
    g->stream = changed;
    g->interleave = interleave;
    g->position = 0;
    return GPURANMAR_OK;
}

static int generate(const char *routine, generator *g, bool single, void *out, size_t n)
{
    CHECK(g, "%s: generator is a null pointer", routine);
    CHECK(single == (g->flavour == GPURANMAR_SINGLE),
          "%s: a generator of flavour %s has no %s numbers", routine,
          ranmar_flavour_name(g->flavour), single ? "single" : "double");
    CHECK(out || n == 0, "%s: out is a null pointer", routine);
    CHECK(n <= RANMAR_POSITION_MAX - g->position,
          "%s: n = %zu from position %" PRIu64 " is past 2^63", routine, n, g->position);
    ON_GENERATORS_DEVICE(g);
    bool replays;
    if (!gpuranmar::is_captured(g->stream.cuda_stream(), &replays) ||
        !g->stream.fill(out, n, replays))
        return GPURANMAR_NO_BACKEND;
    g->position += n;
    return GPURANMAR_OK;
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
    CHECK_POINTER(g, "generator");
    CHECK_POINTER(states, "states");
    CHECK_STATES(count, distance, g->interleave.instances, g->position);
    ON_GENERATORS_DEVICE(g);
    bool replays;
    if (!gpuranmar::is_captured(g->stream.cuda_stream(), &replays) ||
        !g->stream.write_states(states, (unsigned)count, distance, replays))
        return GPURANMAR_NO_BACKEND;
    g->position += count * distance;
    return GPURANMAR_OK;
}

int gpuranmar_cuda_jumps(const generator *g, const uint64_t **jumps)
{
    CHECK_POINTER(g, "generator");
    CHECK_POINTER(jumps, "jumps");
    *jumps = g->stream.jumps();
    return GPURANMAR_OK;
}

int gpuranmar_cuda_position(generator *g, uint64_t *position)
{
    CHECK_POINTER(g, "generator");
    CHECK_POINTER(position, "position");
    NOT_CAPTURED(g);
    return result(g->stream.position(position));
}
