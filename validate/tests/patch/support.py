"""What the tests of corsika-patch/gpuranmar-patch share: trees and builds."""

import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import tempfile
from functools import lru_cache

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from tap import BUILD, ROOT, SANITIZE, SEED, finish, ok, skip_all  # noqa: E402

sys.path.insert(0, os.path.join(ROOT, "corsika-patch"))
from patchlib.patch_command import main  # noqa: E402

TOOL = os.path.join(ROOT, "corsika-patch", "gpuranmar-patch")
SOURCES = os.path.join(ROOT, "validate", "tests", "patch")
REFERENCE = os.path.join(ROOT, "fortran", "reference")
FC = os.environ.get("FC", "gfortran").split()
# The tool's own programs must be able to load the library, too.
os.environ["FC"] = " ".join(FC + SANITIZE)


def tool(*arguments, verified=False, environment=(), first=lambda: None):
    """Runs the tool in a copy of this process, which saves the start of Python; apply without
    verify, which takes longer than all the rest."""
    if arguments[0] == "apply" and not verified:
        arguments = (*arguments, "--no-verify")

    def work():
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)
        sys.argv = [TOOL, *arguments]
        os.environ.update(environment)
        first()
        main()

    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = multiprocessing.get_context("fork").Process(target=work)
        process.start()
        process.join()
        said = [file.seek(0) or file.read() for file in (out, err)]
    return subprocess.CompletedProcess(sys.argv, process.exitcode, *said)


def ends(name, code, verb, tree, *options, said=(), left=None, **given):
    """One test: the tool ends so, says this (strings or patterns), and leaves that snapshot."""
    result = tool(verb, tree, *options, **given)
    text = result.stdout + result.stderr
    good = result.returncode == code and (left is None or snapshot(tree) == left)
    for words in [said] if isinstance(said, str) else said:
        good = good and (words in text if isinstance(words, str) else words.search(text))
    ok(good, name, f"{result.returncode} {text}")


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
    """The text with RMMARD's arithmetic, or its count, for sequence K in place of each line
    "C@ draw K" or "C@ count K"; "C@ labelled K" has a label and no rule for zeros. The state's
    declarations take the place of "C@ state"."""
    rmmard = read(os.path.join(REFERENCE, "rmmard.F"))
    draw = re.search(r"^ +UNI = U\((.|\n)*?TWOM48\n", rmmard, re.M)[0]
    draw = re.sub(r"^(?:C.*\n)?  ", "", draw, flags=re.M)
    count = re.search(r"^ +NTOT\(JSEQ\) = (.|\n)*?ENDIF\n", rmmard, re.M)[0]
    lines = {
        "draw": draw,
        "labelled": " 77" + draw[3 : draw.rindex("      IF")],
        "count": count.replace("LENV", "1"),
        "state": '#define __LIMITS__\n#define __STATE__\n#include "state.h"\n',
    }
    return re.sub(
        r"^C@ (\w+) ?(\w*)\n", lambda m: lines[m[1]].replace("JSEQ", m[2]), text, flags=re.M
    )


def make_tree(work, layout=lambda text: text):
    """A new source tree in a layout, in place of one that was there."""
    tree = os.path.join(work, "tree")
    shutil.rmtree(tree, ignore_errors=True)
    os.makedirs(tree)
    paths = [os.path.join(SOURCES, name) for name in os.listdir(SOURCES)]
    paths += [os.path.join(REFERENCE, name) for name in ("rmmard.F", "crranma.inc")]
    for path in paths:
        if path.endswith((".F", ".h", ".inc")):
            write(os.path.join(tree, os.path.basename(path)), layout(with_draws(read(path))))
    return tree


# --- Builds


COMPILED = {}  # {(source, its text, those of the include files, flags): object}


def compile_tree(tree, *flags):
    """Objects of a tree: {source: text of the object}, or the error."""
    objects, texts = {}, {path: read(os.path.join(tree, path)) for path in sorted(os.listdir(tree))}
    headers = tuple(text for path, text in texts.items() if path.endswith((".h", ".inc")))
    for source in (path for path in texts if path.endswith((".F", ".f"))):
        key, path = (source, texts[source], headers, flags), os.path.join(tree, source + ".o")
        if key in COMPILED:
            write(path, COMPILED[key])
        else:
            command = [*FC, "-std=legacy", "-w", "-D__CONEX__=1", *flags, "-c", source, "-o", path]
            result = run(tree, command)
            if result.returncode:
                return f"{source}: {result.stderr}"
            COMPILED[key] = read(path)
        objects[source] = COMPILED[key]
    return objects


def build_and_run(tree, *flags, libraries=(), calls=1000):
    """What the driver writes, or the error."""
    objects = compile_tree(tree, *flags)
    if isinstance(objects, str):
        return objects
    command = [*FC, *(source + ".o" for source in objects), *libraries, "-o", "driver"]
    for step in (command, ["./driver"]):
        result = run(tree, step, input=f"{SEED} {calls}\n", timeout=100)
        if result.returncode:
            return f"{step[0]}: {result.stderr}"
    return read(os.path.join(tree, "numbers.txt")) + read(os.path.join(tree, "states.txt"))


@lru_cache(maxsize=None)
def expected_numbers():
    """What the driver of the tree writes without hooks, in whatever layout."""
    with tempfile.TemporaryDirectory(prefix="gpuranmar-patch-") as work:
        return build_and_run(make_tree(work))


def same_numbers(name, expected, tree, *flags, **given):
    """One test: a tree that is built so makes these numbers."""
    got = build_and_run(tree, *flags, **given)
    pairs = enumerate(zip(got.splitlines(), expected.splitlines()), 1)
    where = next((f"line {n}: {a!r}, not {b!r}" for n, (a, b) in pairs if a != b), got[:200])
    ok(got == expected and got.count("\n") > 1000, name, where)


def run(tree, command, **options):
    return subprocess.run(command, cwd=tree, text=True, capture_output=True, check=False, **options)


SHARED = ["-L" + BUILD, "-lgpuranmar", "-Wl,-rpath," + BUILD] + SANITIZE
STATIC = [os.path.join(BUILD, "libgpuranmar.a"), "-lpthread", "-ldl", "-lm"] + SANITIZE
HOOKED = "-D__GPURANMAR__"


def run_tests(functions):
    """Runs tests, each in a directory of its own. A test may be (function, arguments...)."""
    if not shutil.which(FC[0]):
        skip_all(f"no {FC[0]}")
    print(f"# SEED={SEED}")
    for test in functions:
        function, *arguments = test if isinstance(test, tuple) else (test,)
        with tempfile.TemporaryDirectory(prefix="gpuranmar-patch-") as work:
            function(work, *arguments)
    finish()
