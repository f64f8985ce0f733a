"""Numbers of a GPU on the host, by how many at a time, 10^9 numbers a second

Made ahead, and straight to pinned and to pageable memory, beside the CPU and the bus alone; and one
sequence in the memory of several GPUs."""

RATES = True


def missing(bench):
    return bench.gpu_lacks("cuda/measure-delivery")


def rows(bench):
    return bench.rows_of("cuda/measure-delivery")
