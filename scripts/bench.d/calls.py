"""Calls of RMMARD, ns a call

They are so short that another program on the machine disturbs whole rounds. So there are many."""
from bench import Row, scaled, summed

STYLES = {
    "shared": "shared library",
    "static": "linked statically, LTO",
    "inline": "drawn inline, as patched code does",
}

NEEDS = ("bench/arrays", "bench/calls-reference", *(f"bench/calls-{style}" for style in STYLES))


def rows(bench):
    lengths = (1, 2, 10, 100, 1000)
    commands = {
        (style, n): (f"bench/calls-{style}", n)
        for n in lengths
        for style in ("reference", "empty", *STYLES)
    }
    commands["fill"] = ("bench/arrays", 0, 1024, 1, 51)
    figures = bench.in_turns(commands, max(bench.rounds, 51))
    for n in lengths:
        empty_and_fill = summed(figures["empty", n], scaled(n, figures["fill"]))
        limit = ("an empty call and a fill", empty_and_fill)
        for style, name in STYLES.items():
            yield Row(
                f"{n} a call, {name}",
                figures[style, n],
                "sequential RMMARD",
                figures["reference", n],
                *(limit if style == "shared" else ()),
            )
