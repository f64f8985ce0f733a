"""Numbers by OpenCL on a GPU, 10^9 numbers a second

In its memory and inside a kernel, beside the CUDA plugin, plain kernels and peers in OpenCL."""

NEEDS = ("cuda/measure-opencl",)


def rows(bench):
    return bench.rows_of(NEEDS[0], "rates")
