"""Filling arrays, ns a number

In cache, in memory, and on all cores, beside the sequential RMMARD, other generators, and a loop
that only stores."""
import sys

from bench import Row, scaled

IN_CACHE = 2048  # numbers: half of an L1 cache


def missing(bench):
    return bench.has("bench/arrays", "bench/calls-reference")


def rows(bench):
    large = 1 << (22 if bench.quick else 25)
    places = [("in cache", IN_CACHE, 1, 51), ("memory", large, 1, 3)]
    if bench.cores > 1:
        places.append(
            (f"memory, {bench.cores} threads", large * min(4, bench.cores), bench.cores, 3)
        )
    there = bench.output_of("bench/arrays", "peers").split()
    for peer, name in (("dsfmt", "dSFMT"), ("philox", "Random123")):
        if peer not in there:
            print(f"bench: arrays without {name}, which was not found", file=sys.stderr)
    one_thread = None  # the reference's figures, for the case with several threads
    for place, n, threads, repeats in places:
        size = (n, threads, repeats)
        commands = {
            flavour: ("bench/arrays", code, *size)
            for code, flavour in enumerate(bench.known("flavours"))
        }
        for peer in there:
            commands[peer] = ("bench/arrays", peer, *size)
        if threads == 1:
            commands["reference"] = ("bench/calls-reference", n, 5 if n == IN_CACHE else 1)
        figures = bench.in_turns(commands)
        if threads == 1:
            one_thread = scaled(1 / n, figures["reference"])
        store = min((figures[name] for name in there if "store" in name), key=sorted)
        for flavour in bench.known("flavours"):
            half = flavour == "single"
            peers = [("Philox4x32", figures.get("philox-single" if half else "philox"))]
            if not half:
                peers.append(("dSFMT", figures.get("dsfmt")))
            if flavour == "double":
                peers.append(("sequential RMMARD", one_thread))
            for name, peer in [found for found in peers if found[1]] or [("", None)]:
                limit = scaled(0.5 if half else 1.0, store)
                yield Row(f"{flavour}, {place}", figures[flavour], name, peer, "a store", limit)
