/* The device headers compile under NVRTC, CUDA's run-time compiler, which CuPy uses. */
#include <nvrtc.h>

#include <string>

#include "tap.h"

static const char *const program = R"(
#include "gpuranmar_skip.cuh"

extern "C" __global__ void draw(gpuranmar_state *states, const uint64_t *jumps, double *out)
{
    __shared__ gpuranmar::workspace w;
    gpuranmar::load(w, states[blockIdx.x]);
    gpuranmar::skip<gpuranmar::double_precision>(w, jumps, 1000);
    gpuranmar::generator<gpuranmar::double_precision> g;
    g.load(w.x, w.c);
    out[32 * blockIdx.x + threadIdx.x] = g.next();
    g.store(states[blockIdx.x]);
}

extern "C" __global__ void branch(gpuranmar_state *states, float *out)
{
    gpuranmar::source<gpuranmar::single_precision> s;
    s.load(states[0]);
    out[threadIdx.x] = s.draw(threadIdx.x % 2);
    s.store(states[0]);
}
)";

static bool compiles(const char *architecture)
{
    nvrtcProgram p;
    MUST(nvrtcCreateProgram(&p, program, "program.cu", 0, nullptr, nullptr));
    const char *const options[] = {architecture, "-std=c++17", "-Icuda/include", "-Icsrc/include"};
    const nvrtcResult result = nvrtcCompileProgram(p, 4, options);
    if (result != NVRTC_SUCCESS) {
        size_t size;
        MUST(nvrtcGetProgramLogSize(p, &size));
        std::string log(size, ' ');
        MUST(nvrtcGetProgramLog(p, &log[0]));
        printf("# %s\n", log.c_str());
    }
    MUST(nvrtcDestroyProgram(&p));
    return result == NVRTC_SUCCESS;
}

int main()
{
    tap(compiles("-arch=compute_75"), "compute capability 7.5");
    tap(compiles("-arch=compute_90"), "compute capability 9.0");
    return tap_done();
}
