/* Calls of CUDA, and what becomes of their errors: functions that may fail return false and leave
 * one line about it. */
#ifndef RANMAR_CUDA_CALL_H
#define RANMAR_CUDA_CALL_H

#include <cuda_runtime.h>

namespace gpuranmar
{

/* The line on the last error of this thread, "" before the first. */
const char *error_line();

/* Keeps a line, made as by printf; false, so that a function can end with it. */
__attribute__((format(printf, 1, 2))) bool fail(const char *format, ...);

/* Whether a call went well; if not, `what` is in the line. */
bool succeeded(cudaError_t error, const char *what);

#ifdef RANMAR_TEST_FAILURES
/* In the tests' build: from now on the calls first..last, counted from 1, fail instead of being
 * made. Returns how many have been counted since the last time. */
long fail_calls(long first, long last);
bool made_to_fail();
#define CUDA_RESULT(call) (gpuranmar::made_to_fail() ? cudaErrorUnknown : (call))
#else
#define CUDA_RESULT(call) (call)
#endif

/* Makes a call, or ends the function. */
#define CUDA_TRY(call)                                       \
    do {                                                     \
        if (!gpuranmar::succeeded(CUDA_RESULT(call), #call)) \
            return false;                                    \
    } while (0)

/* Launches a kernel, or ends the function. */
#define CUDA_LAUNCH(kernel, grid, block, stream, ...)                        \
    do {                                                                     \
        kernel<<<grid, block, 0, stream>>>(__VA_ARGS__);                     \
        if (!gpuranmar::succeeded(CUDA_RESULT(cudaGetLastError()), #kernel)) \
            return false;                                                    \
    } while (0)

/* Makes a device current, and gives the caller's back at the end. */
class on_device
{
  public:
    explicit on_device(int device)
    {
        if (cudaGetDevice(&before) != cudaSuccess || before == device)
            before = -1;
        if (before >= 0)
            cudaSetDevice(device);
    }
    ~on_device()
    {
        if (before >= 0)
            cudaSetDevice(before);
    }
    on_device(const on_device &) = delete;

  private:
    int before;
};

} // namespace gpuranmar

#endif
