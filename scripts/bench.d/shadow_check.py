"""What GPURANMAR_VERIFY costs, ns a call or a number

Calls of RMMARD for one number and for a hundred, and an array, with a share of the numbers made
again."""
from bench import Row

WORK = {
    "RMMARD for 1": ("bench/calls-shared", 1),
    "RMMARD for 100": ("bench/calls-shared", 100),
    "an array of 2^22": ("bench/arrays", 0, 1 << 22, 1, 3),
}

NEEDS = ("bench/arrays", "bench/calls-shared")


def rows(bench):
    for name, command in WORK.items():
        shares = {s: (*command, {"GPURANMAR_VERIFY": s}) for s in ("0", "0.01", "0.1", "1")}
        figures = bench.in_turns(shares)
        for share in list(shares)[1:]:
            yield Row(f"{name}, {share}", figures[share], "without the check", figures["0"])
