/* The CUDA back end as the library sees it: csrc/plugin.h. */
#include <cstdio>
#include <new>

#include "delivery.h"
#include "gpuranmar.h"

struct ranmar_producer {
    gpuranmar::delivery delivery;
};

using gpuranmar::error_line;

/* Whether a call of the delivery went well. Running out of host memory is an error like others: the
 * CPU goes on. */
template <class Call> static int well(Call call, char *error)
{
    try {
        if (call())
            return 1;
        snprintf(error, RANMAR_PLUGIN_ERROR, "%s", error_line());
    } catch (const std::bad_alloc &) {
        snprintf(error, RANMAR_PLUGIN_ERROR, "out of memory");
    }
    return 0;
}

static void close_producer(ranmar_producer *producer)
{
    producer->delivery.close();
    delete producer;
}

static ranmar_producer *open_producer(const ranmar_producer_options *options, char *error)
{
    ranmar_producer *const producer = new (std::nothrow) ranmar_producer();
    if (producer && well([&] { return producer->delivery.open(*options); }, error))
        return producer;
    if (producer)
        close_producer(producer);
    else
        snprintf(error, RANMAR_PLUGIN_ERROR, "out of memory");
    return nullptr;
}

static int set_states(ranmar_producer *producer, const ranmar_state *states, uint64_t position,
                      char *error)
{
    return well([&] { return producer->delivery.set(states, position); }, error);
}

static int fill(ranmar_producer *producer, void *out, size_t n, char *error)
{
    return well([&] { return producer->delivery.fill(out, n); }, error);
}

static const void *block(ranmar_producer *producer, char *error)
{
    const void *numbers = nullptr;
    well([&] { return (numbers = producer->delivery.block()) != nullptr; }, error);
    return numbers;
}

static const char *describe(const ranmar_producer *producer)
{
    return producer->delivery.describe();
}

extern "C" GPURANMAR_API ranmar_plugin_entry RANMAR_PLUGIN_ENTRY;

const ranmar_plugin *RANMAR_PLUGIN_ENTRY(int abi)
{
    static const ranmar_plugin plugin = {open_producer, close_producer, set_states,
                                         fill,          block,          describe};
    return abi == RANMAR_PLUGIN_ABI ? &plugin : nullptr;
}
