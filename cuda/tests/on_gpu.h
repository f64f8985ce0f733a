/* What a test has on a GPU, until the end of its block, and the numbers of a stream on the CPU. */
#ifndef RANMAR_CUDA_TEST_ON_GPU_H
#define RANMAR_CUDA_TEST_ON_GPU_H

#include <cstring>
#include <vector>

#include "gpuranmar_cuda.h"
#include "gpuranmar_definition.h"
#include "tap.h"

#include "devices/tests/pair.h"
#include "random.h"

/* Device memory, of bytes 0xff unless it is copied from the host. */
template <class T> struct array {
    T *at;
    const size_t count;

    explicit array(size_t count) : count(count)
    {
        MUST(cudaMalloc(&at, count * sizeof(T)));
        MUST(cudaMemset(at, 0xff, count * sizeof(T)));
    }
    explicit array(const std::vector<T> &from) : array(from.size())
    {
        MUST(cudaMemcpy(at, from.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~array()
    {
        MUST(cudaFree(at));
    }
    array(const array &) = delete;
    operator T *() const
    {
        return at;
    }
    std::vector<T> get() const
    {
        std::vector<T> all(count);
        MUST(cudaMemcpy(all.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost));
        return all;
    }
};

struct queue {
    cudaStream_t stream;

    explicit queue(unsigned flags = cudaStreamNonBlocking)
    {
        MUST(cudaStreamCreateWithFlags(&stream, flags));
    }
    ~queue()
    {
        MUST(cudaStreamDestroy(stream));
    }
    queue(const queue &) = delete;
    operator cudaStream_t() const
    {
        return stream;
    }
};

/* After begin_capture(), work queued on the stream is captured; a struct graph ends the capture. */
static inline void begin_capture(cudaStream_t stream)
{
    MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
}

struct graph {
    cudaGraphExec_t executable;

    explicit graph(cudaStream_t captured)
    {
        cudaGraph_t made;
        MUST(cudaStreamEndCapture(captured, &made));
        MUST(cudaGraphInstantiate(&executable, made, 0));
        MUST(cudaGraphDestroy(made));
    }
    ~graph()
    {
        MUST(cudaGraphExecDestroy(executable));
    }
    graph(const graph &) = delete;

    void replay(cudaStream_t stream) const
    {
        MUST(cudaGraphLaunch(executable, stream));
        MUST(cudaStreamSynchronize(stream));
    }
};

struct generator {
    gpuranmar_cuda_generator *g;

    explicit generator(int flavour = GPURANMAR_DOUBLE, cudaStream_t stream = nullptr)
    {
        MUST(gpuranmar_cuda_create(&g, flavour));
        if (stream)
            MUST(gpuranmar_cuda_set_stream(g, stream));
    }
    ~generator()
    {
        gpuranmar_cuda_destroy(g);
    }
    generator(const generator &) = delete;
    operator gpuranmar_cuda_generator *() const
    {
        return g;
    }
    uint64_t position() const
    {
        uint64_t at;
        MUST(gpuranmar_cuda_position(g, &at));
        return at;
    }
};

/* The stream on the CPU that a generator is compared with, number by number. */
struct twin {
    gpuranmar_stream *const stream;
    const bool single;

    explicit twin(int64_t seed, int64_t instances = 1, int64_t block = 1,
                  int flavour = GPURANMAR_DOUBLE, uint64_t position = 0)
        : stream(open_on_cpu(flavour, seed, instances, block, position)),
          single(flavour == GPURANMAR_SINGLE)
    {
    }
    ~twin()
    {
        gpuranmar_stream_close(stream);
    }
    twin(const twin &) = delete;

    /* The bytes of its next n numbers. */
    std::vector<char> next(size_t n)
    {
        std::vector<char> numbers(n * (single ? sizeof(float) : sizeof(double)));
        MUST(draw(stream, single, 0, numbers.data(), n));
        return numbers;
    }

    /* Whether its next n numbers are those in device memory, which is then overwritten. */
    bool agrees(double *memory, size_t n)
    {
        const std::vector<char> want = next(n);
        std::vector<char> got(want.size());
        MUST(cudaMemcpy(got.data(), memory, got.size(), cudaMemcpyDeviceToHost));
        MUST(cudaMemset(memory, 0xff, got.size()));
        return got == want;
    }

    uint64_t position() const
    {
        uint64_t at;
        MUST(gpuranmar_stream_position(stream, &at));
        return at;
    }
};

/* The main program of a test. An argument makes the test smaller, as it is on an emulated GPU. */
static inline int run_tests(const char *name, int arguments, void (*test)(bool small))
{
    tap_need_gpu(name);
    random_start();
    do
        test(arguments > 1 || is_emulated);
    while (in_other_order());
    return tap_done();
}

#endif
