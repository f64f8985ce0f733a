"""What a call by OpenCL and a start cost on a GPU, ns

Fills in a queue, beside an empty kernel; processes with their first number, whose kernels an earlier
one has kept."""

NEEDS = ("cuda/measure-opencl",)


def rows(bench):
    return bench.rows_of(NEEDS[0], "calls")
