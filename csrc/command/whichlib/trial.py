"""Compiles a program's own generator, runs it alone, and compares its numbers with those of the
library that would take its place. Reading does not suffice: an ENDDO that stands too early changes
all numbers."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from functools import lru_cache, partial
from itertools import zip_longest
from typing import NamedTuple

from .families import FAMILIES
from .fortran import INCLUDE

HERE = os.path.dirname(os.path.realpath(__file__))
LIMIT = 60  # seconds for compiling, and for running from the usual starts
# The libraries of the source tree, or those that are installed with this file.
FOLDERS = [os.path.join(HERE, "../../..", "build"), os.path.join(HERE, "../../../../../lib")]

# The numbers go to a file, since some routines write to unit 6. Each line of the file `starts` has
# how many times to draw, negative for no start, and what the start takes.
PROGRAM = """\
{module}      {type} X(9),RR{function}
      INTEGER IS(4)
      COMMON/{common},RR(100)
      DATA K/0/
      OPEN(77,FILE='numbers')
      OPEN(78,FILE='starts')
    1 READ(78,*,END=4) LAST,IS
      K=K+1
      X=0
      IF(LAST.LT.0) GOTO 2
      {start}
    2 DO 3 N=1,ABS(LAST)
      {draw}
    3 WRITE(77,'(3E26.17E3)') X(1),X(2),X(3)
      {report}
      FLUSH(77)
      GOTO 1
    4 END
"""
# Routines that are not started by a CALL with seeds, or seed and counters, alone: the lines that
# start them, their COMMON block, and how many integers of IS a start takes.
LUND = "MR(1)=IS(1)\n      MR(2)=0"
NUMBERED = "MR(1)=IS(1)\n      MR(2)=IS(2)\n      MR(3)=IS(3)\n      CALL {}(MR,2,'S')"
SPHERE = "IF(K.EQ.1) CALL initrandomns(3,7)\n      CALL rmarinns(IS(1),IS(2),1)"
STARTS = {
    "duni": ("IF(K.EQ.1) X(1)=duni()", "", 0),  # the first call only starts it
    "ranmarns": (SPHERE, "", 2),
    "phoran": ("MR(1)=IS(1)\n      MR(2)=IS(2)\n      CALL phorin", "PHSEED/MR(4)", 2),
    "pyr": (LUND, "PYDATR/MR(6)", 1),
    "rlu": (LUND, "LUDATR/MR(6)", 1),
    "rmmar": (NUMBERED.format("rmmaq"), "", 3),
    "rmmard": (NUMBERED.format("rmmaqd"), "", 3),
    "ranmar_get": (
        "MR(230)=IS(1)\n      MR(231)=IS(2)\n      CALL init_ranmar",
        "RANDOMM/MR(234)",
        2,
    ),
}
BLOCK = "\n      ".join(["CALL ranmar_get", "X(1)=MR(1)", "X(2)=MR(64)", "X(3)=MR(128)"])

# What starts take: {how many integers: (the usual ones, special ones)}. Number 1993 of the second
# pair is a zero in 24 bits. Two of three are unusual, so that a routine which always takes the same
# seeds draws other numbers than the library.
SEEDS = [(872378001,), (111372937,), (54217137,)]
LARGE = [(900000000,), (900000001,), (942377567,), (942377568,), (2147483647,)]
SPECIAL = [(0,), (1,), (-1,), (-2147483647,), *LARGE]
PAIRS = [(29000, 1), (3702, 9373), (1802, 9373)]
ENDS = [(0, 0), (0, 9373), (1802, 0), (1, 1), (31328, 30081)]
BEYOND = [(31329, 9373), (1802, 30082), (31329, 30082), (10**9, 10**9)]
BELOW = [(-1, 9373), (1802, -1), (-1, -1)]
# A start that skips NTOT2*10^9 + NTOT numbers, one at a time, never ends from (0,10^9).
SKIPS = [(10**9, 0), (5, 1)]
COUNTERS = [*SKIPS, (0, 10**9), (-1, 0), (0, -1)]
FOURS = [(166, 151, 1, 1), (22, 164, 56, 78), (12, 34, 56, 78)]
SPECIAL_FOURS = [(1, 34, 56, 78), (12, 1, 56, 78), (12, 34, 1, 78), (12, 34, 56, 0), (1, 1, 1, 1)]
SPECIAL_FOURS += [(178, 178, 178, 168), (179, 34, 56, 78), (12, 34, 56, 169), (0, 0, 0, 0)]
TRIED = {
    0: ([()] * 3, []),
    1: (SEEDS, SPECIAL),
    2: (PAIRS, ENDS + BEYOND + BELOW),
    3: (
        [(*seed, 7, 0) for seed in SEEDS],
        [(*seed, 0, 0) for seed in SPECIAL] + [(54217137, *skip) for skip in COUNTERS],
    ),
    4: (FOURS, SPECIAL_FOURS + [(-1, -1, -1, -1)]),
}
# What the arithmetic part moves a number by, modulo 1.
ARITHMETIC = 7654321 / 16777216, 1 - 7654321 / 16777216
# What a compiler, a linker or a run complains of first; with gfortran's copy of the line, if any.
FAULT = re.compile(r"(?:\| +(.+)\n.*\n)?.*?(?:[Ee]rror: |(?=undefined ))(.+)")


class How(NamedTuple):
    """How a program starts a routine that draws, and what it reports."""

    start: str  # the lines
    common: str  # the COMMON block that they use
    calls: list  # the routines that they call
    takes: int  # how many integers they take
    reports: str  # the routine that reports seed and counters; "" if there is none

    def name(self, start):
        """A start in words."""
        values = ",".join(map(str, start))
        given = self.calls and f"CALL {self.calls[0]}(IS(1)" in self.start
        return f"{self.calls[0].upper()}({values})" if given else f"a start from {values}"


def how_to_start(family, draw):
    known = [*FAMILIES[family].calls, "", ""]
    start = "rm48in" if draw == "rm48" else known[1]
    lines, common, takes = STARTS.get(draw, ("", "", 0))
    if draw not in STARTS:
        takes = len(FAMILIES[family].calls[start][0])
        given = ",".join(f"IS({i + 1})" for i in range(takes))  # some starts change them
        lines = f"CALL {start}({given})\n      WRITE(77,*) 'given',IS"
    reports = known[known.index(start) + 1] if draw not in STARTS and takes == 3 else ""
    return How(lines, common or "TRIAL/MR(6)", re.findall(r"CALL (\w+)", lines), takes, reports)


def driver(family, draw, module="", reports=""):
    """A program that draws by a family's names, and takes them from `module` if that is given."""
    how = how_to_start(family, draw)
    arguments, is_function, kind = FAMILIES[family].calls[draw]
    given = ",".join(["X(1)"] if len(arguments) == 1 else ["X", "MOD(N,4)", "2"][: len(arguments)])
    call = f"X(1)={draw}({'0' * len(arguments)})" if is_function else f"CALL {draw}({given})"
    kind = kind.replace("INTEGER", "REAL").replace("DOUBLE", "DOUBLE PRECISION")
    report = f"CALL {reports}(MR(1),MR(2),MR(3))\n      WRITE(77,*) 'reports',MR(1),MR(2),MR(3)"
    names = ",".join(filter(None, [draw, *how.calls, reports]))
    return PROGRAM.format(
        module=f"      USE {module},ONLY:{names}\n" if module else "",
        type=kind,
        function=f",{draw}" if is_function and not module else "",
        common=how.common,
        start=how.start,
        draw=BLOCK if draw == "ranmar_get" else call,
        report=report if reports else "CONTINUE",
    )


class Run(NamedTuple):
    """A run of a trial: the file `starts`, and its limit in seconds."""

    starts: str
    limit: float


def rows(*starts):
    return "".join(
        " ".join(map(str, [count, *values, *[0] * (4 - len(values))])) + "\n"
        for count, values in starts
    )


def runs_of(takes):
    """The runs for starts that take so many integers: the usual starts, a run that draws before any
    start, and the special starts, each between two usual ones."""
    usual, special = TRIED[takes]
    return (
        Run(rows(*((2000, values) for values in usual)), LIMIT),
        Run(rows((-3, ()), (3, usual[2])), 1),
        *(
            Run(rows((3, usual[0]), (3, s), (3, usual[2])), LIMIT if s[1:] in SKIPS else 1)
            for s in special
        ),
    )


def in_fixed_form(items):
    """The statements in fixed form, in lines of 72 columns."""
    pieces = ([i.text[at : at + 66] for at in range(0, len(i.text), 66)] for i in items)
    return "".join(f"{i.label:6}" + "\n     &".join(p) + "\n" for i, p in zip(items, pieces))


def compiler():
    """The words of $FC, or gfortran."""
    return os.environ.get("FC", "").split() or ["gfortran"]


def limited(command, seconds, folder, out=subprocess.DEVNULL, err=subprocess.DEVNULL):
    """Runs a command in a folder, and kills it after so many seconds. Returns its status."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GPURANMAR_")}
    environment.update(TMPDIR=folder, LC_ALL="C")
    how = {"cwd": folder, "env": environment, "start_new_session": True}
    how.update(stdin=subprocess.DEVNULL, stdout=out, stderr=err)
    with subprocess.Popen(command, **how) as job:
        try:
            job.wait(seconds)
        except BaseException:
            with suppress(ProcessLookupError):  # it may have ended in the same instant
                os.killpg(job.pid, signal.SIGKILL)  # a compiler has children that write files
            raise
    return job.returncode


def run(folder, how):
    """Runs the trial. Returns (the lines of numbers, what it said to units, its status: None if it
    took too long)."""
    with open(os.path.join(folder, "starts"), "w", encoding="ascii") as file:
        file.write(how.starts)
    # If this program is killed, the limits end the trial. CPU time counts, on a busy machine too.
    command = ["sh", "-c", f"ulimit -f 99999; ulimit -t {max(int(how.limit), 1)}; exec ./trial"]
    paths = [os.path.join(folder, name) for name in ("fort.6", "fort.0", "numbers")]
    status = None
    with open(paths[0], "wb") as out, open(paths[1], "wb") as err, open(paths[2], "wb"):
        with suppress(subprocess.TimeoutExpired):
            status = limited(command, 10 * how.limit, folder, out, err)
    if status in (-signal.SIGXCPU, -signal.SIGKILL):
        status = None
    with open(paths[2], encoding="latin-1") as file:
        return file.read().splitlines(), lines_of_units(folder), status


def lines_of_units(folder):
    """[(unit, line)] of what a trial wrote to units; unit 0 is standard error."""
    lines = []
    for name in sorted(n for n in os.listdir(folder) if n.startswith("fort.")):
        with open(os.path.join(folder, name), encoding="latin-1") as file:
            lines += [(name[5:], line) for line in file.read().splitlines()]
    return lines


@lru_cache(maxsize=None)
def outcomes(text, own, runs, *link):
    """(what run() returns for each of the runs, why there is nothing). The program draws from the
    source `own`, or from the library if that is ''. There is nothing if it cannot be built, or if
    it fails in the first run."""
    why, said = "it did not run alone", ""
    if not own:
        why = "the library was not found: put its folder into LIBRARY_PATH and LD_LIBRARY_PATH"
    try:
        with tempfile.TemporaryDirectory() as folder:
            for name, content in ("draws.f", text), ("own.f", own):
                with open(os.path.join(folder, name), "w", encoding="latin-1") as file:
                    file.write(content)
            options = [f"-{o}{f}" for f in FOLDERS for o in ("L", "Wl,-rpath,")]
            sources, options = ["draws.f"], [*options, *link]
            if own:
                sources, options = ["own.f", "draws.f"], ["-Wl,--warn-unresolved-symbols"]
            # Without optimisation a skip of 10^9 numbers would take a minute.
            build = [*compiler(), "-w", "-O1", "-fno-automatic", *sources, *options, "-o", "trial"]
            with open(os.path.join(folder, "said"), "w+", encoding="latin-1") as file:
                status = limited(build, LIMIT, folder, err=file)
                file.seek(0)
                said = file.read()
            if status:
                raise subprocess.CalledProcessError(status, build)
            _, units, status = first = run(folder, runs[0])
            if status is None:
                raise subprocess.TimeoutExpired("trial", LIMIT)
            if status:
                said += "\n".join(line for _, line in units)
                raise subprocess.CalledProcessError(status, "trial")
            # Each start has a process: one may leave the generator as no other finds it.
            return [first, *(run(folder, how) for how in runs[1:])], why
    except subprocess.TimeoutExpired:
        return [], f"it took more than {LIMIT} s"
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        if getattr(error, "returncode", 0) == 126:  # the shell could not run ./trial
            why = "no program can be run in TMPDIR, perhaps mounted noexec"
        elif own and (fault := FAULT.search(said)):
            why = ": ".join(filter(None, (why, fault[2], fault[1])))
        return [], why


def needed(units, going):
    """The units that must be compiled: those in `going`, what they call, and modules they use."""
    before, chosen = None, going
    while chosen != before:
        words = set().union(*(u.words | {(u.module or "").upper()} for u in chosen))
        before, chosen = chosen, [
            u
            for u in units
            if u in going
            or (not u.host and u.kind != "program")
            and (u.kind == "blockdata" or (u.module or u.name).upper() in words)
        ]
    return chosen


def source(parts):
    """(the text of these units, or ""; why it is "")"""
    items = [item for u in parts for item in u.items]
    if any(u.threads for u in parts):
        return "", "it has a state for each thread"
    if any(item.branch for item in items):
        return "", "it has lines under #if"
    if lost := [item.text for item in items if INCLUDE.match(item.text)]:
        return "", f"{lost[0]}: the file is not beside it"
    if not shutil.which(compiler()[0]):
        return "", f"there is no Fortran compiler {compiler()[0]}"
    return in_fixed_form(items), ""


def difference(own, ours):
    """The first difference between lines of numbers, in words; "" if there is none. Either may have
    ended early."""
    lines = next((pair for pair in zip_longest(own, ours, fillvalue="") if pair[0] != pair[1]), ())
    if not all(lines):
        return "it draws, and the library stops" if lines[0] else "it stops, and the library draws"
    words = [line.split() for line in lines]
    if not words or words[0][0] == "given":
        return "its start changes its arguments" if words else ""
    if words[0][0] == "reports":
        return f"it {' '.join(words[0])} where the library {' '.join(words[1])}"
    first = next(pair for pair in zip(*words) if pair[0] != pair[1])
    return f"it draws {first[0]} where the library has {first[1]}"


def written(own, ours, variables):
    """((by how many lines they differ, how many differ), the differences in words) of two lists of
    (unit, line). variables: those that may say the unit; here they are 0."""
    texts = [[line for _, line in lines] for lines in (own, ours)]
    differing = [pair for pair in zip_longest(*texts) if pair[0] != pair[1]]
    notes, units = [], {unit for unit, _ in own} - {"6"}
    if variables and (units or len(own) < len(ours)):
        units = units - {"0"} | set(variables)
    if units:
        known = ", the library's to unit 6" if ours else ", and the library writes none"
        notes.append(f"its lines go to unit {', '.join(sorted(units))}{known}")
    if differing and (own and ours or not units):
        at = max(len(os.path.commonprefix(["" if p is None else p for p in differing[0]])) - 30, 0)
        writes = (
            "writes nothing more" if line is None else f"writes {'...' * (at > 0)}{line[at:]!r:.70}"
            for line in differing[0]
        )
        notes.append("its output will differ: it " + " where the library ".join(writes))
    return (abs(len(own) - len(ours)), len(differing)), notes


def drawn(outcome):
    """The lines of a run without those that report counters."""
    return [line for line in outcome[0] if "reports" not in line]


class Tried(NamedTuple):
    """What a trial has shown."""

    same: bool  # whether it draws the library's numbers from the usual starts; None: not known
    why: str
    others: tuple = ()  # where it does not: before any start, and after special ones
    notes: tuple = ()  # other differences
    skips: bool = False  # whether how far the start skips was not compared
    lines: tuple = (0, 0)  # by how many lines they differ in what they write, and in how many

    @property
    def unlike(self):
        return len(self.others) + self.skips, self.lines, len(self.notes)


def default(how, program, link, units, drawn):
    """The start after which the library draws these lines; () if none is found. All integers in the
    generator's text are tried."""
    integers = [int(n) for u in units for n in re.findall(r"(?<![\w.])\d{1,9}(?![\w.])", u.text)]
    integers = list(dict.fromkeys(integers))[:60]
    starts = [(n, 0, 0)[: how.takes] for n in integers if n <= 942377567]
    if how.takes == 2:
        starts = [(i, k) for i in integers if i <= 31328 for k in integers if k <= 30081]
    tried = (Run(rows(*((3, start) for start in starts)), LIMIT),)
    found = starts and how.takes != 4 and outcomes(program, "", tried, *link)[0]
    lines = found[0][0] if found else []
    each = len(lines) // max(len(starts), 1)
    of_start = {tuple(lines[i * each :][1:4]): start for i, start in enumerate(starts)}
    return of_start.get(tuple(drawn), ())


def before(how, own, ours, find):
    """Yields what a routine draws before any start, if the library does not draw the same. A
    routine without a start of its own fails, or draws from words that are all zero: then its
    numbers are equal, or those of the arithmetic part alone."""
    drawn, known = own[0][:3], ours[0][:3]
    if not how.calls or own[2] is None or len(drawn) < 3 or drawn == known:
        return
    step = abs(float(drawn[1].split()[0]) - float(drawn[0].split()[0]))
    if step > 0 and min(abs(step - part) for part in ARITHMETIC) > 1e-6:
        start = find(drawn)
        draws = f"draws as after {how.name(start)}" if start else f"draws {drawn[0].split()[0]}"
        has = f"draws {known[0].split()[0]}" if known else "stops"
        call = how.name(start) if start and "(" in how.name(start) else how.calls[0].upper()
        yield f"before any start it {draws}, where the library {has}: let the program call {call}"


def compare(family, unit, units):
    """Compares the numbers of this routine with those of the family's library."""
    draw, defined = unit.name, {u.name for u in units}
    how, link = how_to_start(family, draw), FAMILIES[family].link.split()
    if lacking := [call for call in how.calls if call not in defined]:
        return Tried(None, f"{lacking[0].upper()} is in none of these files, or in several")
    reports = how.reports if how.reports in defined else ""
    going = [u.host or u for u in units if u.name and u.name in (draw, *how.calls, reports)]
    parts = needed(units, going)
    text, why = source(parts)
    if not text:
        return Tried(False if "thread" in why else None, why)
    runs, module = runs_of(how.takes), (unit.host or unit).module or ""
    program = driver(family, draw, reports=reports)
    own, why = outcomes(driver(family, draw, module, reports), text, runs)
    ours, lacking = outcomes(program, "", runs, *link)
    if not own or not ours:
        return Tried(None, lacking if own else why)
    others, notes, skips = [], [], False
    if found := difference(drawn(own[0]), drawn(ours[0])):
        if "it stops" in found:
            return Tried(None, "it stopped before the last number")
        return Tried(False, f"compiled and run, {found}")
    find = partial(default, how, program, link, [u for u in units if u.name in (draw, *how.calls)])
    others += before(how, own[1], ours[1], find)
    if other_report := difference(own[0][0], ours[0][0]):
        first = how.name(TRIED[how.takes][0][0])
        others.append(f"after {first} and 2000 draws {other_report}")
    for start, mine, known in zip(TRIED[how.takes][1], own[2:], ours[2:]):
        if mine[2] is None or known[2] is None:
            skips |= start[1:] in SKIPS
        # The library refuses some starts with one line: README.md lists them.
        elif (
            found := difference(drawn(mine), drawn(known))
            or ("" if other_report else difference(mine[0], known[0]))
        ) and "library stops" not in found:
            said = notes if "it stops" in found else others
            said.append(f"after {how.name(start)} {found}")
    lines, writes = written(own[0][1], ours[0][1], [name for u in parts for name in u.outputs])
    why = "compiled and run, it draws the library's numbers"
    return Tried(True, why, tuple(others), (*notes, *writes), skips, lines)
