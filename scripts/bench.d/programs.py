"""The sections of scripts/bench that measure whole programs, as a user runs them.

A program is linked three times: with the sequential reference, with the library, and with numbers
that were prepared before (validate/bench/prepared.c). The last is the bound: it does the same work
and writes the same bytes, and its generator costs no more than a call and a copy. The program
reports what the preparation took, which is subtracted.
"""

import pathlib
import tempfile
from typing import NamedTuple

from ratio import ROUNDS_NEEDED, median_of, ratio_of, text_of
from runs import DEFAULT, LEVELS, Failed, Runner, at_level, in_turns

ROOT = pathlib.Path(__file__).resolve().parents[2]
REFERENCE, RELINKED, BOUND = "reference", "relinked", "bound"
SHOWER_SEEDS = "SEED 11 0 0\nSEED 22 0 0\nSEED 33 0 0\n"


class Program(NamedTuple):
    """A program to run: `binary` is linked as binary-reference, -relinked, perhaps -prepared."""

    name: str
    binary: str
    arguments: tuple = ()
    card: str = ""


class Variants:
    """Who makes a program's numbers: names, and how the program is run for each."""

    def __init__(self, bench, levels=()):
        self.libraries = bench.library_path()
        self.find = bench.find
        self.names = [REFERENCE, DEFAULT, *levels]

    def command(self, program, name):
        kind = {REFERENCE: "reference", BOUND: "prepared"}.get(name, "relinked")
        return [str(self.find(f"{program.binary}-{kind}")), *program.arguments]

    def settings(self, name):
        # The bound's numbers are prepared by the portable loop: however slow it is, it does not
        # lower the clock of the core.
        level = {REFERENCE: DEFAULT, BOUND: "portable"}.get(name, name)
        return at_level(level) | {"LD_LIBRARY_PATH": self.libraries}


def starts_at(variants, level):
    """Runs a small program at a SIMD level."""
    with tempfile.TemporaryDirectory() as scratch:
        command = variants.command(Program("", "start", ("1",)), level)
        Runner(b"", scratch).run(*command, settings=variants.settings(level))


def levels_here(variants):
    """The SIMD levels that the library takes on this machine."""
    starts_at(variants, DEFAULT)  # if this fails, it is not for want of a level
    here = []
    for level in LEVELS:
        try:
            starts_at(variants, level)
            here.append(level)
        except Failed:
            pass
    return here


def run_all(programs, variants, rounds):
    """{(program, variant): its runs}: all programs and variants take turns. Every variant of a
    program must write the same bytes."""
    with tempfile.TemporaryDirectory(prefix="bench-") as scratch:
        runners = {}
        for k, program in enumerate(programs):
            place = pathlib.Path(scratch, str(k))
            place.mkdir()
            runners[program] = Runner(program.card.encode(), str(place))

        def make(key):
            program, name = key
            command = variants.command(program, name)
            return runners[program].run(*command, settings=variants.settings(name))

        keys = [(program, name) for program in programs for name in variants.names]
        return in_turns(keys, rounds, make)


def rounds_of(bench, thorough):
    return bench.program_rounds or (ROUNDS_NEEDED if bench.quick else thorough)


def cpu_of(runs):
    return [run.cpu for run in runs]


def compare(runs, program, before, after):
    """How many times as fast `after` is, by CPU time."""
    return ratio_of(cpu_of(runs[program, before]), cpu_of(runs[program, after]))


def shower(name, card):
    return Program(name, "shower", (), SHOWER_SEEDS + card + "EXIT\n")


def demonstration():
    text = (ROOT / "examples/shower/demo.card").read_text()
    return shower("shower", text.replace("EXIT\n", ""))


def whole_runs(bench):
    """(h) The demonstration's shower, and a mix of calls like CORSIKA's, at every level."""
    variants = Variants(bench)
    levels = levels_here(variants)
    variants.names += [*levels, BOUND]
    if bench.quick:
        programs = [shower("shower", "PRMPAR 14\nERANGE 500. 500.\n")]
    else:
        programs = [demonstration()]
    for kind, thousands in (("proton", 10000), ("gamma", 5000)):
        thousands //= 20 if bench.quick else 1
        programs.append(Program(f"mix, {kind}", "mix", (kind, str(thousands))))
    runs = run_all(programs, variants, rounds_of(bench, 15))
    for program in programs:
        for name in variants.names:
            add_row(bench, "h", runs, program, name, BOUND)
        note_whole_run(bench, runs, program, levels)


def add_row(bench, section, runs, program, name, bound=None):
    places = {"program": program.name, "variant": name}
    if name != REFERENCE:
        places["ratio"] = compare(runs, program, REFERENCE, name)
        lowest = (min(cpu_of(runs[program, v])) for v in (REFERENCE, name))
        places["ratio_of_lowest"] = next(lowest) / next(lowest)
    if bound and name not in (REFERENCE, bound):
        places["share_of_bound"] = compare(runs, program, bound, name)
    bench.report.add_program(section, runs[program, name], **places)


def note_whole_run(bench, runs, program, levels):
    share = 1 - 1 / compare(runs, program, REFERENCE, BOUND)["median"]
    best = max(levels, key=lambda level: compare(runs, program, DEFAULT, level)["median"])
    against = text_of(compare(runs, program, best, DEFAULT))
    bench.report.note(
        "h",
        f"{program.name}: the sequential generator takes {100 * share:.1f} % of the run. "
        f"The default against the best level, {best}: {against}.",
    )


SHORT_RUNS = {
    "gamma, 10 TeV": "PRMPAR 1\nERANGE 1.E4 1.E4\n",
    "iron, 50 TeV, on a mountain": "PRMPAR 5626\nERANGE 5.E4 5.E4\nOBSLEV 4.E5\nTHETAP 20. 20.\n",
    "50 protons, a spectrum, Cherenkov light": "PRMPAR 14\nNSHOW 50\nERANGE 100. 1.E4\nESLOPE -2.\n"
    "THETAP 0. 40.\nPHIP -180. 180.\nCERENK 50.\n",
    "5 gammas, 1 TeV, Cherenkov light": "PRMPAR 1\nNSHOW 5\nERANGE 1.E3 1.E3\nCERENK 5.\n"
    "OBSLEV 2.2E5\n",
    "proton, 100 TeV": "PRMPAR 14\nERANGE 1.E5 1.E5\n",
    "iron, 150 TeV, low cuts": "PRMPAR 5626\nERANGE 1.5E5 1.5E5\nECUTS 0.1 0.1 0.0015 0.0015\n"
    "CERENK 100.\n",
}
QUICK_RUNS = {
    "proton, 100 GeV": "PRMPAR 14\nERANGE 100. 100.\n",
    "gamma, 100 GeV": "PRMPAR 1\nERANGE 100. 100.\n",
}


def short_runs(bench):
    """(i) Runs of a second to a minute, in pairs, and what starting a program costs."""
    variants = Variants(bench)
    cards = QUICK_RUNS if bench.quick else SHORT_RUNS
    programs = [shower(name, card) for name, card in cards.items()]
    runs = run_all(programs, variants, rounds_of(bench, ROUNDS_NEEDED))
    starts = [
        Program("start: an empty program", "start"),
        Program("start: one number drawn", "start", ("1",)),
    ]
    runs |= run_all(starts, variants, 21 if bench.quick else 101)
    for program in programs + starts:
        for name in variants.names:
            add_row(bench, "i", runs, program, name)
    for program in starts:
        note_start(bench, runs, program)


def note_start(bench, runs, program):
    pairs = zip(runs[program, DEFAULT], runs[program, REFERENCE])
    median, low, high, _ = median_of([1e3 * (ours.cpu - theirs.cpu) for ours, theirs in pairs])
    bench.report.note(
        "i",
        f"{program.name}: linked with the library it takes {median:.2f} ms ({low:.2f}..{high:.2f}) "
        "of CPU time more.",
    )
