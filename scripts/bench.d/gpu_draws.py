"""Drawing inside a kernel, nothing written, 10^9 numbers a second

By all lanes; where lanes branch and only some want a number; and from a seed to the first number of
every thread."""

RATES = True


def missing(bench):
    return bench.gpu_lacks("cuda/measure-draws")


def rows(bench):
    return bench.rows_of("cuda/measure-draws")
