#!/usr/bin/env python3
"""Tests of what gpuranmar-patch refuses, and of what it leaves when it cannot go on."""

import os
import re
import resource
import shutil
import subprocess

from support import (
    TOOL,
    make_tree,
    ok,
    read,
    run_tests,
    same,
    snapshot,
    tool,
    write,
)


def test_interruption(work):
    """A run that cannot finish leaves the originals; so does one that is killed."""
    tree = os.path.join(work, "tree")
    make_tree(tree)
    before = snapshot(tree)
    for way, when in (("rmmard.F.gpuranmar-new", "written"), ("gpuranmar.inc", "put in place")):
        os.makedirs(os.path.join(tree, way))
        result = tool("apply", tree)
        ok(
            result.returncode == 4 and way in result.stderr and snapshot(tree) == before,
            f"a file that cannot be {when}: exit 4",
            result.stderr,
        )
        shutil.rmtree(os.path.join(tree, way))

    # after any number of its renames, as kill -9 may leave the tree
    tool("apply", tree)
    hooked = snapshot(tree)
    changed = [path for path in hooked if hooked[path] != before.get(path)]
    for done in range(1, len(changed)):
        for path in changed[done:]:
            if path in before:
                write(os.path.join(tree, path), before[path][0])
            else:
                os.remove(os.path.join(tree, path))
        result = tool("apply", tree)
        ok(
            result.returncode == 0 and snapshot(tree) == hooked,
            f"apply completes what was interrupted after {done} files",
            result.stderr,
        )
    os.remove(os.path.join(tree, "gpuranmar.inc"))
    result = tool("apply", tree)
    ok(
        result.returncode == 0 and snapshot(tree) == hooked,
        "nor does the include file stay missing",
    )
    for path in changed[1:3]:
        write(os.path.join(tree, path), before[path][0])
    result = tool("revert", tree)
    ok(result.returncode == 0 and snapshot(tree) == before, "revert takes back half an apply")
    shutil.rmtree(tree)


# What is not understood: file, what is replaced, by what, and part of the message
BROKEN = [
    ("copies.F", "I97(5) = I97(5) - 1\n", "I97(5) = I97(5) - 2\n", "no known shape"),
    ("copies.F", "U(I97(5),5) = UNI", "U(I97(5),4) = UNI", "no known shape"),
    ("copies.F", "      I97(5) = I97(5) - 1", "   5  I97(5) = I97(5) - 1", "no known shape"),
    (
        "copies.F",
        "IF ( J97(5) .EQ. 0 ) J97(5) = 97",
        "IF ( J97(5) .EQ. 0 ) J97(5) = 96",
        "no known shape",
    ),
    ("copies.F", "DRHERW = UNI", "DRHERW = UNI*2.D0", "no known shape"),
    ("copies.F", "NTOT(5) = NTOT(5) + 1\n", "NTOT(5) = NTOT(5) + 2\n", "no known shape"),
    ("copies.F", "      NTOT(5) = NTOT(5) + 1\n", "", "no known shape"),
    (
        "copies.F",
        "IF ( C(5) .LT. 0.D0 ) C(5) = C(5) + CM",
        "IF ( C(5) .LT. 0.D0 ) C(5) = C(5) + CD",
        "no known shape",
    ),
    ("copies.F", "      DRHERW = UNI\n", "#if __X__\n      DRHERW = UNI\n", "no known shape"),
    (
        "copies.F",
        "      ENTRY DRHSET()\n",
        "      ENTRY DRHSET()\n      UNI = U(1,1)\n",
        "no known shape",
    ),
    ("copies.F", "WORDS(1)  = C(JSEQ)", "WORDS(1)  = C(1)", "no known shape"),
    ("copies.F", "J97(1) = NINT( WORDS(100) )", "J97(1) = 33", "no known shape"),
    ("copies.F", "NDUMMY = NDUMMY + 1", "CALL SUBR( NTOT )", "no known shape"),
    (
        "copies.F",
        '      IMPLICIT NONE\n#define __LIMITS__\n#define __STATE__\n#include "state.h"\n'
        "      DOUBLE PRECISION UNI,DRHSET",
        "      DOUBLE PRECISION UNI,DRHSET",
        "not declared in this tree",
    ),
    ("calls.F", "IF ( JSEQ .NE. 2 )", "IF ( NTOT(2) .NE. 2 )", "no known shape"),
    (
        "copies.F",
        "      DOUBLE PRECISION UNI,DRHSET",
        "      REAL UNI\n      DOUBLE PRECISION DRHSET",
        "UNI is REAL",
    ),
    ("copies.F", "DRHERW = UNI", "CM     = UNI", "no known shape"),
    (
        "copies.F",
        "IF ( UNI .EQ. 0.D0 ) UNI = TWOM48",
        "IF ( UNI .EQ. 0.D0 ) UNI = TWOM24",
        "no known shape",
    ),
    ("rmmard.F", "CC   = CINT", "CC   = C(JSEQ)", "no known shape"),
    # the seeding, in the reference's shape
    ("rmmard.F", "JJ97 = 33", "JJ97 = 34", "JJ97=33|jj=33"),
    ("rmmard.F", "53*L+1", "55*L+1", "words of a seed|is expected here|is not DOUBLE"),
    ("rmmard.F", "IBIT = 1, 48", "IBIT = 1, 24", "words of a seed|is expected here|is not DOUBLE"),
    (
        "rmmard.F",
        "MOD( IJ,177 ) + 2",
        "MOD( IJ,177 ) + 3",
        "words of a seed|is expected here|is not DOUBLE",
    ),
    (
        "rmmard.F",
        "KL = IJKLIN - 30082",
        "KL = IJKLIN - 30081",
        "words of a seed|is expected here|is not DOUBLE",
    ),
    (
        "rmmard.F",
        "DOUBLE PRECISION S,T,UU(97)",
        "REAL S,T,UU(97)",
        "words of a seed|is expected here|is not DOUBLE",
    ),
    ("rmmard.F", "      DO  LAP = 0,", "      DO  LAP = 1,", "is expected here"),
    ("rmmard.F", "NSKIP = NTOT(JSEQ)", "NSKIP = NTOT(JSEQ) + 1", "is expected here"),
    ("rmmard.F", "UNI = UU(II97) - UU(JJ97)", "UNI = UU(II97) + UU(JJ97)", "is expected here"),
    ("rmmard.F", "PCD   = 7654321.D0", "PCD   = 7654323.D0", "constants in no known shape"),
    ("rmmard.F", "MODCNS/1000000000/", "MODCNS/100000000/", "constants in no known shape"),
    ("rmmard.F", "JSEQ/1/", "JSEQ/2/", "constants in no known shape"),
    ("rmmard.F", "      DATA TWOM48/P48/\n", "", "constants in no known shape"),
    ("rmmard.F", "CC   = CINT", "CD   = CD + 0.D0", "no known shape"),
    ("crranma.inc", "/CD,CINT,CM", "/CINT,CD,CM", "constants .* other members"),
    ("crranma.inc", "U(97,KSEQ)", "U(98,KSEQ)", r"U\(98,KSEQ\)"),
    ("crranma.inc", "DOUBLE PRECISION C(KSEQ)", "REAL C(KSEQ)", "is REAL"),
    # and in CORSIKA's shape: five changes that an earlier version of the tool did not notice, and
    # others
    ("rmmaqd.F", "IS    = 33", "IS    = 34", "=33 is expected here"),
    ("rmmaqd.F", "53*ID+1", "55*ID+1", r"53\*ID\+1,169\) is expected here"),
    ("rmmaqd.F", "CD     = 7654321.D0", "CD     = 7654323.D0", "CD=7654321.*is expected here"),
    ("rmmaqd.F", "NN = 1, 48", "NN = 1, 24", "=1,48 is expected here"),
    (
        "rmmaqd.F",
        "          IB    = MOD( IHIGH,177 ) + 2\n          IC    = MOD( ILOW/169,178 ) + 1\n"
        "          ID    = MOD( ILOW,169 )\n          DO",
        "          IB    = MOD( IHIGH,177 ) + 3\n          IC    = MOD( ILOW/169,178 ) + 1\n"
        "          ID    = MOD( ILOW,169 )\n          DO",
        r"177\)\+2 is expected here",
    ),
    ("rmmaqd.F", "CD    = 7654321.", "CD    = 7654323.", "constants in no known shape"),
    ("rmmaqd.F", "MODCNS = 1000000000", "MODCNS = 100000000", "MODCNS=1000000000 is expected"),
    ("rmmaqd.F", "START/.TRUE./", "START/.FALSE./", "DATA START/.TRUE./ is expected"),
    ("rmmaqd.F", "JSEQ/1/", "JSEQ/2/", "start value .* in no known shape"),
    (
        "rmmaqd.F",
        "LOGICAL          START\n",
        "LOGICAL          START\n      INTEGER JSEQ/2/\n",
        "start value .* in no known shape",
    ),
    ("rmmaqd.F", "IB = IC\n", "IB = IA\n", "is expected here"),
    ("rmmaqd.F", "BIT = 5.D-1*BIT", "BIT = 5.D-2*BIT", "is expected here"),
    ("rmmaqd.F", "NTOT2(JSEQ)+1", "NTOT2(JSEQ)", "is expected here"),
    ("rmmaqd.F", "CARRY = CINT", "CARRY = CD", "cc=CINT is expected here"),
    ("rmmaqd.F", "WORD,WORDS(97)", "WORDS(97)\n      REAL WORD", "WORD is REAL"),
    ("rmmard.F", "CC   = CINT", "NTOT(JSEQ) = 0", "no known shape"),
    ("rmmard.F", "I97(JSEQ) = II97", "I97(JSEQ) = 97", "no known shape"),
    (
        "rmmard.F",
        "WRITE(LUN,'(24(4Z16,/),Z16)') U",
        "WRITE(LUN,'(24(4Z16,/),Z16)') U(1,1)",
        "no known shape",
    ),
    ("rmmard.F", "ISEED(2) = NTOT(JSEQ)", "ISEED(2) = NTOT(1)", "no known shape"),
    ("state.h", "NTOT,NTOT2,JSEQ", "NTOT,NTOT2,JSEQ,KSAVE", "other members"),
    ("state.h", "C,U,\n", "C,U97,\n", "other members"),
    (
        "driver.F",
        '#include "cascade.h"\n',
        "      INCLUDE 'state.h'\n",
        "INCLUDE of the COMMON state",
    ),
    (
        "driver.F",
        "      PROGRAM DRIVER\n",
        "      PROGRAM DRIVER\n#ifdef __GPURANMAR__\n#endif\n",
        "hook",
    ),
]


def test_broken(work):
    tree = os.path.join(work, "tree")
    for name, good, bad, message in BROKEN:
        make_tree(tree, seeding="rmmaqd.F" if name == "rmmaqd.F" else "rmmard.F")
        path = os.path.join(tree, name)
        text = read(path)
        write(path, text.replace(good, bad, 1))
        before = snapshot(tree)
        line = text[: text.index(good)].count("\n") + 1
        result = tool("apply", tree)
        found = [int(n) for n in re.findall(rf"[\w.]+:(\d+): .*(?:{message})", result.stderr)]
        ok(
            good in text
            and result.returncode == 1
            and snapshot(tree) == before
            and any(abs(n - line) < 35 for n in found),
            f'{name}: {bad.strip().splitlines()[-1].strip() if bad.strip() else "a line missing"!r}'
            " is refused",
            f"{line} {result.returncode} {result.stderr}",
        )
        shutil.rmtree(tree)


def test_incomplete(work):
    """A generator without its seeding, C code that looks into the COMMON, free form."""
    tree = os.path.join(work, "tree")
    for remove, extra, text, message in (
        (["rmmard.F"], None, "", "there is no RMMAQD that seeds this generator"),
        ([], "look.c", "extern double crranma4_[];\n", "look.c:1: C code that uses"),
        ([], "free.f90", "uni = u(i97(1),1) - u(j97(1),1)\n", "free.f90:1: the generator in free"),
    ):
        make_tree(tree)
        for name in remove:
            os.remove(os.path.join(tree, name))
        if extra:
            write(os.path.join(tree, extra), text)
        before = snapshot(tree)
        result = tool("apply", tree)
        ok(
            result.returncode == 1 and message in result.stderr and snapshot(tree) == before,
            f"refused: {message}",
            result.stderr,
        )
        shutil.rmtree(tree)


def test_bare_beside_hooked(work):
    """Whether a copy has its hook is asked of each copy, not of each file."""
    tree = os.path.join(work, "tree")
    make_tree(tree)
    path = os.path.join(tree, "copies.F")
    bare = read(path)
    tool("apply", tree)
    hooked = snapshot(tree)

    begin = read(path).index("#ifdef __GPURANMAR__", read(path).index("FUNCTION DRHERW"))
    end = read(path).index("\n", read(path).index("#line", read(path).index("#endif", begin))) + 1
    draw = bare[
        bare.index("      UNI = U(I97(5),5)") : bare.index("      RETURN\n      ENTRY DRHSET")
    ]
    write(path, read(path)[:begin] + draw + read(path)[end:])
    result = tool("list", tree)
    ok(
        re.search(r"copies.F: 1 of \d+ bare\n", result.stdout)
        and re.search(r"DRHERW .* bare\n", result.stdout)
        and result.stdout.count(" bare\n") == 2,
        "list shows a hook undone by hand as bare",
        result.stdout,
    )
    result = tool("apply", tree)
    ok(
        result.returncode == 0 and snapshot(tree) == hooked,
        "and apply puts it in again",
        result.stderr,
    )

    unit = bare[
        bare.index("      DOUBLE PRECISION FUNCTION DRHERW") : bare.index("      FUNCTION DREPOS")
    ]
    unit = unit.replace("DRHERW", "DRNEWX").replace("DRHSET", "DRNSET")
    write(path, read(path) + unit)
    result = tool("list", tree)
    ok(
        re.search(r"DRNEWX .* bare\n", result.stdout),
        "list shows a new copy as bare",
        result.stdout,
    )
    result = tool("apply", tree)
    ok(
        result.returncode == 0
        and read(path).count("#ifdef __GPURANMAR__")
        == hooked["copies.F"][0].count("#ifdef __GPURANMAR__") + 1,
        "apply hooks it",
        result.stderr,
    )
    tool("revert", tree)
    ok(read(path) == bare + unit, "and revert takes that out, too")

    tool("apply", tree)
    good = snapshot(tree)
    write(path, read(path) + unit.replace("DRN", "DRM").replace("J97(5) = 97", "J97(5) = 96"))
    line = read(path)[: read(path).rindex("J97(5) = 96")].count("\n") + 1
    result = tool("apply", tree)
    ok(
        result.returncode == 1
        and "J97(5)=97 is expected here" in result.stderr
        and read(path).count("\n") >= line,
        "a new copy that is altered is refused",
        result.stderr,
    )
    write(path, good["copies.F"][0])
    shutil.rmtree(tree)


def test_edits(work):
    """What was edited inside of a hook is not lost without a word."""
    tree = os.path.join(work, "tree")
    make_tree(tree)
    before = snapshot(tree)
    tool("apply", tree)
    hooked = snapshot(tree)
    path = os.path.join(tree, "copies.F")
    lines = read(path).splitlines(True)
    at = next(i for i, line in enumerate(lines) if "CALL GRNFIL" in line)
    write(path, "".join(lines[:at] + ["C  my own line\n"] + lines[at:]))
    edited = snapshot(tree)
    for verb in ("apply", "revert"):
        result = tool(verb, tree)
        ok(
            result.returncode == 1
            and f"copies.F:{at}: this hook is not" in result.stderr
            and snapshot(tree) == edited,
            f"an edit inside a hook: {verb} names it, changes nothing",
            f"{at} {result.stderr}",
        )
    ok(f"copies.F:{at}: this hook is not" in tool("list", tree).stdout, "list names it")
    result = tool("revert", "--discard-edits", tree)
    ok(
        result.returncode == 0 and snapshot(tree) == before,
        "--discard-edits takes it out all the same",
    )
    tool("apply", tree)
    write(path, edited["copies.F"][0])
    result = tool("apply", "--discard-edits", tree)
    ok(result.returncode == 0 and snapshot(tree) == hooked, "or puts the hook back")
    write(os.path.join(tree, "gpuranmar.inc"), "C  mine\n")
    result = tool("revert", tree)
    ok(
        result.returncode == 1 and "gpuranmar.inc:1: this file" in result.stderr,
        "the include file is not lost either",
        result.stderr,
    )
    shutil.rmtree(tree)


def limit_files():
    """No file may grow beyond this, as on a full disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


def test_full_disk(work):
    tree = os.path.join(work, "tree")
    make_tree(tree)
    before = snapshot(tree)
    result = subprocess.run(
        [TOOL, "apply", "--no-verify", tree],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limit_files,
    )
    ok(
        result.returncode == 4
        and re.search(r"\.F\.gpuranmar-new: \w", result.stderr)
        and "None" not in result.stderr
        and snapshot(tree) == before,
        "a full disk: the file is named",
        result.stderr,
    )

    # as kill -9 leaves it
    for verb in ("revert", "apply", "revert"):
        for name in ("driver.F", "gpuranmar.inc"):
            write(os.path.join(tree, name + ".gpuranmar-new"), "half of a fi")
        result = tool(verb, tree)
        ok(
            result.returncode in (0, 3)
            and "driver.F.gpuranmar-new: left by" in result.stdout
            and not [name for name in os.listdir(tree) if name.endswith("-new")],
            f"{verb} removes what an interrupted run has left",
            result.stdout + result.stderr,
        )
    ok(snapshot(tree) == before, "and nothing else")
    shutil.rmtree(tree)


def test_outside(work):
    """Files that belong to others: links out of the tree, a stand-alone program."""
    tree = os.path.join(work, "tree")
    make_tree(tree)
    other = os.path.join(work, "copies.F")
    os.rename(os.path.join(tree, "copies.F"), other)
    before = read(other)
    os.symlink(other, os.path.join(tree, "copies.F"))
    write(os.path.join(tree, "bcreinpcont.f"), before)
    result = tool("apply", tree)
    ok(
        result.returncode == 1 and read(other) == before and "copies.F" in result.stderr,
        "a link to a file outside the tree is refused",
        result.stderr,
    )
    os.remove(os.path.join(tree, "copies.F"))
    result = tool("apply", tree)
    ok(
        result.returncode == 0 and read(os.path.join(tree, "bcreinpcont.f")) == before,
        "bcreinpcont.f is left alone",
        result.stderr,
    )
    linked = os.path.join(work, "linked")
    os.makedirs(linked)
    os.symlink(tree, os.path.join(linked, "src"))
    result = tool("apply", linked)
    ok(
        result.returncode == 1 and "linked/src: a link out of the tree" in result.stderr,
        "sources behind a link out of the tree: the link is named",
        result.stderr,
    )
    shutil.rmtree(linked)
    shutil.rmtree(tree)


run_tests(
    [
        test_interruption,
        test_broken,
        test_incomplete,
        test_outside,
        test_bare_beside_hooked,
        test_edits,
        test_full_disk,
    ]
)
