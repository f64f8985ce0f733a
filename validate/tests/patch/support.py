"""What the tests of corsika-patch/gpuranmar-patch share: trees and builds."""

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from tap import SANITIZE, finish, ok  # noqa: E402

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
BUILD = os.path.join(ROOT, os.environ.get("BUILD", "build"))
TOOL = os.path.join(ROOT, "corsika-patch", "gpuranmar-patch")
SOURCES = os.path.join(ROOT, "validate", "tests", "patch")
REFERENCE = os.path.join(ROOT, "fortran", "reference")
FC = os.environ.get("FC", "gfortran").split()
SEED = int(os.environ.get("SEED", random.randrange(1, 10**9)))


def tool(*arguments, verified=False, environment=()):
    """Runs the tool; apply without verify, which takes longer than all the rest."""
    if arguments[0] == "apply" and not verified:
        arguments = (*arguments, "--no-verify")
    return subprocess.run(
        [TOOL, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "FC": " ".join(FC + SANITIZE), **dict(environment)},
    )


def read(path):
    with open(path, "rb") as file:
        return file.read().decode("latin-1")


def write(path, text):
    with open(path, "wb") as file:
        file.write(text.encode("latin-1"))


def snapshot(tree):
    """{relative path: (bytes, mode)} of all files in a tree."""
    return {
        os.path.relpath(path, tree): (read(path), os.stat(path).st_mode)
        for path in (os.path.join(d, f) for d, _, files in os.walk(tree) for f in files)
    }


def with_draws(text):
    """The text with RMMARD's arithmetic, or its count, for sequence K in place of each line "C@ draw K"
    or "C@ count K"."""
    rmmard = read(os.path.join(REFERENCE, "rmmard.F"))
    draw = re.search(r"^ +UNI = U\((.|\n)*?TWOM48\n", rmmard, re.M)[0]
    count = re.search(r"^ +NTOT\(JSEQ\) = (.|\n)*?ENDIF\n", rmmard, re.M)[0]
    lines = {
        "draw": re.sub(r"^(?:C.*\n)?  ", "", draw, flags=re.M),
        "count": count.replace("LENV", "1"),
    }
    return re.sub(
        r"^C@ (\w+) (\w+)\n", lambda m: lines[m[1]].replace("JSEQ", m[2]), text, flags=re.M
    )


def make_tree(tree, layout=lambda text: text):
    """A source tree in a layout."""
    os.makedirs(tree)
    paths = [os.path.join(SOURCES, name) for name in os.listdir(SOURCES)]
    paths += [os.path.join(REFERENCE, name) for name in ("rmmard.F", "crranma.inc")]
    for path in paths:
        if path.endswith((".F", ".h", ".inc")):
            write(os.path.join(tree, os.path.basename(path)), layout(with_draws(read(path))))


# --- Builds


def compile_tree(tree, *flags):
    """Objects of a tree: {source: bytes}, or the error."""
    objects = {}
    for source in sorted(f for f in os.listdir(tree) if f.endswith((".F", ".f"))):
        result = subprocess.run(
            [*FC, "-std=legacy", "-w", "-D__CONEX__=1", *flags, "-c", source, "-o", source + ".o"],
            cwd=tree,
            capture_output=True,
            text=True,
            check=False,
        )
        if result.returncode:
            return f"{source}: {result.stderr}"
        with open(os.path.join(tree, source + ".o"), "rb") as file:
            objects[source] = file.read()
    return objects


def build_and_run(tree, *flags, libraries=(), calls=3000):
    """What the driver writes, or the error."""
    objects = compile_tree(tree, *flags)
    if isinstance(objects, str):
        return objects
    command = [*FC, *(source + ".o" for source in objects), *libraries, "-o", "driver"]
    for step in (command, ["./driver"]):
        result = subprocess.run(
            step, cwd=tree, input=f"{SEED} {calls}\n", text=True, capture_output=True, check=False
        )
        if result.returncode:
            return f"{step[0]}: {result.stderr}"
    return read(os.path.join(tree, "numbers.txt")) + read(os.path.join(tree, "states.txt"))


def same(one, other, lines=3000):
    """Whether both are numbers, more than so many lines of them, and the same."""
    return one == other and one.count("\n") > lines


def first_difference(one, other):
    for number, (a, b) in enumerate(zip(one.splitlines(), other.splitlines()), 1):
        if a != b:
            return f"line {number}: {a!r} against {b!r}"
    return f"{len(one)} against {len(other)} bytes: {one[:200]!r} {other[:200]!r}"


def run(tree, command, **options):
    return subprocess.run(command, cwd=tree, text=True, capture_output=True, check=False, **options)


SHARED = ["-L" + BUILD, "-lgpuranmar", "-Wl,-rpath," + BUILD] + SANITIZE
STATIC = [os.path.join(BUILD, "libgpuranmar.a"), "-lpthread", "-ldl", "-lm"] + SANITIZE
HOOKED = "-D__GPURANMAR__"


def run_tests(functions):
    """Runs tests, each in a directory that goes away. A test may be (function, arguments...)."""
    if not shutil.which(FC[0]):
        print(f"1..0 # SKIP no {FC[0]}")
        return
    print(f"# SEED={SEED}")
    work = tempfile.mkdtemp(prefix="gpuranmar-patch-")
    try:
        for test in functions:
            function, *arguments = test if isinstance(test, tuple) else (test,)
            function(work, *arguments)
    finally:
        shutil.rmtree(work)
    finish()
