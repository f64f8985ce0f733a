#!/usr/bin/env python3
"""The shower program writes the same bytes whoever makes its numbers: the sequential reference, the
library that it is relinked with, or an RMMARD of its own and draws that were patched. A shower can
be made again from the counts in its header, and a bad card is one clear line."""
import os
import random
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, ok  # noqa: E402

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
SEED = int(os.environ.get("SEED", random.SystemRandom().randrange(10**9)))
SEEDS = 942377568
OTHERS = ["relinked", "patched"]

CARDS = {
    "gamma, Cherenkov light": "PRMPAR 1\nERANGE 300. 300.\nCERENK 5.\n",
    "proton, three showers, Cherenkov light": "PRMPAR 14\nNSHOW 3\nERANGE 300. 3000.\nESLOPE -2.\n"
    "THETAP 0. 40.\nPHIP -180. 180.\nCERENK 100.\n",
    "iron": "PRMPAR 5626\nERANGE 3.E3 3.E3\nOBSLEV 2.2E5\nECUTS 0.1 0.1 0.002 0.001\n",
    "pion": "PRMPAR 9\nNSHOW 2\nERANGE 100. 1000.\nESLOPE -1.\nTHETAP 50. 50.\nLONGI 10.\n",
}
BAD_CARDS = [
    "FOO 1",
    "NSHOW 0",
    "NSHOW 1.5",
    "NSHOW x",
    "NSHOW",
    "NSHOW 1 2",
    "ERANGE 5. 1.",
    "PRMPAR 7",
    "SEED 942377568 0 0",
    "SEED 1 -1 0",
    "ECUTS .3 .3 .003 1.E-9",
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


def sub_blocks(data):
    """The sub-blocks of 273 words in records of 21, between two counts of bytes."""
    for at in range(0, len(data), 22940):
        yield from (data[i : i + 1092] for i in range(at + 4, at + 22936, 1092))


def event(number, data):
    """The sub-blocks of event NUMBER, from EVTH to EVTE."""
    found, inside = [], False
    for block in sub_blocks(data):
        if block[:4] == b"EVTH":
            inside = struct.unpack_from("=f", block, 4)[0] == number
        if inside:
            found.append(block)
        if block[:4] == b"EVTE":
            inside = False
    return found


def seed_cards(rnd, seeds=None):
    seeds = seeds or [rnd.randrange(SEEDS) for _ in range(3)]
    return "".join(f"SEED {seed} {rnd.randrange(10**6)} 0\n" for seed in seeds)


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


def check_restart(rnd, scratch):
    cards = CARDS["proton, three showers, Cherenkov light"]
    second = {"CER000001": []}
    while (
        len(second["CER000001"]) <= 2
    ):  # now and then a small shower has no light, just EVTH and EVTE
        seeds = [rnd.randrange(SEEDS) for _ in range(3)]
        _, whole = run("reference", cards + seed_cards(rnd, seeds), scratch)
        second = {name: event(2, whole[name]) for name in ("DAT000001", "CER000001")}
    # Seed, calls and millions of calls of each sequence, of which REALs have the seed rounded.
    words = struct.unpack_from("=9f", second["DAT000001"][0], 4 * 13)
    cards += "EVTNR 2\nNSHOW 1\n" + "".join(
        f"SEED {seed} {int(words[3 * k + 1] + 1e6 * words[3 * k + 2])} 0\n"
        for k, seed in enumerate(seeds)
    )
    for program in ["reference"] + OTHERS:
        _, again = run(program, cards, scratch)
        same = all(event(2, again[name]) == second[name] for name in second)
        ok(
            same,
            f"{program}: the second shower again, from the counts in its header",
            cards.replace("\n", "; "),
        )


def check_bad_cards(scratch):
    for card in BAD_CARDS:
        done, _ = run("reference", card + "\n", scratch)
        said = done.stderr.decode()
        named = card.split()[0] == "DIRECT" and card.split()[1] in said or f"card '{card}'" in said
        ok(
            done.returncode == 1 and said.count("\n") == 1 and named,
            f"card '{card}' is refused in one line",
            said,
        )


print(f"# SEED={SEED}")
with tempfile.TemporaryDirectory() as place:
    numbers = random.Random(SEED)
    check_same(numbers, place)
    check_restart(numbers, place)
    check_bad_cards(place)
finish()
