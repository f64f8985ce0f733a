"""Tests by scripts of random calls: a program that is built with the reference and relinked reads the
same script and must print the same, and write the same files."""
import os
import random
import subprocess
import tempfile

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
SEED = int(os.environ.get("SEED", random.SystemRandom().randrange(10**9)))


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


def difference(a, b):
    """Where lists of lines A and B part, as one line of text; None if they do not."""
    for i, (x, y) in enumerate(zip(a, b)):
        if x != y:
            return f"line {i + 1}: reference '{x}', relinked '{y}'"
    return None if len(a) == len(b) else f"{len(a)} lines from the reference, {len(b)} relinked"


def file_difference(files, others):
    """The same for files; those that are not there are empty."""
    for name in sorted(files.keys() | others.keys()):
        a, b = files.get(name, b""), others.get(name, b"")
        if a != b:
            if b"\0" in a + b:
                return f"{name} differs"
            return difference(a.decode().splitlines(), b.decode().splitlines()) or f"{name} differs"
    return None


def run(program, scripts):
    """TAP for the scripts, through PROGRAM-reference and PROGRAM-relinked."""
    print(f"1..{len(scripts)}\n# SEED={SEED}")
    for n, lines in enumerate(scripts, 1):
        (said, wrote), (said_relinked, wrote_relinked) = (
            replay(f"{program}-reference", lines),
            replay(f"{program}-relinked", lines),
        )
        wrong = difference(said, said_relinked) or file_difference(wrote, wrote_relinked)
        if said[-1] != "exit 0":
            wrong = wrong or said[-1]
        print(
            f"{'not ' if wrong else ''}ok {n} - {len(lines)} calls"
            + (f", {len(wrote)} files" if wrote else "")
        )
        if wrong:
            print(f"# {wrong}")
