/* A plugin of another version, for cuda/tests/failures.t: it knows no ABI that it is asked for. */
#include "gpuranmar.h"
#include "stream/plugin.h"

GPURANMAR_API ranmar_plugin_entry ranmar_cuda_plugin;

const struct ranmar_plugin *ranmar_cuda_plugin(int abi)
{
    (void)abi;
    return NULL;
}
