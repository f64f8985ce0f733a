#include <cuda_runtime.h>
extern "C" {
#include "pinned.h"
}

void *pinned(size_t bytes)
{
    void *memory;
    return cudaMallocHost(&memory, bytes) == cudaSuccess ? memory : nullptr;
}

void unpin(void *memory)
{
    cudaFreeHost(memory);
}

void build_anew()
{
#ifdef RANMAR_EMULATED
    emulated::reset();
#endif
}
