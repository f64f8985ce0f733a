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
import sys
import tempfile
import time

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path[:0] = [os.path.join(ROOT, folder) for folder in ("validate/tests/patch", "corsika-patch")]
sys.dont_write_bytecode = True
import support  # noqa: E402
from patchlib import patch_command  # noqa: E402


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
    changed = ["", line + line, rnd.choice(lines), line.rstrip("\n")]
    changed.append(line.encode("latin-1").swapcase().decode("latin-1"))
    changed.append(line[:column] + noise + line[column:])
    changed.append(line[:column] + chr(rnd.randrange(256)) + line[column + 1 :])
    changed.append(line[:start] + (rnd.choice(words)[0] if words else "x") + line[end:])
    lines[at] = rnd.choice(changed)
    return "".join(lines)


def use_tool(*arguments):
    """The exit status of gpuranmar-patch."""
    sys.argv = ["gpuranmar-patch", *arguments]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        try:
            return patch_command.main()
        except SystemExit as stopped:
            return stopped.code


def trial(rnd, scratch):
    """Returns the exit status of the tool with a tree that was changed."""
    tree = support.make_tree(scratch)
    if revert := rnd.random() < 0.3:
        assert use_tool("apply", tree, "--no-verify") == 0, "the unchanged tree is refused"
    for _ in range(rnd.choice([1, 1, 2, 3, 8])):
        path = os.path.join(tree, rnd.choice(sorted(os.listdir(tree))))
        support.write(path, change(rnd, support.read(path)))
    before = support.snapshot(tree)
    code = use_tool("revert", tree) if revert else use_tool("apply", tree, "--no-verify")
    assert code in range(5), f"exit status {code}"
    assert code == 0 or support.snapshot(tree) == before, f"status {code}, but the tree is changed"
    if code == 0 and not revert:
        assert use_tool("revert", tree) == 0, "revert refuses what apply has made"
        assert support.snapshot(tree) == before, "revert does not give the tree back"
    return code


def main():
    """Trials until the time is up."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=random.randrange(10**9))
    given = parser.parse_args()
    counts, end, number = [0] * 5, time.monotonic() + given.seconds, given.seed
    with tempfile.TemporaryDirectory() as scratch:
        while number == given.seed or time.monotonic() < end:
            try:
                counts[trial(random.Random(number), scratch)] += 1
            except Exception as wrong:  # whatever the tool raises is a finding
                print(f"--seed {number}: {type(wrong).__name__}: {wrong}")
                return 1
            number += 1
    print(f"{sum(counts)} trials from --seed {given.seed} on; of exit status 0 to 4: {counts}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
