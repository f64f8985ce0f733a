/* The table of jumps from which kernels compose all jumps (gpuranmar_skip.cuh), on a device. */
#include <map>
#include <mutex>
#include <utility>

#include "device_stream.h"
#include "sequence.cuh"

namespace gpuranmar
{

/* Makes a digit's jumps by known+1 .. 2*known units from those by 1 .. known units, the first of
 * which is jumps[0]. */
__global__ void __launch_bounds__(block_threads)
    double_jumps(uint64_t *jumps, unsigned known, unsigned every)
{
    __shared__ workspace workspaces[warps_a_block];
    workspace &w = workspaces[threadIdx.x / warp_size];
    const unsigned i = blockIdx.x * warps_a_block + threadIdx.x / warp_size;
    if (i >= known)
        return;
    wait_for_previous_kernel();
    for (unsigned k = lane_number(); k < lag; k += warp_size)
        w.x[k] = jumps[(uint64_t)i * lag + k];
    put_jump(w, jumps + (uint64_t)(known - 1) * lag, every);
    sync_warp();
    jump(w, every);
    for (unsigned k = lane_number(); k < lag; k += warp_size)
        jumps[(uint64_t)(known + i) * lag + k] = w.x[k];
}

static size_t table_jumps()
{
    size_t jumps = 1; /* the last digit's doubling reaches one further */
    for (unsigned digit = 0; digit < digits; ++digit)
        jumps += digit_jumps(digit);
    return jumps;
}

/* Fills a table by doubling. A digit's last doubling also makes the first jump of the next. */
static bool make_jumps(uint64_t *table, unsigned every, cudaStream_t stream)
{
    /* The jump by 1: in the unit sequence at position 1, the 1 is the last word but one. */
    uint64_t unit[lag] = {0};
    unit[lag - 2] = 1;
    CUDA_TRY(cudaMemcpyAsync(table, unit, sizeof unit, cudaMemcpyHostToDevice, stream));
    for (unsigned digit = 0; digit < digits; ++digit) {
        for (unsigned known = 1; known <= digit_jumps(digit); known *= 2)
            CUDA_LAUNCH((launching{(known + warps_a_block - 1) / warps_a_block, block_threads,
                                   stream, false}),
                        double_jumps, table, known, every);
        table += (size_t)digit_jumps(digit) * lag;
    }
    CUDA_TRY(cudaStreamSynchronize(stream));
    return true;
}

static bool make_table(unsigned every, uint64_t **table)
{
    const beside_capture allowed;
    cudaStream_t stream;
    CUDA_TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    bool made = succeeded(CUDA_RESULT(cudaMalloc(table, table_jumps() * lag * sizeof **table)),
                          "cudaMalloc");
    if (made && !(made = make_jumps(*table, every, stream)))
        cudaFree(*table);
    cudaStreamDestroy(stream);
    return made;
}

bool find_jump_table(unsigned every, const uint64_t **table)
{
    static std::mutex mutex;
    static std::map<std::pair<unsigned long long, unsigned>, uint64_t *> tables;
    unsigned long long context;
    if (!context_number(&context))
        return false;
    const std::lock_guard<std::mutex> locked(mutex);
    const auto found = tables.find({context, every});
    uint64_t *made = found == tables.end() ? nullptr : found->second;
    if (!made && !make_table(every, &made))
        return false;
    *table = tables[{context, every}] = made;
    return true;
}

} // namespace gpuranmar
