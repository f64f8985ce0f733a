"""Whole runs, CPU time in seconds

The demonstration's shower and a mix of calls like CORSIKA's, with the sequential reference, with
the library by default and at every SIMD level, and with numbers that were prepared in memory. The
last is the bound: it does the same work and writes the same bytes, and its generator costs no more
than a call and a copy (validate/bench/prepared.c)."""
import pathlib
import tempfile

from bench import Row
from runs import Runner, in_turns

NEEDS = ("bench/mix-relinked", "bench/mix-prepared", "shower-relinked", "bench/shower-prepared")
CARDS = pathlib.Path(__file__).resolve().parents[2] / "examples/shower"
SEEDS = "SEED 11 0 0\nSEED 22 0 0\nSEED 33 0 0\n"
SHORT = SEEDS + "PRMPAR 14\nERANGE 500. 500.\nEXIT\n"
# The bound's numbers are prepared by the portable loop, which lowers no clock.
ENDINGS = {"reference": ("reference", {}), "bound": ("prepared", {"GPURANMAR_SIMD": "portable"})}


def rows(bench):
    levels = {level: {"GPURANMAR_SIMD": level} for level in bench.known("SIMD levels")}
    ours = {"default": {}, **levels}
    variants = {**ENDINGS, **{name: ("relinked", settings) for name, settings in ours.items()}}
    less = 20 if bench.quick else 1
    card = SHORT if bench.quick else SEEDS + (CARDS / "demo.card").read_text()
    programs = {"shower": ("shower", "", card)}
    for kind, thousands in (("proton", 10000), ("gamma", 5000)):
        programs[f"mix, {kind}"] = ("bench/mix", f"{kind} {thousands // less}", "")
    with tempfile.TemporaryDirectory(prefix="bench-") as scratch:
        runners = {}
        for name, (_, _, card) in programs.items():
            place = pathlib.Path(scratch, name.replace(", ", "-"))
            place.mkdir()
            runners[name] = Runner(card.encode(), str(place))

        def cpu_time(key):
            """Every variant of a program must write the same bytes."""
            path, arguments, _ = programs[key[0]]
            ending, settings = variants[key[1]]
            path = "bench/shower" if (path, ending) == ("shower", "prepared") else path
            command = (str(bench.build / f"{path}-{ending}"), *arguments.split())
            return runners[key[0]].run(*command, settings=settings).cpu

        keys = [(name, variant) for name in programs for variant in variants]
        times = in_turns(keys, bench.program_rounds, cpu_time)
    for name in programs:
        peer = ("sequential RMMARD", times[name, "reference"])
        bound = ("numbers for nothing", times[name, "bound"])
        for variant in ours:
            yield Row(f"{name}, {variant}", times[name, variant], *peer, *bound)
