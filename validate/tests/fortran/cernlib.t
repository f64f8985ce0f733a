#!/usr/bin/env python3
"""The same random calls of CERNLIB's names return and print the same from the reference and from
libgpuranmar. States are made up so that zeros come, and RANMAR is searched for the zeros it has."""
import random
import struct

import replaying
from replaying import length

KSEQ, SEEDS = 9, 942377568
SCRIPTS, CALLS = 12, 60


def real(word):
    """A multiple of 2**-24 as the bits of a REAL."""
    return struct.unpack("<i", struct.pack("<f", word / replaying.ONE))[0]


def fortran_state(rnd):
    """ISEED(103) of a sequence in which zeros come soon."""
    u, c, i97, j97 = replaying.state_with_zeros(rnd, 24)
    if rnd.random() < 0.3:
        u[1] = 0
    counters = [
        rnd.randrange(SEEDS),
        rnd.choice([rnd.randrange(10**9), 10**9 - 5]),
        rnd.randrange(100),
    ]
    return counters + [real(word) for word in u] + [real(c), i97, j97]


def script(rnd):
    """Calls of all kinds. Some use RANMAR and RM48 without starting them."""
    lines = [
        f"rmmaq S {k} {rnd.randrange(SEEDS)} {rnd.randrange(3000)} 0" for k in range(1, KSEQ + 1)
    ]
    if rnd.random() < 0.5:
        lines += ["rm48ut", "report"]
    for _ in range(CALLS):
        seed, skip, iseq = (
            rnd.randrange(SEEDS),
            rnd.choice([0, 7, rnd.randrange(10**6)]),
            rnd.choice([-1, 0, 1, 2, KSEQ]),
        )
        lines.append(
            rnd.choice(
                [
                    f"draw {length(rnd)}",
                    f"rm48 {length(rnd)}",
                    *[f"rmmar {iseq} {length(rnd)}"] * 4,
                    f"start {seed} {skip} 0",
                    f"rm48in {min(seed, 900000000)} "
                    f"{rnd.choice([skip, -skip])} {rnd.choice([0, -1])}",
                    "report",
                    "rm48ut",
                    f"rmmaq S {iseq} {seed} {skip} 0",
                    f"rmmaq R {iseq}",
                    f"rmmaq RV {iseq}",
                    f"rmmaq _ {iseq}",
                    f"rmmaq V {iseq}",
                ]
            )
        )
        if rnd.random() < 0.2:
            lines.append(" ".join(map(str, ["rmmaq SV", iseq, *fortran_state(rnd)])))
            lines += [f"rmmar {rnd.choice([0, iseq])} {rnd.choice([1, 1, 40, 2000])}"] * 20
    return lines


def search(rnd):
    """Seven in eight such searches meet a zero: one number in 2**24 is."""
    return [
        f"start {rnd.randrange(SEEDS)} 0 0",
        "scan 16000 1",
        "scan 400 75000",
        "scan 1000 1500",
        "report",
    ]


scripts = [script(random.Random(replaying.SEED + n)) for n in range(SCRIPTS)]
replaying.run("replay-cernlib", scripts + [search(random.Random(replaying.SEED))])
