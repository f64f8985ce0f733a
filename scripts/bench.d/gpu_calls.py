"""What a call to a GPU costs, ns a call

Fills in a queue, of sizes that come again and that do not; graphs; a new generator."""


def missing(bench):
    return bench.gpu_lacks("cuda/measure-calls")


def rows(bench):
    return bench.rows_of("cuda/measure-calls")
