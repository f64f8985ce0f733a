#include "call.h"

#include <cstdint>
#include <cstring>

#include <cuda.h>

namespace gpuranmar
{

bool succeeded(cudaError_t error, const char *what)
{
    /* `what` has the arguments too; the name of the function is enough. */
    const int length = (int)strcspn(what, "(");
    return error == cudaSuccess ||
           ranmar_device_fail("%.*s: %s", length, what, cudaGetErrorString(error));
}

on_device::on_device(int device) : before_(-1), good_(false)
{
    int current;
    if (!succeeded(CUDA_RESULT(cudaGetDevice(&current)), "cudaGetDevice"))
        return;
    if (current != device) {
        if (!succeeded(CUDA_RESULT(cudaSetDevice(device)), "cudaSetDevice"))
            return;
        before_ = current;
    }
    good_ = true;
}

on_device::~on_device()
{
    if (before_ >= 0)
        cudaSetDevice(before_);
}

bool is_captured(cudaStream_t stream, bool *captured)
{
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    const cudaError_t error = CUDA_RESULT(cudaStreamIsCapturing(stream, &status));
    if (error == cudaErrorStreamCaptureImplicit)
        return ranmar_device_fail(
            "the default stream cannot be used while another, which it waits for, is being "
            "captured");
    *captured = status != cudaStreamCaptureStatusNone;
    return succeeded(error, "cudaStreamIsCapturing");
}

/* --- The driver --- */

/* A function of the driver. The plugin loads without a driver, since it is not linked with it. */
static bool driver_function(const char *name, void **function)
{
    cudaDriverEntryPointQueryResult found;
#if CUDART_VERSION >= 12050
    CUDA_TRY(cudaGetDriverEntryPointByVersion(name, function, 12000, cudaEnableDefault, &found));
#else
    CUDA_TRY(cudaGetDriverEntryPoint(name, function, cudaEnableDefault, &found));
#endif
    return found == cudaDriverEntryPointSuccess || ranmar_device_fail("the driver has no %s", name);
}

bool wait_for_value(cudaStream_t stream, const uint32_t *address, uint32_t value)
{
    CUresult (*wait)(CUstream, CUdeviceptr, cuuint32_t, unsigned);
    if (!driver_function("cuStreamWaitValue32", (void **)&wait))
        return false;
    const CUresult result = wait(stream, (CUdeviceptr)address, value, CU_STREAM_WAIT_VALUE_GEQ);
    return result == CUDA_SUCCESS ||
           ranmar_device_fail("cuStreamWaitValue32: error %d", (int)result);
}

bool program_uses_cuda(bool *does)
{
    CUresult (*current)(CUcontext *);
    if (!driver_function("cuCtxGetCurrent", (void **)&current))
        return false;
    CUcontext context = nullptr;
    *does = current(&context) == CUDA_SUCCESS && context;
    return true;
}

bool context_number(unsigned long long *number)
{
    CUresult (*get_id)(CUcontext, unsigned long long *);
    CUDA_TRY(cudaFree(nullptr)); /* so that there is a context */
    if (!driver_function("cuCtxGetId", (void **)&get_id))
        return false;
    const CUresult result = get_id(nullptr, number);
    return result == CUDA_SUCCESS || ranmar_device_fail("cuCtxGetId: error %d", (int)result);
}

} // namespace gpuranmar
