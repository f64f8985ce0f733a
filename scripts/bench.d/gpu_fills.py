"""Filling 2^30 numbers of a GPU's memory, 10^9 numbers a second

Beside cuRAND's generators, in their default ordering and in the dynamic one, and plain kernels."""

RATES = True


def missing(bench):
    return bench.gpu_lacks("cuda/measure-fills")


def rows(bench):
    return bench.rows_of("cuda/measure-fills")
