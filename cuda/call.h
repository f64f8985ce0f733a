/* Calls of CUDA, whose errors are kept as devices/device_error.h says. */
#ifndef RANMAR_CUDA_CALL_H
#define RANMAR_CUDA_CALL_H

#include <cstdint>

#include <cuda_runtime.h>

extern "C" {
#include "devices/device_error.h"
}

namespace gpuranmar
{

/* Whether a call went well. If not, the line names `what`. */
bool succeeded(cudaError_t error, const char *what);

/* The result of a call, which a test can make fail. */
#define CUDA_RESULT(call) (ranmar_device_made_to_fail() ? cudaErrorUnknown : (call))

/* Makes a call, and ends the function with false if it fails. */
#define CUDA_TRY(call)                                       \
    do {                                                     \
        if (!gpuranmar::succeeded(CUDA_RESULT(call), #call)) \
            return false;                                    \
    } while (0)

/* How a kernel is launched. `early`: it may start before the kernel queued ahead of it has ended,
 * and waits for that itself (wait_for_previous_kernel()). */
struct launching {
    unsigned blocks, threads;
    cudaStream_t stream;
    bool early;
};

/* Launches a kernel, and returns the error of this launch. cudaGetLastError() is not asked: it
 * would also return an earlier error of the caller's, and clear it. */
template <class... Parameters, class... Arguments>
cudaError_t launch(launching how, void (*kernel)(Parameters...), Arguments... arguments)
{
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(how.blocks);
    config.blockDim = dim3(how.threads);
    config.stream = how.stream;
    config.attrs = &attribute;
    config.numAttrs = how.early ? 1 : 0;
    return cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...);
}

/* Launches a kernel, and ends the function with false if that fails. */
#define CUDA_LAUNCH(how, kernel, ...)                                                       \
    do {                                                                                    \
        if (!gpuranmar::succeeded(CUDA_RESULT(gpuranmar::launch(how, kernel, __VA_ARGS__)), \
                                  "launch of " #kernel))                                    \
            return false;                                                                   \
    } while (0)

/* Makes a device current, and the caller's current again at the end. */
class on_device
{
  public:
    explicit on_device(int device);
    ~on_device();
    on_device(const on_device &) = delete;
    bool good() const
    {
        return good_;
    }

  private:
    int before_; /* -1: the device was current */
    bool good_;
};

/* Makes a device current for the rest of the function, which it ends with false if it cannot. */
#define ON_DEVICE(device)                    \
    const gpuranmar::on_device here(device); \
    if (!here.good())                        \
    return false

/* While it lasts, errors of CUDA are reported in ranmar_device_error() and not left in
 * cudaGetLastError(), where the program would take them for its own. An error that the program left
 * there stays. */
class own_errors
{
  public:
    own_errors() : clean(cudaPeekAtLastError() == cudaSuccess) {}
    ~own_errors()
    {
        if (clean)
            cudaGetLastError();
    }
    own_errors(const own_errors &) = delete;

  private:
    const bool clean;
};

/* While it lasts, this thread may allocate memory and wait for its own work though some stream is
 * being captured into a graph. None of this work may be part of the capture. */
class beside_capture
{
  public:
    beside_capture() : mode(cudaStreamCaptureModeRelaxed)
    {
        cudaThreadExchangeStreamCaptureMode(&mode);
    }
    ~beside_capture()
    {
        cudaThreadExchangeStreamCaptureMode(&mode);
    }
    beside_capture(const beside_capture &) = delete;

  private:
    cudaStreamCaptureMode mode;
};

/* Whether a stream is being captured into a graph. */
bool is_captured(cudaStream_t stream, bool *captured);

/* The rest are calls that only CUDA's driver has. Work queued on the stream from now on waits until
 * the 32-bit integer at an address on the device has reached `value`, modulo 2^32. */
bool wait_for_value(cudaStream_t stream, const uint32_t *address, uint32_t value);

/* Whether the program has chosen a device in this thread, by using CUDA. */
bool program_uses_cuda(bool *does);

/* A unique ID of the current device's CUDA context; it changes after cudaDeviceReset(). */
bool context_number(unsigned long long *number);

} // namespace gpuranmar

#endif
