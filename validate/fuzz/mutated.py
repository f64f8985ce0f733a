#!/usr/bin/env python3
"""Changes source trees at random, and has gpuranmar-patch read them.

    validate/fuzz/mutated.py [--seconds S] [--seed N]

The tool must end with one of its exit codes. It leaves what it refuses as it was, and takes out
again what it has put in, to the byte. A failure is printed with the seed that repeats it.
"""
import argparse
import contextlib
import io
import os
import random
import re
import shutil
import sys
import tempfile
import time

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path[:0] = [
    os.path.join(ROOT, "validate", "tests", "patch"),
    os.path.join(ROOT, "corsika-patch"),
]
sys.dont_write_bytecode = True


class Wrong(Exception):
    """What must not happen."""


def change(rnd, text):
    """A text, in latin-1, with one thing changed."""
    if not text or rnd.random() < 0.1:
        return text[: rnd.randrange(len(text) or 1)] or "x"
    lines = text.splitlines(True)
    at = rnd.randrange(len(lines))
    line = lines[at]
    column = rnd.randrange(len(line) + 1)
    words = list(re.finditer(r"\w+|[^\w\s]", text))
    start, end = rnd.choice([m.span() for m in re.finditer(r"\w+|[^\w\s]", line)] or [(0, 0)])
    noise = rnd.choice([" ", "\t", "\r", "!", "'", "&", "0" * 200])
    lines[at] = rnd.choice(
        [
            "",
            line + line,
            rnd.choice(lines),
            line.rstrip("\n"),
            line.encode("latin-1").swapcase().decode("latin-1"),
            line[:column] + noise + line[column:],
            line[:column] + chr(rnd.randrange(256)) + line[column + 1 :],
            line[:start] + (rnd.choice(words)[0] if words else "x") + line[end:],
        ]
    )
    return "".join(lines)


def patch(scratch):
    """Returns a function that makes a trial."""
    import support  # pylint: disable=import-outside-toplevel
    from patchlib import command  # pylint: disable=import-outside-toplevel

    tree = support.make_tree(scratch)
    files = support.snapshot(tree)

    def use_tool(*arguments):
        sys.argv = ["gpuranmar-patch", *arguments]
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            try:
                return command.main()
            except SystemExit as stopped:
                return stopped.code

    def trial(rnd):
        shutil.rmtree(tree, ignore_errors=True)
        os.makedirs(tree)
        for name, (text, _) in files.items():
            support.write(os.path.join(tree, name), text)
        applied_first = rnd.random() < 0.3
        if applied_first and use_tool("apply", tree, "--no-verify") != 0:
            raise Wrong("the unchanged tree is refused")
        for _ in range(rnd.choice([1, 1, 2, 3, 8])):
            path = os.path.join(tree, rnd.choice(sorted(os.listdir(tree))))
            support.write(path, change(rnd, support.read(path)))
        before = support.snapshot(tree)
        code = use_tool(
            "revert" if applied_first else "apply", tree, *["--no-verify"][applied_first:]
        )
        if code not in range(5):
            raise Wrong(f"exit status {code}")
        if code != 0 and support.snapshot(tree) != before:
            raise Wrong(f"exit status {code}, but the tree is changed")
        if code == 0 and not applied_first:
            if use_tool("revert", tree) != 0 or support.snapshot(tree) != before:
                raise Wrong("revert does not give the tree back")
        return {0: "done", 1: "refused", 3: "nothing to do"}.get(code, f"exit status {code}")

    return trial


def main():
    """Trials until the time is up."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=random.randrange(10**9))
    given = parser.parse_args()
    results, end, number = {}, time.monotonic() + given.seconds, given.seed
    with tempfile.TemporaryDirectory() as scratch:
        trial = patch(scratch)
        while number == given.seed or time.monotonic() < end:
            try:
                result = trial(random.Random(number))
            except Exception as wrong:  # whatever the tool raises is a finding
                print(f"--seed {number}: {type(wrong).__name__}: {wrong}")
                return 1
            results[result] = results.get(result, 0) + 1
            number += 1
    print(f"{number - given.seed} trials from --seed {given.seed} on: {results}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
