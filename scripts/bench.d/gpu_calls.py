"""What a call to a GPU costs, ns a call

Fills in a queue, of sizes that come again and that do not; graphs; a new generator."""
from bench import Row


def missing(bench):
    return bench.gpu_lacks("cuda/measure-calls")


def rows(bench):
    figures = bench.lines_of("cuda/measure-calls")
    for name in [n for n in figures if n.startswith("RANMAR")]:
        what = name.split(", ", 1)[1]
        peers = [n for n in figures if n.endswith(", " + what) and n != name]
        for peer in peers:
            yield Row(what, figures[name], f"cuRAND {peer.split(', ')[0]}", figures[peer])
        if not peers:
            yield Row(what, figures[name])
