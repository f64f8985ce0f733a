"""Compares two programs that draw random numbers differently: where their time goes.

Runs BEFORE and AFTER, both built with -pg, in turns, each run in a directory of its own with the
input card from standard input. Checks that all runs write the same bytes. Prints the generator's
share of the time before and after, by gprof and, if available, by perf, and the speed-up of the
generator and of the whole program. The whole program can gain more than the generator's share: the
profilers attribute the wait for a number that has just been made to the code that uses it.

The speed-up of the whole is the ratio of the two medians shown, with a confidence interval of the
rounds' ratios by the sign test. A note names its confidence: at least 95 % for six rounds or more.
A line says if the speed-up is not significant. To time a program at other settings of libgpuranmar,
give a script that sets them, and --no-gprof.
"""
import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import textwrap

from ratio import ROUNDS_NEEDED, Ratio
from turns import Failed, Runner, in_turns

BEFORE, AFTER = "before", "after"

# RMMARD, its inlined copies in CORSIKA, CERNLIB's names, and what hooked code calls.
ROUTINES = (
    r"rmmard|rmmaqd|flrndm|grndm|ranf|rndm|hwrgen|rangen|drangen|dranegs|pyr|psran|qgran|s_rndm|"
    r"ranmar|rmmar|rmmaq|rm48|grnfl1|grnvec|grnset|grncnt|grnsta|grnput|(gpu)?ranmar_\w+"
)
LEAST = 0.2  # seconds in the generator, 20 samples of gprof: its speed-up needs at least these

# The routines of -pg itself, whose time is no part of the program's.
MCOUNT = re.compile(r"_*(mcount|fentry)(_internal)?(@.*)?")

NOTES = {
    "gprof": "gprof counts only what lies in the executable itself: no libm, no shared library, no "
    "kernel. So its shares are too high. It saw {:.2f} s of {:.2f} s before and {:.2f} s of "
    "{:.2f} s after.",
    "unseen": "Link the static library to see the generator's share in {}: gprof cannot see into a "
    "shared library.",
    "inline": "Inline draws of hooked code in AFTER count as time of the routines around them.",
    "interval": "Speed-ups of the whole: the ratio of the medians shown, in brackets the {:.0f} % "
    "confidence interval of the ratios of the {} rounds.",
    "little time": f"Less than {LEAST} s in the generator is too little to tell its speed-up.",
    "no perf": "There is no perf here, or it may not record.",
    "no samples": "perf saw nothing: it ran, but took no sample.",
}


def output_of(*command, check=True):
    return subprocess.run(command, check=check, capture_output=True, errors="replace").stdout


class Generator:
    """Knows which routines make random numbers: by their names, or by their libraries."""

    def __init__(self, pattern, libraries):
        self.pattern = re.compile(rf"(?:{pattern})_?", re.IGNORECASE)
        listed = (output_of("nm", os.path.abspath(path)) for path in libraries)
        symbols = [line for text in listed for line in text.splitlines()]
        self.routines = {line.split()[-1] for line in symbols if re.search(r" [tTwWi] ", line)}
        self.shared = ["libgpuranmar", *(os.path.basename(p).split(".")[0] for p in libraries)]

    def has(self, routine, dso=""):
        # gfortran calls the body of a routine with ENTRYs master.0.NAME_.
        name = re.sub(r"^master\.\d+\.|(@plt|\.\w+)+$", "", routine)
        known = name in self.routines or self.pattern.fullmatch(name)
        return bool(known or any(dso.startswith(s) for s in self.shared))

    def is_shared(self, program):
        libraries = output_of("ldd", program, check=False)
        return any(library in libraries for library in self.shared)

    def summed(self, rows):
        """Sums over rows (figure, routine, its library): of the generator, and of all."""
        rows = [row for row in rows if not MCOUNT.fullmatch(row[1])]
        return sum(row[0] for row in rows if self.has(*row[1:])), sum(row[0] for row in rows)

    def gprof(self, program, data):
        """Seconds that gprof saw in the generator, and in all."""
        fields = map(str.split, output_of("gprof", "-b", "-p", program, data).splitlines())
        rows = [f for f in fields if len(f) >= 4 and re.fullmatch(r"[\d.]+", f[2])]
        return self.summed([(float(f[2]), f[-1]) for f in rows])

    def perf(self, data):
        """Samples that perf took in the generator, and in all."""
        how = "--stdio --no-children --percent-limit 0 -F sample,dso,symbol -t ;"
        lines = output_of("perf", "report", "-i", data, *how.split()).splitlines()
        fields = [[text.strip() for text in line.split(";", 2)] for line in lines]
        rows = [f for f in fields if len(f) == 3 and f[0].isdigit()]
        return self.summed([(int(f[0]), re.sub(r"^\[.\] ", "", f[2]), f[1]) for f in rows])


class Result:
    """What was measured: times and shares, before and after, and what must be said of them."""

    def __init__(self):
        self.runs = {}  # BEFORE and AFTER: the timed runs, by round
        self.shares = {}  # profiler -> before and after: share, seconds; None where it cannot see
        self.notes = []
        self.outputs = []

    def median(self, variant, what="cpu"):
        return statistics.median(getattr(run, what) for run in self.runs[variant])

    def ratio(self, what="cpu"):
        return Ratio(*([getattr(run, what) for run in self.runs[v]] for v in (BEFORE, AFTER)))


def profile_by_gprof(options, runner, generator, programs, result):
    """Gets the shares by gprof, and notes what gprof cannot see. It samples every hundredth of a
    second, so both programs run until it has seen a second of each, at most --runs times."""
    # For each program the sums over its runs: seconds that gprof saw in the generator and in all,
    # and CPU time.
    seen, runs = [[0, 0, 0] for _ in programs], 0
    while runs < options.runs and not all(total >= 1 for _, total, _ in seen):
        runs += 1
        for program, sums in zip(programs, seen):
            run = runner.run(program, keep="gmon.out")
            if not run.kept:
                raise Failed(f"{program}: wrote no gmon.out: build it with -pg")
            sums[:] = map(sum, zip(sums, (*generator.gprof(program, run.kept), run.cpu)))
    if not all(total for _, total, _ in seen):
        raise Failed("gprof saw nothing: the card makes too short a run")
    result.notes.append(NOTES["gprof"].format(*(figure for row in seen for figure in row[1:])))
    result.shares["gprof"] = []
    for name, program, (generated, total, _) in zip((BEFORE, AFTER), programs, seen):
        if generator.is_shared(program):
            result.notes.append(NOTES["unseen"].format(name.upper()))
            result.shares["gprof"].append(None)
        else:
            result.shares["gprof"].append((generated / total, generated / runs))


def profile_by_perf(runner, generator, programs, result):
    data = os.path.join(runner.scratch, "perf.data")
    record = ["perf", "record", "-q", "-F", "997", "-o", data]
    trial = shutil.which("perf") and subprocess.run([*record, "true"], capture_output=True)
    if not trial or trial.returncode:
        result.notes.append(NOTES["no perf"])
        return
    shares = []
    for variant, program in programs.items():
        runner.run(*record, program)
        generated, total = generator.perf(data)
        if not total:
            result.notes.append(NOTES["no samples"])
            return
        shares.append((generated / total, generated / total * result.median(variant)))
    result.shares["perf"] = shares


def measure(options, card, scratch):
    """Runs everything, and returns a Result."""
    profiled = [os.path.abspath(program) for program in (options.before, options.after)]
    plain = [os.path.abspath(program) for program in options.plain or profiled]
    skip = [*options.skip, "gmon.out"]
    ignore = options.ignore and re.compile(options.ignore.encode())
    runner = Runner(card, scratch, options.workdir, ignore, skip)
    generator = Generator(options.routines, options.library)
    result = Result()
    if not options.no_gprof:
        profile_by_gprof(options, runner, generator, profiled, result)
    programs = dict(zip((BEFORE, AFTER), plain))
    result.runs = in_turns(programs, options.runs, lambda name: runner.run(programs[name]))
    profile_by_perf(runner, generator, programs, result)
    if "grncom_" in output_of("nm", plain[1], check=False):
        result.notes.append(NOTES["inline"])
    result.outputs = runner.outputs()
    return result


def row(name, before, after, gain=""):
    return f"{name:<42}{before:>10}{after:>10}  {gain}".rstrip()


def rows(options, result):
    yield row(f"median of {options.runs} runs in turns", BEFORE, AFTER, "speed-up")
    for what, name in (("cpu", "CPU time (s)"), ("elapsed", "elapsed (s)")):
        before, after = result.median(BEFORE, what), result.median(AFTER, what)
        ratio = result.ratio(what)
        interval = f" ({ratio.low:.2f}..{ratio.high:.2f})" if ratio.rounds > 1 else ""
        gain = f"{before / after:.2f} x{interval}{ratio.verdict()}"
        yield row(f"whole program, {name}", f"{before:.3f}", f"{after:.3f}", gain)
    for profiler, pair in result.shares.items():
        percent = [f"{100 * p[0]:.1f} %" if p else "unseen" for p in pair]
        yield row(f"share in the generator, by {profiler}", *percent)
        if all(pair):
            before, after = pair[0][1], pair[1][1]
            gain = f"{before / after:.2f} x" if min(before, after) >= LEAST else ""
            yield row(f"generator, by {profiler} (s)", f"{before:.2f}", f"{after:.2f}", gain)


def table(options, result):
    """The lines to print."""
    same = f"The same in all runs, to the byte: {' '.join(result.outputs)}."
    confidence = 100 * result.ratio().confidence
    notes = [same, NOTES["interval"].format(confidence, options.runs), *result.notes]
    pairs = [pair for pair in result.shares.values() if all(pair)]
    if any(share[1] < LEAST for pair in pairs for share in pair):
        notes.append(NOTES["little time"])
    return [*rows(options, result), *(textwrap.fill(note, 100) for note in notes)]


def pattern(text):
    """A regular expression, or argparse's line on what is wrong with it."""
    try:
        re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"{text}: {error}") from error
    return text


# Each option: its name, what it takes, and what it says.
OPTIONS = (
    ("--plain", {"nargs": 2, "metavar": (BEFORE.upper(), AFTER.upper())},
     "the same programs without -pg, for the times and for perf: -pg slows down"),
    ("--no-gprof", {"action": "store_true"},
     "BEFORE and AFTER are built without -pg, or are scripts: shares by perf alone"),
    ("--runs", {"type": int, "default": ROUNDS_NEEDED, "metavar": "N"},
     "runs of each program (default: %(default)s, the fewest for 95 %% confidence)"),
    ("--routines", {"type": pattern, "default": ROUTINES, "metavar": "REGEX"},
     "whole names of the generator's routines, any case, '_' may follow (default: RMMARD, CORSIKA's"
     " copies of it, CERNLIB's names)"),
    ("--library", {"action": "append", "default": [], "metavar": "FILE"},
     "every routine in this library is the generator's too"),
    ("--workdir", {"metavar": "DIR"}, "runs get links to the files in DIR, and may overwrite them"),
    ("--skip", {"action": "append", "default": [], "metavar": "GLOB"},
     "do not compare these files; standard output is the file stdout"),
    ("--ignore", {"type": pattern, "metavar": "REGEX"},
     "compare without the lines that match, such as dates"),
)  # fmt: skip


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="exit status: 0 compared, 1 the outputs differ, 2 wrong usage or the table\n"
        "could not be written, 3 a program failed",
    )
    parser.add_argument("before", metavar="BEFORE", help="program built with -pg")
    parser.add_argument("after", metavar="AFTER", help="program built with -pg")
    for name, takes, says in OPTIONS:
        parser.add_argument(name, help=says, **takes)
    options = parser.parse_args()
    if options.runs < 1:
        parser.error(f"--runs {options.runs}: at least 1")
    if options.no_gprof and options.plain:
        parser.error("--no-gprof: --plain does not go with it")
    for path in [options.before, options.after, *(options.plain or []), *options.library]:
        if not os.path.isfile(path):
            parser.error(f"{path}: no such file")
    if options.workdir and not os.path.isdir(options.workdir):
        parser.error(f"--workdir {options.workdir}: no such directory")
    return options


def main():
    """Returns the exit status."""
    options = arguments()
    if sys.stdin.isatty():
        print("compare-profiles: type the programs' input, up to Ctrl-D", file=sys.stderr)
    card = sys.stdin.buffer.read()
    try:
        with tempfile.TemporaryDirectory(prefix="compare-profiles-") as scratch:
            result = measure(options, card, scratch)
    except Failed as failure:
        print(f"compare-profiles: {failure}", file=sys.stderr)
        return failure.code
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", None) or ""
        print(f"compare-profiles: {error} {said.strip()}", file=sys.stderr)
        return 3
    print("\n".join(table(options, result)))
    return 0
