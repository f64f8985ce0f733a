/* Streams by CUDA, or by the CPU that plays a GPU: see csrc/devices/tests/delivery.h. */
#include <stddef.h>

#include "backends/plugin.h"

#define BACKEND GPURANMAR_CUDA
#define PLUGIN ranmar_cuda_plugin
#ifdef RANMAR_EMULATED
#define EACH 20 /* it takes long */
#else
#define EACH 1
#endif

extern ranmar_plugin_entry ranmar_cuda_plugin;

/* CUDA's own: the headers of CUDA may not be where C looks. */
int cudaMallocHost(void **memory, size_t bytes);
int cudaFreeHost(void *memory);
void emulated_reset(void);

static void *pinned(size_t bytes)
{
    void *memory;
    return cudaMallocHost(&memory, bytes) == 0 ? memory : NULL;
}

static void unpin(void *memory)
{
    cudaFreeHost(memory);
}

static void build_anew(void)
{
#ifdef RANMAR_EMULATED
    emulated_reset();
#endif
}

#include "devices/tests/delivery.h"
