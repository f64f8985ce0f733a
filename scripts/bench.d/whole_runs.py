"""Whole runs, CPU time in seconds

The demonstration's shower with the sequential reference, with the library by default and at every
SIMD level, and with numbers that were prepared in memory. The last is the bound: it does the same
work and writes the same bytes, and its generator costs no more than a call and a copy
(validate/bench/prepared.c)."""
import pathlib
import tempfile

from bench import Row
from runs import Runner, in_turns

NEEDS = ("shower-reference", "shower-relinked", "bench/shower-prepared")
CARD = pathlib.Path(__file__).resolve().parents[2] / "examples/shower/demo.card"
SEEDS = "SEED 11 0 0\nSEED 22 0 0\nSEED 33 0 0\n"


def rows(bench):
    levels = {level: {"GPURANMAR_SIMD": level} for level in bench.known("SIMD levels")}
    ours = {"default": {}, **levels}
    # The bound's numbers are prepared by the portable loop, which lowers no clock.
    ends = {"reference": (NEEDS[0], {}), "bound": (NEEDS[2], {"GPURANMAR_SIMD": "portable"})}
    variants = {**ends, **{name: (NEEDS[1], settings) for name, settings in ours.items()}}
    card = SEEDS + CARD.read_text()
    with tempfile.TemporaryDirectory(prefix="bench-") as scratch:
        runner = Runner(card.encode(), scratch)

        def cpu_time(variant):
            """Every variant must write the same bytes."""
            program, settings = variants[variant]
            return runner.run(str(bench.build / program), settings=settings).cpu

        times = in_turns(variants, bench.program_rounds, cpu_time)
    for variant in ours:
        peer = ("sequential RMMARD", times["reference"])
        yield Row(
            f"shower, {variant}", times[variant], *peer, "numbers for nothing", times["bound"]
        )
