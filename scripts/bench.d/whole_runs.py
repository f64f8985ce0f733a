"""Whole runs, CPU time in seconds

The demonstration's shower and a mix of calls like CORSIKA's, with the sequential reference, with
the library by default and at every SIMD level, and with numbers that were prepared in memory. The
last is the bound: it does the same work and writes the same bytes, and its generator costs no more
than a call and a copy (validate/bench/prepared.c)."""
import pathlib
import tempfile

import picture
from bench import Row
from ratio import ratio_of
from runs import Runner, in_turns

CARDS = pathlib.Path(__file__).resolve().parents[2] / "examples/shower"
SEEDS = "SEED 11 0 0\nSEED 22 0 0\nSEED 33 0 0\n"
SHORT = SEEDS + "PRMPAR 14\nERANGE 500. 500.\nEXIT\n"
KINDS = {"reference": "reference", "bound": "prepared"}


def missing(bench):
    names = [f"bench/{p}-prepared" for p in ("mix", "shower")]
    return bench.has("shower-relinked", "shower-reference", "bench/mix-relinked", *names)


def programs(bench):
    """{name: (path less its ending, arguments, card)}"""
    card = SHORT if bench.quick else SEEDS + (CARDS / "demo.card").read_text()
    steps = {"proton": 10000, "gamma": 5000}
    mixes = {
        f"mix, {kind}": ("bench/mix", (kind, str(thousands // (20 if bench.quick else 1))), "")
        for kind, thousands in steps.items()
    }
    return {"shower": ("shower", (), card), **mixes}


def command(bench, path, variant):
    if path == "shower" and variant == "bound":
        path = "bench/shower"
    return str(bench.build / f"{path}-{KINDS.get(variant, 'relinked')}")


def settings(bench, variant):
    """The bound's numbers are prepared by the portable loop, which lowers no clock."""
    level = {"reference": None, "default": None, "bound": "portable"}.get(variant, variant)
    return {"GPURANMAR_SIMD": level, "LD_LIBRARY_PATH": bench.library_path()}


def cpu_times(bench, variants):
    """{(program, variant): figures}. Every variant of a program must write the same bytes."""
    with tempfile.TemporaryDirectory(prefix="bench-") as scratch:
        runners = {}
        for name, (_, _, card) in programs(bench).items():
            place = pathlib.Path(scratch, name.replace(", ", "-"))
            place.mkdir()
            runners[name] = Runner(card.encode(), str(place))

        def make(key):
            name, variant = key
            path, arguments, _ = programs(bench)[name]
            with_settings = settings(bench, variant)
            line = (command(bench, path, variant), *arguments)
            return runners[name].run(*line, settings=with_settings).cpu

        keys = [(name, variant) for name in runners for variant in variants]
        return in_turns(keys, bench.program_rounds, make)


def rows(bench):
    ours = ["default", *bench.known("SIMD levels")]
    times = cpu_times(bench, ["reference", *ours, "bound"])
    found, groups = [], []
    for name in programs(bench):
        reference, bound = times[name, "reference"], times[name, "bound"]
        for variant in ours:
            found.append(
                Row(
                    f"{name}, {variant}",
                    times[name, variant],
                    "sequential RMMARD",
                    reference,
                    "numbers for nothing",
                    bound,
                )
            )
        ratios = {v: ratio_of(reference, times[name, v]) for v in ours}
        bars = [picture.Bar(v, [r["median"]], r["low"], r["high"]) for v, r in ratios.items()]
        limit = ratio_of(reference, bound)["median"]
        groups.append(picture.Group(name, bars, limit, f"numbers for nothing, {limit:.2f}"))
    path = bench.out.with_name("whole-runs.svg")
    picture.draw(path, "Whole runs, times as fast as with the sequential RMMARD", groups)
    return found
