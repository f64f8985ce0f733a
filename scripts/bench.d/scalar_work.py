"""Scalar work beside fills, ns a step

A chain of dependent multiplications, alone and between fills of 1024 numbers and arrays of 2^17, by
each SIMD level. A loop that lowers the core's clock leaves less than 100 % of the chain alone."""
from bench import Row

SIZES = {"refills": 1024, "arrays": 1 << 17}

NEEDS = ("bench/arrays",)


def rows(bench):
    program = ("bench/arrays", "beside")
    commands = {
        f"{what}, {level}": (*program, size, {"GPURANMAR_SIMD": level})
        for what, size in SIZES.items()
        for level in bench.known("SIMD levels")
    }
    figures = bench.in_turns({"alone": (*program, 0), **commands}, 3 * bench.rounds)
    for name in commands:
        yield Row(name, figures[name], limit_name="alone", limit=figures["alone"])
