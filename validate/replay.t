#!/usr/bin/env python3
"""The same random RMMARD and RMMAQD calls, on all sequences, return the same from the reference and
from libgpuranmar, and write the same status files: so either also reads the other's."""
import os
import random
import subprocess
import tempfile

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
SEED = int(os.environ.get("SEED", random.SystemRandom().randrange(10**9)))
KSEQ, SEEDS = 9, 942377568
SCRIPTS, CALLS = 20, 150


def script(rnd):
    """Lines for replay: every sequence started, then calls of all kinds."""
    lines = [f"S {k} {rnd.randrange(SEEDS)} {rnd.randrange(3000)} 0" for k in range(1, KSEQ + 1)]
    written = 0
    for _ in range(CALLS):
        iseq = rnd.choice([-3, 0, 1, 2, 3, KSEQ])
        wild = rnd.choice([iseq, KSEQ + 1, 99])  # no such sequence: the current one
        call = rnd.choice(["draw"] * 8 + ["S", "S", "SR", "R", "R", "_", "V", "RV", "SV"])
        if call == "draw":
            lines.append(f"draw {wild} {rnd.choice([0, 1, 1, 2, 3, 96, 97, 98, rnd.randrange(1000)])}")
        elif call in ("S", "SR"):
            skip = rnd.choice([0, rnd.randrange(100), rnd.randrange(10**6)])
            lines.append(f"{call} {wild} {rnd.randrange(SEEDS)} {skip} 0")
        elif call == "RV":
            written += 1
            lines += [f"file status{written}", f"RV {iseq} 1 2 3"]
        elif call == "SV":
            if written:
                lines += [f"file status{rnd.randint(1, written)}", f"SV {wild} 1 2 3"]
        else:
            lines.append(f"{call} {iseq} 1 2 3")
    return lines


def replay(program, lines):
    """What PROGRAM prints on LINES, a list, and the files that it writes."""
    with tempfile.TemporaryDirectory() as scratch:
        run = subprocess.run([f"{BUILD}/{program}"], input="\n".join(lines) + "\n", text=True,
                             capture_output=True, cwd=scratch)
        files = {}
        for name in os.listdir(scratch):
            with open(os.path.join(scratch, name)) as file:
                files[name] = file.read().splitlines()
    return [*run.stdout.splitlines(), f"{run.stderr}exit {run.returncode}"], files


def difference(a, b):
    """Where lists of lines A and B part, as one line of text; None if they do not."""
    for i, (x, y) in enumerate(zip(a, b)):
        if x != y:
            return f"line {i + 1}: reference '{x}', relinked '{y}'"
    return None if len(a) == len(b) else f"{len(a)} lines from the reference, {len(b)} relinked"


print(f"1..{SCRIPTS}\n# SEED={SEED}")
for n in range(1, SCRIPTS + 1):
    lines = script(random.Random(SEED + n))
    (said, wrote), (said_relinked, wrote_relinked) = replay("replay-reference", lines), replay("replay-relinked", lines)
    wrong = difference(said, said_relinked)
    for name in sorted(wrote):
        wrong = wrong or difference(wrote[name], wrote_relinked.get(name, []))
    print(f"{'not ' if wrong else ''}ok {n} - {len(lines)} calls, {len(wrote)} status files")
    if wrong:
        print(f"# {wrong}")
