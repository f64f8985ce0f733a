"""Compiles a program's own generator, runs it alone, and compares its numbers with those of the
library that would take its place. Its text tells less: one ENDDO too early changes all numbers."""

import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from functools import lru_cache

from .families import FAMILIES

HERE = os.path.dirname(os.path.realpath(__file__))
LIMIT = 60  # seconds for each of compiling and running
# The libraries of the source tree, or those that are installed with this file; pkg-config may know
# of others.
FOLDERS = [os.path.join(HERE, "../../..", "build"), os.path.join(HERE, "../../../../../lib")]

# The numbers of three starts go to a file, since some routines write to unit 6. In 24 bits number
# 1993 of the second start is a zero.
PROGRAM = """\
{module}      {type} X(3),RR{function}
      INTEGER IJ(3),KL(3)
      COMMON/{common},RR(100)
      DATA IJ/1802,3702,29000/,KL/9373,9373,1/,X/3*0/
      OPEN(77,FILE='numbers')
      DO 2 K=1,3
      I=IJ(K)
      J=KL(K)
      {start}
      DO 2 N=1,2000
      {draw}
    2 WRITE(77,'(3E25.17)') X
      {status}
      WRITE(77,*) I,J,N
      END
"""
# How one starts that is not started by two seeds, or by a seed and counters; and with which COMMON.
LUND = "MR(1)=30082*I+J\n      MR(2)=0"
NUMBERED = "MR(1)=30082*I+J\n      MR(2)=7\n      MR(3)=0\n      CALL {}(MR,2,'S')"
STARTS = {
    "amrand": ("CALL amrset(30081*I+J)", ""),
    "dt_rndm": ("CALL dt_rndmst(I/177+2,MOD(I,177)+2,J/169+1,MOD(J,169))", ""),
    "duni": ("IF(K.EQ.1) X(1)=duni()", ""),  # which starts it, and returns what nobody uses
    "ranmarns": ("IF(K.EQ.1) CALL initrandomns(3,J)\n      CALL rmarinns(I,J,1)", ""),
    "phoran": ("MR(1)=I\n      MR(2)=J\n      CALL phorin", "PHSEED/MR(4)"),
    "pyr": (LUND, "PYDATR/MR(6)"),
    "rlu": (LUND, "LUDATR/MR(6)"),
    "rmmar": (NUMBERED.format("rmmaq"), "TRIAL/MR(6)"),
    "rmmard": (NUMBERED.format("rmmaqd"), "TRIAL/MR(6)"),
}


def routines(family, draw):
    """The lines that start a routine that draws, its COMMON block, the routines that they call, and
    the one that then tells the counters, or nothing."""
    calls = FAMILIES[family].calls
    start, status = ("rm48in", "rm48ut") if draw == "rm48" else [*calls, "", ""][1:3]
    how = f"CALL {start}(I,J)"
    if calls.get(start, (0,))[0] == 3:  # the first numbers are drawn without a start
        how = f"IF(K.GT.1) CALL {start}(30082*I+J,7,0)"
    else:
        status = ""
    if draw in STARTS:
        status = ""
    how, common = STARTS.get(draw, (how, ""))
    return how, common or "TRIAL/MR(6)", re.findall(r"CALL (\w+)", how), status


def driver(family, draw, status="", module=""):
    """A program that draws, by routines of a module if it is given."""
    of = FAMILIES[family]
    how, common, starts, _ = routines(family, draw)
    arguments, is_function = of.calls[draw]
    kind = of.others.get(draw, of.type).replace("DOUBLE", "DOUBLE PRECISION")
    given = "X(1)" if arguments == 1 else "X,MOD(N,4)" + ",2" * (arguments - 2)
    names = ",".join(filter(None, [draw, *starts, status]))
    return PROGRAM.format(
        module=f"      USE {module},ONLY:{names}\n" if module else "",
        type=kind,
        function=f",{draw}" if is_function and not module else "",
        common=common,
        start=how,
        draw=f"X(1)={draw}({'0' * arguments})" if is_function else f"CALL {draw}({given})",
        status=f"CALL {status}(I,J,N)" if status else "CONTINUE",
    )


def in_fixed_form(items):
    """Statements without blanks as lines of 72 columns, whatever form they came from."""
    pieces = ([i.text[at : at + 66] for at in range(0, len(i.text), 66)] for i in items)
    return "".join(f"{i.label:6}" + "\n     &".join(p) + "\n" for i, p in zip(items, pieces))


def compiler():
    """The words of $FC, or gfortran."""
    name = os.environ.get("FC", "")
    try:
        return shlex.split(name) or ["gfortran"]
    except ValueError:  # a quotation without end
        return [name]


def run(folder, sources, options):
    """The numbers that a program writes."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GPURANMAR_")}
    environment["TMPDIR"] = folder
    how = {name: subprocess.DEVNULL for name in ("stdin", "stdout", "stderr")}
    how.update(cwd=folder, env=environment, start_new_session=True)
    build = [*compiler(), "-w", "-fno-automatic", *sources, *options, "-o", "trial"]
    # The trial ends by itself too, if this program is killed.
    alone = ["sh", "-c", f"ulimit -t {LIMIT}; exec ./trial"]
    for command in build, alone:
        with subprocess.Popen(command, **how) as job:
            try:
                job.wait(LIMIT)
            except BaseException:
                with suppress(ProcessLookupError):  # it may have ended in the same instant
                    os.killpg(job.pid, signal.SIGKILL)  # a compiler's children, which write here
                raise
        if job.returncode:
            raise subprocess.CalledProcessError(job.returncode, command)
    with open(os.path.join(folder, "numbers"), encoding="ascii") as file:
        return file.read().split()


@lru_cache(maxsize=None)
def numbers(text, own, *link):
    """The numbers that a program draws from routines of its own, or from the library, and why there
    are none if it cannot be built or run."""
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
            known = subprocess.getoutput("pkg-config --variable=libdir gpuranmar 2>/dev/null")
            folders = [f for f in [*FOLDERS, known] if os.path.isdir(f)]
            options = [f"-{o}{f}" for f in folders for o in ("L", "Wl,-rpath,")]
            return run(folder, ["draws.f"], [*options, *link]), why
    except subprocess.TimeoutExpired:
        return [], f"it took more than {LIMIT} s"
    except (OSError, ValueError, subprocess.SubprocessError):
        return [], why


def needed(units, going):
    """Those of the units that must be compiled: those that go, what they call, and what they use, a
    module whole."""
    before, chosen = None, going
    while chosen != before:
        text = "\n".join(line for u in chosen for line in [(u.module or "").upper(), *u.lines])
        before, chosen = chosen, [
            u
            for u in units
            if u in going
            or (not u.host and u.kind != "program")
            and (u.kind == "blockdata" or (u.module or u.name).upper() in text)
        ]
    return chosen


def compare(family, draw, units):
    """Whether the routine `draw` among these units draws the numbers of the family's library, None
    where that is not known; and a line on it."""
    unknown = "its numbers were not compared with the library's: "
    defined = {u.name for u in units}
    _, _, starts, status = routines(family, draw)
    if lacking := [start for start in starts if start not in defined]:
        return None, f"{unknown}{lacking[0].upper()} is not in the same file"
    if status not in defined:
        status = ""
    going = [u.host or u for u in units if u.name and u.name in (draw, *starts, status)]
    items = [item for u in needed(units, going) for item in u.items]
    if any(item.branch for item in items):
        return None, f"{unknown}it has lines under #if"
    if not shutil.which(compiler()[0]):
        return None, f"{unknown}there is no Fortran compiler {compiler()[0]}"
    own, why = numbers(driver(family, draw, status, going[0].module), in_fixed_form(items))
    ours, lacking = numbers(driver(family, draw, status), "", *FAMILIES[family].link.split())
    if not own or not ours:
        return None, unknown + (lacking if own else why)
    if own == ours:
        return True, "compiled and run, it draws the library's numbers"
    first = next((i for i, pair in enumerate(zip(own, ours)) if pair[0] != pair[1]), None)
    if first is None:
        return None, f"{unknown}it stopped before the last one"
    return False, f"compiled and run, it draws {own[first]} where the library has {ours[first]}"
