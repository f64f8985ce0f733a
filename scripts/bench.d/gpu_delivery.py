"""Numbers of a GPU on the host, by how many at a time, 10^9 numbers a second

Made ahead, and straight to pinned and to pageable memory, beside the CPU and the bus alone; and one
sequence in the memory of several GPUs."""
from bench import Row

RATES = True


def missing(bench):
    return bench.gpu_lacks("cuda/measure-delivery")


def rows(bench):
    figures = bench.lines_of("cuda/measure-delivery")
    for name in [n for n in figures if n.startswith("memory of")]:
        yield Row(f"{name} GPU(s)", figures[name], "memory of 1", figures["memory of 1"])
    for size in [n.split(", ")[1] for n in figures if n.startswith("copy")]:
        for how in ("ahead", "pinned", "pageable"):
            for peer in ("one core", "all cores"):
                theirs, copy = figures[f"{peer}, {size}"], figures[f"copy, {size}"]
                yield Row(f"{size}, {how}", figures[f"{how}, {size}"], peer, theirs, "a copy", copy)
