/* Streams by CUDA, or by the CPU that plays a GPU: see csrc/devices/tests/delivery.h. */
#include "pinned.h"
#include "stream/plugin.h"

#define BACKEND GPURANMAR_CUDA
#define PLUGIN ranmar_cuda_plugin
#ifdef RANMAR_EMULATED
#define EACH 20 /* it takes long */
#else
#define EACH 1
#endif

extern ranmar_plugin_entry ranmar_cuda_plugin;

#include "devices/tests/delivery.h"
