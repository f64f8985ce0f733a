"""Tests by scripts of random calls. A program is built twice, with the reference and relinked with
the library. Both read the same script, and must print the same and write the same files."""
import os
import random
import subprocess
import sys
import tempfile
from itertools import zip_longest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import BUILD, SEED, finish, ok  # noqa: E402

ONE, STEP, MODULUS = 1 << 24, 7654321, 16777213


def replay(program, lines, given=None):
    """What PROGRAM prints on LINES, a list, and the files that it leaves, by name. GIVEN are files
    that it finds."""
    with tempfile.TemporaryDirectory() as scratch:
        for name, content in (given or {}).items():
            with open(os.path.join(scratch, name), "wb") as file:
                file.write(content)
        run = subprocess.run(
            [f"{BUILD}/{program}"],
            input="\n".join(lines) + "\n",
            text=True,
            capture_output=True,
            cwd=scratch,
        )
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


def run(program, scripts):
    """TAP for the scripts, through PROGRAM-reference and PROGRAM-relinked."""
    print(f"# SEED={SEED}")
    for lines in scripts:
        wanted = replay(f"{program}-reference", lines)
        files = f", {len(wanted[1])} files" if wanted[1] else ""
        check(f"{len(lines)} calls{files}", wanted, replay(f"{program}-relinked", lines))
    finish()


def length(rnd):
    """Of an array: short, or such that it ends in a window, or goes past it."""
    middle = [rnd.randint(0, 1000), rnd.randint(1000, 3000)]
    return rnd.choice([0, 1, 1, 1, 2, 3, 33, 97, *middle, rnd.choice([500, 500, 66000])])


def state_with_zeros(rnd, bits):
    """U(97), C, I97, J97 of a sequence in which some of the next 33 numbers are zero, or the
    smallest above it, and some words too. U is in units of 2**-bits, C of 2**-24. Those 33 numbers
    leave their two words as they are."""
    one = 1 << bits
    u = [rnd.randrange(one) for _ in range(97)]  # u[0] is U(1)
    for i in rnd.sample(range(97), 3):
        u[i] = rnd.choice([0, 1])
    start, i97 = rnd.randrange(MODULUS), rnd.randint(1, 97)
    c = start
    for j in range(33):
        c = (c - STEP) % MODULUS
        old, lagged = (i97 - 1 - j) % 97, (i97 - 65 - j) % 97
        chance = rnd.random()
        if chance < 0.5:
            u[old] = (u[lagged] + c * (one // ONE) + (chance >= 0.4)) % one
    return u, start, i97, i97 - 64 if i97 > 64 else i97 + 33
