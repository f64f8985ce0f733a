#!/usr/bin/env python3
"""Tests of corsika-patch/gpuranmar-patch, without CORSIKA.

validate/tests/patch/ has a routine for each variant of the generator's copies; the sequential
reference in fortran/reference brings RMMARD and RMMAQD. The tree they make is patched in many
layouts, compiled with and without the macro, and run.
"""

import os
import re
import shutil
import subprocess

from support import (
    BUILD,
    FC,
    HOOKED,
    SANITIZE,
    SEED,
    SHARED,
    build_and_run,
    compile_tree,
    first_difference,
    make_tree,
    ok,
    read,
    run_tests,
    same,
    snapshot,
    tool,
    write,
)

# --- Layouts: the same program, written differently


def code_lines(change):
    """A layout that changes lines of code; comments and directives stay."""

    def layout(text):
        return "".join(
            line if line[:1] in ("#", "C", "c", "*", "!", "/") or not line.strip() else change(line)
            for line in text.splitlines(True)
        )

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


LAYOUTS = {
    "as it is": lambda text: text,
    "lower case": code_lines(lower),
    "tabs": code_lines(tabs),
    "continuation lines and comments": code_lines(continued),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
}


def test_layout(work, name, layout, seeding):
    tree = os.path.join(work, "tree")
    make_tree(tree, layout, seeding)
    os.chmod(os.path.join(tree, "copies.F"), 0o640)
    before = snapshot(tree)
    objects = {flags: compile_tree(tree, *flags.split()) for flags in ("-O2", "-O0 -g")}
    numbers = build_and_run(tree, "-O2")

    plain = snapshot(tree)
    result = tool("apply", tree)
    ok(result.returncode == 0, f"{name}: apply", result.stderr)
    crlf = {
        text.count("\r\n") == text.count("\n")
        for text, _ in snapshot(tree).values()
        if "#ifdef __GPURANMAR__" in text
    }
    ok(crlf == {name == "CRLF"}, f"{name}: hooks have the line ending of their file")
    for flags, expected in objects.items():
        ok(
            isinstance(expected, dict) and compile_tree(tree, *flags.split()) == expected,
            f"{name}: object code without the macro is the same, {flags}",
        )
    got = build_and_run(tree, "-O2", HOOKED, libraries=SHARED)
    ok(
        same(got, numbers),
        f"{name}: the same numbers with the macro",
        first_difference(got, numbers),
    )
    for path in plain:
        if path not in before:
            os.remove(os.path.join(tree, path))

    result = tool("revert", tree)
    after = snapshot(tree)
    ok(
        result.returncode == 0 and after == before,
        f"{name}: revert restores bytes and modes",
        [path for path in {**before, **after} if before.get(path) != after.get(path)],
    )
    shutil.rmtree(tree)


def test_builds(work):
    """Other ways to build the hooked program."""
    tree = os.path.join(work, "tree")
    make_tree(tree)
    expected = build_and_run(tree)
    tool("apply", tree)
    static = [
        os.path.join(BUILD, "libgpuranmar.a"),
        "-lpthread",
        "-ldl",
        "-lm",
    ] + SANITIZE
    for name, flags, libraries in (
        ("-O0", ["-O0"], SHARED),
        ("-O3", ["-O3"], SHARED),
        ("static", ["-O2"], ["-fno-lto"] + static),
        ("bounds checked", ["-fcheck=bounds", "-D__UNUSED__"], SHARED),
    ):
        got = build_and_run(tree, HOOKED, *flags, libraries=libraries)
        ok(same(got, expected), f"the same numbers, {name}", first_difference(got, expected))
    shutil.rmtree(tree)


def test_preprocessed(work):
    """A source that the preprocessor has been through."""
    tree, single = os.path.join(work, "tree"), os.path.join(work, "single")
    make_tree(tree)
    os.makedirs(single)
    expected = build_and_run(tree)
    for source in ("copies.F", "rmmard.F", "calls.F", "driver.F"):
        subprocess.run(
            [
                *FC,
                "-E",
                "-cpp",
                "-D__CONEX__=1",
                source,
                "-o",
                os.path.join(single, source[:-1] + "f"),
            ],
            cwd=tree,
            check=True,
        )
    plain = compile_tree(single, "-cpp", "-O2")
    ok(isinstance(plain, dict), "preprocessed: compiles", plain)
    result = tool("apply", single)
    ok(result.returncode == 0, "preprocessed: apply", result.stderr)
    ok(
        compile_tree(single, "-cpp", "-O2") == plain,
        "preprocessed: object code without the macro is the same",
    )
    got = build_and_run(single, "-cpp", HOOKED, libraries=SHARED)
    ok(same(got, expected), "preprocessed: the same numbers", first_difference(got, expected))

    for number in "01":  # of the first line, which depends on the preprocessor's version
        text = f'# {number} "copies.F"\n' + read(os.path.join(single, "copies.f"))
        write(os.path.join(tree, "compilefile.f"), text)
        result = tool("list", tree)
        ok(
            "compilefile.f: left alone, made from copies.F" in result.stdout,
            "what is made from a source by the preprocessor is left alone",
            result.stdout,
        )
    shutil.rmtree(tree)
    shutil.rmtree(single)


def test_verbs(work):
    tree = os.path.join(work, "tree")
    make_tree(tree)
    before = snapshot(tree)
    result = tool("list", tree)
    for unit in (
        "RMMARD",
        "RMMAQD",
        "DRFLUK",
        "DRGHEI",
        "DRDPMJ",
        "DRHERW",
        "DREPOS",
        "DRVENU",
        "DRQGSA",
        "DRSIBY",
        "STGET",
        "STPUT",
        "CALLS",
        "MIXED",
    ):
        ok(re.search(rf"^ +\d+  {unit} ", result.stdout, re.M), f"list has {unit}", result.stdout)
    ok(result.stdout.count("inline draw") == 4, "list has the four inline draws", result.stdout)
    ok(tool("revert", tree).returncode == 3, "revert where there is nothing: exit 3")
    result = tool("apply", tree, "--check")
    ok(result.returncode == 0 and "can be put in" in result.stdout, "--check says it can")
    result = tool("apply", tree, "--dry-run")
    ok(
        result.returncode == 0 and "+#ifdef __GPURANMAR__" in result.stdout,
        "--dry-run shows a diff",
    )
    ok(snapshot(tree) == before, "neither changes anything")
    tool("apply", tree)
    after = snapshot(tree)
    added = {
        line
        for name, (text, _) in after.items()
        for line in text.splitlines()
        if name not in before or line not in before[name][0]
    }
    longest = max(added, key=len)
    ok(len(longest) <= 72, "no line added is longer than 72 columns", longest)
    result = tool("apply", tree)
    ok(result.returncode == 3 and "already" in result.stdout, "apply twice: exit 3, politely")
    ok(snapshot(tree) == after, "and nothing changes")
    result = tool("list", tree)
    ok("not hooked" not in result.stdout and "hooked" in result.stdout, "list knows hooks")
    path = os.path.join(tree, "calls.F")
    write(path, read(path).replace("C  a scalar\n", "C  a scalar, edited after apply\n"))
    tool("revert", tree)
    ok(
        read(path)
        == before["calls.F"][0].replace("C  a scalar\n", "C  a scalar, edited after apply\n"),
        "revert keeps what was edited elsewhere",
    )
    tool("apply", tree)
    good = read(path)
    for damaged in ("#else\n", "#line 19\n", "#endif\n#line 19\n"):
        write(path, good.replace(damaged, "", 1))
        edited = snapshot(tree)
        result = tool("revert", tree)
        ok(
            result.returncode == 1
            and "calls.F:" in result.stderr
            and snapshot(tree) == edited
            and read(path) != good,
            f"a hook without its {damaged!r} is named, nothing is changed",
            f"{result.returncode} {result.stderr}",
        )
    ok(tool("apply", "/nonexistent").returncode == 2, "no directory: exit 2")
    shutil.rmtree(tree)
    os.makedirs(tree)
    ok(tool("apply", tree).returncode == 1, "no generator: exit 1")
    shutil.rmtree(tree)


OTHER = """
      SUBROUTINE RM488( RVEC,LENV )
      IMPLICIT DOUBLE PRECISION (A-H,O-Z)
      DIMENSION RVEC(*)
      COMMON /R48ST1/ U(97),C,I97,J97
      SAVE CD,CM
      DATA CD/0.456233084201812744D0/, CM/0.999999821186065673828125D0/
      DO  IVEC = 1, LENV
        UNI = U(I97) - U(J97)
        IF ( UNI .LT. 0.D0 ) UNI = UNI + 1.D0
        U(I97) = UNI
        C = C - CD
        IF ( C .LT. 0.D0 ) C = C + CM
        RVEC(IVEC) = UNI - C
      ENDDO
      END
"""


def test_other_generator(work):
    """A generator with a COMMON of its own and no numbered sequences, as DPMJET 2.5 has."""
    tree = os.path.join(work, "tree")
    make_tree(tree)
    path = os.path.join(tree, "other.f")
    write(path, OTHER)
    expected = build_and_run(tree)
    result = tool("apply", tree)
    ok(
        result.returncode == 0
        and "RM488 left alone, a generator of its own in COMMON /R48ST1/" in result.stdout
        and read(path) == OTHER,
        "a generator of its own is left alone and named",
        result.stdout + result.stderr,
    )
    got = build_and_run(tree, HOOKED, libraries=SHARED)
    ok(same(got, expected), "the same numbers beside it", first_difference(got, expected))
    tool("revert", tree)
    write(path, OTHER.replace("C,I97,J97", "C,I97(9),J97(9),JSEQ"))
    result = tool("apply", tree)
    ok(
        result.returncode == 1 and "other.f:5: " in result.stderr,
        "one with sequences is refused",
        result.stderr,
    )
    shutil.rmtree(tree)


NO_LIBRARY = """
void grnfil_(void) {} void grnvec_(void) {} void grnset_(void) {}
void grncnt_(void) {} void grnget_(void) {} void grnput_(void) {}
"""


def test_verify(work):
    """What routines do, with and without hooks; patch-blind.t has what verify must find."""
    tree = os.path.join(work, "tree")
    make_tree(tree)
    before = snapshot(tree)
    result = tool("verify", "--library", BUILD, "--seed", str(SEED), tree)
    ok(
        result.returncode == 0
        and "RMMARD, RMMAQD, 16 routines and 4 inline draws verified" in result.stdout
        and "not verified" not in result.stdout
        and snapshot(tree) == before,
        "verify: all the same, and nothing is changed",
        result.stdout + result.stderr,
    )

    result = tool("apply", "--library", work, tree, verified=True)
    ok(
        result.returncode == 0 and "not verified: libgpuranmar is not found" in result.stdout,
        "apply without a library says that nothing was verified",
        result.stdout + result.stderr,
    )
    path = os.path.join(tree, "copies.F")
    write(path, read(path).replace("GRNPOS(5) = GRNPOS(5) + 1", "GRNPOS(5) = GRNPOS(5) + 2"))
    result = tool("verify", "--library", BUILD, tree)
    line = before["copies.F"][0][: before["copies.F"][0].index("UNI = U(I97(5)")].count("\n") + 1
    ok(
        result.returncode == 1
        and f"copies.F:{line}: DRHERW" in result.stderr
        and "repeats this" in result.stderr,
        "verify names a hook that was altered",
        result.stderr,
    )
    tool("revert", "--discard-edits", tree)

    fake = os.path.join(work, "fake")
    os.makedirs(fake)
    write(os.path.join(fake, "fake.c"), NO_LIBRARY)
    subprocess.run(
        ["gcc", "-w", "-shared", "-fPIC", "fake.c", "-o", "libgpuranmar.so"], cwd=fake, check=True
    )
    result = tool("apply", "--library", fake, tree, verified=True)
    ok(
        result.returncode == 1
        and "with hooks not the same" in result.stderr
        and snapshot(tree) == before,
        "apply puts nothing in where numbers differ",
        result.stderr,
    )
    ok(tool("verify", "--library", work, tree).returncode == 4, "verify without a library: exit 4")
    shutil.rmtree(tree)
    shutil.rmtree(fake)


run_tests(
    [
        (test_layout, name, layout, ("rmmard.F", "rmmaqd.F")[number % 2])
        for number, (name, layout) in enumerate(LAYOUTS.items())
    ]
    + [test_builds, test_preprocessed, test_verbs, test_other_generator, test_verify]
)
