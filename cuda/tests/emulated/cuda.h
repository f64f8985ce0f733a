/* The part of CUDA's driver that cuda/call.cu asks for by name. */
#ifndef RANMAR_EMULATED_CUDA_H
#define RANMAR_EMULATED_CUDA_H

#include <stdint.h>

#include "cuda_runtime_api.h"

typedef enum { CUDA_SUCCESS } CUresult;
typedef cudaStream_t CUstream;
typedef struct emulated_context *CUcontext;
typedef uintptr_t CUdeviceptr;
typedef uint32_t cuuint32_t;
enum { CU_STREAM_WAIT_VALUE_GEQ };

#endif
