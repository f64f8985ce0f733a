"""Filling arrays, ns a number

In cache, in memory, and on all cores, beside the sequential RMMARD, other generators, and a loop
that only stores."""
import sys

from bench import Row, scaled

IN_CACHE = 2048  # numbers: half of an L1 cache

NEEDS = ("bench/arrays", "bench/calls-reference")


def rows(bench):
    large = 1 << 25
    places = {"in cache": (IN_CACHE, 1, 51), "memory": (large, 1, 3)}
    if bench.cores > 1:
        size = (large * min(4, bench.cores), bench.cores, 3)
        places[f"memory, {bench.cores} threads"] = size
    flavours = bench.known("flavours")
    there = bench.output_of("bench/arrays", "peers").split()
    for peer, name in (("dsfmt", "dSFMT"), ("philox", "Random123")):
        if peer not in there:
            print(f"bench: arrays without {name}, which was not found", file=sys.stderr)
    for place, size in places.items():
        n, threads, _ = size
        commands = {name: ("bench/arrays", name, *size) for name in there}
        commands.update((f, ("bench/arrays", code, *size)) for code, f in enumerate(flavours))
        if threads == 1:
            commands["reference"] = ("bench/calls-reference", n, 5 if n == IN_CACHE else 1)
        figures = bench.in_turns(commands)
        if threads == 1:  # this one stays for several threads, which the reference cannot use
            sequential = scaled(1 / n, figures["reference"])
        store = min((figures[name] for name in there if "store" in name), key=sorted)
        for flavour in flavours:
            half = flavour == "single"
            peers = {"Philox4x32": figures.get("philox-single" if half else "philox")}
            if not half:
                peers["dSFMT"] = figures.get("dsfmt")
            if flavour == "double":
                peers["sequential RMMARD"] = sequential
            limit = ("a store", scaled(0.5 if half else 1.0, store))
            for peer in [(name, theirs) for name, theirs in peers.items() if theirs] or [
                ("", None)
            ]:
                yield Row(f"{flavour}, {place}", figures[flavour], *peer, *limit)
