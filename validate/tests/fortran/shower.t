#!/usr/bin/env python3
"""The shower program writes the same bytes whoever makes its numbers: the sequential reference, the
library that it is relinked with, or an RMMARD of its own and draws that were patched. A bad card is
one clear line. (production.t makes showers again from the counts in their headers.)"""
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import BUILD, SEED, finish, ok  # noqa: E402

SEEDS = 942377568
OTHERS = ["relinked", "patched"]

CARDS = {
    "gamma, Cherenkov light": "PRMPAR 1\nERANGE 300. 300.\nCERENK 5.\n",
    "proton, three showers, Cherenkov light": "PRMPAR 14\nNSHOW 3\nERANGE 300. 3000.\nESLOPE -2.\n"
    "THETAP 0. 40.\nCERENK 100.\n",
    "electron": "PRMPAR 3\nERANGE 30. 30.\nESLOPE -1.\n",
    "pion": "PRMPAR 9\nNSHOW 2\nERANGE 100. 1000.\nESLOPE -1.\nTHETAP 50. 50.\n",
}
BAD_CARDS = [
    "FOO 1",
    "NSHOW 0",
    "NSHOW 1.5",
    "NSHOW x",
    "NSHOW",
    "ERANGE 5. 1.",
    "ERANGE 5. Inf",
    "ESLOPE NaN",
    "PRMPAR 7",
    "SEED 942377568 0 0",
    "CERENK -1.",
    "THETAP 0. 1. 2.",
    "ERANGE 5., ,",
    "THETAP /",
    "THETAP ;5",
    "SEED 1 0 0 first",
    f"ESLOPE 0{1:194d}",
    "DIRECT /no/such/place/",
]


def run(program, cards, scratch):
    """The run itself and all that it wrote, by file name; the log is 'stdout'."""
    with tempfile.TemporaryDirectory(dir=scratch) as here:
        done = subprocess.run(
            [f"{BUILD}/shower-{program}"],
            input=(cards + "EXIT\n").encode(),
            capture_output=True,
            cwd=here,
            check=False,
        )
        files = {"stdout": done.stdout}
        for name in os.listdir(here):
            with open(os.path.join(here, name), "rb") as file:
                files[name] = file.read()
    return done, files


def difference(a, b):
    """Where the files A and B of two runs part; empty if they do not."""
    if a.keys() != b.keys():
        return f"files {sorted(a)} and {sorted(b)}"
    for name in a:
        if a[name] != b[name]:
            at = next((i for i, (x, y) in enumerate(zip(a[name], b[name])) if x != y), "the end")
            return f"{name}: {len(a[name])} and {len(b[name])} bytes, first difference at {at}"
    return ""


def seed_cards(rnd):
    return "".join(f"SEED {rnd.randrange(SEEDS)} {rnd.randrange(10**6)} 0\n" for _ in range(3))


def check_same(rnd, scratch):
    for name, cards in CARDS.items():
        cards += seed_cards(rnd)
        done, reference = run("reference", cards, scratch)
        size = sum(map(len, reference.values()))
        ok(
            done.returncode == 0 and size > 10000,
            f"{name}: the reference writes {size} bytes",
            done.stderr.decode(),
        )
        for program in OTHERS:
            done, files = run(program, cards, scratch)
            wrong = done.stderr.decode() or difference(reference, files)
            ok(not wrong, f"{name}: {program} writes the same", wrong)


def check_bad_cards(scratch):
    for card in BAD_CARDS:
        done, _ = run("reference", card + "\n", scratch)
        said = done.stderr.decode()
        named = (
            card.split()[0] == "DIRECT" and card.split()[1] in said or f"card '{card[:60]}" in said
        )
        ok(
            done.returncode == 1 and said.count("\n") == 1 and named,
            f"card '{card[:60]}' is refused in one line",
            said,
        )


print(f"# SEED={SEED}")
with tempfile.TemporaryDirectory() as place:
    numbers = random.Random(SEED)
    check_same(numbers, place)
    check_bad_cards(place)
finish()
