/* The CUDA back end as the library sees it: csrc/stream/plugin.h. */
#include <cstdio>
#include <new>

#include "delivery.h"
#include "gpuranmar.h"

struct ranmar_gpu_maker {
    gpuranmar::delivery delivery;
};

using gpuranmar::error_line;

/* Whether a call of the delivery went well. Nothing here may make a CUDA context before the
 * delivery has asked whether the program has one (beside_capture would). If host memory runs out,
 * that is an error like others: the CPU goes on. */
template <class Call> static int well(Call call, char *error)
{
    const gpuranmar::own_errors reported;
    try {
        if (call())
            return 1;
        snprintf(error, RANMAR_PLUGIN_ERROR, "%s", error_line());
    } catch (const std::bad_alloc &) {
        snprintf(error, RANMAR_PLUGIN_ERROR, "out of memory");
    }
    return 0;
}

static void close_maker(ranmar_gpu_maker *maker)
{
    const gpuranmar::own_errors reported;
    maker->delivery.close();
    delete maker;
}

static ranmar_gpu_maker *open_maker(const ranmar_gpu_maker_options *options, char *error)
{
    ranmar_gpu_maker *const maker = new (std::nothrow) ranmar_gpu_maker();
    if (maker && well([&] { return maker->delivery.open(*options); }, error))
        return maker;
    if (maker)
        close_maker(maker);
    else
        snprintf(error, RANMAR_PLUGIN_ERROR, "out of memory");
    return nullptr;
}

static int set_states(ranmar_gpu_maker *maker, const ranmar_state *states, uint64_t position,
                      char *error)
{
    return well([&] { return maker->delivery.set(states, position); }, error);
}

static int fill(ranmar_gpu_maker *maker, void *out, size_t n, char *error)
{
    return well([&] { return maker->delivery.fill(out, n); }, error);
}

static const void *block(ranmar_gpu_maker *maker, char *error)
{
    const void *numbers = nullptr;
    well([&] { return (numbers = maker->delivery.block()) != nullptr; }, error);
    return numbers;
}

static const char *describe(const ranmar_gpu_maker *maker)
{
    return maker->delivery.describe();
}

extern "C" GPURANMAR_API ranmar_plugin_entry RANMAR_PLUGIN_ENTRY;

const ranmar_plugin *RANMAR_PLUGIN_ENTRY(int abi)
{
    static const ranmar_plugin plugin = {open_maker, close_maker, set_states,
                                         fill,       block,       describe};
    return abi == RANMAR_PLUGIN_ABI ? &plugin : nullptr;
}
