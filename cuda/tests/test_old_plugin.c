/* A plugin of another version, for cuda/tests/failures.t: it knows no ABI that it is asked for. */
#include "gpuranmar.h"
#include "stream/plugin.h"

GPURANMAR_API ranmar_plugin_entry RANMAR_PLUGIN_ENTRY;

const struct ranmar_plugin *RANMAR_PLUGIN_ENTRY(int abi)
{
    (void)abi;
    return NULL;
}
