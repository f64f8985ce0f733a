/* How fast device memory is filled: each flavour, beside cuRAND's generators in their
 * default ordering and in the dynamic one, and plain kernels that only write. */
#include "gpuranmar_cuda.h"
#include "measure.h"

constexpr size_t n = size_t(1) << 30;

/* Writes 16 bytes a thread and turn. */
__global__ void write_in_a_loop(double2 *out, size_t pairs)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < pairs;
         i += (size_t)gridDim.x * blockDim.x)
        out[i] = make_double2((double)i, 0.1);
}

__global__ void write_once(double2 *out)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    out[i] = make_double2((double)i, 0.1);
}

/* What fills `memory` with n numbers of `bytes` bytes. Peers stand beside one flavour alone. */
static std::vector<contender> contenders_for(void *memory, size_t bytes)
{
    const bool single = bytes == sizeof(float);
    double2 *const pairs = (double2 *)memory;
    const size_t count = n * bytes / sizeof *pairs;
    std::vector<contender> all;
    gpuranmar_cuda_generator *g;
    for (int code = 0; gpuranmar_cuda_create(&g, code) == GPURANMAR_OK; ++code) {
        if ((code == GPURANMAR_SINGLE) != single) {
            gpuranmar_cuda_destroy(g);
            continue;
        }
        all.push_back({flavours[code], "ours", n, [=] {
                           MUST(single ? gpuranmar_cuda_generate_single(g, (float *)memory, n)
                                       : gpuranmar_cuda_generate_double(g, (double *)memory, n));
                       }});
        all.push_back({flavours[code], "limit a kernel that writes in a loop", n,
                       [=] { write_in_a_loop<<<16 * 132, 256>>>(pairs, count); }});
    }
    const std::string what = single ? "single" : "double";
    all.push_back({what, "a kernel that writes once a thread", n,
                   [=] { write_once<<<(unsigned)(count / 512), 512>>>(pairs); }});
    for (const auto &peer : peers)
        for (bool dynamic : {false, true}) {
            curandGenerator_t c;
            MUST(curandCreateGenerator(&c, peer.type));
            const auto generate = [=] {
                return single ? curandGenerateUniform(c, (float *)memory, n)
                              : curandGenerateUniformDouble(c, (double *)memory, n);
            };
            if ((!dynamic || curandSetGeneratorOrdering(c, CURAND_ORDERING_PSEUDO_DYNAMIC) ==
                                 CURAND_STATUS_SUCCESS) &&
                generate() == CURAND_STATUS_SUCCESS)
                all.push_back({what, peer.name + std::string(dynamic ? ", dynamic" : ""), n,
                               [=] { MUST(generate()); }});
            else
                MUST(curandDestroyGenerator(c));
        }
    return all;
}

int main()
{
    tap_need_gpu("measure");
    void *memory;
    MUST(cudaMalloc(&memory, n * sizeof(double)));
    take_turns(contenders_for(memory, sizeof(double)), on_device);
    take_turns(contenders_for(memory, sizeof(float)), on_device);
    return 0;
}
