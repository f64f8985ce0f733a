#!/usr/bin/env python3
"""Tests of corsika-patch/gpuranmar-patch, without CORSIKA.

validate/tests/patch/ has a routine for each variant of the generator's copies; the sequential
reference in fortran/reference brings RMMARD and RMMAQD. The tree they make is patched in many
layouts, compiled with and without the macro, and run.
"""

import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys

from support import BUILD, FC, HOOKED, REFERENCE, SEED, SHARED, STATIC, TOOL
from support import build_and_run, compile_tree, ends, expected_numbers, make_tree, ok
from support import read, run, run_tests, same_numbers, snapshot, tool, write

from patchlib import cut_routines
from patchlib.hooked_source import Source
from patchlib.tree import Tree
from patchlib.verify import Verification
from whichlib.fortran import read_items

# --- Layouts: the same program, written differently


def code_lines(change):
    """A layout that changes lines of code; comments and directives stay."""

    def layout(text):
        is_code = lambda line: line.strip() and line[0] not in "#Cc*!/"
        lines = text.splitlines(True)
        return "".join(change(line) if is_code(line) else line for line in lines)

    return layout


def lower(line):
    return line if "'" in line else line.lower()


def tabs(line):
    """DEC form: a tab for the label field; a digit after it continues."""
    if line[5] != " ":
        return "\t1" + line[6:]
    return line[:5].strip() + "\t" + line[6:]


def continued(line):
    """Breaks statements at a blank or a comma, with comments in between."""
    at = max(line.rfind(" ", 8, 40), line.rfind(",", 8, 40))
    if line[5] != " " or at < 8 or re.search("[';!]", line) or not line[6:at].strip():
        return line
    return f"{line[:at]}\nC  broken here\n\n     +  {line[at:]}"


def crlf(text):
    return code_lines(lower)(code_lines(tabs)(text)).rstrip("\n").replace("\n", "\r\n")


# A row: the layout, and how the hooked program is built.
FAST = ["-O3", "-march=native"]
CHECKED = ["-fcheck=all", "-fsanitize=address,undefined", "-D__UNUSED__"]
LAYOUTS = [
    ("continuation lines and comments", code_lines(continued), FAST, ["-fno-lto"] + STATIC),
    (
        "tabs, lower case, CRLF, the last line without its ending",
        crlf,
        CHECKED,
        CHECKED[1:2] + SHARED,
    ),
]


def test_layout(work, name, layout, flags, libraries):
    tree = make_tree(work, layout)
    os.chmod(os.path.join(tree, "copies.F"), 0o640)
    before = snapshot(tree)
    objects = compile_tree(tree, "-O0", "-g")
    ends(f"{name}: apply", 0, "apply", tree)
    hooked = [text for text, _ in snapshot(tree).values() if "#ifdef __GPURANMAR__" in text]
    endings = {text.count("\r\n") == text.count("\n") for text in hooked}
    ok(endings == {"CRLF" in name}, f"{name}: hooks have the line ending of their file")
    same = isinstance(objects, dict) and compile_tree(tree, "-O0", "-g") == objects
    ok(same, f"{name}: object code without the macro is the same, with its line numbers")
    numbers = f"{name}: the same numbers with the macro and {flags[0]}"
    same_numbers(numbers, expected_numbers(), tree, HOOKED, *flags, libraries=libraries)
    for path in snapshot(tree).keys() - before.keys() - {"gpuranmar.inc"}:
        os.remove(os.path.join(tree, path))

    ends(f"{name}: revert restores bytes and modes", 0, "revert", tree, left=before)


def test_builds(work):
    """Flags with which the hooked program is refused."""
    tree = make_tree(work)
    tool("apply", tree)
    error = compile_tree(tree, HOOKED, "-fdefault-real-8")
    ok("1-DOUBLE_HAS_MORE_THAN_8_BYTES" in error, "-fdefault-real-8 alone is not compiled", error)
    sources = ("rmmard.F", "copies.F", "calls.F", "driver.F")
    write(os.path.join(work, "one.F"), "".join(read(os.path.join(tree, name)) for name in sources))
    command = [*FC, "-O1", "-fwhole-program", "-std=legacy", "-w", "-D__CONEX__=1", HOOKED]
    run(tree, [*command, "../one.F", "-I.", *SHARED, "-o", "one"])
    result = run(tree, ["./one"], input="1 10\n")
    said = "gpuranmar: GRNFL1: COMMON /GRNCOM/ of this program is not the library's"
    ok(said in result.stderr, "-fwhole-program: a COMMON that nobody fills stops", result.stderr)


def test_preprocessed(work):
    """A source that the preprocessor has been through."""
    tree, single = make_tree(work), os.path.join(work, "single")
    os.makedirs(single)
    for source in ("copies.F", "rmmard.F", "calls.F", "driver.F"):
        into = os.path.join(single, source[:-1] + "f")
        run(tree, [*FC, "-E", "-cpp", "-D__CONEX__=1", source, "-o", into])
    plain = compile_tree(single, "-cpp")
    ok(isinstance(plain, dict), "preprocessed: compiles", plain)
    ends("preprocessed: apply", 0, "apply", single)
    same = compile_tree(single, "-cpp") == plain
    ok(same, "preprocessed: object code without the macro is the same")
    name = "preprocessed: the same numbers"
    same_numbers(name, expected_numbers(), single, "-cpp", HOOKED, libraries=SHARED)

    write(os.path.join(single, "calls.f"), "C  dir/*.f\n" + read(os.path.join(single, "calls.f")))
    ends("not preprocessed so far: /*", 1, "apply", single, said="for which /* begins a comment")
    for number in "01":  # of the first line, which depends on the preprocessor's version
        text = f'# {number} "copies.F"\n' + read(os.path.join(single, "copies.f"))
        write(os.path.join(tree, "compilefile.f"), text)
        said = "compilefile.f: left alone, made from copies.F"
        ends("what the preprocessor has made is left alone", 0, "list", tree, said=said)


STAY = (
    "3 calls for one number not drawn inline: the call has a label, an IF, or no lines of its own",
    "1 call for one number not drawn inline: UNI is no DOUBLE PRECISION array",
    "1 call for one number not drawn inline: no numbers show that the element of RW is within",
    "1 call for one number not drawn inline: RD is also an argument of TWICE",
)


def test_verbs(work):
    tree = make_tree(work)
    before = snapshot(tree)
    result = tool("list", tree)
    units = "RMMARD RMMAQD DRFLUK DRGHEI DRDPMJ DRHERW DREPOS DRVENU DRQGSA DRSIBY STGET STPUT "
    for unit in (units + "CALLS MIXED").split():
        ok(re.search(rf"^ +\d+  {unit} ", result.stdout, re.M), f"list has {unit}", result.stdout)
    ok(result.stdout.count("inline draw") == 4, "list has the four inline draws", result.stdout)
    line = read(os.path.join(tree, "calls.F")).partition("RMMARD( UNI,1")[0].count("\n") + 1
    place = f"calls.F:{line}: RMMARD stays a call: UNI is no DOUBLE PRECISION array"
    ok(place in result.stdout, "list has the places of calls that stay", result.stdout)
    ends("apply counts them, with the reasons", 0, "apply", tree, "--check", said=STAY)
    ok(tool("revert", tree).returncode == 3, "revert where there is nothing: exit 3")
    ends("--check says it can", 0, "apply", tree, "--check", said="can be put in")
    ok(snapshot(tree) == before, "and changes nothing")
    tool("apply", tree)
    after = snapshot(tree)
    lines = [(line, path) for path, (text, _) in after.items() for line in text.splitlines()]
    added = [line for line, path in lines if path not in before or line not in before[path][0]]
    longest = max(added, key=len)
    ok(len(longest) <= 72, "no line added is longer than 72 columns", longest)
    ends("apply twice: exit 3, politely", 3, "apply", tree, said="already")
    ok(snapshot(tree) == after, "and nothing changes")
    result = tool("list", tree)
    ok(" bare\n" not in result.stdout, "list has no bare copy", result.stdout)
    ok(tool("apply", "/nonexistent").returncode == 2, "no directory: exit 2")
    os.remove(os.path.join(make_tree(work), "rmmard.F"))
    ends("no RMMAQD: exit 1", 1, "apply", tree, "--check", said="only draws or only seeding")
    shutil.rmtree(tree)
    os.makedirs(tree)
    ok(tool("apply", tree).returncode == 1, "no generator: exit 1")


OTHER = """
      SUBROUTINE RM488( RVEC,LENV )
      DOUBLE PRECISION RVEC(LENV),U,C
      INTEGER          LENV,I97,J97
      COMMON /R48ST1/ U(97),C,I97,J97
      RVEC(1) = U(I97) - U(J97)
      CALL RMMARD( RVEC,1,2 )
      END
"""


def test_other_generator(work):
    """A generator with a COMMON of its own and no numbered sequences, as DPMJET 2.5 has."""
    tree = make_tree(work)
    path = os.path.join(tree, "other.f")
    write(path, OTHER)
    said = "RM488 left alone, a generator of its own in COMMON /R48ST1/"
    ends("a generator of its own is named", 0, "apply", tree, said=said)
    ok(read(path) == OTHER, "and left alone")
    tool("revert", tree)
    write(path, OTHER.replace("C,I97,J97", "C,I97(9),J97(9),JSEQ"))
    ends("one with sequences is refused", 1, "apply", tree, said="other.f:5: ")
    write(path, "      SUBROUTINE GRNSET\n      END\n")
    ends("a hook's name elsewhere", 1, "apply", tree, said="GRNSET is a name of the hooks")


NO_LIBRARY = """#include <stdlib.h>
void grnfl1_(void) {} void grnvec_(void) {} void grnset_(void) {}
void grncnt_(void) {} void grnsta_(void) {} void grnput_(void) {}
"""


def library_of(text, directory):
    """Makes a libgpuranmar.so of other code."""
    os.makedirs(directory, exist_ok=True)
    command = "gcc -w -shared -fPIC -x c - -o".split() + [f"{directory}/libgpuranmar.so"]
    subprocess.run(command, input=text, text=True, check=True)


CUT = """
#define OWN
      REAL FUNCTION F( LSEQ,N )
      LOGICAL FLAG
#if OWN && __A__ > 2
#if defined(__B__) && __D__
#endif
#elif !__C__
      IF ( FLAG ) JSEQ = MSEQ
      JSEQ = LSEQ
#endif
      F = 1.
      END
"""
# The macros under which CUT is compiled: none, each, pairs, and those of nested conditions.
VARIANTS = "|A=3|B=1|C=1|D=1|A=3 B=1|A=3 C=1|A=3 D=1|B=1 C=1|B=1 D=1|C=1 D=1|A=3 B=1 D=1"


def test_cut(work):
    """How a routine is compiled and called on its own."""
    unit = Source("cut.F", CUT).units[0]
    found = [" ".join(macros).replace("__", "") for macros in cut_routines.variants(unit)]
    ok("|".join(found) == VARIANTS, "the macros under which a routine is compiled", found)
    known = [item.text for item in cut_routines.macros_before(unit)]
    ok(known == ["#define OWN"], "and those that the file defines before it", known)
    interface = cut_routines.read_interface(CUT, "SETTER", ("N", "LSEQ"))
    ok(interface.variables == {("FLAG", "MSEQ")} and interface.vector == (1, 0), "its variables")
    ok("      FLAG = CUTSEQ .GT. 0\n" in interface.setter, "are set", interface.setter)
    for text, callable in (("REAL*8", True), ("CHARACTER*8", False), ("COMPLEX", False)):
        item = read_items([f"      {text} FUNCTION F()"], True)[0]
        ok(
            bool(cut_routines.is_routine(item)) == callable,
            f"verify calls a {text} FUNCTION: {callable}",
        )


def test_verify(work):
    """What routines do, with and without hooks; blind.long.t has what verify must find."""
    tree = make_tree(work)
    before = snapshot(tree)
    hooked, seen = Tree(tree), []
    os.environ["GPURANMAR_FLAVOUR"] = "keyed"  # verify takes no settings of the library
    how = {"long_skip": False, "progress": lambda *how_far: seen.append(how_far)}
    found = Verification(hooked, hooked.as_hooked(), SEED, BUILD, **how)
    del os.environ["GPURANMAR_FLAVOUR"]
    said = found.differences + found.left_out
    counts = len(found.routines), sum(not job.runs for job in found.jobs)
    good = not said and counts == (18, 2) and snapshot(tree) == before
    ok(good, "verify: all the same, and nothing is changed", said)
    steps = [("compiled", n, len(found.jobs)) for n in range(1, len(found.jobs) + 1)]
    ok(seen[:-2] == steps and seen[-1][1] == seen[-1][2], "... and it says how far it is", seen)

    # In what follows the other sources would only be compiled again.
    for name in ("calls.F", "driver.F"):
        os.remove(os.path.join(tree, name))
    path, rmmard = os.path.join(tree, "copies.F"), os.path.join(tree, "rmmard.F")
    herwig = re.search(r"^ +DOUBLE PRECISION FUNCTION DRHERW(.|\n)*?^      END\n", read(path), re.M)
    names = "      USE ISO_FORTRAN_ENV\n      IMPLICIT NONE\n      INCLUDE 'extra'\n"
    write(path, herwig[0].replace("      IMPLICIT NONE\n", names))
    write(os.path.join(tree, "extra"), "      INTEGER EXTRA\n")
    before = snapshot(tree)
    whole = read(rmmard)

    os.makedirs(os.path.join(tree, "far"))
    write(os.path.join(tree, "far", "peek"), "      WRITE(12,*) NTOT(JSEQ)\n")
    peek = "#if __X__ == 3 && ! __Z__\nINCLUDE 'far/peek'\n#endif\n      COPT = "
    after = "#define LAST UNI\n      LENV = LAST\n      RETURN\n"
    elsewhere = whole.replace(BODY, "      CALL OTHER( RVEC,LENV )\n      RETURN")
    broken = herwig[0].replace("NONE", "NO \xe4")
    real = whole.replace("IMPLICIT NONE", "DIMENSION RVEC(*)", 1).replace("RVEC(*),UNI", "UNI", 1)
    empty, old = os.path.join(work, "empty"), os.path.join(work, "old")
    os.makedirs(empty)
    library_of(NO_LIBRARY.replace("grnfl1_", "grnfl0_"), old)
    for what, text, library, environment, message in (
        ("RMMAQD shows its state", whole.replace("      COPT = ", peek), BUILD, {}, "WRITE.12,"),
        ("UNI by a macro", whole.replace("      RETURN\n", after, 1), BUILD, {}, "use of UNI"),
        ("a vector without a type", real, BUILD, {}, "PRECISION RVEC is expected"),
        ("a generator that lies elsewhere", elsewhere, BUILD, {}, "do not link"),
        ("text that does not compile", whole + broken, BUILD, {}, "compile on its own"),
        ("no library", whole, empty, {}, "libgpuranmar is not found in .*; make install it"),
        ("hooks of another version", whole, old, {}, r"libgpuranmar in \S+/old has no GRNFL1: it"),
        ("no compiler", whole, "", {"FC": "nofortran"}, "nofortran: .*; install gfortran"),
        ("FC=gcc", whole, "", {"FC": "gcc"}, "gcc makes no Fortran program; name gfortran in FC"),
    ):
        write(rmmard, text)
        said = [re.compile(f"not verified, nothing is changed: .*{message}")]
        how = {"said": said, "left": snapshot(tree), "verified": True, "environment": environment}
        ends(f"{what}: nothing is written", 4, "apply", tree, f"--library={library}", **how)
    write(rmmard, whole)
    shutil.rmtree(os.path.join(tree, "far"))

    away = os.path.join(work, "away")
    for folder, names in (
        ("src", ("rmmard.F", "copies.F")),
        ("include", ("state.h", "crranma.inc")),
    ):
        os.makedirs(os.path.join(away, folder))
        for name in names:
            shutil.copy(os.path.join(tree, name), os.path.join(away, folder))
    write(os.path.join(away, "src", "rmmard.F"), whole.replace(GUARD, STOPS + GUARD))
    write(os.path.join(away, "src", "copies.F"), herwig[0].replace('"state', '"../include/state'))
    hooked = Tree(away)
    found = Verification(hooked, hooked.as_hooked(), SEED, BUILD, long_skip=False)
    good = len(found.routines) == 1 and not found.differences
    name = "include files in another folder, and an RMMARD that stops at an ISEQ that is none"
    ok(good, name, found.differences)
    ok(tool("apply", tree).returncode == 0, "--no-verify writes all the same")

    write(path, read(path).replace("GRNPOS(5) = GRNPOS(5) + 1", "GRNPOS(5) = GRNPOS(5) + 2"))
    line = read(path)[: read(path).index("UNI = U(I97(5)")].count("\n") + 1
    planted = os.path.join(work, "planted")
    os.makedirs(planted)
    for name in ("re.py", "tempfile.py", "extra", "driver.f90", "iso_fortran_env.mod", FC[0]):
        write(os.path.join(planted, name), "#!/bin/false\nraise SystemExit\n")
        os.chmod(os.path.join(planted, name), 0o755)
    command = [sys.executable, TOOL, "verify", tree, "--library", BUILD]
    result = run(planted, command)
    said = rf"copies.F:{line}: DRHERW: with hooks not the same(.|\n)*repeats this"
    good = result.returncode == 1 and re.search(said, result.stderr)
    name = "an altered hook is named, by its line in the hooked file"
    ok(good, f"{name}; files of the current folder choose no code", result.stderr)
    tool("revert", "--discard-edits", tree)

    library_of(NO_LIBRARY.replace("{}", "{ abort(); }"), empty)
    said = re.compile(rf"run fails.*: SIGABRT\n(.|\n)*repeats this, with {empty}/libgpuranmar.so\n")
    how = {"said": [said], "left": before, "verified": True}
    name = "apply puts nothing in where the library crashes, and names it"
    ends(name, 1, "apply", tree, "--library", empty, **how)


# Where a call of RMMARD need not be one of CORSIKA's, or a draw could not be built in its place. A
# row: the file, what is replaced in it, by what, and how many of the four draws are left. Three of
# them stand in one unit.
TYPES, NAMES = "      DOUBLE PRECISION  RD(0:30),C\n", "      INTEGER          WHICH,N,I\n"
INCLUDE, LAST = '#include "crranma.inc"\n', "      OUT(1) = RD(30)\n      RETURN\n"
ENTRY = "      SUBROUTINE OTHER\n      ENTRY RMMARD( A,B,C )\n      END\n"
NONE, NEXT, UNIT = "      IMPLICIT NONE\n", "\n     *", "      SUBROUTINE FIRST\n      END\n"
STATE = '#define __STATE__\n#include "state.h"\n'
FIRST = "    1 CONTINUE\n      CALL RMMARD( RD,1,2 )"
INNER = "      CONTAINS\n      SUBROUTINE OTHER\n      END SUBROUTINE\n"
INNER += "      SUBROUTINE RMMARD( A,B,C )\n      END SUBROUTINE\n"
BODY = re.search("      DO  IVEC(.|\\n)*?RETURN", read(f"{REFERENCE}/rmmard.F"))[0]
GUARD = "      IF ( ISEQ .GT. 0  .AND.  ISEQ .LE. KSEQ ) JSEQ = ISEQ\n"
LONG = f"      REAL*8 {{0}}(9)\n{FIRST}".replace("RD,", NEXT + "{0}(1),")
INSIDE = "      ENTRY INSIDE( N )\n      CALL INSIDE( RD )\n"
TAKES, INACTIVE = "#define VERSION(X)\n", "#define VERSION 1\n#if 0\n VERSION\n#endif\n"
TEXT = "\n      PRINT *, 'VERSION', \"VERSION\" ! VERSION isn't\n"
ABSENT = '      SUBROUTINE OTHER\n{}\n#include ".x"\n#endif\n      END\nC='
STOPS = "      IF ( ISEQ .GT. KSEQ ) STOP\n"
UNKNOWN = "      INCLUDE 'unknown'\n      SUBROUTINE OTHER\n      END SUBROUTINE\n"
CALLS_STAY = [
    ("a dummy argument", "calls.F", "WHICH,OUT,N )", "WHICH,OUT,N,RMMARD )", 1),
    ("another spelling", "calls.F", "C=", "#define rmmard other\nC=", 0),
    ("an RMMARD that may not be there", "rmmard.F", "C=", "#if __X__\n#endif\n#if __Y__\nC=", 0),
    ("one in an earlier #if", "rmmard.F", "C=", f"#if __X__\n#endif\n#if __Y__\n{UNIT}C=", 0),
    ("the state in an #if", "calls.F", STATE, f"#if __X__\n{STATE}#endif\n", 3),
    ("USE", "calls.F", "      IMPLICIT", "      USE MINE\n      IMPLICIT", 1),
    ("USE, INTRINSIC", "calls.F", "      IMPLICIT", "      USE, INTRINSIC :: A\n      IMPLICIT", 1),
    ("in a module", "calls.F", "C=", "      MODULE HOST\n      CONTAINS\nC=", 0),
    ("INTERFACE", "calls.F", NAMES, NAMES + "      INTERFACE\n      END INTERFACE\n", 0),
    ("EXTERNAL", "calls.F", NAMES, NAMES + "      EXTERNAL RMMARD\n", 1),
    ("a second routine after CONTAINS", "calls.F", LAST, LAST + INNER, 0),
    ("EXTERNAL in a header", "calls.F", NAMES, NAMES + '#include "external"\n', 1),
    ("IMPLICIT in a header", "calls.F", NONE, '#include "implicit"\n', 1),
    ("IMPLICIT in an #if", "calls.F", NONE, f"#if __X__\n{NONE}#endif\n", 1),
    ("IMPLICIT beside a statement", "calls.F", NONE, NONE[:-1] + ";SAVE\n", 1),
    ("a variable as index", "calls.F", "RD(4),", "RD(I),", 3),
    ("an index above its bound", "state.h", "RD(0:30)", "RD(0:29)", 3),
    ("one below", "state.h", "RD(0:30)", "RD(5:30)", 3),
    ("bounds that are no numbers", "state.h", "RD(0:30)", "RD(0:N)", 1),
    ("no elements", "state.h", "RD(0:30)", "RD(31:30)", 1),
    ("two first elements", "state.h", TYPES, f"#if __X__\n      REAL*8 RD(30)\n#endif\n{TYPES}", 3),
    ("a dummy argument as target", "calls.F", "WHICH,OUT,N )", "WHICH,RD,N )", 1),
    ("an argument of the routine", "driver.F", "NEXT( 10 ),RVEC", "NEXT( 10 ),RD", 1),
    ("an argument of its ENTRY", "calls.F", LAST, LAST + INSIDE, 1),
    ("ALLOCATABLE", "calls.F", NAMES, NAMES + "      ALLOCATABLE I(:)\n", 1),
    ("DIMENSION", "calls.F", NAMES, NAMES + "      INTEGER, DIMENSION(2) :: J\n", 1),
    ("IMPLICIT in a name", "calls.F", LAST, "#if __X__\n      IMPLICITX = 1\n#endif\n" + LAST, 4),
    ("EXTERNAL in a header's header", "calls.F", NAMES, NAMES + '#include "nested"\n', 1),
    ("CONTAINS in a header", "calls.F", LAST, LAST + '#include "contains"\n', 1),
    ("an unknown header", "calls.F", NAMES, NAMES + "      INCLUDE 'unknown'\n", 1),
    ("no type", "state.h", TYPES, TYPES.replace("DOUBLE PRECISION", "DIMENSION"), 1),
    ("a REAL target", "state.h", TYPES, TYPES.replace("DOUBLE PRECISION", "REAL"), 1),
    ("REAL under an #if", "state.h", TYPES, "#if __X__\n      REAL RD\n#endif\n" + TYPES, 1),
    ("a target of two dimensions", "state.h", "RD(0:30)", "RD(0:30,2)", 2),
    ("a macro in the target", "calls.F", "C=", "#define I (N+1)\nC=", 1),
    ("a macro for a statement", "calls.F", LAST, "      MORE\n#define MORE\n" + LAST, 1),
    ("OpenMP", "calls.F", NAMES, NAMES + "!$OMP PARALLEL DEFAULT(NONE)\n", 1),
    ("IMPLICIT continued in an #if", "calls.F", NONE, f"{NONE}#if 0\n     * X\n#endif\n", 1),
    ("KSEQ by a sum", "crranma.inc", "KSEQ = 9", "KSEQ = 2-1", 0),
    ("a backslash before", "calls.F", "    1 CONTINUE\n", "    1 CONTINUE\nC  to \\ \n", 3),
    ("a backslash after the call", "calls.F", FIRST, FIRST + " ! to \\", 3),
    ("a target of 51 columns", "calls.F", FIRST, LONG.format("L" * 48), 4),
    ("one of 52", "calls.F", FIRST, LONG.format("L" * 49), 3),
    ("a macro in a comment", "calls.F", LAST, f"#define VERSION 1\nC VERSION{TEXT}{LAST}", 4),
    ("one that takes what follows", "calls.F", LAST, f"{TAKES}C VERSION{TEXT}{LAST}", 4),
    ("from a comment", "calls.F", LAST, f"{TAKES}C VERSION ({TEXT}{LAST}", 1),
    ("a macro in an #if 0", "calls.F", LAST, INACTIVE + LAST, 4),
    ("EXTERNAL in an #if 0", "calls.F", LAST, f"#if 0\n      EXTERNAL RMMARD\n#endif\n{LAST}", 4),
    ("an unknown header in an #if", "calls.F", "C=", ABSENT.format("#if __X__ || defined(Y)"), 4),
    ("in an #ifdef", "calls.F", "C=", ABSENT.format("#ifdef __X__"), 4),
    ("if the macro is on", "calls.F", "C=", "#define Y\n" + ABSENT.format("#if __X__ || Y"), 0),
    ("if it may be on", "calls.F", "C=", ABSENT.format("#if __X__ != 1"), 0),
    ("in that of the calls", "calls.F", "C=", "#if __X__\n" + ABSENT.format("#if 1"), 0),
    ("in an #else", "calls.F", "C=", ABSENT.format("#if __X__\n#else"), 0),
    ("a macro on two lines", "calls.F", "C=", "#define \\\nRMMARD OTHER\nC=", 0),
    ("a macro of an unknown header", "calls.F", "C=", '#include ".x"\n      END\nC=', 0),
    ("a header by #import", "calls.F", "C=", '#import "external"\nC=', 0),
    ("a call in a PROGRAM", "driver.F", "      LSEQ = 1\n", "      CALL RMMARD( RVEC,1,2 )\n", 4),
    ("a dummy argument of CALLRMMARD", "calls.F", "CALLS( WHICH", "CALLRMMARD( RMMARD", 1),
    ("a type beyond column 72", "calls.F", NAMES, NAMES[:-1].ljust(72) + "J\n", 1),
    ("a target beyond column 72", "calls.F", "RD(30)", "RD(3".ljust(40) + "0)", 3),
    ("a target that !$ changes", "calls.F", "RD(4),", "RD(4\n!$   * +1\n     * ),", 3),
    ("a macro in a header", "calls.F", "C=", '#include "macros"\nC=', 0),
    ("a header that configure makes", "calls.F", NAMES, NAMES + '#include "made"\n', 4),
    ("a macro for a word of the draw", "calls.F", "C=", "#define EQ NE\nC=", 0),
    ("a kind by its name", "state.h", TYPES, TYPES.replace("DOUBLE PRECISION", "REAL(DP)"), 1),
    ("a target of INTENT(IN)", "calls.F", NAMES, NAMES + "      INTENT(IN) RD\n", 1),
    ("a PARAMETER", "calls.F", NAMES, NAMES + "      PARAMETER (RD = 0)\n", 1),
    ("a name for 0", "calls.F", LAST, "      ASSOCIATE (RD => 0)\n      END ASSOCIATE\n" + LAST, 1),
    ("a variable of a BLOCK", "calls.F", LAST, "      BLOCK\n      END BLOCK\n" + LAST, 1),
    ("a variable GRNBUF", "calls.F", NAMES, NAMES + "      REAL GRNBUF\n", 1),
    ("CONTAINS in an unknown header", "calls.F", LAST, LAST + UNKNOWN, 0),
    ("a variable KIND", "calls.F", NAMES, NAMES + "      INTEGER KIND\n", 1),
    ("COMPLEX", "calls.F", NONE, "      IMPLICIT COMPLEX*16 (R)\n", 1),
    ("a comment of two lines", "state.h", TYPES, "      INTEGER N /* was\n" + TYPES + "*/\n", 1),
    ("no RMMARD", "rmmard.F", "INE RMMARD(", "INE RMMARX(", 0),
    ("INCLUDE by a macro", "calls.F", LAST, "      INCLUDE TAIL\n" + LAST, 1),
    ("a macro", "crranma.inc", "C  The", "#define ISEQ MAX(1,1)\nC  The", 0),
    ("KSEQ 1", "crranma.inc", "KSEQ = 9", "KSEQ = 1", 0),
    ("KSEQ by a macro", "crranma.inc", "KSEQ = 9", "KSEQ = MOST", 0),
    ("an ENTRY of that name", "calls.F", "C=", ENTRY + "C=", 0),
    ("a unit that others include", "driver.F", "      END\n", '      END\n#include "calls.F"\n', 0),
    ("a component", "rmmard.F", "      RETURN\n", "      REALS%N = LENV\n      RETURN\n", 0),
    ("a section", "rmmard.F", "      RETURN\n", "      REALS(1::1) = 0\n      RETURN\n", 0),
    ("another sequence", "rmmard.F", GUARD, GUARD + "#if __X__\n      JSEQ = 1\n#endif\n", 0),
    ("a RETURN under a flag", "rmmard.F", GUARD, GUARD + "      IF ( LENV .EQ. 1 ) RETURN\n", 0),
    ("a macro for a name", "rmmard.F", GUARD, "#define KSEQ 4\n" + GUARD, 0),
    ("a fixed sequence in RMMARD", "rmmard.F", BODY, BODY.replace("JSEQ", "1"), 0),
    ("an #undef in RMMARD", "rmmard.F", GUARD, GUARD + "#undef IVEC\n", 0),
    ("a header with statements in RMMARD", "rmmard.F", INCLUDE, INCLUDE + '#include "tape"\n', 0),
    ("INCLUDE in column 6", "rmmard.F", INCLUDE, f"{INCLUDE}      SAVE\n     INCLUDE 'tape'\n", 0),
    ("an unknown header in RMMARD", "rmmard.F", INCLUDE, INCLUDE + '#include "unknown"\n', 0),
]
HEADERS = {
    "external": "      EXTERNAL RMMARD\n",
    "macros": "#define EQ NE\n",
    "made.in": "C\n",
    "nested": '#include "external"\n',
    "implicit": "      IMPLICIT NONE\n",
    "contains": INNER,
    "tape": "#ifdef ANTIRUN\n      IF ( ISEQ .EQ. 2 ) CALL OTHER( RVEC,LENV,ISEQ )\n#endif\n",
}


def test_loose(work):
    """Where RMMARD does more than draw, or may be another, its calls stay calls."""
    for what, name, was, now, left in CALLS_STAY:
        directory = make_tree(work)
        os.remove(os.path.join(directory, "copies.F"))
        path = os.path.join(directory, name)
        for header, text in HEADERS.items():
            write(os.path.join(directory, header), text)
        assert was in read(path)
        write(path, read(path).replace(was, now, 1) + "#endif\n" * (now.count("#if _") - 1))
        tree = Tree(directory)
        hooks = [hook for source in tree.sources.values() for hook in source.hooks]
        draws = sum(hook.kind == "inline draw" for hook in hooks)
        calls = 10 + now.count("1,2 )") - was.count("1,2 )")
        good = draws == left and draws + len(tree.stays) == calls and not tree.problems
        good = good and (was != GUARD or "RMMARD does more than draw" in str(tree.stays))
        ok(good, f"{what}: calls stay calls, with a reason", (draws, tree.problems, tree.stays))


COMMON = "      SUBROUTINE PEEK\n      INTEGER N(9999)\n      COMMON /CRRANMA4/ N\n      END\n"
MACRO = """      SUBROUTINE PEEK
#define __LIMITS__
#define __STATE__
#include "state.h"
#define LOOK NTOT(2)
      PRINT *, LOOK
{}      END
"""
DRAW = "      CALL RMMARD( X,1,3 )\n"
# Others who read the state, by means that the tool cannot see: what they have in an extra file, and
# what becomes of a program with it. Those who also draw are files that the tool reads.
READERS = [
    ("free form", "peek.f90", COMMON, "stops"),
    ("a C function alone", "peek.c", "extern int crranma4_[]; int *x = crranma4_;\n", "not built"),
    ("a macro", "peek.F", MACRO.format(""), "stops"),
    ("a macro beside a draw", "peek.F", MACRO.format(DRAW), "not built"),
]


def test_readers(work):
    """Whoever else has the state does not get past the compiler, the linker, or the first start."""
    tree = make_tree(work)
    tool("apply", tree)
    objects = [name + ".o" for name in compile_tree(tree, HOOKED)]
    for what, name, text, outcome in READERS:
        write(os.path.join(tree, name), text)
        result = tool("apply", tree)
        ok(result.returncode in (0, 3), f"{what}: the tool sees nothing", result.stderr)
        for libraries in (SHARED, STATIC) if name == "peek.f90" else (SHARED,):
            command = [*FC, "-w", "-std=legacy", "-fno-lto", HOOKED, name, *objects, *libraries]
            if run(tree, [*command, "-o", "driver"]).returncode:
                ok(outcome == "not built", f"{what}: {outcome}")
                continue
            result = run(tree, ["./driver"], input="1 10\n")
            line = r"gpuranmar: (RMMAQD|GRNSET): this program has COMMON /CRRANMA4/.*\n"
            stops = outcome == "stops" and result.returncode and re.fullmatch(line, result.stderr)
            ok(stops, f"{what}: the first start stops", result.stderr)
        os.remove(os.path.join(tree, name))


SPOIL = """
extern struct {{ double cd, cint, cm, twom24, twom48; int modcns; }} crranma3_;
void rmmard_(double *, int *, int *);
void spoil_(void) {{ double x[3000]; int n = 3000, k = 1; {} }}
"""
# What C code does to a constant in mid-run, and the routine that finds it.
SPOILERS = [
    ("crranma3_.modcns = 1000;", r"GRN\w+: MODCNS"),
    ("crranma3_.cd *= 2;", r"GRN\w+: CD"),
    ("crranma3_.cm /= 2; rmmard_(x, &n, &k);", "GRNVEC: CM"),
]


def test_constants(work):
    """A program in which a constant of the generator changes stops at the next refill or report."""
    tree = make_tree(work)
    path = os.path.join(tree, "driver.F")
    first = "        FINCNX = NEXT( 2 ) .EQ. 0\n"
    write(path, read(path).replace(first, first + "        IF (NCALL.EQ.99) CALL SPOIL\n"))
    tool("apply", tree)
    objects = [name + ".o" for name in compile_tree(tree, HOOKED)]
    for text, found in SPOILERS:
        write(os.path.join(tree, "spoil.c"), SPOIL.format(text))
        run(tree, [*FC, "-w", "-fno-lto", "spoil.c", *objects, *SHARED, "-o", "driver"])
        result = run(tree, ["./driver"], input=f"{SEED} 3000\n")
        line = rf"gpuranmar: {found} = \S+ in COMMON /CRRANMA3/ is not RANMAR's: .*\n"
        ok(re.fullmatch(line, result.stderr), f"{text} is found", result.stderr)


# As the guide has it.
PEEK = """
      SUBROUTINE PEEK( N )
      IMPLICIT NONE
      INTEGER N(5,9),K
      DOUBLE PRECISION W(98,9)
#if defined(__GPURANMAR__)
      DO  K = 1, 9
        CALL GRNSTA( K,N(1,K),N(2,K),N(3,K),N(4,K),N(5,K),
     *               W(98,K),W(1,K) )
      ENDDO
#else
#define __LIMITS__
#define __STATE__
#include "state.h"
      N(1,:) = IJKL
      N(2,:) = NTOT
      N(3,:) = NTOT2
      N(4,:) = I97
      N(5,:) = J97
      W(98,:) = C
      W(1:97,:) = U
#endif
      WRITE(10,'(5I11)') N
      WRITE(10,'(4Z17)') W
      END
"""


def test_state(work):
    """GRNSTA gives what the original has in its COMMON; zeros for a sequence that is not set."""
    tree = make_tree(work)
    path = os.path.join(tree, "driver.F")
    text = read(path).replace("IMPLICIT NONE\n", "IMPLICIT NONE\n      INTEGER NPEEK(45)\n", 1)
    last = "        I = 0\n"
    peek = "        IF ( MOD(NCALL,99) .EQ. 1 ) CALL PEEK( NPEEK )\n"
    write(path, text.replace(last, peek + last))
    write(os.path.join(tree, "peek.F"), PEEK)
    expected = build_and_run(tree)
    os.remove(os.path.join(tree, "peek.F"))
    ends("apply beside a reader", 0, "apply", tree)
    write(os.path.join(tree, "peek.F"), PEEK)
    same_numbers("GRNSTA gives the same state", expected, tree, HOOKED, libraries=SHARED)
    ends("revert beside it", 0, "revert", tree)


def test_manners(work):
    """A pipe that is closed, Ctrl-C: one line at most, no traceback."""
    tree = make_tree(work)
    before = snapshot(tree)
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, TOOL, "list", tree]
    result = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    ok(result.stderr == b"" and result.returncode == 0, "list | true", result.stderr.decode())
    full = {"first": lambda: os.dup2(os.open("/dev/full", os.O_WRONLY), 1)}
    said = re.compile("standard output: .* put in\n")
    ends("a full standard output: apply ends as ever", 0, "apply", tree, said=[said], **full)
    ends("and so does revert", 0, "revert", tree, left=before, **full)
    other = make_tree(os.path.join(work, "\xe9"))
    env = {**os.environ, "PYTHONIOENCODING": "ascii"}
    result = run(work, [sys.executable, TOOL, "revert", other], env=env)
    good = result.returncode == 3 and "\\xe9/tree: " in result.stdout
    ok(good, "a name in other letters than standard output's", result.stderr)
    write(os.path.join(work, "fc"), "#!/bin/sh\nkill -INT $PPID\nsleep 1\n")
    os.chmod(os.path.join(work, "fc"), 0o755)
    environment = {"FC": os.path.join(work, "fc")}
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
    how = {"verified": True, "environment": environment}
    line = re.compile(r"\Agpuranmar-patch: interrupted; .*\n\Z")
    ends("Ctrl-C", 130, "apply", tree, said=[line], left=before, **how)
    edit = {"flock": lambda *_: write(os.path.join(tree, "calls.F"), "")}
    how = {"said": "calls.F: was edited meanwhile", "first": lambda: vars(fcntl).update(edit)}
    ends("an edit until apply has the tree for itself is kept", 1, "apply", tree, **how)
    ends("no standard output", 3, "revert", other, first=lambda: setattr(sys, "stdout", None))


run_tests(
    [(test_layout, *row) for row in LAYOUTS]
    + [test_builds, test_preprocessed, test_verbs, test_other_generator, test_cut, test_verify]
    + [test_loose, test_readers, test_constants, test_state, test_manners]
)
