"""Tests by scripts of random calls. A program is built twice, with the reference and relinked with
the library. Both read the same script, and must print the same and write the same files."""
import os
import random
import subprocess
import sys
import tempfile
from itertools import zip_longest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import BUILD, ROOT, SEED, finish, ok  # noqa: E402, F401


def replay(program, lines, given=None):
    """What PROGRAM prints on LINES, a list, and the files that it leaves, by name. GIVEN are files
    that it finds."""
    with tempfile.TemporaryDirectory() as scratch:
        for name, content in (given or {}).items():
            with open(os.path.join(scratch, name), "wb") as file:
                file.write(content)
        how = {"text": True, "capture_output": True, "cwd": scratch}
        run = subprocess.run([f"{BUILD}/{program}"], input="\n".join(lines) + "\n", **how)
        files = {}
        for name in os.listdir(scratch):
            with open(os.path.join(scratch, name), "rb") as file:
                files[name] = file.read()
    return [*run.stdout.splitlines(), f"{run.stderr}exit {run.returncode}"], files


def check(name, wanted, answer):
    """A test: the answer is the reference's, which ended well; both as replay() returns them."""
    (lines, files), (others, other_files) = wanted, answer
    wrong = None
    for n, (line, other) in enumerate(zip_longest(lines, others), 1):
        if not wrong and line != other:
            wrong = f"line {n}: reference '{line}', relinked '{other}'"
    # A file that only one of them has may be empty.
    for file in sorted(files.keys() | other_files.keys()):
        if not wrong and files.get(file, b"") != other_files.get(file, b""):
            wrong = f"{file} differs"
    if not wrong and lines[-1] != "exit 0":
        wrong = lines[-1]
    ok(not wrong, name, wrong)
    return not wrong
