"""Filling 2^30 numbers of a GPU's memory, 10^9 numbers a second

Beside cuRAND's generators, in their default ordering and in the dynamic one, and plain kernels."""
from bench import Row

RATES = True


def missing(bench):
    return bench.gpu_lacks("cuda/measure-fills")


def rows(bench):
    figures = bench.lines_of("cuda/measure-fills")
    flavours = bench.known("flavours")
    for kind in ("", ", single"):
        ours = "single" if kind else "double"
        mine = figures.pop(f"flavour {flavours.index(ours)}")
        once = figures.pop("write once a thread" + kind)
        limit = ("a kernel that writes in a loop", figures.pop("write in a loop" + kind))
        yield Row(ours, mine, "a kernel that writes once a thread", once, *limit)
        for name in [n for n in figures if n.endswith(", single") == bool(kind)]:
            if name.startswith("flavour"):
                if flavours[int(name.split()[1])] != "single":
                    yield Row(flavours[int(name.split()[1])], figures[name], "", None, *limit)
            else:
                yield Row(ours, mine, f"cuRAND {name}", figures[name], *limit)
