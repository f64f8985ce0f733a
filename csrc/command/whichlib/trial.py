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
from functools import lru_cache

from .families import FAMILIES
from .fortran import INCLUDE

HERE = os.path.dirname(os.path.realpath(__file__))
LIMIT = 60  # seconds for each of compiling and running
# The libraries of the source tree, or those that are installed with this file.
FOLDERS = [os.path.join(HERE, "../../..", "build"), os.path.join(HERE, "../../../../../lib")]

# The numbers of three starts go to a file, since some routines write to unit 6. Number 1993 of the
# second start is a zero in 24 bits. Two starts have unusual seeds, so that a routine which always
# takes the usual ones draws other numbers than the library.
PROGRAM = """\
{module}      {type} X(9),RR{function}
      INTEGER IJ(3),KL(3)
      COMMON/{common},RR(100)
      DATA IJ/29000,3702,1802/,KL/1,9373,9373/,X/9*0/
      OPEN(77,FILE='numbers')
      DO 2 K=1,3
      I=IJ(K)
      J=KL(K)
      {start}
      DO 2 N=1,2000
      {draw}
    2 WRITE(77,'(3E26.17E3)') X(1),X(2),X(3)
      END
"""
# Routines whose start takes neither seeds alone nor a seed and counters: the lines that start them,
# and their COMMON block.
LUND = "MR(1)=30082*I+J\n      MR(2)=0"
NUMBERED = "MR(1)=30082*I+J\n      MR(2)=7\n      MR(3)=0\n      CALL {}(MR,2,'S')"
STARTS = {
    "amrand": ("CALL amrset(30081*I+J)", ""),
    "dt_rndm": ("CALL dt_rndmst(I/177+2,MOD(I,177)+2,J/169+1,MOD(J,169))", ""),
    "duni": ("IF(K.EQ.1) X(1)=duni()", ""),  # the first call only starts it
    "ranmarns": ("IF(K.EQ.1) CALL initrandomns(3,J)\n      CALL rmarinns(I,J,1)", ""),
    "phoran": ("MR(1)=I\n      MR(2)=J\n      CALL phorin", "PHSEED/MR(4)"),
    "pyr": (LUND, "PYDATR/MR(6)"),
    "rlu": (LUND, "LUDATR/MR(6)"),
    "rmmar": (NUMBERED.format("rmmaq"), "TRIAL/MR(6)"),
    "rmmard": (NUMBERED.format("rmmaqd"), "TRIAL/MR(6)"),
    "ranmar_get": ("MR(230)=I\n      MR(231)=J\n      CALL init_ranmar", "RANDOMM/MR(234)"),
}
BLOCK = "\n      ".join(["CALL ranmar_get", "X(1)=MR(1)", "X(2)=MR(64)", "X(3)=MR(128)"])
DEFAULT = "IF(K.GT.1) "  # the first numbers are of the default seed
BY_SEEDS = {1: "I=30082*I+J\n      CALL {}(I)", 2: "CALL {}(I,J)"}


def routines(family, draw):
    """For a routine that draws: the lines that start it, its COMMON block, the routines that these
    lines call, and whether the start can skip numbers."""
    start = "rm48in" if draw == "rm48" else [*FAMILIES[family].calls, ""][1]
    how, common = STARTS.get(draw, ("", "TRIAL/MR(6)"))
    arguments = 0 if draw in STARTS else len(FAMILIES[family].calls[start][0])
    if arguments == 3:
        how = f"{DEFAULT}CALL {start}(30082*I+J,7,0)"
    elif arguments:  # the variables are written too, to see whether the start changes them
        how = BY_SEEDS[arguments].format(start) + "\n      WRITE(77,*) I,J,K"
    return how, common or "TRIAL/MR(6)", re.findall(r"CALL (\w+)", how), arguments == 3


def driver(family, draw, module=""):
    """A program that draws by a family's names, and takes them from `module` if that is given."""
    how, common, starts, _ = routines(family, draw)
    arguments, is_function, kind = FAMILIES[family].calls[draw]
    given = ",".join(["X(1)"] if len(arguments) == 1 else ["X", "MOD(N,4)", "2"][: len(arguments)])
    call = f"X(1)={draw}({'0' * len(arguments)})" if is_function else f"CALL {draw}({given})"
    kind = kind.replace("INTEGER", "REAL").replace("DOUBLE", "DOUBLE PRECISION")
    return PROGRAM.format(
        module=f"      USE {module},ONLY:{','.join([draw, *starts])}\n" if module else "",
        type=kind,
        function=f",{draw}" if is_function and not module else "",
        common=common,
        start=how,
        draw=BLOCK if draw == "ranmar_get" else call,
    )


def in_fixed_form(items):
    """The statements in fixed form, in lines of 72 columns."""
    pieces = ([i.text[at : at + 66] for at in range(0, len(i.text), 66)] for i in items)
    return "".join(f"{i.label:6}" + "\n     &".join(p) + "\n" for i, p in zip(items, pieces))


def compiler():
    """The words of $FC, or gfortran."""
    return os.environ.get("FC", "").split() or ["gfortran"]


def run(folder, sources, options):
    """Builds and runs a program. Returns the numbers that it writes."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GPURANMAR_")}
    environment["TMPDIR"] = folder
    how = {name: subprocess.DEVNULL for name in ("stdin", "stdout", "stderr")}
    how.update(cwd=folder, env=environment, start_new_session=True)
    build = [*compiler(), "-w", "-fno-automatic", *sources, *options, "-o", "trial"]
    # If this program is killed, the limit ends the trial.
    limited = ["sh", "-c", f"ulimit -t {LIMIT}; exec ./trial"]
    for command in build, limited:
        with subprocess.Popen(command, **how) as job:
            try:
                job.wait(LIMIT)
            except BaseException:
                with suppress(ProcessLookupError):  # it may have ended in the same instant
                    os.killpg(job.pid, signal.SIGKILL)  # a compiler has children that write files
                raise
        if job.returncode:
            raise subprocess.CalledProcessError(job.returncode, command)
    with open(os.path.join(folder, "numbers"), encoding="ascii") as file:
        return file.read().split()


@lru_cache(maxsize=None)
def numbers(text, own, *link):
    """(the numbers that a program draws, why there are none). It draws from the source `own`, or
    from the library if that is ''. There are none if it cannot be built or run."""
    why = "it did not run alone"
    if not own:
        why = "the library was not found: put its folder into LIBRARY_PATH and LD_LIBRARY_PATH"
    try:
        with tempfile.TemporaryDirectory() as folder:
            for name, content in ("draws.f", text), ("own.f", own):
                with open(os.path.join(folder, name), "w", encoding="latin-1") as file:
                    file.write(content)
            if own:
                link = ["-Wl,--unresolved-symbols=ignore-all"]
                return run(folder, ["own.f", "draws.f"], link), why
            options = [f"-{o}{f}" for f in FOLDERS for o in ("L", "Wl,-rpath,")]
            return run(folder, ["draws.f"], [*options, *link]), why
    except subprocess.TimeoutExpired:
        return [], f"it took more than {LIMIT} s"
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        if getattr(error, "returncode", 0) == 126:  # the shell could not run ./trial
            why = "no program can be run in TMPDIR, perhaps mounted noexec"
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


def source(units, names):
    """(the text of all that the routines `names` need, or ""; why it is "")"""
    going = [u.host or u for u in units if u.name and u.name in names]
    items = [item for u in needed(units, going) for item in u.items]
    if any(u.threads for u in going):
        return "", "it has a state for each thread"
    if any(item.branch for item in items):
        return "", "it has lines under #if"
    if lost := [item.text for item in items if INCLUDE.match(item.text)]:
        return "", f"{lost[0]}: the file is not beside it"
    if not shutil.which(compiler()[0]):
        return "", f"there is no Fortran compiler {compiler()[0]}"
    return in_fixed_form(items), ""


def compare(family, unit, units):
    """Whether this routine draws the numbers of the family's library (None if that is not known),
    and a line that says so."""
    draw, defined = unit.name, {u.name for u in units}
    _, _, starts, _ = routines(family, draw)
    if lacking := [start for start in starts if start not in defined]:
        return None, f"{lacking[0].upper()} is in none of these files, or in several"
    text, why = source(units, {draw, *starts})
    if not text:
        return (False if "thread" in why else None), why
    programs = driver(family, draw, (unit.host or unit).module or ""), driver(family, draw)
    own, why = numbers(programs[0], text)
    if after := not own and DEFAULT in programs[0]:  # it may need a start
        programs = [program.replace(DEFAULT, "") for program in programs]
        own, why = numbers(programs[0], text)
    ours, lacking = numbers(programs[1], "", *FAMILIES[family].link.split())
    if not own or not ours:
        return None, lacking if own else why
    if own == ours:
        return True, "compiled and run, it draws the library's numbers" + " after its start" * after
    first = next((i for i, pair in enumerate(zip(own, ours)) if pair[0] != pair[1]), None)
    if first is None:
        return None, "it stopped before the last number"
    if "E" not in own[first] + ours[first]:
        return False, f"compiled and run, its {starts[0].upper()} changes its arguments"
    return False, f"compiled and run, it draws {own[first]} where the library has {ours[first]}"
