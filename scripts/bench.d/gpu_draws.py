"""Drawing inside a kernel, nothing written, 10^9 numbers a second

By all lanes; where lanes branch and only some want a number; and from a seed to the first number of
every thread."""
from bench import Row

RATES = True


def missing(bench):
    return bench.gpu_lacks("cuda/measure-draws")


def rows(bench):
    figures = bench.lines_of("cuda/measure-draws")
    for code, flavour in enumerate(bench.known("flavours")):
        kind = ", single" if flavour == "single" else ""
        name = "a shuffle and a sum"
        for peer in ("XORWOW", "Philox", "MRG32k3a"):
            if f"draw, {peer}{kind}" in figures and f"draw, flavour {code}" in figures:
                theirs, limit = figures[f"draw, {peer}{kind}"], figures[f"draw, {name}{kind}"]
                ours = figures[f"draw, flavour {code}"]
                yield Row(flavour, ours, f"cuRAND {peer}", theirs, name, limit)
    ours = ("source", "buffered_source", "RANMAR")
    for what in dict.fromkeys(n.rsplit(", ", 1)[0] for n in figures if not n.startswith("draw")):
        found = {n.rsplit(", ", 1)[1]: figures[n] for n in figures if n.rsplit(", ", 1)[0] == what}
        for mine in [name for name in ours if name in found]:
            for peer in [name for name in found if name not in ours]:
                yield Row(f"{what}, {mine}", found[mine], f"cuRAND {peer}", found[peer])
