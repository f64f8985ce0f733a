"""The sections of scripts/bench that measure fills, calls and skips on the CPU."""
import json

from report import sum_of, times
from tools import CORES, IN_CACHE, RMMARD, WINDOW, output_of, take_turns


def bulk(bench):
    """(a) Filling arrays."""
    large = 1 << (24 if bench.quick else 25)
    cases = [("in cache", IN_CACHE, 1, 51), ("memory", large, 1, 3)]
    if CORES > 1:
        cases.append((f"memory, {CORES} threads", large * min(4, CORES // 2), CORES, 3))
    ours = {
        "double": 1.0,
        "extended": 1.0,
        "luxury": 1.0,
        "single": 0.5,
    }  # the flavours, and how much of a double each stores for a number
    peers = {"dsfmt": "dSFMT", "philox": "Random123 Philox4x32", "gsl": "GSL mt19937"}
    sequential = None  # the reference's figure, which has one thread, for the cases with several
    for place, n, threads, repeats in cases:
        commands = {
            g: (1, "bulk", g, n, threads, repeats)
            for g in [*ours, *peers, "philox-single", "store", "stream-store"]
        }
        if threads == 1:
            commands["reference"] = (n, "calls-reference", n, 5 if n == IN_CACHE else 1)
        figures = take_turns(commands, bench.rounds)
        sequential = figures.setdefault("reference", sequential)
        store = min((figures[s] for s in ("store", "stream-store")), key=lambda f: f["median"])
        limit_name = "store" if n == IN_CACHE else "memory write"

        def row(precision, peer, name):
            bench.report.add(
                "a",
                f"{precision}, {place}",
                figures[precision],
                figures[peer],
                name,
                times(ours[precision], store),
                limit_name,
                place=place,
                precision=precision,
            )

        for peer, name in ({"reference": RMMARD} | peers).items():
            row("double", peer, name)
        row("extended", "dsfmt", "dSFMT")
        row("luxury", "dsfmt", "dSFMT")
        row("single", "philox-single", "Random123 Philox4x32")


CALL_AND_FILL = "an empty call and its fill"
AIMS = {1: (1.25, "an empty call"), 100: (1.4, CALL_AND_FILL)}


def small_calls(bench):
    """(b) Calls of RMMARD. They are so short that another program on the machine disturbs whole
    rounds. So there are many rounds."""
    store = bench.stores(IN_CACHE)
    lengths = (1, 2, 3, 10, 100, 1000)
    styles = ("reference", "empty", "shared", "empty-static", "static", "inline")
    commands = {(s, lenv): (1, f"calls-{s}", lenv) for lenv in lengths for s in styles}
    commands["fill"] = (1, "bulk", "double", WINDOW, 1, 51)
    figures = take_turns(commands, bench.rounds if bench.quick else 51)
    for lenv in lengths:
        stores = times(lenv, store)
        for style, name, empty in (
            ("shared", "shared library", "empty"),
            ("static", "static, LTO", "empty-static"),
            ("inline", "drawn inline", None),
        ):
            limit = (
                (sum_of(figures[empty, lenv], stores), "empty call + stores")
                if empty
                else (stores, "stores")
            )
            bench.report.add(
                "b",
                f"LENV {lenv}, {name}",
                figures[style, lenv],
                figures["reference", lenv],
                RMMARD,
                *limit,
                lenv=lenv,
                style=style,
            )
    for lenv, (aim, limit_name) in AIMS.items():
        ours, limit = figures["shared", lenv], figures["empty", lenv]
        filled = sum_of(limit, times(lenv, figures["fill"]))
        and_filled = ""
        if limit_name == CALL_AND_FILL:
            limit = filled
        else:
            quotient = filled["median"] / limit["median"]
            and_filled = f", and {CALL_AND_FILL} take {quotient:.2f} times"
        bench.report.add(
            "b",
            f"LENV {lenv}, shared library, its aim",
            ours,
            figures["reference", lenv],
            RMMARD,
            limit,
            limit_name,
            lenv=lenv,
            style="aim",
        )
        bench.report.note(
            "b",
            f"LENV {lenv} takes {ours['median'] / limit['median']:.2f} times "
            f"{limit_name}; the aim is {aim}{and_filled}.",
        )


def skipping(bench):
    """(d) Starting a sequence and skipping."""
    known = None  # the last figure of the reference, and what it skipped
    for text, ntot, ntot2 in (
        ("0", 0, 0),
        ("10^6", 10**6, 0),
        ("10^9", 0, 1),
        ("10^12", 0, 1000),
    ):
        count = ntot + ntot2 * 10**9
        commands = {s: (1, f"skip-{s}", ntot, ntot2) for s in ("shared", "empty")}
        if count <= (10**6 if bench.quick else 10**9):  # beyond, it takes hours
            commands["reference"] = (1, "skip-reference", ntot, ntot2)
        figures = take_turns(commands, 1 if count == 10**9 else bench.rounds)
        name = "sequential RMMAQD"
        if "reference" in figures:
            known = figures["reference"], count
        else:
            figures["reference"] = times(count / known[1], known[0])
            name += f", {count / known[1]:.0f} times its {known[1]:.0e}"
        bench.report.add(
            "d",
            f"RMMAQD, skip {text}",
            figures["shared"],
            figures["reference"],
            name,
            figures["empty"],
            "empty call",
            skip=count,
        )


def neighbour(bench):
    """(j) What a fill costs the scalar work around it, beyond the time that it takes itself."""
    for line in reversed(output_of(("neighbour", 6 if bench.quick else 40)).splitlines()):
        bench.report.add_work("j", json.loads(line))
